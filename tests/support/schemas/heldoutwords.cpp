// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of the held-out corpus. HELD OUT: no rule and no word list of the recognizer may be made
// from this file or from what a test prints of its tables; who improves the recognizer does not
// read it. It tells whether the rules hold for tables that nobody has seen.
#include "tests/support/schemas/heldouttables.h"
#include "tests/support/schemas/vocabulary.h"

namespace outbox {

namespace {

const char *const heldOutWords = R"(
[english] 20
table: outbox | outbox item | outbox row | payments outbox | domain event outbox | outbox store | event outbox entries | tx outbox | outbound messages | publication outbox | outbox event log | relay outbox
key: id | event ident | message key | msg id | row id
keyA: account id | stream key | bucket
keyB: ordinal no | version no | revision
type: message name | event key | msg type | event kind | subject | routing key
payload: message payload | event body | msg body | payload json | message data | blob
headers: meta | header | message metadata | envelope headers
created: raised at | date created | stored at | created time | added at | written at
due: send after | deliver at | retry at | execute at | not before time | publish after
sentTime: relayed at | forwarded at | emitted at | date sent | broadcast at | sent on | date processed | pushed at
sentFlag: is sent | relayed | is delivered | processed | is completed | was published
status: outbox status | relay state | message status | process status | event status
leaseUntil: lock expiry | visible after lock | claim expires at | lease end | locked till
leaseOwner: processor id | lock holder | lock token | lease holder
lockTime: lock acquired at | claim time | leased at | date locked
failedTime: failure time | parked at | rejected at | date failed
failedFlag: is dead letter | poisoned | is rejected | errored
attempts: send attempts | retry number | publish tries | attempt no | failure count
maxAttempts: allowed attempts | max deliveries | retry limit
error: exception | error details | last failure | err msg
new: initial | to send | not processed | not sent | registered
busy: in flight | sending now | being processed | picked
sent: relayed | emitted | succeeded | complete | acknowledged
failed: rejected | exhausted | dead letter | aborted
waiting: deferred | backoff
[workshop] 10
table: outgoing events | event relay outbox | bus outbox | integration outbox | outbox notification | egress messages | outbox work | outbox tasks
key: pk | message no | event no | ident
keyA: topic no | segment no
keyB: index no | line no
type: job name | event code | message class | payload type | contract
payload: event | json | raw message | message content | args
headers: extra | tags | message attributes
created: submitted at | posted at | entry date | insert date | logged at
due: earliest at | wake up at | start after | ready at | send on
sentTime: completion date | transmitted at | ack time | flushed at | processed time | done at
sentFlag: acked | is handled | finished | transmitted | sent flag
status: status | work state | transfer status | publishing state
leaseUntil: hold until | busy until | reservation expires
leaseOwner: held by | node name | picked by | runner
lockTime: hold since | started at | taken at
failedTime: given up at | error time | dead since
failedFlag: dead | error flag | is broken | undeliverable
attempts: tried | nr of tries | retry counter | fails
maxAttempts: tries allowed | max fails
error: problem | exception text | last error message
new: fresh | not published | stored | accepted
busy: working | transmitting | leased | in process
sent: transmitted | ok | handled | published
failed: broken | given up | nack | expired
waiting: later | on hold
[german] 3 foreign
table: ereignisausgang | nachrichtenversand outbox | outbox eintrag | outbox ereignisse | versandwarteschlange
key: id | vorgang id | satz nr
type: nachrichtenart | ereignisname | vorgangsart
payload: ereignisdaten | nachrichteninhalt | koerper | datensatz
created: erfasst am | eingestellt am | anlagedatum
due: senden ab | wiedervorlage am | fruehestens am
sentTime: uebertragen am | zugestellt am | versanddatum | abgeschlossen am
sentFlag: zugestellt | ist gesendet | abgeschlossen
status: verarbeitungsstatus | sendezustand | status
leaseUntil: sperre bis | belegt bis
leaseOwner: belegt durch | sperrinhaber
lockTime: belegt seit | sperrzeitpunkt
failedTime: gescheitert am | fehlerzeitpunkt
failedFlag: gescheitert | hat fehler
attempts: sendeversuche | versuchszaehler
maxAttempts: hoechstversuche
error: fehlermeldung | fehlerursache
new: eingestellt | unverarbeitet | bereit
busy: laeuft | in arbeit
sent: zugestellt | abgeschlossen | uebertragen
failed: gescheitert | abgebrochen
waiting: zurueckgestellt
[french] 2 foreign
table: outbox messages sortie | file envoi | outbox evenement | evenements a publier
key: id | numero
type: nom evenement | nature
payload: corps | message | evenement
created: date insertion | enregistre le
due: a envoyer apres | date planifiee
sentTime: transmis le | expedie le | date traitement | date publication
sentFlag: transmis | est envoye
status: etat envoi | statut traitement
leaseUntil: reserve jusqua
leaseOwner: reserve par
lockTime: reserve le
failedTime: date echec
failedFlag: echoue
attempts: nombre essais | essais
maxAttempts: essais max
error: message erreur | cause
new: a envoyer | cree
busy: en traitement
sent: transmis | expedie | termine
failed: echoue | abandonne
waiting: differe
[spanish] 2 foreign
table: outbox mensajes | cola envio | outbox evento | eventos por publicar
key: id | codigo
type: nombre evento | clase
payload: carga | mensaje | evento
created: fecha alta | registrado en
due: enviar despues | fecha programada
sentTime: transmitido en | despachado en | fecha proceso | entregado en
sentFlag: entregado | publicado
status: situacion envio | estado proceso
leaseUntil: reservado hasta
leaseOwner: reservado por
lockTime: reservado en
failedTime: fecha fallo
failedFlag: con error
attempts: reintentos | veces
maxAttempts: reintentos max
error: mensaje error | causa
new: por enviar | creado
busy: en proceso | enviando
sent: entregado | despachado | completado
failed: rechazado | abortado
waiting: diferido
[portuguese] 2 foreign
table: outbox mensagens | fila envio | outbox evento
key: id | codigo
type: nome evento | classe
payload: carga | mensagem | evento
created: data inclusao | registrado em
due: enviar apos | data agendada
sentTime: entregue em | publicado em | data processamento
sentFlag: entregue | publicado
status: estado | status processamento
leaseUntil: reservado ate
leaseOwner: reservado por
lockTime: reservado em
failedTime: data falha
failedFlag: com erro
attempts: qtd tentativas | reenvios
maxAttempts: limite tentativas
error: mensagem erro | motivo
new: a enviar | criado
busy: enviando | em processamento
sent: entregue | concluido
failed: rejeitado | cancelado
waiting: adiado
[polish] 1 foreign
table: outbox wiadomosci | kolejka wysylki | outbox zdarzenie
key: id | numer
type: nazwa zdarzenia | rodzaj
payload: komunikat | cialo | zdarzenie
created: data dodania | dodano
due: wyslij po | termin wysylki
sentTime: data wysylki | dostarczono | opublikowano
sentFlag: wyslano | dostarczone
status: stan wysylki | status
leaseUntil: zajete do
leaseOwner: zajete przez
lockTime: zajeto
failedTime: niepowodzenie dnia
failedFlag: nieudane
attempts: ilosc prob
maxAttempts: limit prob
error: komunikat bledu | przyczyna
new: do wyslania | utworzony
busy: wysylanie | w trakcie
sent: dostarczony | zakonczony
failed: nieudany | porzucony
waiting: odroczony
[turkish] 1 foreign
table: outbox mesajlar | gonderim kuyrugu | outbox olay
key: id | kayit no
type: olay adi | mesaj turu
payload: mesaj | yuk | olay verisi
created: kayit tarihi | eklenme tarihi
due: gonderilecek zaman | en erken
sentTime: iletim tarihi | teslim tarihi | yayin tarihi
sentFlag: iletildi | teslim edildi
status: islem durumu | durum
leaseUntil: rezerve bitis
leaseOwner: rezerve eden
lockTime: rezerve zamani
failedTime: basarisizlik tarihi
failedFlag: basarisiz
attempts: tekrar sayisi
maxAttempts: tekrar siniri
error: hata mesaji | sebep
new: gonderilecek | kaydedildi
busy: gonderiliyor
sent: iletildi | tamamlandi
failed: iptal | reddedildi
waiting: ertelendi
[italian] 1 foreign
table: outbox messaggi | messaggi in uscita | outbox eventi
key: id | codice
type: tipo evento | tipo messaggio
payload: contenuto | dati | corpo
created: creato il | data creazione
due: programmato per
sentTime: inviato il | elaborato il | spedito il
sentFlag: inviato | elaborato
status: stato | stato invio
failedTime: fallito il
failedFlag: fallito
attempts: tentativi
maxAttempts: max tentativi
error: errore | ultimo errore
new: nuovo | in attesa
busy: in corso
sent: inviato | elaborato
failed: fallito | errore
waiting: rinviato
[dutch] 1 foreign
table: outbox berichten | uitgaande berichten | outbox gebeurtenissen
key: id | bericht id
type: soort | gebeurtenis type
payload: inhoud | gegevens
created: aangemaakt op | toegevoegd op
due: gepland op
sentTime: verzonden op | verwerkt op
sentFlag: verzonden | verwerkt
status: status | toestand
failedTime: mislukt op
failedFlag: mislukt
attempts: pogingen
maxAttempts: max pogingen
error: fout | laatste fout
new: nieuw | wachtend
busy: bezig
sent: verzonden | verwerkt
failed: mislukt | fout
waiting: uitgesteld
[extras] 0
tenant: customer no | organisation | client id
region: zone name | site | stage
version: contract version | revision no | payload version
contentType: media type | encoding | serializer
priority: importance | urgency | weight
retention: delete after | purge at | valid until
traceparent: trace context | w3c traceparent
tracestate: w3c tracestate | baggage state
correlation: conversation id | request id | saga id
aggregateType: root type | owner type | document type
aggregateId: root id | owner key | subject id
updated: touched at | changed at | row updated
lastAttempt: last send try | previous attempt at
sentBy: relayed by | done by host
businessFlag: invoice finished | contract active | order delivered
counter: done steps | finished parts | total published
businessState: shipping state | province | market status
producer: origin | emitter | application
topic: exchange | target | stream name | binding
messageUid: dedup key | client token | reference no
)";

/// Of each column some names are the usual ones of that language.
QList<Vocabulary> mixedVocabularies()
{
    QList<Vocabulary> all = vocabulariesIn(heldOutWords);
    const QList<Vocabulary> known = trainingCorpus().vocabularies;
    for (Vocabulary &one : all) {
        for (const Vocabulary &usual : known) {
            const bool isWorkshop
                = one.name == QStringLiteral("workshop") && usual.name == QStringLiteral("english");
            if (one.weight > 0 && (usual.name == one.name || isWorkshop))
                one.usual = usual.words;
        }
    }
    return all;
}

} // namespace

const Corpus &heldOutCorpus()
{
    static const Corpus corpus{QStringLiteral("held out"), mixedVocabularies(),
                               linesIn(heldOutTables), true};
    return corpus;
}

} // namespace outbox
