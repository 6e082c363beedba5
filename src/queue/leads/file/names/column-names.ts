// The headers of a lead's columns in other systems: in eight languages, and in exports of HubSpot, Salesforce,
// Pipedrive, Zoho, Google and Outlook. Written as `normalize` (columns.ts) returns them: lower case, without accents
// and punctuation. Of several columns that match, the name that is listed first wins. Ambiguous names are left out.
// Which headers say who must not be called is in queue/leads/no/judge.ts.
import type { FileField } from '../columns.ts'

export const columnNames: Readonly<Record<Exclude<FileField, 'doNotCall'>, string>> = {
  phoneNumber: `
    phone, phone number, phone no, telephone, telephone number, tel, tel no, mobile, mobile phone, mobile number,
    mobile phone number, cell, cell phone, cellphone, primary phone, business phone, work phone, home phone,
    other phone,
    person phone, person phone mobile, person phone work, phone mobile, phone work, contact phone, phone 1 value,
    telefon, telefonnummer, telefon nr, telefonnr, tel nr, rufnummer, handy, handynummer, mobil, mobilnummer,
    mobiltelefon,
    mobilfunknummer, telefon mobil, telefon geschaftlich, telefon privat, festnetz,
    numero de telephone, n de telephone, telephone portable, telephone mobile, portable, numero de portable,
    numero, gsm,
    telefono, numero de telefono, movil, telefono movil, numero de movil, celular, numero de celular,
    numero di telefono, cellulare, numero di cellulare, telefono cellulare, recapito telefonico,
    telefoon, telefoonnummer, mobiel, mobiel nummer, mobiele telefoon, gsm nummer,
    telefone, numero de telefone, telemovel, numero de telemovel, telefone celular,
    numer telefonu, nr telefonu, telefon komorkowy, komorka, numer komorki`,
  externalId: `
    external id, externalid, crm id, record id, lead id, contact id, customer id, customer number, customer no,
    client id,
    person id, deal id,
    externe id, kundennummer, kunden nr, kundennr, kunden id, kontakt id, datensatz id,
    id externe, identifiant externe, id client, numero client, numero de client, id contact, identifiant,
    id externo, id cliente, id del cliente, numero de cliente, codigo de cliente, id de contacto, identificador,
    id esterno, codice cliente, numero cliente, id contatto, identificativo,
    extern id, klantnummer, klant id, klantnr, relatienummer,
    id do cliente, numero do cliente, codigo do cliente, id do contato, id do contacto,
    id zewnetrzne, numer klienta, nr klienta, id klienta, id kontaktu, identyfikator,
    id`,
  scheduledFor: `
    scheduled for, scheduled at, scheduled, call at, call on, call back at, callback at, callback time, appointment,
    appointment time,
    termin, anruftermin, anrufen am, ruckruf am, ruckruftermin, wunschtermin,
    rendez vous, rdv, rappeler le, date de rappel, appeler le,
    cita, llamar el, fecha de llamada, programado para,
    appuntamento, chiamare il, richiamare il, data di richiamata,
    afspraak, bellen op, terugbellen op, terugbelmoment,
    agendamento, agendado para, ligar em, data da chamada,
    termin rozmowy, data rozmowy, oddzwonic`,
  timeZone: `
    time zone, timezone, tz, iana time zone, hs timezone,
    zeitzone, fuseau horaire, fuseau, zona horaria, huso horario, fuso orario, tijdzone, fuso horario, strefa czasowa`,
  priority: `
    priority, prio, lead priority, call priority,
    prioritat, prioritaet, dringlichkeit, priorite, prioridad, priorita, prioriteit, prioridade, priorytet`,
  metadata: 'metadata, meta data',
  consentGivenAt: 'consent given at, consent date, consent time, opt in date, opt in time, opted in at',
  consentPurpose: 'consent purpose',
  consentExpiresAt: 'consent expires at, consent expiry date',
  consentText: 'consent text',
  consentTextSha256: 'consent text sha256, consent text sha 256',
  consentUrl: 'consent url, opt in url',
  consentIp: 'consent ip, consent ip address, opt in ip',
  consentUserAgent: 'consent user agent',
  consentCertificateUrl: 'consent certificate url, trusted form cert url, xx trusted form cert url',
  consentReference: 'consent reference, consent id',
}
