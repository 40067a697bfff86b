// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every verb of the document designs against every state of an entry, of its messages' tasks and of
// the store beside it: what is seen to be next and what a plan foresees is what the design
// promises, what comes of it is what the plan foresaw, and the stores are as told.
#include "app/designs/designoperations.h"
#include "app/designs/documentreader.h"
#include "tests/app/designworld.h"
#include "tests/app/teststores.h"
#include "tests/support/testprogram.h"

#include <cstdio>

namespace tst_designmatrix {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

enum class PlannedCommand { Dispatch, Reconcile, Purge };

QString word(PlannedCommand command)
{
    static const QStringList words{u"dispatch"_s, u"reconcile"_s, u"purge"_s};
    return words.at(int(command));
}

/// What correctness.md 5, 6 and 7 promise of an entry, written down apart from the engine.
struct Promise
{
    bool isThere = true;
    NextStep::Act next = NextStep::Act::LeaveAlone;
    std::optional<FindingKind> kind;
    QList<Outcome> outcomes; ///< of dispatch, reconcile and purge
};

Promise promiseOf(Design design, const DesignCell &cell)
{
    using enum Outcome;
    using Act = NextStep::Act;
    const QList<Outcome> refused{NotOffered, NotOffered, NotOffered};
    // "undispatched: dispatch, then null or remove; an entry with messages inside: refuse always"
    const Promise undispatched{
        true, Act::Dispatch, FindingKind::Undispatched, {Done, Done, NotOffered}};
    // "entry present and id in store, incoming token absent: safe to remove"
    const Promise leftover{
        true, Act::Remove, FindingKind::LeakedEntry, {NotOffered, Done, NotOffered}};
    const Promise undecided{true, Act::LeaveAlone, {}, refused};
    const bool isEntity = design == Design::EntityState;
    const bool isDone = cell.store == StoreSays::Done;
    switch (cell.entry) {
    case EntryIs::NoDocument:
    case EntryIs::NoEntry:
        return {false, Act::Keep, {}, {}};
    case EntryIs::Unreadable: // nobody knows whether messages are inside
    case EntryIs::Tokenless: // "only reachability tells"
        return undecided;
    case EntryIs::Waiting:
    case EntryIs::HalfOut:
    case EntryIs::AllOut:
    case EntryIs::OutAndDone:
    case EntryIs::Empty:
        return isDone ? leftover : undispatched;
    case EntryIs::Collides: // "same id, other type or payload: never automatic"
        return isDone
            ? leftover
            : Promise{
                true, Act::Dispatch, FindingKind::Undispatched, {Collision, Collision, NotOffered}};
    case EntryIs::Stubbed: // "stub: reconcile the queue first"
        return isDone
            ? leftover
            : Promise{
                true, Act::Dispatch, FindingKind::Undispatched, {Blocked, Blocked, NotOffered}};
    case EntryIs::NullBare:
        if (design == Design::Tokens)
            return undecided; // it does not name its token
        [[fallthrough]];
    case EntryIs::NullYoung: // "a null entry re-opens the duplicate window: refuse inside"
    case EntryIs::NullOld:
        break;
    }
    if (!isEntity)
        return isDone ? leftover : undecided;
    const Outcome purge = cell.entry == EntryIs::NullOld ? Done : NotOffered;
    return {true, Act::Keep, {}, {NotOffered, NotOffered, purge}};
}

std::unique_ptr<Operation> operationFor(PlannedCommand command, const DesignPlace &place)
{
    if (command == PlannedCommand::Purge)
        return makePurgeEntries(place);
    return makeSettleEntries(place, command == PlannedCommand::Reconcile);
}

} // namespace

class TestDesignMatrix : public QObject
{
    Q_OBJECT

    int m_cells = 0;
    QString m_table;

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
    }
    void cleanupTestCase()
    {
        std::printf("%s\n%d cells, foreseen = promised = done in all of them\n",
                    qPrintable(m_table), m_cells);
    }

    /// All entries in one plan, as an operator does who names nothing.
    void everythingAtOnce_data() { addDesignGrounds(true); }
    void everythingAtOnce()
    {
        for (const PlannedCommand command :
             {PlannedCommand::Dispatch, PlannedCommand::Reconcile, PlannedCommand::Purge}) {
            DesignWorld world(databases, redis, designGround());
            TestStores stores(world);
            carryOut(world, stores, command, nullptr);
            if (QTest::currentTestFailed())
                return;
        }
    }

    /// Each entry by its name, with a plan of its own.
    void oneByOne_data() { addDesignGrounds(true); }
    void oneByOne()
    {
        for (const PlannedCommand command :
             {PlannedCommand::Dispatch, PlannedCommand::Reconcile, PlannedCommand::Purge}) {
            DesignWorld world(databases, redis, designGround());
            TestStores stores(world);
            const QList<DesignCell> cells = world.cells();
            for (const DesignCell &cell : cells) {
                carryOut(world, stores, command, &cell);
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

private:
    void carryOut(DesignWorld &world, TestStores &stores, PlannedCommand command,
                  const DesignCell *only)
    {
        const Design design = world.place().design;
        const DesignSight before = world.look();
        const QString unseen = wronglySeen(world, only);
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen));
        QHash<QString, QJsonObject> documents;
        for (const DesignCell &cell : world.cells())
            documents.insert(cell.document(), world.document(cell));
        const auto operation = operationFor(command, world.place());
        Selection selection;
        selection.meant = DocumentPart::Entries;
        if (only) {
            selection.rows += MessageId{only->document()};
            selection.tasks += TaskId{only->incoming()};
        }
        const auto plan = operation->plan(stores.session(), selection);
        QVERIFY_RESULT(plan);
        QCOMPARE(world.look(), before); // a plan writes nothing
        const auto receipt = stores.carryOut(*operation, *plan);
        QVERIFY_RESULT(receipt);
        QVERIFY2(!receipt->error, receipt->error ? qPrintable(oneLine(*receipt->error)) : "");
        const DesignSight after = world.look();
        QStringList line;
        for (const DesignCell &cell : world.cells()) {
            const bool isMeant = !only || cell.number == only->number;
            const QString wrong = isMeant
                ? wrongIn(world, command, cell, *plan, *receipt, before, after, documents, only)
                : untouched(cell, before, after);
            const QString where = u"%1 %2, %3, store %4: "_s.arg(
                word(design), word(command), word(cell.entry), word(cell.store));
            QVERIFY2(wrong.isEmpty(), qPrintable(where + wrong));
            if (isMeant) {
                ++m_cells;
                const Promise promise = promiseOf(design, cell);
                line += u"%1/%2 %3"_s.arg(word(cell.entry), word(cell.store),
                                          promise.isThere ? word(promise.outcomes.at(int(command)))
                                                          : u"-"_s);
            }
        }
        if (!only)
            m_table += u"\n%1, %2: %3"_s.arg(QString::fromLatin1(QTest::currentDataTag()),
                                             word(command), line.join(u"; "_s));
    }

    /// Empty when what is said to be next for each entry is what the design promises.
    static QString wronglySeen(const DesignWorld &world, const DesignCell *only)
    {
        DocumentStores person;
        if (const auto opened = person.open(world.place(), StoreAccess::ReadOnly); !opened)
            return oneLine(opened.error());
        DocumentReader look(person, world.place().design);
        for (const DesignCell &cell : world.cells()) {
            if (only && only->number != cell.number)
                continue;
            const auto entries = look.entriesOf(cell.document());
            if (!entries)
                return oneLine(entries.error());
            const Promise promise = promiseOf(world.place().design, cell);
            bool isThere = false;
            for (const SeenEntry &seen : *entries) {
                if (seen.entry.incoming != cell.incoming())
                    continue;
                isThere = true;
                if (seen.next.act != promise.next || seen.next.kind != promise.kind
                    || seen.next.reason.isEmpty())
                    return word(cell.entry) + u" is seen as another one: "_s + seen.next.reason;
            }
            if (isThere != promise.isThere)
                return word(cell.entry) + u" is not seen as it is"_s;
        }
        return {};
    }

    static QString untouched(const DesignCell &cell, const DesignSight &before,
                             const DesignSight &after)
    {
        return before.documents.value(cell.document()) == after.documents.value(cell.document())
            ? QString()
            : u"the document of another one was written"_s;
    }

    /// Empty when what was seen, foreseen and done is as promised.
    static QString wrongIn(DesignWorld &world, PlannedCommand command, const DesignCell &cell,
                           const Plan &plan, const Receipt &receipt, const DesignSight &before,
                           const DesignSight &after, const QHash<QString, QJsonObject> &documents,
                           const DesignCell *only)
    {
        const Promise promise = promiseOf(world.place().design, cell);
        const PlanItem *planned = nullptr;
        const ReceiptItem *done = nullptr;
        for (const PlanItem &item : plan.items) {
            if (item.row.text == cell.document() && item.task.text == cell.incoming())
                planned = &item;
        }
        for (const ReceiptItem &item : receipt.items) {
            if (item.row.text == cell.document() && item.task.text == cell.incoming())
                done = &item;
        }
        const Outcome expected
            = promise.isThere ? promise.outcomes.at(int(command)) : Outcome::Gone;
        // Who names nothing is not told of entries that need nothing.
        const bool mayBeLeftOut = !promise.isThere
            || (!only && expected != Outcome::Done
                && (promise.next == NextStep::Act::Keep || command == PlannedCommand::Purge));
        if (!planned)
            return mayBeLeftOut ? differs(world, cell, before, after) : u"it is in no plan"_s;
        if (!promise.isThere)
            return u"there is nothing, and it is planned"_s;
        if (planned->expected != expected)
            return u"foreseen %1, promised %2 (%3)"_s.arg(word(planned->expected), word(expected),
                                                          planned->reason);
        if (planned->reason.isEmpty())
            return u"no reason is given"_s;
        if (command != PlannedCommand::Purge && planned->kind != promise.kind)
            return u"taken for "_s + word(planned->kind);
        if (!done || done->outcome != expected)
            return u"done: %1 (%2)"_s.arg(done ? word(done->outcome) : u"nothing"_s,
                                          done ? done->reason : QString());
        if (expected != Outcome::Done)
            return differs(world, cell, before, after);
        return wrongAfter(world, command, cell, promise, before, after,
                          documents.value(cell.document()));
    }

    /// Empty when nothing of the cell has changed anywhere.
    static QString differs(DesignWorld &world, const DesignCell &cell, const DesignSight &before,
                           const DesignSight &after)
    {
        if (before.documents.value(cell.document()) != after.documents.value(cell.document()))
            return u"the document was written"_s;
        for (const QString &id : {cell.incoming(), cell.token()}) {
            if (before.store.contains(id) != after.store.contains(id))
                return u"the store was written"_s;
        }
        for (const QString &id : world.tasksOf(cell)) {
            if (before.tasks.value(id) != after.tasks.value(id))
                return u"the queue was written"_s;
        }
        return {};
    }

    static QString wrongAfter(DesignWorld &world, PlannedCommand command, const DesignCell &cell,
                              const Promise &promise, const DesignSight &before,
                              const DesignSight &after, QJsonObject document)
    {
        const Design design = world.place().design;
        const bool isSent
            = command != PlannedCommand::Purge && promise.next == NextStep::Act::Dispatch;
        const QStringList tasks = world.tasksOf(cell);
        for (const QString &id : tasks) { // what was in the queue is as it was
            if (before.tasks.contains(id) && before.tasks.value(id) != after.tasks.value(id))
                return u"a task was changed"_s;
            if (!before.tasks.contains(id) && !isSent)
                return u"a message was sent"_s;
        }
        if (isSent && tasks.size() != (cell.entry == EntryIs::Empty ? 0 : 2))
            return u"%1 tasks have its messages"_s.arg(tasks.size());
        if (isSent && design == Design::Tokens) {
            for (const QString &id : tasks) {
                if (!after.store.contains(id))
                    return u"a message went out without its token"_s;
            }
        }
        const QString key = design == Design::Tokens ? cell.token() : cell.incoming();
        const bool isKept = design == Design::EntityState ? false
            : isSent ? design == Design::DedupStore // added; a token is consumed
                     : before.store.contains(key);
        if (after.store.contains(key) != isKept)
            return u"the store says otherwise"_s;
        QJsonObject map = document.value(u"OutboxState"_s).toObject();
        if (isSent && design == Design::EntityState) {
            QJsonObject entry = map.value(cell.incoming()).toObject();
            entry[u"OutgoingMessages"_s] = QJsonValue::Null;
            map[cell.incoming()] = entry;
        } else {
            map.remove(cell.incoming());
        }
        document[u"OutboxState"_s] = map;
        return world.document(cell) == document ? QString() : u"the document is another one"_s;
    }
};

} // namespace tst_designmatrix

OUTBOX_TEST(tst_designmatrix::TestDesignMatrix)
#include "tst_designmatrix.moc"
