// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of training outboxes that have several meanings, or another one elsewhere: "hold until" is
// the end of a lease to one team, and the time before which nothing is sent to another.
#include "tests/support/schemas/vocabulary.h"

namespace outbox {

namespace {

const char *const tangledWords = R"(
[tangled] 4
table: delivery log | mail room | transfer items | change feed | sync jobs | message spool | push list | event ledger
key: ref | handle | line id | ticket
keyA: lane | bucket
keyB: step no | idx
type: intent | verb | signal | what happened | fact | trigger name | reason code
payload: packet | parcel | raw | blob | snapshot | material | value | record data | stuff
headers: extra data | side data | labels | annotations | flags json | hints | info
created: posted at | accepted at | filed at | noted at | put at | sent in at | intake at | opened at | published on
due: hold until | sleep until | blocked until | quiet until | start after | wait until | release at | next run at | open from | lock out until
sentTime: closed at | archived at | released at | gone at | out at | cleared at | ended at | taken out at | signed off at | left at | resolved at
sentFlag: closed | gone | archived | out | settled | cleared | seen | ok
status: result | outcome | mark | condition | situation | step | stage code | flag value | progress code
leaseUntil: expires | deadline | good until | visible at | free at | timeout at | release at | valid to | back at | busy till
leaseOwner: agent | host | handled by | pid | thread name | runner name | processed by | server | consumer tag | sender
lockTime: started | opened by worker at | begun at | touched at | pulled at | sent to worker at | read at | dequeued | seized at | active since
failedTime: stopped at | closed with error at | bounced at | dropped at | killed at | returned at | tombstoned at | blocked at
failedFlag: stopped | bounced | returned | blocked | bad | halted | disabled | invalid
attempts: runs | sends | tries so far | hits | passes | seq tries | cycle
maxAttempts: cap | run limit | budget | top
error: note | remark | last note | response | output | trouble | diagnosis
new: accepted | posted | open | free | initial | logged | scheduled to go | idle
busy: sent to worker | started | held | open at worker | dispatched | in hand | moving | active
sent: closed | archived | cleared | gone | out | ended | signed off | settled
failed: stopped | returned | bounced | cancelled | blocked | suspended | closed with error
waiting: hold | sleeping | blocked until | paused | parked | dormant
tenant: org | customer code | owner name
region: cluster | cell
version: rev | shape no
contentType: format | codec
priority: level | class no
retention: drop after | expires on | gone by | trim at
traceparent: trail | span
tracestate: trail state | bag
correlation: thread id | case id
aggregateType: thing | family name
aggregateId: thing id | owner id
updated: moved at | last seen at | saved at | stamp
lastAttempt: last send at | last seen at | ran at | last run at
sentBy: closed by | agent name | released by | signed off by
businessFlag: paid | urgent | is open | is locked customer
counter: item total | pieces sent | page count | level count
businessState: stock condition | order result | bill stage
producer: sender name | app
topic: lane name | address | port
messageUid: outer ref | dedupe ref
)";

} // namespace

const Corpus &tangledCorpus()
{
    static const Corpus corpus = [] {
        Corpus made = trainingCorpus();
        made.name = QStringLiteral("tangled");
        const Vocabulary english = made.vocabularies.constFirst();
        const Vocabulary extras = made.vocabularies.constLast();
        Vocabulary tangled = vocabulariesIn(tangledWords).constFirst();
        tangled.usual = english.words;
        tangled.usual.insert(extras.words);
        made.vocabularies = {english, tangled, extras};
        made.vocabularies.first().weight = 0; // it names what is missing
        return made;
    }();
    return corpus;
}

} // namespace outbox
