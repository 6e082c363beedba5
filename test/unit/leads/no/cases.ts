// Names, answers and texts with the words of languages.ts, beside those of test/support/leads/no-cases.json: a word
// that is added there gets a case here. Behind a bar each. What must say nothing is as others write it: CRMs, forms,
// telephony.
const list = (text: string): readonly string[] =>
  text.split('|').map((one) => one.trim().replace(/\s+/g, ' '))

export const namesOfNo = list(`
  Ne pas joindre par téléphone | Geen gesprekken | Bez kontaktu | DNC'd | isdnc | isDNC | dncflag | DNC’d |
  Do Not Call | DONOTCALL__C | isDoNotCall | on_do_not_call_list | Federal Do Not Call | State Do Not Call List |
  Wireless Do Not Call | Residential Do Not Call | Do not call me please | Do not call this person |
  Do Not Call Date Added | do_not_call_at | do_not_call_request | do_not_call_opt_out | person_do_not_call |
  lead_do_not_call__c | udf_do_not_call | cf_do_not_call | custom_field_do_not_call | hs_do_not_call |
  sfdc_DoNotCall | new_donotcall | msdyn_donotphone | Do not allow phone | homePhoneDoNotCall |
  work_phone_do_not_call | Do Not Call Mobile | Do Not Call Cell | Direct Dial Do Not Call | phone_1_dnc |
  phone1_dnc_flag | Landline DNC | DNC Date | DNC Result | DNC Match | DNC Registered | dncStatus | dncl |
  DNCL Status | Internal DNC | TCPA Litigator | Known Litigator | phone_is_litigator | dndSettings | DND for calls |
  Do Not Disturb | Do Not Disturb (Phone) | Please do not disturb | Do not contact again | Do not contact by phone |
  Do Not Contact - Phone | Do not contact via telephone | Don't contact | Don't Call | don't ring | Don't telephone |
  Never call me again | Never contact | Never contact me | Never phone | Never dial | Stop calls | stop_calling |
  Stop phone calls | Please stop calling me | Stop all calls | Stop contacting me | No Calls | No more calls |
  No further calls | No cold calls | No cold calling | No marketing calls | No Contact | No Contact Flag |
  no further contact | Customer does not want to be called | I do not want to be called | I do not wish to be called |
  I do not wish to receive calls | I don't want to receive any calls | I don't want calls |
  I would rather not be called | Not to be called | Not to be contacted by phone | Must not be called |
  should_not_be_called | May not be called | Calls Opt Out | phoneOptOut | phone_opted_out | phone_is_opted_out |
  isPhoneOptedOut | HasOptedOutOfCalls | HasOptedOutOfCall | HasOptedOutOfPhone | voice_optout | cell_opt_out |
  tel_opt_out | Mobile Opted Out | Unsubscribed (phone) | phone_unsubscribe | phone_blacklist |
  phone_sanitized_blacklisted | Blacklisted (calls) | call_blacklist | phone_suppression | call_suppression |
  calls_suppressed | calls_blocked | phone_blocked | phone_consent_revoked | Consent to call revoked |
  Consent to call withdrawn | Phone consent withdrawn | Withdrawn consent for calls | voice_consent_withdrawn | tps |
  on_tps | is_tps | TPS status | CTPS | TPS/CTPS | ndnc_registered | on_dncr | Calls not allowed | phone_not_allowed |
  Calls not permitted | No permission to call | no_consent_to_call | Phone calls prohibited | Nicht anrufen |
  Nicht mehr anrufen | Mich nicht anrufen | Kunde nicht anrufen | Kontakt nicht anrufen |
  Darf nicht angerufen werden | Soll nicht angerufen werden | Ich will nicht angerufen werden |
  Ich möchte keine Anrufe erhalten | Ich wünsche keine Anrufe | Keine Anrufe | Keine Anrufe mehr | Keine Werbeanrufe |
  Keine Telefonanrufe | Keine Telefonwerbung | Kein Anruf | Kein Anruf gewünscht | Kein Kontakt |
  Kein Kontakt erwünscht | Kein telefonischer Kontakt | Telefonisch nicht kontaktieren | Bitte nicht stören |
  Nicht stören | Niemals anrufen | Nie anrufen | Telefon gesperrt | Telefonnummer gesperrt | Sperrvermerk |
  Sperrvermerk Telefon | Kontaktsperre | Kontaktverbot | Werbesperre | Telefonische Werbesperre | Robinsonliste |
  Auf Robinsonliste | Telefon Opt-out | Opt-out Telefon | Widerspruch Telefon | Widerspruch Telefonwerbung |
  Telefonwerbung widersprochen | Telefonwerbung unerwünscht | Anrufe nicht erlaubt | Anruf nicht erlaubt |
  Anrufe unerwünscht | Anrufe verboten | Telefonkontakt untersagt | Telefonische Kontaktaufnahme nicht erlaubt |
  Rufen Sie mich nicht an | Ruft mich nicht an | Stopp Anrufe | Ne plus appeler | Ne jamais appeler |
  Ne pas m'appeler | Ne m'appelez pas | Ne m'appelez plus | Merci de ne plus m'appeler | Merci de ne pas appeler |
  Ne pas contacter | Ne pas contacter par téléphone | Ne plus me téléphoner | Ne pas démarcher par téléphone |
  Ne souhaite pas être contacté | Ne souhaite pas être contacté par téléphone | Je ne souhaite pas être appelé |
  Je ne souhaite plus être contacté | Ne veut pas être rappelé | Pas d'appel | Pas d'appels |
  Pas d’appels commerciaux | Plus d'appels | Aucun appel | Aucun appel téléphonique | Sans appel | Stop appel |
  Refus d'appel | Refus démarchage téléphonique | Opposition appels | Opposition au démarchage téléphonique |
  Opposition démarchage téléphonique | Désinscrit des appels | Téléphone bloqué | Inscription Bloctel |
  bloctel_inscrit | Consentement téléphone retiré | Appels interdits | Por favor no llamar | No me llamen |
  No me llames | No me llame | No volver a llamar | No llamar nunca | Nunca llamar | No llamar al cliente |
  No quiero llamadas | No quiero recibir llamadas | No desea recibir llamadas | No desea ser llamado |
  No deseo ser contactado | Sin llamadas comerciales | No llamadas | Ninguna llamada | No telefonear |
  No contactar por teléfono | No contactar telefónicamente | No me contacten | Lista Robinson |
  Inscrito en Lista Robinson | Robinson (lista) | Registro No Llame | No autoriza llamadas | No acepta llamadas |
  No permite llamadas | Rechaza llamadas | Oposición llamadas | Oposición a llamadas |
  Consentimiento telefónico revocado | Teléfono bloqueado | Non chiamare più | non_chiamare_piu | Non richiamare |
  Non chiamatemi | Non mi chiami | Non chiamarmi più | Non voglio chiamate | Non desidera essere chiamato |
  Non desidera ricevere chiamate | Non desidera essere contattato | Non vuole essere contattato |
  Cliente non vuole essere chiamato | Non contattare per telefono | Non contattatemi | Non telefonare più |
  Nessuna chiamata | Niente chiamate | Niente telefonate | Basta chiamate | Mai chiamare | No telefonate |
  Stop chiamate | Senza chiamate | Opposizione telefono | Opposizione telefonica | Consenso telefonico revocato |
  Revoca consenso telefonico | Chiamate non consentite | Rifiuta chiamate | Telefono bloccato | Niet bellen |
  Niet bellen a.u.b. | Graag niet bellen | Nooit meer bellen | Niet terugbellen | Niet telefoneren |
  Niet telefonisch contacteren | Niet benaderen | Geen contact opnemen | Geen contact | Geen oproepen |
  Geen telefonisch contact | Geen telefonische verkoop bellen | Geen belletjes | Klant wil niet gebeld worden |
  Wil geen telefoontjes | Wenst niet gebeld te worden | Mag niet gebeld worden | Bel mij niet | Bel mij niet meer |
  Bel niet | Bel me nooit | Bellen niet toegestaan | Bellen verboden | Stop met bellen | Telefoon geblokkeerd |
  Opt-out bellen | Toestemming telefoon ingetrokken | Afgemeld voor telefoon | Contacteer mij niet | nao_ligar |
  Não ligar mais | Não ligue | Não ligue mais | Não me liguem mais | Por favor, não ligar | Não telefone |
  Não chamar | Não contactar | nao_contatar | Não contatar cliente | Não entrar em contato | Não me perturbe |
  nao_me_perturbe | Não incomodar | Não quero receber ligações | Não deseja receber ligações |
  Não deseja ser contatado | Cliente não quer ser contactado | Não aceita ligações | Não permite chamadas |
  Sem chamadas | Sem contacto telefónico | Nunca mais ligar | Parem de ligar | Chamadas não permitidas |
  Ligações proibidas | Bloqueado para ligações | Oposição a chamadas | Consentimento telefone revogado |
  Lista Não Perturbe | Nie dzwonić | Nie dzwonić więcej | Nie dzwonić już | Proszę nie dzwonić | prosze_nie_dzwonic |
  Nie dzwońcie | Nie kontaktować | Nie kontaktować się telefonicznie | Nie kontaktuj się |
  Nie chce rozmów telefonicznych | Nie życzy sobie kontaktu | Nie życzy sobie telefonów | Nie życzę sobie telefonów |
  Brak zgody na kontakt telefoniczny | Brak zgody na telefon | Brak zgody na połączenia | Bez telefonów |
  Zakaz dzwonienia | Zakaz kontaktu | Zakaz kontaktu telefonicznego | Nigdy więcej nie dzwonić | Sprzeciw telefon |
  Sprzeciw wobec połączeń | Zgoda na telefon wycofana | Telefon zablokowany | Ring inte | Ring inte mer |
  Ring inte mig | Ring mig inte | Ring aldrig igen | Ring ej kund | Ringa inte | Får ej ringas |
  Vill inte bli uppringd | Vill ej bli uppringd | Vill inte ha samtal | Kund vill inte bli kontaktad |
  Kontakta mig inte | Kontakta aldrig | Får ej kontaktas | Får inte kontaktas | Inga samtal tack |
  Inga telefonsamtal | Inga säljsamtal | Ingen telefonkontakt | Stör ej | Stör mig inte | NIX | NIX-registrerad |
  Nix Telefon | Spärrad för samtal | Samtal ej tillåtet | Samtal undanbedes | Samtycke telefon återkallat |
  Återkallat samtycke samtal | Avregistrerad telefon | Sluta ringa | Please check if you do not want to be called |
  Check this box if you don't want us to call you | Tick to opt out of phone calls |
  I would prefer not to receive calls | Please tick if you would prefer not to be contacted by phone |
  I'd rather not receive phone calls | Opt me out of calls | I want to opt out of phone calls |
  Please add me to your do not call list | Add to DNC list | Lead requested DNC | Customer requested no calls |
  x_do_not_call | x_studio_do_not_call | ff_do_not_call | custom_do_not_call_1 | answers[do_not_call] |
  data.attributes.do_not_call | contact.custom.do_not_call | properties.do_not_call.value | phones.0.doNotCall |
  fedDNC | isDNCListed | hasDNC | DNC__c | DNC - Internal | Internal DNC flag | Do Not Call (TPS) | CTPS/TPS flag |
  on TPS register | tps_opted_out | VoiceOptOut__c | opted_out_calls | isOptedOutOfCalls | PhoneOptOut__c |
  et4ae5__HasOptedOutOfPhone__c | home_phone_opt_out | unsubscribed_calls | unsubscribed_voice | suppressed_phone |
  suppress_calls | call_suppressed | blacklist_phone | blacklisted_phone | Blocked for calls | voice_blocked |
  Telephone blocked | consent_call_withdrawn | phone_permission_revoked | phone_permission_denied |
  call_permission_denied | revoked_phone_consent | Consent (phone) revoked | opt_in_phone_revoked | Do Not Robocall |
  No robocalls | telemarketing_opt_out | phone_do_not_contact | never-call-again | never_call_list | notobecalled |
  calls_not_wanted | calls_unwanted | phone calls not wanted | does not accept calls | Refuses calls |
  Kunde will keine Anrufe | Kunde wünscht keinen Anruf | Keine Anrufe gewünscht | keine_anrufe_flag |
  Nicht-anrufen-Kennzeichen | NichtAnrufenKz | Kennzeichen Anrufsperre | Anrufsperrkennzeichen | Sperre Telefon |
  Sperrkennzeichen Telefon | Tel. gesperrt | Rufnummer gesperrt | Telefonkontaktsperre | Kontakt gesperrt (Telefon) |
  Telefonische Kontaktaufnahme unerwünscht | Telefonische Werbung nicht erlaubt | Keine telefonischen Kontakte |
  Keine telefonische Werbung | Kein Anruf bitte | Ich möchte nicht telefonisch kontaktiert werden |
  Ich möchte nicht mehr kontaktiert werden | Bitte nicht mehr kontaktieren | Anrufe widersprochen |
  Widerspruch gegen Anrufe | Widerspruch Werbeanrufe | Werbeanrufe widersprochen | Opt-out Anrufe |
  Opt-out telefonisch | Abgemeldet Telefon | Einwilligung für Anrufe widerrufen | Eingetragen in Robinsonliste |
  Robinsonliste (Telefon) | Nicht telefonieren | Bitte nicht telefonisch melden | Ne pas appeler le client |
  Ne pas appeler (client) | Numéro à ne pas appeler | Contact à ne pas appeler | A ne pas appeler |
  ne_pas_appeler_flag | ne pas téléphoner au client | Je ne veux plus être appelé(e) |
  Je ne souhaite pas recevoir d'appels | Je refuse les appels | Refuse d'être appelé | Refuse les appels |
  Pas d'appels merci | Pas de démarchage | Pas de démarchage téléphonique | Pas de contact téléphonique |
  Aucun contact téléphonique | Aucun démarchage | Sans démarchage téléphonique | Stop démarchage |
  Opposé au démarchage | Opt-out téléphone | Opt-out appels | optout_appel | Désinscription appels | Appels bloqués |
  Appels non souhaités | Appel interdit | Interdiction d'appeler | Ne doit pas être appelé | bloctel_flag |
  Numéro Bloctel | No llamar a este número | No llamar a este cliente | No llamar por favor |
  Cliente que no desea llamadas | No quiere que le llamemos | No quiere recibir llamadas | No desea llamadas |
  No desea que le llamen | No autorizo llamadas | No permitir llamadas | No hacer llamadas | No realizar llamadas |
  No contactar nunca | No me contacten más | Nunca contactar | Nunca llamar a este cliente | noLlamarCliente |
  Sin llamadas telefónicas | Sin contacto telefónico | Opt-out llamadas | Baja llamadas opt-out |
  Llamadas bloqueadas | Llamadas prohibidas | Bloqueado para llamadas | Inscrito lista Robinson |
  En la lista Robinson | Oposición telefónica | Oposición a recibir llamadas | Consentimiento llamadas revocado |
  Consentimiento para llamar retirado | Non chiamare questo numero | Non chiamare cliente | Non chiamare mai |
  Non richiamare più | Non chiamatemi più | Cliente da non chiamare | Non voglio ricevere chiamate |
  Non vuole ricevere chiamate | Non vuole chiamate | Non desidera chiamate | Non accetto chiamate |
  Non effettuare chiamate | Non contattarmi telefonicamente | Non contattare al telefono | Non ricontattare |
  Mai più chiamare | Mai contattare | Nessun contatto telefonico | Niente telefonate commerciali | Stop telefonate |
  Smettere di chiamare | Opt-out chiamate | Chiamate bloccate | Chiamate vietate | Bloccato per chiamate |
  Opposizione chiamate | Revoca consenso chiamate | Consenso chiamate revocato |
  Iscritto al Registro Opposizioni telefono | Registro opposizioni telefonico | Klant niet meer bellen |
  Deze klant niet bellen | Niet bellen deze klant | Niet gebeld worden | Ik wil geen telefoontjes |
  Ik wens geen oproepen | Wil geen telefonisch contact | Geen telefoontjes aub | Nooit contacteren |
  Niet meer contacteren | Niet contact opnemen | Geen contact opnemen a.u.b. | Liever niet gebeld worden |
  niet_bellen_vlag | nietBellenKlant | Bel deze klant niet | Bel me niet meer | Bel-me-niet-register (ja/nee) |
  Contacteer me niet | Telefonisch contact niet toegestaan | Bellen niet gewenst | Bellen ongewenst |
  Oproepen geblokkeerd | Geblokkeerd voor bellen | Opt-out oproepen | Bezwaar gemaakt telefoon | Verzet telefoon |
  Toestemming bellen ingetrokken | Não ligar para o cliente | Não ligar por favor | Por favor não ligue |
  Não quer receber ligações | Cliente não deseja ligações | Não desejo receber chamadas | Não me telefonem |
  Não me contactem | Não entrar em contacto | Não fazer ligações | Não realizar chamadas | Não aceita chamadas |
  nao_ligar_flag | naoLigarCliente | naoperturbe | nao_contactar | Sem contato telefônico | Sem ligações comerciais |
  Nenhuma ligação | Stop ligações | Opt-out ligações | Opt-out telefone | Chamadas bloqueadas | Ligações bloqueadas |
  Oposição telefone | Oposição a ligações | Consentimento ligações revogado | Cadastro Não Perturbe |
  Nie dzwonić proszę | Proszę do mnie nie dzwonić | Proszę więcej nie dzwonić | Nie chce, aby dzwonić |
  Nie życzy sobie kontaktu telefonicznego | Nie zgadza się na kontakt telefoniczny | Nie zgadzam się na połączenia |
  Nie kontaktować klienta | Nigdy nie kontaktować | Klient nie chce telefonów | Klient nie chce kontaktu |
  Bez połączeń | Zakaz telefonowania | Zakaz dzwonienia do klienta | Stop telefonom | Stop połączeniom |
  nieDzwonicKlient | niekontaktowac | Połączenia zablokowane | Zablokowany dla połączeń | Opt-out połączenia |
  Sprzeciw wobec kontaktu telefonicznego | Wycofana zgoda na telefon | Zgoda na kontakt telefoniczny cofnięta |
  Na liście Robinsona | Ring inte denna kund | Ring inte tack | Ring inte upp | Ring absolut inte |
  Kunden ska inte ringas | Kunden vill inte bli ringd | Kunden vill inte ha samtal |
  Vill inte bli kontaktad per telefon | Vill ej ha samtal | Vill inte ta emot samtal | Vill slippa samtal |
  Jag vill inte bli uppringd | Kontakta inte mig | Kontakta ej kund | Kontakta aldrig igen | Inga fler samtal |
  Inga uppringningar | Inga marknadsföringssamtal | Utan samtal | Stopp samtal | Ej ringa | ej_ringas |
  ring_inte_flagga | NIX-spärr | Telefonspärr | Samtalsspärr | Spärr telefon | Telefonkontakt ej tillåten |
  Samtal ej önskade | Undanber sig samtal | Avböjer samtal | Opt-out telefonsamtal | Avregistrerad från samtal |
  Avanmäld telefon | Samtycke samtal återkallat | Cannot be contacted by phone | cannot_call |
  I object to phone calls | objection_to_calls | exclude_from_calls | excluded from calls | nocall | No solicitation |
  Do not solicit | Nicht anrufbar | Telefonakquise verboten | Keine Kaltakquise | Verzicht auf Anrufe |
  Arrêtez de m’appeler | Cessez d'appeler | Excluir de llamadas | Smettetela di chiamarmi | Divieto di chiamata |
  Blocco chiamate | Iscritto RPO | Blokkeer bellen | belblokkade | Geen verkoopgesprekken | Gelieve niet te bellen |
  Bloqueio de chamadas | Bloquear ligações | Blokada połączeń | Zakaz telemarketingu | Motsätter sig samtal`)

export const namesOfMaybe = list(`
  opt_out | opted_out | HasOptedOut | opted_out_at | Opted Out Date | Opt-out date | opt_out_flag__c | optOutAll |
  marketing_opt_out | isUnsubscribed | unsubscribe | unsubscribed_at | Unsubscribed on | globally_unsubscribed |
  unsubscribed_all | blacklisted | isBlacklisted | Blacklist | on_blacklist | suppressed | suppression_list |
  consent_revoked | Withdrawn consent | revoked_consent | consent_withdrawn_at | permission_revoked | opposition |
  Widersprochen | Werbewiderspruch | Widerruf der Einwilligung | Einwilligung zurückgezogen | Zustimmung widerrufen |
  Abgemeldet | désinscrit | Désinscription | désabonné(e) | Consentement retiré | Consentement révoqué |
  Retrait du consentement | oposicion | Dado de baja | Consentimiento revocado | Consentimiento retirado |
  Lista negra | Consenso revocato | Revoca del consenso | Consenso ritirato | Uitgeschreven | Afgemeld |
  Toestemming ingetrokken | Bezwaar gemaakt | Zwarte lijst | Oposição | Descadastrado | Consentimento revogado |
  Consentimento retirado | Wypisany | Sprzeciw | Zgoda wycofana | Wycofanie zgody | Cofnięcie zgody | Zgoda cofnięta |
  Avregistrerad | Avanmäld | Återkallat samtycke | Svartlistad | Contact not allowed | Contact prohibited |
  contact_permission_denied | contact_blocked | Kontakt unerwünscht | Odmowa kontaktu`)

export const namesOfPermission = list(`
  may_we_call | May we phone you? | can_be_called | ok_to_call | OK to phone? | OK to contact by phone |
  Is it ok to call you? | allow_call | Allows calls | allow_telephone | phone_allowed | Phone calls allowed |
  consent_call | consent_calls | consent_to_call | consent_to_calls | consent_telephone | Consent to phone contact |
  telephone_consent | tcpa_consent | tcpa | I agree to receive phone calls | I agree to be contacted by phone |
  I consent to be contacted by telephone | agree_to_call | accept_calls | Accepts calls | Accepts phone calls |
  I authorize calls | call_permission | permission_to_call | phone_permission | opt_in_phone | voice_call_opt_in |
  call_preference | phone_preference | call_me | Darf angerufen werden | Darf ich anrufen? | Dürfen wir anrufen? |
  Dürfen wir dich anrufen? | Können wir Sie anrufen? | Anrufe gestattet | Telefonkontakt erlaubt |
  Telefonwerbung erlaubt | Einwilligung Telefon | Einwilligung Anruf | Einwilligung Telefonwerbung |
  Ich bin mit Anrufen einverstanden | Ich stimme Anrufen zu | Zustimmung zu Anrufen | Opt-in Anruf | Anruf erwünscht |
  Pouvons-nous vous appeler ? | Peut-on vous appeler ? | Puis-je vous appeler ? | Accepte les appels |
  accepte_appels | J'accepte de recevoir des appels | J'accepte d'être contacté par téléphone | Autorise les appels |
  Autorisation d'appel | Autorisation téléphone | Appels autorisés | Consentement appels | Consentement téléphonique |
  Opt-in appel | Opt-in téléphone | ¿Podemos llamarle? | ¿Podemos llamarte? | Podemos llamar | puede_llamar |
  Permite llamadas | Permiso para llamar | Permiso llamadas | Acepta llamadas | Autoriza llamadas |
  Autorizo que me llamen | Autorización llamadas | Consentimiento llamadas | Llamadas permitidas | Opt-in teléfono |
  De acuerdo en recibir llamadas | Possiamo chiamare? | Si può chiamare | Accetta chiamate |
  Accetto di ricevere chiamate | Accetto di essere chiamato | Autorizza chiamate | Acconsento a ricevere chiamate |
  Acconsento ad essere contattato telefonicamente | Consenso chiamate | Consenso telefonico | consenso_telefonate |
  Chiamate consentite | Opt-in telefono | Mogen we bellen? | Mogen wij u bellen? | Mag ik bellen? |
  Mag gebeld worden | Toestemming om te bellen | Telefonische toestemming | Akkoord telefoon |
  Ik ga akkoord met bellen | Bellen akkoord | Opt-in telefoon | Opt-in bellen | Podemos ligar? | Posso ligar? |
  Permite ligações | Permite chamadas | Permissão para ligar | aceita_ligacoes | Aceito chamadas | Autorizo ligações |
  Autoriza chamadas | Concordo em receber ligações | Consentimento ligações | Consentimento telefónico |
  Consentimento telefone | Czy możemy zadzwonić? | Czy możemy dzwonić? | mozna_dzwonic | Można zadzwonić |
  Zgoda na rozmowę | Zgoda na połączenie telefoniczne | Zgoda telefoniczna | Zgadzam się na kontakt telefoniczny |
  Wyrażam zgodę na połączenia | Akceptuję połączenia | Pozwalam dzwonić | Får ringa | Får vi ringa dig? |
  far_vi_ringa | Kan vi ringa? | OK att ringa | Samtal tillåtet | Tillåt telefon | Godkänner samtal |
  Samtycke samtal | Samtycker till telefonkontakt | Jag samtycker till att bli kontaktad per telefon |
  Accepterar samtal | Would you like to be called? | Should we call you? | Do you want us to call you? |
  Möchten Sie angerufen werden? | Sollen wir Sie anrufen? | Souhaitez-vous être appelé ? |
  Desidera essere chiamato? | Wilt u gebeld worden? | Deseja receber ligações? | callable | is_callable`)

export const ordinaryNames = list(`
  Ne pas joindre de fichier | Pièces à joindre | Joindre par téléphone | Dostawa bez kontaktu | Gesprekken |
  hs_calculated_phone_number | hs_searchable_calculated_phone_number | hs_whatsapp_phone_number |
  num_contacted_notes | hs_is_contact | hs_call_duration | hs_call_direction | hs_call_disposition | hs_call_body |
  hs_call_title | hs_call_from_number | hs_call_to_number | hs_call_callee_object_id | hs_sms_optout | DoNotEmail |
  AssistantPhone | OtherPhone | HomePhone | JigsawContactId | CallDisposition | CallObject | HasOptedOutTracking |
  HasOptedOutGeoTracking | FirstCallDateTime | Call_Duration | Call_Result | Call_Start_Time | Call_Status |
  Outgoing_Call_Status | Dialled_Number | Ready_to_Call | contactId | contactName | inboundDndSettings.SMS.status |
  dndSettings.Email.status | dnd_email | dnd_sms | donotpostalmail | telephone1 | address1_telephone1 | phone_state |
  phone_mobile_search | is_blacklisted_email | partner_is_blacklisted_email | call_ids | CallSid | Called |
  CalledCity | CalledZip | ParentCallSid | DialCallSid | DialCallDuration | call_leg_id | call_session_id |
  call_control_id | abandoned_calls | calls_offered | calls_answered | calls_missed | inbound_calls | total_calls |
  avg_call_duration | max_calls | concurrent_calls | call_limit | calls_today | last_call_at | next_call_at |
  first_call_at | call_attempts | call_center | call_centre_name | call_list | call_list_id | call_script |
  call_reason | call_back_number | call_transfer | transferred_call | call_tag | call_quality | call_rating |
  call_score | call_cost | call_price | call_log | call_logs | call_history | call_language | call_length |
  end_call_reason | call_ended_at | call_started_at | call_window_start | call_window_end | call_day | call_hour |
  calling_code | calling_hours | calling_country | calling_party | called_party | called_number | dialed_number |
  dialing_prefix | dial_mode | auto_dial | ring_group | ring_timeout | phone_type | phone_number_id | phone_ext |
  phone_label | phone_number_type | phone_line_type | phone_score | phone_status | phone_system | phone_brand |
  phone_model | phone_bill | phone_validated | phone_validation | phone_lookup | phone_timezone | phone_e164 |
  cell_phone_carrier | sms_opt_in | sms_opt_out | sms_consent | text_opt_in | whatsapp_opt_in | whatsapp_opt_out |
  email_permission | email_consent_date | newsletter_opt_in | marketing_consent | marketing_opt_in | consent |
  consent_given | consent_date | consent_source | consent_ip | consent_version | consent_url | privacy_consent |
  terms_accepted | accepted_terms | accept_terms | terms_agreed | agreement_id | agreement_date | accepts_marketing |
  accepts_sms | cookie_consent | opt_in_date | opt_in_ip | opt_in_source | double_opt_in | allowed_countries |
  permission_level | permissions | permission_set | preferences | preference | contact_preference |
  preferred_contact | preferred_contact_time | preferred_phone | preferred_time_to_call | best_call_time |
  contact_method | contact_type | contact_time | contact_source | contact_phone | contact_email | contacts_count |
  contacted | is_contacted | never_contacted | last_contact | next_contact | contact_attempts | no_of_contacts |
  contact_made | no_contact_made | contact_reason | contact_us | contact_form | how_can_we_contact_you | no_of_rooms |
  no_rooms | no_bedrooms | no_of_people | no_employees | number_of_calls | no_answer | no_answers | no_answer_count |
  no_email | no_website | no_budget | no_interest | no_fee | no_claims_bonus | no_claims_years | no_pets |
  no_smoking | no_deposit | no_thanks | no_longer_interested | no_longer_employed | not_interested |
  not_interested_reason | not_reached | not_sure | not_now | never_married | never_smoked | stop_reason |
  stop_address | stop_at | bus_stop_id | start_stop | ring | ringer | boxing_ring | ring_no | engagement_ring_budget |
  contact_lenses | block_no | blocked_by | blocked | suppress_emails | revoked_license | license_revoked |
  revoked_at | offer_withdrawn | withdrawn_at | withdrawal_amount | withdrawal_date | unsubscribed_link |
  unsubscribe_url | list_unsubscribe_link | unsubscribed_from_email | unsubscribed_from_newsletter |
  unsubscribe_email | email_unsubscribed_at | opted_out_email | opt_out_email | opt_out_sms | opt_out_newsletter |
  opt_out_link | opt_out_url | opt_out_reason | do_not_sell_my_personal_information | do_not_track | do_not_publish |
  do_not_bulk_mail | do_not_fold | do_not_use | do_not_disclose | do_not_delete | do_not_merge | do_not_reply |
  do_not_sms | do_not_text_me | do_not_email_me | do_not_knock | do_not_call_after | do_not_call_between |
  do_not_call_reason | do_not_call_checked_at | dnc_checked | dnc_scrubbed | dnc_scrub_date | dnc_reason |
  dnc_verified | dnc_upload_id | dnd_start | dnd_end | dnd_hours | dnd_from | dnc_url | do_not_contact_references |
  call_recording_consent | call_recording_opt_out | call_tracking_number | call_tracking_id |
  call_recording_disclosure | recording_allowed | allow_recording | allow_tracking | allow_cookies | allow_email |
  allow_texts | allow_notifications | allow_push | agree_terms | agree_privacy | agreed_price | agreed_meeting_time |
  accept_privacy | authorized_user | authorized_dealer | authorised_by | permit_number | permit_required |
  work_permit | parking_permit | Calls (total) | Phone | Contact since | First contact | Reason for calling |
  Reason for your call | What is the reason for your call? | When can we call you? | When is the best time to call? |
  Preferred time for a call | Which number can we call? | What time should we call? | Who should we call? |
  When should we contact you? | Request a call back | Schedule a call | Book a call | Discovery call |
  Video call link | Conference call | Sales call notes | Cold call list | Call centre | Call sign | Curtain call |
  On call | On-call doctor | On call nurse | Roll call | Next call | Missed call | What should we call you? |
  What do your friends call you? | No. of adults | No. Phone | Emergency Contact No | No. Calls | No. Contacts |
  Ref No | Do you own a phone? | Are you not sure? | Why not? | Not applicable | Not specified | Anruf |
  Anzahl Anrufe | Anzahl der Anrufe | Letzter Anruf | Nächster Anruf | Anruf geplant | Anrufliste |
  Wunschtermin Anruf | Rückruf gewünscht | Rückruf erwünscht | Kontakt | Kontakt am | Kontaktaufnahme am |
  Nicht erreicht | Nicht kontaktiert | Nicht interessiert | Kein Interesse | Keine E-Mail | Keine E-Mails |
  Keine Werbung per E-Mail | Kein Telefon | Kein Handy | Kein Newsletter | Keine SMS | Keine Post |
  Nicht anrufen nach | Nicht vor 9 Uhr anrufen | E-Mail Widerspruch | Newsletter abgemeldet | Gesperrt bis Datum |
  Zustimmung Datenschutz | Einwilligung E-Mail | Einwilligung Newsletter | Einverstanden mit AGB | Erlaubnis | Ruf |
  Appels | Appel | Date d'appel | Date de l'appel | Nombre d'appels | Dernier appel | Prochain appel le |
  Motif de l'appel | Résultat de l'appel | Heure d'appel préférée | Quand pouvons-nous vous appeler ? | Rappeler le |
  À rappeler | Rappel souhaité | Téléphone | Téléphone fixe | Téléphone portable | N° de téléphone |
  Numéro de téléphone | Nom du contact | Date de contact | Premier contact | Dernier contact | Contacté |
  Non contacté | Pas contacté | Pas de réponse | Pas intéressé | Pas de téléphone | Sans emploi | Sans objet | Aucun |
  Aucun email | Plus tard | Plus de détails | Ne sait pas | Non renseigné | Opposition SMS | Désabonné newsletter |
  Consentement | Consentement RGPD | Consentement email | Accepte les CGV | Accepte la newsletter |
  Autorisation de travail | Appel d'offres | Numéro d'appel d'offres | Llamadas | Llamada | Próxima llamada |
  Fecha de la llamada | Hora de llamada | Número llamadas | Motivo de llamada | Notas de llamada |
  ¿Cuándo podemos llamarle? | Mejor hora para llamar | Horario de llamada | Volver a llamar | Nº teléfono | Contacto |
  Contacto principal | Fecha de contacto | Persona de contacto | No contesta | No interesado | No responde |
  No tiene teléfono | No disponible | No sabe | Sin teléfono | Sin correo | Sin respuesta | Sin datos |
  Consentimiento RGPD | Acepta publicidad por correo | Acepto la política de privacidad | Autorización |
  Permiso de conducir | NIE / DNI | Número NIE | Llamada entrante | Chiamate | Chiamata | Durata della chiamata |
  Data della chiamata | Esito chiamata | Motivo della chiamata | Ora chiamata | Orario per chiamata |
  Prossima chiamata | Richiamare il | Da richiamare | Richiesta di richiamata | Contatti | Nome contatto |
  Primo contatto | Data contatto | Contattato | Non risponde | Non interessato | Non disponibile | Nessuna risposta |
  Nessun telefono | Senza telefono | Consenso | Consenso privacy | Consenso marketing | Consenso newsletter |
  Accetto i termini | Autorizzazione | Permesso di soggiorno | Disiscritto newsletter | Opposizione email | Bellen |
  Bel | Bellijst | Terugbellen | Teruggebeld | Gebeld op | Gebeld | Niet gebeld | Nog niet gebeld |
  Wanneer mogen we u bellen? | Contact op | Eerste contact | Laatste contact | Niet bereikt | Niet bereikbaar |
  Geen antwoord | Geen gehoor | Geen telefoon | Geen telefoonnummer | Geen nieuwsbrief | Niet van toepassing |
  Nieuwsbrief afgemeld | Toestemming | Toestemming AVG | Toestemming e-mail | Akkoord met privacy |
  Uitgeschreven nieuwsbrief | Ligações | Ligação | Última ligação | Hora da ligação | Duração da ligação |
  Motivo da ligação | Resultado da chamada | Quantidade de ligações | Melhor horário para ligar | Retornar ligação |
  Telefone | Telefone fixo | Telefone celular | Contato principal | Primeiro contato | Data do contato |
  Não contatado | Não atende | Não interessado | Não informado | Não possui telefone | Não tem telefone |
  Sem telefone | Sem resposta | Não se aplica | Consentimento | Consentimento LGPD | Aceito os termos | Autorização |
  Permissão | Tensão de ligação | Ligação trifásica | Ligação elétrica | Chamado | Chamado nº | Número do chamado |
  Data rozmowy | Czas trwania rozmowy | Oddzwonić | Kiedy możemy zadzwonić? | Data kontaktu | Pierwszy kontakt |
  Nie odebrał | Nie zainteresowany | Nie dotyczy | Nie podano | Nie wiem | Bez adresu | Zgoda | Zgoda RODO |
  Zgoda marketingowa | Zgoda na e-mail | Zgoda na newsletter | Wynik rozmowy | Samtal | Antal samtal | Ring tillbaka |
  Ringa upp | Uppringd | Uppringd datum | När får vi ringa? | När kan vi ringa dig? | Bästa tid att ringa |
  Senaste kontakt | Kontaktad | Ej kontaktad | Inte kontaktad | Ej nådd | Svarar ej | Ej svar | Inget svar |
  Inget intresse | Ej intresserad | Inga nyhetsbrev | Ej tillämpligt | Samtycke | Samtycke GDPR |
  Samtycke nyhetsbrev | Avregistrerad nyhetsbrev | Störning | Ej angivet | solicitation_number | Objection to price |
  Akquise | Kaltakquise | Verzicht | Blocco note | Divieto di sosta | Motivo do bloqueio`)

/** Under a name of no, of a `maybe` and of a permission. */
export const answers = {
  yes: list(`
  yes | Yes! | Yes, definitely | yes please | Yes - do not call | yes, since May | YES (requested by phone) | Y |
  "Y" | true | True | 1 | 1.0 | On | Checked | checked | Ticked | ☑ | ✔ | ✔️ | Ja | JA | ja, bitte nicht anrufen |
  Ja, seit gestern | Oui | oui, merci | Oui, définitivement | Sí, por favor | sì | Sì, grazie | si, confermo |
  Ja, graag | Sim | Sim, com certeza | Tak | tak, proszę | Ja tack | Ja, absolut | Do Not Allow | Denied | denied. |
  Not allowed | not permitted | Requested | requested | Requested by customer | Requested on 2024-05-01 | Confirmed |
  confirmed by email | Active | Permanent | permanently | Opted out | Opted-out | OPTED_OUT | optedOut | opt out |
  Unsubscribed | Listed | Listed on DNC | Registered | registered since 2020 | On list | on the list | Blocked |
  blocked | Blacklisted | Suppressed | Revoked | 2024-01-31 | 31.01.2024 | 01/31/2024 | 2024-01-31 12:00:00 |
  2024-01-31T12:00:00.000Z | May 5, 2026 | 5 May 2026 | 12. März 2025 | DNC | dnc requested | On DNC list |
  Do not call | DO NOT CALL | do_not_call | Don't call | Never call | never call again | No calls |
  No, never call her again | No! Do not call me | No calls please | Stop | Stop calling | Please stop | Remove me |
  Nicht anrufen | Bitte nicht mehr anrufen | Nie wieder anrufen | nie wieder | Keine Anrufe |
  Kunde möchte nicht angerufen werden | gesperrt | Gesperrt | aktiv | Aktiv | bestätigt | gewünscht | nicht erlaubt |
  Nicht gestattet | eingetragen | widerrufen | Widersprochen | Ne pas appeler | Ne plus m'appeler | Plus d'appels |
  Non autorisé | Pas autorisé | Refusé | Bloqué | inscrit | confirmé | actif | demandé | No llamar |
  No me llamen más | No permitido | bloqueado | solicitado | confirmado | activo | inscrito | Non chiamare |
  non consentito | non autorizzato | bloccato | attivo | richiesto | iscritto | Niet bellen | Bel me niet |
  niet toegestaan | geblokkeerd | actief | bevestigd | ingeschreven | Não ligar | não permitido | bloqueado | ativo |
  Nie dzwonić | niedozwolone | nie dozwolone | zablokowany | aktywny | potwierdzone | Ring inte | ej tillåtet |
  inte tillåtet | spärrad | bekräftat | begärt | aldrig mer | never again | Yes, the lead asked not to be called |
  ja auf Wunsch | ＹＥＳ | Tak!`),
  none: list(`
  no | No. | NO | n | N | false | FALSE | 0 | 0.0 | off | Unchecked | unchecked | ☐ | nein | Nein, danke | non |
  Non merci | Non, aucun problème | falso | Falso | No, gracias | no, va bene | nee | Nee, geen probleem | não |
  não, obrigado | nie | Nie, dziękuję | nej | Nej tack | Nej, inga problem | inactive | Inactive | not active |
  Allow | Allowed | allowed | Calls allowed | OK | ok to call | OK to call | clean | Clean | clear | Clear | passed |
  safe | callable | not requested | Not requested | not found | Not found | Not listed | not listed | Not registered |
  not on list | Not on list | not on the list | Not on DNC list | Not on DNC | not on the do not call list |
  not opted out | Not blocked | Not blacklisted | not unsubscribed | opted in | Opted In | n/a | N/A | NA | na |
  n.a. | null | None | none | undefined | unknown | Unknown | not mentioned | Not mentioned | not applicable |
  Not applicable | not stated | not specified | Not Specified | not provided | Did not ask | did not ask |
  didn't mention | Didn’t say | does not apply | Customer did not request this | has not asked | Hasn't opted out |
  never asked | never mentioned it | did not opt out | No, did not ask | No, not requested | No, happy to be called |
  No, call anytime | - | -- | — | . | [] | unbekannt | Unbekannt | nicht bekannt | keine Angabe | Keine Angaben |
  nicht angegeben | nicht erwähnt | Nicht gewünscht | nicht gelistet | nicht eingetragen | nicht gesperrt |
  nicht aktiv | inaktiv | erlaubt | Anruf erlaubt | inconnu | Inconnu | non précisé | non renseigné | non mentionné |
  pas demandé | pas inscrit | non inscrit | autorisé | inactif | desconocido | no indicado | no mencionado |
  no solicitado | no inscrito | permitido | inactivo | no aplica | sconosciuto | non specificato | non indicato |
  non richiesto | non iscritto | consentito | inattivo | onbekend | niet opgegeven | niet vermeld | niet gevraagd |
  niet ingeschreven | toegestaan | inactief | n.v.t. | desconhecido | não informado | não especificado |
  não solicitado | permitido | inativo | não se aplica | nieznany | nie podano | nie dotyczy | nieaktywny |
  dozwolone | okänd | okänt | ej angivet | inte nämnt | ej begärt | tillåtet | inaktiv | +49 171 1234567 |
  +13035551234 | (303) 555-1234 | 0171 1234567`),
  unclear: list(`
  maybe | Maybe later | perhaps | ? | ?? | ✗ | not sure | not yet | tbd | pending | pending review | in review |
  ask later | weekends only | after 6pm | only mornings | Do not call after 6 pm | before noon only | Yes/No |
  yes or no | Ja/Nein | vielleicht | eventuell | in Klärung | wird geprüft | peut-être | à vérifier | à voir |
  quizás | a veces | por confirmar | forse | da verificare | a volte | misschien | soms | nader te bepalen | talvez |
  às vezes | a confirmar | może | czasami | do sprawdzenia | kanske | ibland | ska kollas | see notes | other | 2 |
  42 | -1 | 0.5 | A | email | banana | x y | Anna | I agree | Agreed | accepted | Granted | Ich stimme zu |
  einverstanden | J’accepte | d'accord | Acepto | Accetto | akkoord | Aceito | zgadzam się | godkänt`),
  agreed: list(`
  I agree | accepted | Ich bin einverstanden | Ich willige ein | Ich akzeptiere | J’accepte | Je suis d’accord |
  Estoy de acuerdo | Autorizo | Sono d’accordo | Autorizzo | Ik ga akkoord | Ik stem in | Ik stem toe |
  Eu concordo | Estou de acordo | De acordo | Wyrażam zgodę | Zgadzam się | Jag samtycker | Godkänt`),
  permissionNo: list(`
  no | No | No. | false | 0 | nein | Nein, danke | non | não | nee | nie | nej | Do not allow | denied | refused |
  Declined | withdrawn | Revoked | opted out | Opted Out | blocked | not allowed | not granted | not accepted |
  Do not call | No calls | Please do not call me | Nicht anrufen | Keine Anrufe | abgelehnt | verweigert |
  widerrufen | nicht erlaubt | refusé | non autorisé | Ne pas appeler | rechazado | no permitido | revocado |
  rifiutato | non consentito | negato | geweigerd | ingetrokken | niet toegestaan | recusado | não autorizado |
  odmowa | wycofana | nie wyrażono | nekad | ej tillåtet | återkallat | I do not consent |
  I disagree | without consent | never | not by phone | akkoord niet | godkänner inte | keine | nicht telefonisch`),
  permissionOther: list(`
  yes | Yes | true | allow | Allowed | granted | Granted | active | opted in | agree | Agreed | I agree | accepted |
  Accepted | n/a | unknown | maybe | 2024-01-01 | erlaubt | erteilt | einverstanden | accepté | d'accord | aceptado |
  accettato | akkoord | aceito | zgadzam się | godkänt | not mentioned`),
}

/** Texts that say it by themselves; only among tags and as an outcome; nowhere. */
export const texts = {
  say: list(`
  Do not call | DO NOT CALL | do_not_call | do-not-call | DoNotCall | donotcall | Do not call me |
  Please do not call | Please do not call me again | Do not call again | Do not call this number | do not call list |
  Do Not Call Request | Requested do not call | Requested DNC | DNC | DNC - requested | Status: DNC | DNC list |
  Do not contact | Do not contact me | Do not contact again | Please do not contact | Don't call |
  Don't call me again | Please don't call me anymore | Never call | Never call again | Never call me | No calls |
  No calls please | No more calls | no phone calls please | No cold calls | Stop calling | Stop calling me |
  Please stop calling me | Stop calls | Remove me | Remove me from your list | Please remove me from the list |
  Take me off your list | Take me off the list please | take me off your calling list |
  Customer asked not to be called | Customer wants no calls | Lead does not want to be called |
  Client does not want calls | Wants not to be called | Not to be called | Asked not to be contacted |
  Do not disturb | DND | Added to DNC | Put on DNC list | Add to DNC | add me to your do not call list |
  Put me on your do not call list | Litigator | Do not dial | Do not ring | Do not phone | Do not call or text |
  Do not text or call | Bitte nicht anrufen | Nicht anrufen | Nicht mehr anrufen | Nie wieder anrufen | Keine Anrufe |
  Keine Anrufe mehr | Bitte keine Anrufe | Kunde möchte nicht angerufen werden | Kunde wünscht keine Anrufe |
  Nicht kontaktieren | Kein Telefonkontakt | Anrufsperre | Ne pas appeler | Ne plus appeler |
  Merci de ne plus m'appeler | Ne pas rappeler | Ne plus contacter | Pas d'appels |
  Client ne souhaite pas être appelé | Bloctel | No llamar | No llamar más | Por favor no me llamen |
  No volver a llamar | No contactar | Cliente no quiere llamadas | Lista Robinson | Non chiamare | Non chiamare più |
  Per favore non chiamatemi | Non contattare | Non disturbare | Cliente non vuole essere chiamato | Niet bellen |
  Niet meer bellen | Bel me niet | Klant wil niet gebeld worden | Niet contacteren | Geen telefoontjes meer |
  Não ligar | Não ligar mais | Não me liguem mais | Por favor não ligar | Não contatar | Cliente não quer ligações |
  Nie dzwonić | Nie dzwonić więcej | Proszę nie dzwonić | Nie kontaktować | Klient nie chce telefonów | Ring inte |
  Ring inte igen | Ring aldrig mer | Kontakta inte | Kunden vill inte bli uppringd | Inga samtal |
  Customer requested DNC | Do not call anymore | requested no further contact | no further contact |
  No further contact requested | Do not contact - DNC | opted_out_of_calls | dnc_optout | not to be called again |
  should not be called again | must not be called again | do_not_call_anymore | do_not_call_again | dont_call_again |
  dont_call | do_not_disturb | never_contact | never_contact_again | no_contact_requested | No contact please |
  wants no contact | wants no further calls | no_further_calls | does not want calls | does_not_want_to_be_called |
  doesn't want to be called | Caller asked us to stop calling | dnc_added | added to do-not-call list |
  add number to DNC | put on do not call list | placed on DNC list | Do not call list requested |
  requested to be on do not call list | Request to be put on the do not call list | Lead asked to be put on DNC |
  opt out of calls | opt_out_calls | Opted out of calls | remove from call list | Remove from calling list |
  remove_number | remove me from your database | take me off your call list please | Anrufsperre | Werbesperre |
  Nicht mehr kontaktieren | nicht wieder anrufen | Bitte nicht noch einmal anrufen |
  Möchte nicht mehr angerufen werden | Wünscht keine weiteren Anrufe | Kunde will keine Anrufe mehr |
  Aus der Liste streichen | Bitte aus der Liste löschen | Keine Kontaktaufnahme mehr | ne veut plus être appelé |
  Ne souhaite plus être contacté | Ne plus déranger | Retirer de la liste | Ne pas me rappeler |
  No volver a contactar | No quiere más llamadas | No quiere que le llamen | Quitar de la lista | Non richiamare |
  Non vuole più essere chiamato | Non contattare più | Rimuovere dalla lista | Togliere dalla lista |
  Niet meer gebeld worden | Wil niet meer gebeld worden | Van de lijst halen | Van de lijst verwijderen |
  Verwijder van lijst | Não quer mais ligações | Não ligar novamente | Remover da lista | Retirar da lista |
  Não contatar mais | Nie dzwonić ponownie | Usunąć z listy | Nie chce więcej telefonów | Proszę nie dzwonić więcej |
  Vill inte bli uppringd igen | Kontakta inte igen | Ta bort från listan | Stryk från listan |
  I would rather not be called | Cannot be contacted by phone | Kein Anruf erwünscht | Gelieve niet te bellen |
  Ska inte ringas | Email only, no calls | Nur per E-Mail, keine Anrufe | No longer wants to be called |
  Customer no longer wishes to be called`),
  sayAmongTags: list(`
  stop | Stop | STOP | Stop! | Unsubscribe | unsubscribed | Unsubscribed | UNSUBSCRIBED | opt out | Opt-out |
  opted out | Opted-Out | optout | OPT_OUT | blocked | Blocked | Blacklisted | blacklist | Suppressed |
  Unsubscribe me | Please unsubscribe me | Customer opted out | opt out requested | stop | opt_out | opted_out |
  optout | unsubscribe | unsubscribed | blocked | customer_opted_out | lead opted out | asked to be removed |
  wants to be removed from list | Wants to be removed | Asked to be removed from the list | removal requested |
  Requested removal | unsubscribe_request | asked to stop | requested stop | STOP requested | stop request |
  person requested to opt out | wants to opt out | opting out | blacklist | blacklisted | Sperren | Opposition |
  Désinscription | Dar de baja | Uitschrijven`),
  doNot: list(`
  Not contacted | not called | never called | Never contacted | Not reached | not reachable | No contact |
  No contact made | No contact yet | no answer | No Answer | No answer - left voicemail | Busy | Call back |
  Call back later | Callback requested | Please call me | Call me | Call tomorrow | Call again | Call again tomorrow |
  Called twice | Calls | Contacted | Contact made | Contact | Phone | No phone | No email | No emails please |
  No SMS | Do not email | Do not mail | Do not text | Do not send emails | Do not email me | Do not contact by email |
  Please do not contact me by e-mail | Do not call before 9 | Do not call after 6pm | Do not call before noon |
  Do not call on Sundays | Email opt out | Email unsubscribed | Unsubscribed from newsletter | SMS stop |
  Not interested | Not interested anymore | No interest | No thanks | No budget | No longer needed | No | Yes |
  Unknown | N/A | New | Hot | VIP | Open | Stopped by the office | Bus stop | Stop sign | Stopwatch | One stop shop |
  Do not miss this | Do not know | I do not know what you call it | Don't know | Never mind | Never | Call sign |
  On call | Call center | Robinson | Nicholas | Nix | Ring size 7 | Rings | Contact lenses | Call of Duty |
  Nicht erreicht | Nicht kontaktiert | Noch nicht kontaktiert | Nicht interessiert | Nicht anrufen vor 9 Uhr |
  Kein Interesse | Kein Kontakt | Keine E-Mail | Keine Antwort | Bitte anrufen | Rückruf erbeten | Anruf vereinbart |
  Nie | Pas intéressé | Pas de réponse | Pas contacté | Rappeler demain | À rappeler | Appeler plus tard |
  Appelez plus tard | Ne répond pas | Non renseigné | No contesta | No contactado | No interesado | Llamar más tarde |
  Por favor llámenme | Sin respuesta | Non contattato | Non interessato | Chiamare domani | Da richiamare |
  Nessuna risposta | Niet bereikt | Niet gebeld | Niet geïnteresseerd | Bel morgen terug | Geen gehoor |
  Não contatado | Não atendeu | Ligar amanhã | Sem resposta | Nie odbiera | Nie dodzwoniono się | Zadzwonić jutro |
  Brak kontaktu | Svarar inte | Ej kontaktad | Ring imorgon | Ring tillbaka | Inget svar | Opt in | Opted in |
  Do you call on weekends? | Why not call me? | Do not hesitate to call | Do not hesitate to contact me |
  Don't hesitate to call me | Don't forget to call | Please don't forget to call me | answered | busy | failed |
  no_answer | not_interested | voicemail | wrong_number | callback_requested | interested | Not interested |
  do not disturb mode on | hang up | Hangup | call dropped | Call failed | Call ended | call completed | Completed |
  No contact | contact made | not available | Not reached | stop by tomorrow | needs info | sold | declined |
  refused | rejected | already called | no decision | decision pending | Removed from cart | remove item |
  take a message | Take a look | Wants a removal quote | Removal company | moved | asked to call later |
  asked for callback | Asked to be called back | wants to be called | wants a call | call again | please call again |
  Stopped | Stop over | opt for plan B | No further questions | no further action | Do not have time |
  does not want to buy | Doesn't want it | does not want insurance | not the owner | not qualified | Do not need it |
  Never heard of us | never bought | list price requested | requested list | added to list | put on waiting list |
  added to calendar | listed property | Listing | request | requested | Requested info | lead | customer | me |
  please | from your website | Kunde will Angebot | nicht zuständig | Nicht mehr da | kein Bedarf | keine Zeit |
  Wieder anrufen | bitte nochmal anrufen | plus tard | Ne sait pas | Pas le temps | No tiene tiempo | No está |
  Non c'è | non è il momento | Niet thuis | Geen tijd | Bel later | Não está | Sem tempo | Nie ma czasu | Inte hemma |
  Ingen tid | Ring senare`),
}
