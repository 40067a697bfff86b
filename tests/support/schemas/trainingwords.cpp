// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of the training corpus: anybody may look at them and make rules from what they show.
#include "tests/support/schemas/trainingtables.h"
#include "tests/support/schemas/vocabulary.h"

namespace outbox {

namespace {

const char *const trainingWords = R"(
[english] 12
table: outbox | outbox message | outbox messages | message outbox | event outbox | order outbox | outbox events | transactional outbox | integration events | outgoing messages | pending events | events to publish
key: id | message id | event id | outbox id
keyA: aggregate id | stream id | partition id
keyB: sequence number | position | seq
type: event type | message type | type | event name | kind | topic
payload: payload | body | data | content | message body | event data
headers: headers | metadata | message headers
created: created at | occurred at | created on | inserted at | enqueued at | occurred on
due: available at | scheduled at | next attempt at | not before | run after
sentTime: processed at | published at | sent at | dispatched at | completed at | delivered at
sentFlag: is processed | published | sent | is published | dispatched
status: status | state | delivery status | message state
leaseUntil: locked until | lease until | claimed until | lock expires at
leaseOwner: locked by | claimed by | lock owner
lockTime: locked at | claimed at | picked at
failedTime: failed at | abandoned at | dead at
failedFlag: is failed | failed | is dead
attempts: attempts | retry count | tries | attempt count
maxAttempts: max attempts | max retries
error: last error | error | error message
new: new | pending | created | ready
busy: processing | in progress | sending
sent: sent | published | processed | completed | done
failed: failed | error | dead
waiting: scheduled | delayed
[operations] 6
table: outbox queue | outbox records | outbox entry | outbound events | event publication queue | message outbox log | unsent messages | outboxes | published events outbox
key: id | record id | entry id | entry no
keyA: shard | tenant no
keyB: offset no | ordinal
type: event class | routing key | message kind | command name | action
payload: event json | message | document | serialized event | event payload
headers: attributes | properties | context
created: creation date | recorded at | queued at | added on | create time
due: visible at | deliver after | next try at | process after | due at
sentTime: handled at | acknowledged at | finished at | delivery time | publish time
sentFlag: delivered | was sent | handled | is done | publish completed
status: processing state | send status | publish status | status code
leaseUntil: reserved until | lock until | lease expires at
leaseOwner: reserved by | worker id | instance id locking
lockTime: reserved at | lock time
failedTime: errored at | discarded at | gave up at
failedFlag: is poison | blocked | has failed
attempts: number of attempts | retries | delivery attempts | times tried
maxAttempts: attempt limit | max tries
error: failure reason | last exception | error text
new: queued | unsent | waiting | open
busy: running | claimed | locked | publishing
sent: delivered | success | finished | dispatched
failed: failure | discarded | poisoned | undeliverable
waiting: retry later | postponed
[house] 6
table: outbox store | outbox items | message relay | delivery queue | things to send | outbox tasks | change events outbox | relay messages | event log outbox
key: uid | pk | row id | seq no
keyA: tenant key | group id
keyB: line no | version no
type: message name | event name | event code | subject | operation | category
payload: json | envelope | message data | contents | raw json | details
headers: meta | context data | extra headers
created: born at | received at | logged at | arrived at | stored at | event time | submitted on | raised at
due: send after | earliest at | wake at | deliver at | start at | visible after | retry at | planned for
sentTime: relayed at | delivered on | pushed at | emitted at | done at | transmitted at | confirmed at | sent time
sentFlag: done | processed flag | relayed | is delivered | completed | acked
status: delivery state | phase | relay state | job status | progress
leaseUntil: busy until | hold expires at | invisible until | lease end | lock timeout | taken until
leaseOwner: taken by | picked by | processor | lock token | worker | node id | held by
lockTime: taken at | processing started at | picked up at | started at | checked out at
failedTime: rejected at | dead lettered at | parked at | error at | given up at
failedFlag: dead | poison | gave up | is rejected
attempts: try count | delivery count | failures | error count | fail count | nr of tries
maxAttempts: retry limit | allowed attempts | max deliveries
error: reason | error details | failure message | last failure | exception text
new: unsent | to do | fresh | registered | not sent | received | todo
busy: taken | in flight | started | working | busy
sent: ok | complete | transmitted | acknowledged | relayed | sent out
failed: broken | rejected | given up | fatal | ko
waiting: later | on hold | deferred | snoozed
tenant: company | client code | realm
region: zone | site | location
version: revision | format version | layout no
contentType: payload format | encoding | payload type | serializer
priority: urgency | weight | rank
retention: purge after | delete after | valid until | remove at | archive on
traceparent: span id | trace context
tracestate: baggage | trace data
correlation: request id | parent id | conversation id
aggregateType: object type | root type | subject type | aggregate name | source table
aggregateId: object id | root id | subject id | source key
updated: changed at | touched at | last change | revised at | change date
lastAttempt: latest try | tried at | previous attempt at | last run
sentBy: delivered by | relayed by | handled by | processor name
businessFlag: is vip | invoice paid | stock reserved | is test | order shipped
counter: item count | orders sent | lines total | retry budget used
businessState: address state | payment state | order status | stock state
producer: origin | emitter | app name | created by
topic: exchange | target | endpoint | stream name
messageUid: dedup key | external uid | event guid
[german] 3 foreign
table: postausgang | ausgangsnachrichten | outbox nachrichten | nachrichten outbox | ereignis outbox | ausgehende ereignisse
key: id | nachricht id | ereignis id
type: ereignis typ | nachrichten typ | art | typ
payload: nutzdaten | inhalt | daten | nachricht
headers: kopfdaten | metadaten
created: erstellt am | angelegt am | erzeugt um
due: faellig ab | naechster versuch am | geplant fuer
sentTime: gesendet am | verarbeitet am | versendet am | erledigt am
sentFlag: gesendet | verarbeitet | ist erledigt
status: status | zustand | versand status
leaseUntil: gesperrt bis | reserviert bis
leaseOwner: gesperrt von | reserviert durch
lockTime: gesperrt am | gesperrt seit
failedTime: fehlgeschlagen am | abgebrochen am
failedFlag: fehlgeschlagen | ist fehlerhaft
attempts: versuche | anzahl versuche
maxAttempts: max versuche
error: fehler | letzter fehler | fehlertext
new: neu | offen | wartend
busy: in bearbeitung | wird gesendet
sent: gesendet | verarbeitet | erledigt
failed: fehler | fehlgeschlagen
waiting: geplant | verzoegert
[french] 2 foreign
table: boite envoi | messages sortants | outbox evenements | evenements outbox
key: id | id message
type: type evenement | type message
payload: contenu | donnees | charge utile
created: cree le | date creation
due: prevu le | prochain essai le
sentTime: envoye le | traite le | publie le | date envoi
sentFlag: envoye | traite | est publie
status: statut | etat
leaseUntil: verrouille jusqua
leaseOwner: verrouille par
lockTime: verrouille le
failedTime: echoue le
failedFlag: en echec
attempts: tentatives | nb tentatives
maxAttempts: max tentatives
error: erreur | derniere erreur
new: nouveau | en attente
busy: en cours
sent: envoye | traite | publie
failed: echec | erreur
waiting: planifie
[spanish] 2 foreign
table: bandeja salida | mensajes salientes | outbox eventos | eventos outbox
key: id | id mensaje
type: tipo evento | tipo mensaje | tipo
payload: contenido | datos | cuerpo
created: creado en | fecha creacion
due: programado para | proximo intento
sentTime: enviado en | procesado en | fecha envio | publicado en
sentFlag: enviado | procesado
status: estado | estado envio
leaseUntil: bloqueado hasta
leaseOwner: bloqueado por
lockTime: bloqueado en
failedTime: fallido en
failedFlag: fallido
attempts: intentos | numero intentos
maxAttempts: max intentos
error: error | ultimo error
new: nuevo | pendiente
busy: procesando | en curso
sent: enviado | procesado | publicado
failed: fallido | error
waiting: programado
[portuguese] 2 foreign
table: caixa saida | mensagens saida | outbox eventos | eventos outbox
key: id | id mensagem
type: tipo evento | tipo mensagem
payload: conteudo | dados | corpo
created: criado em | data criacao
due: agendado para | proxima tentativa em
sentTime: enviado em | processado em | data envio
sentFlag: enviado | processado
status: situacao | status envio
leaseUntil: bloqueado ate
leaseOwner: bloqueado por
lockTime: bloqueado em
failedTime: falhou em
failedFlag: falhou
attempts: tentativas
maxAttempts: max tentativas
error: erro | ultimo erro
new: novo | pendente
busy: processando | em andamento
sent: enviado | processado | publicado
failed: falhou | erro
waiting: agendado
[polish] 1 foreign
table: skrzynka nadawcza | wiadomosci wychodzace | outbox zdarzenia | zdarzenia outbox
key: id | id wiadomosci
type: typ zdarzenia | typ wiadomosci
payload: tresc | dane | zawartosc
created: utworzono | data utworzenia
due: zaplanowano na | nastepna proba
sentTime: wyslano | data wyslania | przetworzono
sentFlag: wyslane | przetworzone
status: status | stan
leaseUntil: zablokowane do
leaseOwner: zablokowane przez
lockTime: zablokowano
failedTime: data bledu
failedFlag: czy blad
attempts: liczba prob | proby
maxAttempts: max prob
error: blad | ostatni blad
new: nowy | oczekuje
busy: w toku | przetwarzany
sent: wyslany | przetworzony
failed: blad | odrzucony
waiting: zaplanowany
[turkish] 1 foreign
table: giden kutusu | giden mesajlar | outbox olaylar | olay outbox
key: id | mesaj id
type: olay tipi | mesaj tipi
payload: icerik | veri | govde
created: olusturma tarihi | olusturulma zamani
due: planlanan zaman | sonraki deneme
sentTime: gonderim tarihi | gonderilme zamani | islenme tarihi
sentFlag: gonderildi | islendi mi
status: durum | gonderim durumu
leaseUntil: kilit bitis
leaseOwner: kilitleyen
lockTime: kilit zamani
failedTime: hata tarihi
failedFlag: hatali mi
attempts: deneme sayisi
maxAttempts: max deneme
error: hata | son hata
new: yeni | bekliyor
busy: isleniyor
sent: gonderildi | islendi
failed: hata | basarisiz
waiting: planlandi
[extras] 0
tenant: tenant id | tenant | mandant
region: region | data center
version: version | schema version | event version
contentType: content type | mime type
priority: priority | prio
retention: retention until | expires at | keep until
traceparent: traceparent | trace parent
tracestate: tracestate | trace state
correlation: correlation id | causation id | trace id
aggregateType: aggregate type | entity type
aggregateId: aggregate id | entity id | order id
updated: updated at | modified at | last modified
lastAttempt: last attempt at | last tried at
sentBy: processed by | sent by
businessFlag: order completed | is published article | customer active
counter: completed orders | sent total | version count
businessState: billing state | country | us state
producer: producer | source | service name
topic: topic | destination | channel | queue name
messageUid: message uuid | external id | idempotency key
)";

} // namespace

const Corpus &trainingCorpus()
{
    static const Corpus corpus{QStringLiteral("training"), vocabulariesIn(trainingWords),
                               linesIn(trainingTables), false};
    return corpus;
}

} // namespace outbox
