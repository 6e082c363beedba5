// The words of the judge, a part for each language: how people write that they do not want calls, that they allow
// them, yes, no, and that nothing is known.
//
// To add a word, write it behind its kind, folded: in lower case, without accents and apostrophes (`don’t` is dont, ł
// is l). `call(s|ed)` stands for calls and called, `(|re)call` for call and recall. Then add a case with it to
// test/unit/leads/no/cases.ts, and an ordinary name that it must not touch. The kinds:
//
// not      before a word of calling or contact: a phrase of no. `after`: behind one of `order`, an imperative
// none     the same, but never before verbs or a telephone: "no phone" is a person without one
// calls    calling, as nouns; `call`: as verbs; `called`: participles, which say no beside a word of `be` alone
// back     calling back: no call, but behind a word of `not`
// contact  contact, disturb, and `contacted`. Where another channel is named, such as e-mail, they say nothing
// phone    a telephone: a channel of calls. `mobile`: the same for opting out, not for a permission
// lists    of people who must not be called. `barred`: beside a channel
// out      opting out: beside a channel a no, else maybe. A word of `consent` and one of `revoked` mean the same
// may      before a word of calling: a permission. `allow`: beside a word of calling or a telephone. `me`: on its own
// filler   stands between the words of a phrase. `beside`: around one, in a text that says no by itself
// nothing  with these a name says nothing: "do not call before 9". `asks`: a question for more than yes or no
// until    a name with it says no while its date lies ahead
// remove   with a word of `mine`: a text that says no
// other    channels that are not calls
// yes, no  whole answers. A word that people mean in both ways, such as a dash or a cross, is none
// stops, active   say yes under a name of no; `inactive` and `clear` say no. `denied`: yes there, no under a permission
// agreed   yes under a permission. Under a name of no, nobody knows to what
// unknown  answers that say nothing; `told`: behind a negation. `ask`: behind a negation, nothing was asked for

/** `systems`: in whichever language a name is. */
export const languages = {
  english: `
    not: not, do not, donot, dont, doesnt, didnt, hasnt, wont, cant, isnt, arent, cannot, never, no longer, cease, quit;
    none: no, without, zero; call: phone, phoning, telephone, telephoning, ring, ringing, dial, dialing, dialling;
    called: called, phoned, telephoned, rung, dialed, dialled; be: be, being, get;
    contact: contact(|ing|s), disturb(|ing), solicit(|ing|ation|ations); contacted: contacted, disturbed, bothered;
    phone: (|tele|cell|smart)phone(|s), voice, (|tele)phonenumber(|s), landline; mobile: mobile(|s), cell(|s), mob;
    lists: litigator(|s), robinson list; barred: blocked, barred, prohibited, forbidden, refuses, rejects, disallowed,
      unwanted, suppression, exclude(|d) from, object(|s|ed) to, objection(|s) to; out: unsubscribe(|d|s),
      blacklist(|ed), blocklist(|ed), opposition, black list(|ed), block list(|ed), opt me out, suppress(|ed|es),
      suppression list(|s), suppression flag, un subscribe(|d), to be removed, removal request(|ed|s), requested
      removal; consent: consent(|s), permission(|s), authori(s|z)ation; revoked: revoked, withdrawn, withdrew,
      revocation, withdrawal, revokes, withdraws, revoke, withdraw;
    may: may, can, could, would, should, shall, want(|s), ok, okay, happy, fine;
    allow: allow(|s|ed), consent(|s|ed|ing), agree(|s|d|ment), authori(s|z)(e|ed|es|ation), permission(|s),
      permit(|s|ted), preference(|s), tcpa, wanted, desired, welcome, accept(|s|ed); me: call me, callme, callable;
    filler: me, us, my, our, him, her, them, any, anymore, more, further, ever, again, please, this, that, these, to,
      be, the, a, an, allow, use, want(|s), wish(|es), like, receive, get, make, makes, making, accept, by, on, at, all,
      you, we, i, for, or, and, nor, under, circumstances, via, cold, sales, marketing, unsolicited, incoming, outbound,
      number;
    beside: pls, kindly, list(|s|ed), request(|s|ed), add(|ed), put, from, of, your, customer, client, person, lead,
      contact, rather, prefer, owner, consumer, caller, user, prospect, he, she, they, has, asked, asks, wants, wanted,
      wishes, said, says, told, is, not, flag, status, thanks, thank, would, internal, national, in, with, immediately,
      now, calls, call, does, do, did, will, must, should, may, shall, our, database, system, placed, only, just;
    nothing: check(|ed|ing), scrub(|bed|bing), verified, screened, count(|s), start(|s), end(|s), today, before, after,
      between, hours, hour, days, made, reason(|s), recording(|s), tracking, upload(|s), url, link, employer,
      reference(|s), voicemail(|s), sell, share, callback(|s), noon, am, pm, keyword(|s), config, sid, token, filtering,
      messaging, found;
    asks: when, what, which, how, where, who, why, time, times, best, number, reason, language, text, version, ip,
      disclosure, source; until: until, till; remove: remove, take, delete, drop, removal;
    mine: me, my number, this number, from list, from the list, from your list, off list, off the list, off your list,
      number, this person, customer, lead, list;
    other: email(|s|ing), mail(|s|ing|ings), sms, mms, text(|s|ing), fax(|es), post(|al), newsletter(|s), cookie(|s),
      whatsapp, letter(|s), push, messenger, rcs, telegram, emailaddress(|es), whats app, news letter, e mail(|s|ing);
    yes: true, t, yes, y; no: false, f, no, n;
    stops: request(|s|ed), confirmed, permanent(|ly), enabled, listed, registered, on list, on the list, enrolled, never
      again, all, everything; active: active, activated; inactive: inactive, disabled, expired;
    clear: allow(|ed), clean, clear, passed, safe, callable, ok, okay, off list, permitted, opt(|ed) in, available;
    agreed: granted, agree(|d|s), accept(|ed|s), consent(|s|ed);
    denied: denied, disagree(|d|s), refuse(|s|d), decline(|s|d), withdrawn, revoked, blocked, disallowed, prohibited,
      rejected, forbidden; unknown: unknown, undefined, null, none, nil, na, n a, n or a, nan, empty, blank, missing;
    told: mentioned, applicable, stated, specified, asked, discussed, given, known, available, provided, determined,
      informed, set, applied, found, apply, applies;
    ask: ask(|ed), request(|ed), mention(|ed), say, said, state(|d), opt, opted, object(|ed), specify, specified,
      express, raise`,
  systems: `
    calls: (|robo|cold|phone)call(|s|ing), telemarketing; filler: flag, status, yn;
    yes: 1, 1.0, on, x, checked, ticked, ☑, ✓, ✔, ✅; no: 0, 0.0, off, unchecked, ☐;
    out: opt(|s|ed|ing) out, optout(|s), optedout; lists: dnc, isdnc, dncflag, dncd, dn cd, dncr, dncl, dnd,
    ndnc, ctps, tps, nocall(|s);
    allow: opt(|ed|s|ing) in, optin, optedin; consent: opt in, optin; not: stop; phone: tel`,
  german: `
    not: nicht, nie, niemals, stopp, keinesfalls; none: kein(|e|en|er|es|em), keinerlei, ohne;
    after: nicht, nie, niemals;
    calls: (|telefon|werbe)anruf(|e|en|s), telefonat(|e|en), telefonkontakt(|e|en|s), telefonwerbung,
      telefonisch(|e|en|er), telefonmarketing, (telefon|kalt)akquise; call: anrufen, anrufbar, telefonieren, anzurufen,
      anrufst; called: angerufen;
    back: zuruckrufen, zuruckgerufen; order: ruf, rufe, rufen, kontaktier(|e|en), telefonier(|e|en), ruft;
    be: werden, wird, worden, will, wunscht, mochte, darf, soll;
    contact: kontakt(|ieren|iere|ierung|aufnahme), kontaktierung, storen, belastigen;
    contacted: kontaktiert, gestort, belastigt;
    phone: telefon(|e|s), telefonnummer(|n), rufnummer(|n), festnetz, telefonwerbung, telefonisch(|e|en|er);
    mobile: mobil, handy, mobilnummer, mobiltelefon, handynummer;
    lists: robinsonliste, robinson liste, (|telefon|telefonische)werbesperre, telefonische werbesperre, sperrvermerk,
      kontaktsperre, kontaktverbot;
    barred: gesperrt, sperre, verbot(|en), unerwunscht(|e), untersagt, sperrkennzeichen, blockiert, sperren,
      verzicht(|et);
    out: (|werbe|telefonwerbe)widerspruch, widersprochen, widerruf(|en), abgemeldet, ausgetragen, sperrliste;
    consent: einwilligung(|en), zustimmung, erlaubnis, einverstandnis; revoked: zuruckgezogen, widerrufen, entzogen;
    may: mochten, sollen, wollen, wunschen, darf, durfen, konnen, kann, durfte;
    allow: erlaubt, erlaubnis, zustimmung, einwilligung(|en), einverstanden, einverstandnis, gestattet, genehmigt,
      zugestimmt, stimme, erwunscht, gewunscht; me: ruf mich an, rufen sie mich an;
    filler: bitte, mehr, mich, uns, sie, wir, ihn, ihnen, mir, wieder, werden, per, uber, zu, an, den, die, das, der,
      dem, am, von, durch, und, oder, zur, zum, fur, auf, fall, weitere(|n), weiteren, wunsche, wunscht, mochte, will,
      ich, dich, noch, einmal, erneut, nochmal, nochmals, in, zukunft;
    beside: kunde(|n), kundin, hat, um, ist, wurde, danke, mochte, ich, er, es, liste, gewunscht, verlangt, wunsch, ab,
      jetzt, sofort, kontakt, person, von, ihrer, der, eintrag, in, ausdrucklich, erwunscht, nur;
    nothing: vor, nach, ab, zwischen, uhr, grund, heute, ruckruf, gepruft, gesprochen, erreicht, dauer, anzahl,
      gefunden; asks: wann, wie, welche, welcher, wo, warum, uhrzeit, zeit, anzahl; until: bis;
    remove: entfernen, entferne, loschen, streichen, nehmen, austragen;
    mine: mich, sie mich, meine nummer, von der liste, aus der liste, von ihrer liste;
    other: brief(|e), rundschreiben, rundbrief, briefpost, mailing; yes: ja, j, wahr; no: nein, falsch;
    stops: bestatigt, beantragt, gewunscht, angefordert, dauerhaft, permanent, gelistet, eingetragen, registriert,
      gesetzt, nie wieder, nie mehr, nicht mehr, alle, alles; active: aktiv, aktiviert;
    inactive: inaktiv, deaktiviert, abgelaufen;
    clear: erlaubt, zulassig, frei, unbedenklich, gestattet; agreed: zugestimmt, stimme(| ich) zu,
      (|ich bin )einverstanden, erteilt, akzeptier(e|t), willige(| ich) ein;
    denied: abgelehnt, verweigert, widerrufen, gesperrt, verboten, blockiert, untersagt, widersprochen, zuruckgezogen;
    unknown: unbekannt, leer, keine angabe(|n), ka, k a, entfallt, unklar ob gewunscht, offen gelassen;
    told: angegeben, bekannt, erwahnt, zutreffend, gefragt, genannt, bestimmt, besprochen, anwendbar, gesetzt;
    ask: verlangt, gebeten, erwahnt, gesagt, gefragt`,
  french: `
    not: ne, pas, jamais, plus de, plus d, plus, non, arret(e|er|ez), cess(e|er|ez); none: aucun(|e),
      sans, pas de, pas d, zero; after: pas, jamais; calls: telephonique(|s), demarchage, appel(|s);
    call: appel(er|ez|le|les|iez|ons), telephon(er|ez|iez), demarch(er|ez), joindre par telephone,
    joindre telephoniquement; called: appele(|e|s|es);
    back: rappel(er|ez|le|les|iez), rappele(|e|s);
    order: (|r)appel(ez|le), contact(ez|e), telephonez, derangez, derange; be: etre, soit, veut, souhaite, desire;
    contact: contact(|er|ez|s), deranger, derangez, importuner; contacted: contacte(|e|s|es), derange(|e|s);
    phone: telephone(|s), telephonique(|s), fixe, demarchage, appels; mobile: portable, mobile;
    lists: bloctel, liste robinson; barred: bloque(|e|s|es), interdit(|e|s|es), refus, refuse(|s), interdiction;
    out: desinscri(t|te|ption), desabonne(|e|ment), opposition, oppose(|e), desinscrire, liste noire;
    consent: consentement(|s), autorisation, accord, permission; revoked: retire(|e), revoque(|e), retrait, revocation;
    may: souhaitez, voulez, desirez, pouvons, peut, puis, peuvent, pouvez, dispose;
    allow: accepte(|r|z), autoris(e|er|ee|es|ez|ation), consent(|s|ement|ements|ir), permission, daccord, accord,
      permis, souhaite(|s|e|es); me: appelez moi, appelle moi, rappelez moi;
    filler: me, m, moi, nous, vous, le, la, les, l, de, d, du, des, par, etre, veux, veut, souhaite, desire, que, quon,
      on, je, j, merci, svp, en, au, plus, pas, voie, client, a, re, et, ou, ni, mon, ma, recevoir, pour, commercial,
      commerciaux, commerciale, encore, nouveau;
    beside: client(|e), demande(|e|s), svp, sil, plait, liste, veuillez, il, elle, ne, n, inscrit, sur, merci, prospect,
      personne, ajoute(|r), votre, vos, de, la, uniquement, seulement;
    nothing: avant, apres, entre, motif, raison, heure(|s), duree, nombre, verifie, date de rappel, trouve(|e);
    asks: quand, comment, quel, quelle, heure, horaire, combien, pourquoi, nombre, numero;
    until: jusque, jusqua, jusquau; remove: retirez, supprimez, enlevez, retirer, supprimer;
    mine: moi, mon numero, de votre liste, de la liste, de vos listes;
    other: courriel(|s), courrier(|s), infolettre, lettre, lettres; yes: oui, vrai; no: non, faux;
    stops: confirme(|e), demande(|e), permanent(|e), inscrit(|e), enregistre(|e), liste(|e), plus jamais, jamais plus,
      tous, toutes, tout; active: actif, active, activee; inactive: inactif, inactive, desactive(|e), expire(|e);
    clear: autorise(|e|s), permis; agreed: accepte(|e), (|je suis )daccord, accorde(|e), consens;
    denied: refuse(|e), bloque(|e), interdit(|e), retire(|e), revoque(|e), oppose(|e);
    unknown: inconnu(|e), vide, sans objet, nsp;
    told: precise(|e), indique(|e), renseigne(|e), mentionne(|e), applicable, specifie(|e), connu(|e), communique(|e);
    ask: demande, mentionne, dit, precise`,
  spanish: `
    not: no, nunca, jamas, ni, dejen de, deje de, dejar de; none: sin, ninguna, ningun, cero, no mas, no quiero;
    calls: llamada(|s), telefonica(|s), telefonico(|s), contacto telefonico;
    call: telefon(ear|ee|een), llam(ar|e|en|es|ame|enme|arme|arle|arlo|arla|arte|arnos|as|an|emos);
    called: llamad(o|os), telefonead(o|a); be: ser, sea, quiere, desea;
    contact: molest(ar|e|en|arme|arle|es), contact(ar|e|en|es|arme|arle|arlo);
    contacted: contactad(o|a|os), molestad(o|a); phone: telefono(|s), telefonic(o|a|os|as), fijo, telefonicamente;
    mobile: movil, celular, moviles; lists: lista robinson, listas robinson, robinson lista, repep, registro no llame;
    barred: bloquead(o|a|os|as), prohibid(o|a|os|as), rechaza, vetad(o|a), exclu(ir|ido|ida|sion) de;
    out: oposicion, desuscrit(o|a), desuscripcion, lista negra, listas negras, dad(o|a) de baja, baja voluntaria, se
      opone, darse de baja, dar de baja, darme de baja; consent: consentimiento(|s), permiso, autorizacion;
    revoked: revocad(o|a), retirad(o|a), revocacion, retirada; may: podemos, puede, pueden, puedo, podriamos, se puede;
    allow: permit(ir|e|o|en|ido|idas), autoriz(o|a|ar|acion|ado|adas), acept(o|a|ar|an|ado|adas), consentimiento(|s),
      consiento, consiente, permiso, de acuerdo, desead(as|o); me: llamame, llamenme, llameme;
    filler: me, mi, nos, le, lo, la, los, las, les, se, que, quiero, quiere, desea, deseo, quieren, mas, por, favor, de,
      el, al, a, ser, recibir, volver, vuelvan, vuelva, y, o, ni, en, para, con, telefono, ya, comercial, comerciales,
      hacer, acepta, acepto, realizar, este, esta, numero, cliente, nuevo, nuevamente, otra, vez;
    beside: cliente, pide, pidio, solicita, solicito, solicitado, lista, gracias, contacto, persona, ha, pedido, en, ya,
      anadir, anadido, agregar, solo;
    nothing: antes, despues, entre, motivo, razon, hora(|s), duracion, cantidad, verificado, encontrad(o|a);
    asks: cuando, como, cual, que hora, hora, horario, cuantas, por que, numero, motivo; until: hasta;
    remove: quitenme, quiteme, eliminenme, elimineme, borrenme, borrar, quitar, eliminar, borreme, elimine;
    mine: de la lista, de su lista, mi numero, me, de sus listas; other: correo(|s), carta(|s), boletin, mensaje(|s);
    yes: si, s, verdadero; no: falso;
    stops: confirmad(o|a), solicitad(o|a), pedid(o|a), permanente, inscrit(o|a), registrad(o|a), listad(o|a), nunca mas,
      todos, todas, todo; active: activ(o|a|ado|ada); inactive: inactiv(o|a), desactivad(o|a), caducad(o|a);
    clear: permitid(o|a), autorizad(o|a), libre; agreed: aceptad(o|a), acept(o|a), (|estoy )de acuerdo, autorizo,
      consiento, concedid(o|a);
    denied: denegad(o|a), rechazad(o|a), bloquead(o|a), prohibid(o|a), revocad(o|a), retirad(o|a);
    unknown: desconocid(o|a), vacio, no aplica, sin datos, sin informacion, ns nc;
    told: indicad(o|a), especificad(o|a), mencionad(o|a), aplica, aplicable, conocid(o|a), informad(o|a), consta;
    ask: pidio, ha pedido, menciono, solicito, dijo`,
  italian: `
    not: non, mai, no, smettere di, smettete di, smetti di, smett(etela|ila) di; none: nessun(|a|o), senza, niente,
      basta, zero;
    calls: telefonat(e|a), telefonic(a|he|o|i), chiamat(e|a);
    call: telefon(are|armi|i|ino|ate|atemi), chiam(are|armi|arlo|arla|arci|arti|arli|i|ino|atemi|ami|ate);
    called: chiamat(o|a|i); back: richiam(are|armi|arlo|arla|i|atemi|ate|ino), richiamat(o|a|i);
    be: essere, venire, venga, vuole, voglio, desidera;
    contact: (|ri)contatt(are|armi|arlo|arla|arci|i|ino|ate|atemi), contatto, disturb(are|armi|ate|arlo|i), importunare;
    contacted: contattat(o|a|i), disturbat(o|a); phone: telefono, telefonic(a|he|o|i|amente), telefoni;
    mobile: cellulare, mobile, cell; lists: lista robinson, iscritt(o|a) rpo;
    barred: bloccat(o|a|i|e), vietat(o|a|i|e), rifiuta, proibit(o|a|e), divieto, blocco;
    out: disiscritt(o|a), disiscrizione, opposizione, opposizioni, oppost(o|a), lista nera, cancellat(o|a) dalla lista;
    consent: consenso, consensi, autorizzazione, permesso; revoked: revocat(o|a), ritirat(o|a), revoca, ritiro;
    may: desidera(|te), vuole, vuoi, volete, possiamo, puo, posso, possono, potete, potremmo, si puo;
    allow: accett(o|a|are|ato|ate), acconsent(o|e|ire|ito), autorizz(o|a|are|azione|ato|ate), consenso, consensi,
      consent(o|e|ito|ite|i), permess(o|i|e), permett(o|e|ere|i), daccordo; me: chiamami, chiamatemi, mi chiami;
    filler: mi, mio, ci, lo, la, le, gli, il, i, di, da, per, favore, piu, essere, voglio, vuole, vuol, desidera,
      desidero, che, ricevere, a, al, alle, alla, e, o, ne, in, con, cortesia, prego, telefono, via, vogliamo, si,
      venire, commerciali, tramite, effettuare, questo, numero, cliente, nuovo, ancora;
    beside: cliente, clienti, ha, chiesto, richiesto, richiesta, lista, grazie, contatto, persona, elenco, aggiunt(o|a),
      dalla, dal, solo;
    nothing: prima, dopo, tra, motivo, ragione, ore, ora, durata, verificato, dalle, richiamata, trovat(o|a);
    asks: quando, come, quale, orario, ora, perche, numero, quante; until: fino;
    remove: toglietemi, rimuovetemi, cancellatemi, toglimi, rimuovi, rimuovere, cancellare, cancellami, togliere, togli;
    mine: dalla lista, dalla vostra lista, dallelenco, il mio numero, mi;
    other: posta, lettera, lettere, messaggi(|o), bollettino; yes: vero, si;
    stops: confermat(o|a), richiest(o|a), permanente, iscritt(o|a), registrat(o|a), elencat(o|a), mai piu, tutti, tutte,
      tutto; active: attiv(o|a), attivat(o|a); inactive: inattiv(o|a), disattivat(o|a), scadut(o|a);
    clear: consentit(o|a), permess(o|a), autorizzat(o|a), liber(o|a);
      agreed: accett(o|a|ato|ata), (|sono )daccordo, acconsento, autorizzo, concess(o|a);
    denied: negat(o|a), rifiutat(o|a), bloccat(o|a), vietat(o|a), revocat(o|a), ritirat(o|a);
    unknown: sconosciut(o|a), vuoto, non applicabile, non noto, nd, n d;
    told: specificat(o|a), indicat(o|a), menzionat(o|a), applicabile, not(o|a), dichiarat(o|a), fornit(o|a);
    ask: ha chiesto, chiesto, menzionato, richiesto, detto`,
  dutch: `
    not: niet, nooit, stop met; none: geen, zonder; after: niet, nooit;
    calls: bel(|len|letje|letjes), telefoongesprek(|ken), gesprekken, oproep(|en), telefonisch(|e),
    (|verkoop)telefoontje(|s), verkoopgesprek(|ken);
    call: telefoneren, telefoneer, te bellen, (|op)bel(|len|t|le); called: (|op)gebeld, getelefoneerd;
    back: terugbellen, teruggebeld; order: bel(|t), contacteer, telefoneer, benader, stoor;
    be: worden, wordt, wil, wenst, mag; contact: contact(|eren|eer|en), storen, benaderen, stoor, benader;
    contacted: gecontacteerd, gestoord, benaderd;
    phone: telefoon, telefonisch(|e), telefoonnummer(|s), belregister, bellen; mobile: mobiel(|e), gsm, mobieltje;
    lists: bel me niet register, belmenietregister, bel me niet, belverbod;
    barred: geblokkeerd, verboden, ongewenst, weigert, verbod, blokkeer(|t), blokkade;
    out: uitgeschreven, afgemeld, uitschrijving, zwarte lijst, bezwaar gemaakt, recht van verzet, verzet, uitschrijven;
    consent: toestemming(|en), akkoord, goedkeuring; revoked: ingetrokken, herroepen, intrekking;
    may: wil(|t), wenst, mag, mogen, kunnen, kan;
    allow: toestemming(|en), toegestaan, akkoord, accepteer, accepteert, goedkeuring, gewenst, toegelaten, toestaan,
      geaccepteerd; me: bel me, bel mij, bel mij op;
    filler: gelieve, me, mij, ons, je, jullie, meer, met, te, worden, wil, wenst, mag, ik, we, wij, u, aub, alstublieft,
      graag, per, via, opnemen, nog, de, het, een, door, voor, of, en, op, telefoon, telefonisch, willen, ontvangen, a,
      deze, hem, haar, klant, hen, opnieuw, weer;
    beside: klant, wil, verzoek, gevraagd, heeft, lijst, bedankt, a, u, b, contact, persoon, niet, op, verzocht, wenst,
      van, register, alleen; nothing: tussen, reden, na, uur, duur, aantal, voor 0, gecontroleerd, gevonden;
    asks: wanneer, hoe, welke, tijd, tijdstip, waarom, aantal, hoeveel; until: tot;
    remove: verwijder, haal, verwijderen, schrap, halen, verwijderd;
    mine: me, mij, mijn nummer, van de lijst, van uw lijst, uit uw bestand, van lijst, uit de lijst;
    other: nieuwsbrief, nieuwsbrieven, brief, bericht(|en); yes: waar, ja; no: nee, onwaar;
    stops: bevestigd, gevraagd, verzocht, aangevraagd, permanent, ingeschreven, geregistreerd, vermeld op lijst, nooit
      meer, niet meer, alles, allemaal; active: actief, geactiveerd; inactive: inactief, gedeactiveerd, verlopen;
    clear: toegestaan, vrij, toegelaten; agreed: (|ik ga )akkoord, geaccepteerd, accepteer, verleend,
      stem(| ik) (toe|in);
    denied: geweigerd, afgewezen, geblokkeerd, verboden, ingetrokken, herroepen;
    unknown: onbekend, leeg, nvt, n v t, geen opgave;
    told: opgegeven, vermeld, bekend, gevraagd, van toepassing, ingevuld, genoemd, besproken;
    ask: gevraagd, genoemd, gezegd, verzocht`,
  portuguese: `
    not: nao, nunca, jamais, pare de, parar de, parem de; none: sem, nenhuma, nenhum, zero, chega de;
    calls: ligac(ao|oes), chamada(|s), telefonema(|s), telefonic(o|a|os|as), contacto telefonico, contato telefonico;
    call: lig(ar|ue|uem|uei|arem|arme|uemme), cham(ar|em|e), telefon(ar|em|armos), telefone;
    called: chamado, ligado, telefonado; be: ser, seja, quer, deseja;
    contact: conta(|c)t(ar|e|em|os|o|arme), perturb(ar|e|em), incomod(ar|e|em), importunar;
    contacted: conta(|c)tad(o|a|os), perturbad(o|a), incomodad(o|a);
    phone: telefone(|s), telefonic(o|a|os|as|amente), ligacoes, fixo; mobile: telemovel, celular, movel;
    lists: lista robinson, nao me perturbe, naomeperturbe;
    barred: bloquead(o|a|os|as), proibid(o|a|os|as), recusa, vetad(o|a), bloque(io|ia|ar);
    out: oposicao, desinscrit(o|a), descadastrad(o|a), lista negra, cancelou inscricao, inscricao cancelada, opos se;
    consent: consentimento(|s), permissao, autorizacao; revoked: revogad(o|a), retirad(o|a), revogacao;
    may: deseja, quer, gostaria, pode, podem, podemos, posso, podera;
    allow: permit(e|ir|o|em|ido|idas), autoriz(o|a|ar|acao|ado|adas), aceit(o|a|ar|e|am|es), concord(o|a|ar),
      consentimento(|s), consinto, permissao, desejad(as|o); me: ligue me, me ligue, liguem me;
    filler: me, mim, nos, o, a, os, as, lhe, que, quero, quer, deseja, desejo, mais, por, favor, ser, receber, de, ao,
      para, pra, em, e, ou, nem, com, telefone, via, voltar, volte, gentileza, fazer, comerciais, este, esse, numero,
      se, entrar, realizar, esta, cliente, novamente, novo;
    beside: cliente, pediu, pede, solicitou, solicitado, pedido, lista, obrigado, obrigada, contato, contacto, pessoa,
      da, do, na, apenas, somente;
    nothing: antes, depois, apos, entre, motivo, razao, hora(|s), duracao, quantidade, verificado, retorno,
      encontrad(o|a); asks: quando, como, qual, horario, hora, quantas, numero, motivo; until: ate;
    remove: remova, removam, retire, retirem, exclua, tire, tirem, remover, retirar;
    mine: me, da lista, da sua lista, meu numero, desta lista; other: correio, carta(|s), mensagem, mensagens, boletim;
    yes: sim, verdadeiro; no: nao, falso;
    stops: confirmad(o|a), solicitad(o|a), pedid(o|a), permanente, inscrit(o|a), registad(o|a), registrad(o|a),
      listad(o|a), nunca mais, tudo; active: ativ(o|a), ativad(o|a);
    inactive: inativ(o|a), desativad(o|a), expirad(o|a);
    clear: permitid(o|a), autorizad(o|a), livre, liberad(o|a);
      agreed: aceit(o|a|e), (|eu )concord(o|a), (|estou )de acordo, concedid(o|a), consinto;
    denied: negad(o|a), recusad(o|a), bloquead(o|a), proibid(o|a), revogad(o|a), retirad(o|a);
    unknown: desconhecid(o|a), vazio, nao se aplica, sem dados, sem informacao;
    told: informad(o|a), especificad(o|a), mencionad(o|a), aplicavel, indicad(o|a), conhecid(o|a), perguntad(o|a);
    ask: pediu, mencionou, solicitou, disse`,
  polish: `
    not: nie, nigdy, przestancie, zakaz; none: bez, zadnych, zadnego;
    calls: dzwonienia, telefonow, polaczen(|ia), rozmow(|y), telefoniczn(ych|ie|ego|a|e|y), telefonom, polaczeniom,
      telemarketingu;
    call: dzwoni, telefon(owac|uj|ujcie|owania|owali), (|za)dzwon(ic|cie|imy|ia|iono|); called: dzwoniono;
    back: oddzwon(ic|cie|); be: byc, chce, zyczy;
    contact: kontakt(|owac|uj|ujcie|owania|u|owali|owano), przeszkadza(c|j|jcie), niepokoi(c|);
    contacted: skontaktowano; phone: polaczen(ia|), rozmow(y|e), telefon(|u|ow|owi), telefoniczn(y|a|e|ie|ych|ego|ej);
    mobile: komork(a|owy|i), mobilny; lists: lista robinsona, lista robinsonow, liscie robinsonow, liscie robinsona;
    barred: zablokowan(y|a|e|o), zabronion(y|a|e), zakazan(y|a|e), zakaz, odmowa, blokada, brak zgody, bez zgody, brak
      zezwolenia;
    out: wypisan(y|a|o), sprzeciw, czarna lista, na czarnej liscie, wniesiono sprzeciw, (rezygnacja z|odmowa) kontaktu;
    consent: zgod(a|y|e), zezwolenie;
    revoked: wycofan(a|o|y|ie), cofniet(a|o|y), cofniecie, odwolan(a|o|ie), wycofal(|a), cofnal;
    may: chce(|sz), mozna, mozemy, moge, moga, czy mozemy, wolno;
    allow: zgod(a|y|e), zgadzam, zezwalam, zezwolenie, akceptuj(e|a), pozwalam, dozwolon(y|a|e), wyrazam, wyraza,
      zgadza; me: zadzwon do mnie, zadzwoncie do mnie;
    filler: prosze, wiecej, do, mnie, sie, ze, mna, z, na, nas, telefonicznie, juz, chce, zycze, sobie, aby, zeby, byc,
      klient, klienta, klientem, pana, pani, w, o, i, lub, ani, panstwem, przez, telefon, ma, kontakt, rozmowe,
      otrzymywac, zadnych, nami, niego, niej, nim, ponownie;
    beside: klient(|a|em), prosi, prosil, prosila, lista, liste, dziekuje, osoba, kontakt, zyczy, sobie, dodac, dodano,
      nr, numer, listy, z, tylko;
    nothing: przed, po, miedzy, powod, godzin(a|y|ach|ie), czas, liczba, dlugosc, zweryfikowano, odbiera, odebral,
      dodzwoni(c|ono|l|lem|lam); asks: kiedy, jak, ktora, godzina, pora, ile, dlaczego, numer; until: do 0;
    remove: usun, usuncie, wykresl, wykreslcie, usunac, prosze usunac, skreslic;
    mine: mnie, z listy, moj numer, ta numer, ten numer; other: poczta, wiadomosc(|i), biuletyn, listownie, mailowo;
    yes: tak, prawda; no: nie, falsz;
    stops: potwierdzon(e|o|y|a), zgloszon(e|o|y), stal(e|y|a), wpisan(y|a|o), zarejestrowan(y|a|o), na liscie, nigdy
      wiecej, wszystko, wszystkie; active: aktywn(y|a|e), aktywowan(y|a|o);
    inactive: nieaktywn(y|a|e), dezaktywowan(y|a), wygasl(|a|o);
    clear: dozwolon(e|y|a); agreed: zgoda, wyrazam zgode, zgadza(|m) sie, udzielon(a|o), wyrazon(a|o),
      zaakceptowan(o|a), akceptuj(e|a);
    denied: odmowion(o|a), odmowa, zablokowan(y|a|o), zabronion(e|o|y), niedozwolon(e|y|a), wycofan(a|o), cofniet(a|o),
      odrzucon(o|a|y); unknown: nieznan(y|a|e), puste, nie dotyczy, brak, brak danych, nd, n d;
    told: podan(o|a|y), okreslon(o|y|a), wspomnian(o|a), znan(e|y|a), pytan(o|y), dotyczy, wskazan(o|y);
    ask: prosil(|a), wspomnial(|a), powiedzial(|a), zglosil(|a), poprosil(|a)`,
  swedish: `
    not: inte, ej, aldrig, icke, sluta, stopp, slippa, slipper, stoppa; none: inga, ingen, inget, utan;
    after: inte, ej, aldrig, icke;
    calls: uppringning(|ar), telefonkontakt, telefonforsaljning, (|telefon|salj|marknadsforings)samtal(|s|et);
    call: (|upp)ring(|a|as|s|er|ning), telefonera, telefoneras; called: (|upp)ringd, uppringda;
    order: ring(|a|er), kontakta, telefonera, stor; be: bli, blir, vill, far;
    contact: kontakt(|a|as|er), storas, stor, storning; contacted: kontaktad(|e), stord;
    phone: telefon(|en|er), telefonnummer, telefonkontakt; mobile: mobil, mobiltelefon, mobilnummer;
    lists: nix, nixad, nixat, nixregistret, nix registret, nix telefon, nixtelefon;
    barred: forbjud(en|et|na), blockera(d|t), undanbedes, undanber, avbojer, sparr(|a|ad|at|ade|as), motsatter sig;
    out: avregistrerad, avanmald, avprenumerera(d|t), sparrlista(|d), sparrlistan, svartlistad, invandning, avbojt;
    consent: samtycke(|n), medgivande, tillstand, godkannande;
    revoked: aterkalla(t|d|de|s), aterkallelse, aterkallande, indraget; may: vill, far, kan, ok att;
    allow: tillat(|er|en|na), tillatet, samtyck(e|er|en), godkann(er|ande), godkan(d|t|ner), medge(r|s), medgivande,
      accepter(ar|at|as|a), onskas, tillstand, onskade, onskat; me: ring mig, ring upp mig;
    filler: mig, oss, mer, igen, bli, vill, att, vanligen, snalla, tack, vi, dig, er, jag, via, per, pa, telefon, ta,
      emot, en, ett, den, detta, de, nagra, fler, langre, och, eller, kunden, kund, av, till, upp, fa, honom, henne, om,
      ha, absolut;
    beside: kund(|en), begart, bett, begar, onskar, lista(|n), person(|en), har, kontakt, ska, skall, numret, nummer,
      pa, lagg, tack, endast, bara; nothing: fore, efter, mellan, orsak, anledning, klockan, kl, langd, antal, bokat,
      verifierad, idag;
    asks: nar, hur, vilken, tid, vilket, varfor, antal; until: tills; remove: ta bort, radera, stryk;
    mine: mig, fran listan, fran er lista, mitt nummer;
    other: brev, nyhetsbrev, epost, meddelande(|n), utskick, postadress(|en); yes: ja, sant; no: nej, falskt;
    stops: bekrafta(d|t), begar(d|t|an), permanent, lista(d|t), registrera(d|t), aldrig mer, aldrig igen, alla, allt;
    active: aktiv, aktivt, aktivera(d|t); inactive: inaktiv, inaktivt, avaktiverad, inaktiverad, utgangen;
    clear: tillat(en|et|na), fri, fritt; agreed: godkan(d|t|ner), beviljat, accepter(at|ar), samtyck(t|er);
    denied: nekad, nekat, avslagen, avbojt, sparrad, sparrat, forbjudet, blockerad, aterkallat, vagrat;
    unknown: okan(d|t), tom, uppgift saknas, saknas, vet ej;
    told: angiv(en|et), uppgivet, namn(t|d), kan(t|d), fragat, tillampligt, aktuellt, besvarad;
    ask: bett, namnt, sagt, begart`,
}
