// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A document's map of outgoing messages: what is read from it, that a change touches nothing else,
// and what may be done to an entry.
#include "models/designs/nextstep.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_outboxstate {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Odd on purpose: blanks, a number no double holds, an escape, an order of its own.
const QByteArray document = R"({ "Id":"c-1",  "Balance": 12.340000000000000000000000001,
 "Name":"\u00e9\/",
 "OutboxState" : {"m-1" : {"OutgoingMessages": [ {"id":"o-1","type":"order:paid","payload":{"b":1, "a":2.50}},
   {"id":"o-2","type":"mail","payload":"text","queue":"mails"} ], "at":"2026-01-02T03:04:05Z", "x": 1.0}, "m-2":null,
  "m-3":{"OutgoingMessages":null}, "m-4":[], "m-5":7, "m-6":{"other":1},
  "m-7":[{"type":"t"}], "m-8":[{"id":"o","type":"t"},{"id":"o","type":"t"}] }, "Tail":[1, 2 ] })";

DocumentShape shape()
{
    DocumentShape shape;
    shape.timeMember = u"at"_s;
    return shape;
}

OutboxEntry::State stateOf(const OutboxState &state, const QString &incoming)
{
    const OutboxEntry *entry = state.entry(incoming);
    return entry ? entry->state : OutboxEntry::State::Malformed;
}

} // namespace

class TestOutboxState : public QObject
{
    Q_OBJECT
private slots:
    void entriesAreToldApart()
    {
        using State = OutboxEntry::State;
        const auto state = OutboxState::read(document, shape());
        QVERIFY_RESULT(state);
        QCOMPARE(state->entries().size(), 8);
        QCOMPARE(stateOf(*state, u"m-1"_s), State::Undispatched);
        QCOMPARE(stateOf(*state, u"m-2"_s), State::Dispatched);
        QCOMPARE(stateOf(*state, u"m-3"_s), State::Dispatched);
        QCOMPARE(stateOf(*state, u"m-4"_s), State::Undispatched);
        for (const QString &bad : {u"m-5"_s, u"m-6"_s, u"m-7"_s, u"m-8"_s}) {
            QCOMPARE(stateOf(*state, bad), State::Malformed);
            QVERIFY(!state->entry(bad)->problem.isEmpty());
            QVERIFY(state->entry(bad)->messages.isEmpty());
        }
        const QList<OutgoingMessage> messages = state->entry(u"m-1"_s)->messages;
        QCOMPARE(messages.size(), 2);
        QCOMPARE(messages.at(0).payload, QByteArray(R"({"b":1, "a":2.50})"));
        QCOMPARE(messages.at(1), (OutgoingMessage{u"o-2"_s, u"mail"_s, "text", u"mails"_s, {}}));
        QCOMPARE(state->entry(u"m-1"_s)->made->toString(Qt::ISODate), u"2026-01-02T03:04:05Z"_s);
    }

    void aTimeIsReadByTheSizeOfItsNumber()
    {
        const auto made = [](const QByteArray &number) {
            const QByteArray json
                = R"({"OutboxState":{"m":{"OutgoingMessages":[],"at":)" + number + "}}}";
            const auto state = OutboxState::read(json, shape());
            const OutboxEntry *entry = state ? state->entry(u"m"_s) : nullptr;
            return entry && entry->made ? entry->made->toString(Qt::ISODateWithMs) : QString();
        };
        const QString time = u"2026-01-02T03:04:05.250Z"_s;
        QCOMPARE(made("1767323045.25"), time);
        QCOMPARE(made("1767323045250"), time);
        QCOMPARE(made("1767323045250000"), time);
        QCOMPARE(made("1767323045250000000"), time);
        for (const char *none : {"1e21", "-1e21", "1e300", "1e999"})
            QCOMPARE(made(none), QString());
    }

    void nullingTouchesNothingElse()
    {
        const auto state = OutboxState::read(document, shape());
        const auto changed = state->withDispatched(u"m-1"_s);
        QVERIFY_RESULT(changed);
        const qsizetype from = document.indexOf("[ {\"id\"");
        const qsizetype end = document.indexOf(", \"at\"");
        QCOMPARE(*changed, document.first(from) + "null" + document.sliced(end));
        QCOMPARE(stateOf(*OutboxState::read(*changed, shape()), u"m-1"_s),
                 OutboxEntry::State::Dispatched);
        QVERIFY(!state->withDispatched(u"m-5"_s));
        QVERIFY(!state->withDispatched(u"m-9"_s));
    }

    void entriesComeAndGo_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("with");
        QTest::newRow("no map") << QByteArray(R"({"a":1})")
                                << QByteArray(R"({"a":1,"OutboxState":{"n\\q":[1]}})");
        QTest::newRow("empty document")
            << QByteArray("{}") << QByteArray(R"({"OutboxState":{"n\\q":[1]}})");
        QTest::newRow("empty map") << QByteArray(R"({"OutboxState":{ }, "b":2})")
                                   << QByteArray(R"({"OutboxState":{"n\\q":[1]}, "b":2})");
        QTest::newRow("other entries") << QByteArray(R"({"OutboxState":{"m":null }})")
                                       << QByteArray(R"({"OutboxState":{"m":null,"n\\q":[1] }})");
    }
    void entriesComeAndGo()
    {
        QFETCH(const QByteArray, before);
        QFETCH(const QByteArray, with);
        const QString id = u"n\\q"_s; // needs an escape
        const auto state = OutboxState::read(before, DocumentShape());
        QVERIFY_RESULT(state);
        const auto added = state->withNew(id, "[1]");
        QVERIFY_RESULT(added);
        QCOMPARE(*added, with);
        QVERIFY(!OutboxState::read(with, DocumentShape())->withNew(id, "[2]"));
    }

    void anEntryLeavesItsNeighboursAlone_data()
    {
        QTest::addColumn<QString>("gone");
        QTest::addColumn<QByteArray>("after");
        QTest::newRow("first") << u"a"_s << QByteArray(R"({"OutboxState":{ "b":null , "c":[] }})");
        QTest::newRow("middle") << u"b"_s << QByteArray(R"({"OutboxState":{ "a":[], "c":[] }})");
        QTest::newRow("last") << u"c"_s << QByteArray(R"({"OutboxState":{ "a":[], "b":null }})");
    }
    void anEntryLeavesItsNeighboursAlone()
    {
        QFETCH(const QString, gone);
        QFETCH(const QByteArray, after);
        const QByteArray three = R"({"OutboxState":{ "a":[], "b":null , "c":[] }})";
        QCOMPARE(OutboxState::read(three, {}).value().without(gone).value(), after);
    }

    void tokensGoIntoTheMessages()
    {
        const auto state = OutboxState::read(
            R"({"OutboxState":{"m":{"OutgoingMessages":[{"id":"a","type":"t"} ,{"id":"b","type":"t" }]}}})",
            {});
        QVERIFY_RESULT(state);
        const auto changed = state->withTokens(u"m"_s, {u"1"_s, u"2"_s});
        QVERIFY_RESULT(changed);
        const auto now = OutboxState::read(*changed, {});
        QVERIFY_RESULT(now);
        const QList<OutgoingMessage> messages = now->entry(u"m"_s)->messages;
        QCOMPARE(messages.at(0).token, u"1"_s);
        QCOMPARE(messages.at(1).token, u"2"_s);
        QCOMPARE(messages.at(1).id, u"b"_s);
        QVERIFY(!now->withTokens(u"m"_s, {u"3"_s, u"4"_s}));
        QVERIFY(!state->withTokens(u"m"_s, {u"1"_s}));
    }

    void aPathMayBeDeep()
    {
        DocumentShape deep;
        deep.mapPath = QStringList{u"meta"_s, u"sent"_s};
        const auto none = OutboxState::read(R"({"meta":{"k":1}})", deep);
        QVERIFY_RESULT(none);
        QCOMPARE(none->withNew(u"m"_s, "null").value(),
                 QByteArray(R"({"meta":{"k":1,"sent":{"m":null}}})"));
        QVERIFY(!OutboxState::read(R"({"meta":[1]})", deep));
        QVERIFY(!OutboxState::read(R"({"meta":{},"meta":{}})", deep));
        QVERIFY(!OutboxState::read("[1]", deep));
    }

    void anEntryThatStandsTwiceIsNobodysToTouch()
    {
        const auto state = OutboxState::read(R"({"OutboxState":{"m":[],"m":null}})", {});
        QVERIFY_RESULT(state);
        QCOMPARE(stateOf(*state, u"m"_s), OutboxEntry::State::Malformed);
        QVERIFY(!state->without(u"m"_s));
    }

    void messagesThatMayNotBeOutAreNeverRemoved()
    {
        OutboxEntry entry;
        entry.state = OutboxEntry::State::Undispatched;
        using Act = NextStep::Act;
        QCOMPARE(nextStep(entry, Design::EntityState).act, Act::Dispatch);
        QCOMPARE(nextStep(entry, Design::DedupStore).act, Act::LeaveAlone);
        QCOMPARE(nextStep(entry, Design::DedupStore, false).act, Act::Dispatch);
        QCOMPARE(nextStep(entry, Design::DedupStore, false).kind, FindingKind::Undispatched);
        QCOMPARE(nextStep(entry, Design::DedupStore, true).act, Act::Remove);
        QCOMPARE(nextStep(entry, Design::DedupStore, true).kind, FindingKind::LeakedEntry);
        QCOMPARE(nextStep(entry, Design::Tokens).act, Act::LeaveAlone);
        QCOMPARE(nextStep(entry, Design::Tokens, false).act, Act::Dispatch);
        QCOMPARE(nextStep(entry, Design::Tokens, true).act, Act::Remove);
        QVERIFY(!whyNotPurge(entry, Design::EntityState, 1e9, 60).isEmpty());
        entry.state = OutboxEntry::State::Malformed;
        QCOMPARE(nextStep(entry, Design::DedupStore, true).act, Act::LeaveAlone);
        QVERIFY(!whyNotPurge(entry, Design::EntityState, 1e9, 60).isEmpty());
    }

    void aNullEntryStaysAsLongAsACopyMayCome()
    {
        OutboxEntry entry;
        entry.state = OutboxEntry::State::Dispatched;
        QCOMPARE(nextStep(entry, Design::EntityState).act, NextStep::Act::Keep);
        QVERIFY(!whyNotPurge(entry, Design::EntityState, std::nullopt, 60).isEmpty());
        QVERIFY(!whyNotPurge(entry, Design::EntityState, 59, 60).isEmpty());
        QVERIFY(whyNotPurge(entry, Design::EntityState, 61, 60).isEmpty());
        QCOMPARE(nextStep(entry, Design::DedupStore, false).act, NextStep::Act::LeaveAlone);
    }
};

} // namespace tst_outboxstate

OUTBOX_TEST(tst_outboxstate::TestOutboxState)
#include "tst_outboxstate.moc"
