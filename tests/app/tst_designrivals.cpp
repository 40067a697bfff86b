// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What others do between a plan and its act: each verb of the document designs leaves alone what is
// no longer as it was seen, and works on where only its surroundings changed.
#include "app/designs/designoperations.h"
#include "tests/app/designworld.h"
#include "tests/app/teststores.h"
#include "tests/support/testprogram.h"

#include <cstdio>

namespace tst_designrivals {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

enum class PlannedCommand { Dispatch, Reconcile, Purge };

/// What somebody else does meanwhile.
enum class Rival {
    Nobody,
    TakesDocument,
    TakesEntry,
    NullsEntry,
    FillsEntry, ///< messages inside
    SpoilsEntry,
    WritesBeside, ///< another version of the document, the same entry
    SaysDone, ///< in the other store
    SaysOpen,
};

struct RivalCase
{
    const char *name;
    PlannedCommand command;
    EntryIs entry;
    StoreSays store; ///< Nothing: of the entity design
    Rival rival;
    Outcome promised; ///< of the receipt; the plan says Done of all
    bool isNull = false; ///< what the entry is in the end, where it is Done and not gone
};

/// correctness.md 5 and 8: every edit is guarded by what was seen; never remove what may not be
/// out.
const QList<RivalCase> cases{
    {"dispatch", PlannedCommand::Dispatch, EntryIs::Waiting, StoreSays::Nothing, Rival::Nobody,
     Outcome::Done, true},
    {"dispatch, the document goes", PlannedCommand::Dispatch, EntryIs::Waiting, StoreSays::Nothing,
     Rival::TakesDocument, Outcome::Changed},
    {"dispatch, the entry goes", PlannedCommand::Dispatch, EntryIs::Waiting, StoreSays::Nothing,
     Rival::TakesEntry, Outcome::Changed},
    {"dispatch, the entry is nulled", PlannedCommand::Dispatch, EntryIs::Waiting,
     StoreSays::Nothing, Rival::NullsEntry, Outcome::Changed},
    {"dispatch, the entry is spoilt", PlannedCommand::Dispatch, EntryIs::Waiting,
     StoreSays::Nothing, Rival::SpoilsEntry, Outcome::Changed},
    {"dispatch, the document is written", PlannedCommand::Dispatch, EntryIs::Waiting,
     StoreSays::Nothing, Rival::WritesBeside, Outcome::Done, true},
    {"purge", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing, Rival::Nobody,
     Outcome::Done},
    {"purge, the document goes", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing,
     Rival::TakesDocument, Outcome::Changed},
    {"purge, the entry goes", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing,
     Rival::TakesEntry, Outcome::Changed},
    {"purge, messages come into it", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing,
     Rival::FillsEntry, Outcome::Changed},
    {"purge, the entry is nulled anew", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing,
     Rival::NullsEntry, Outcome::Changed},
    {"purge, the entry is spoilt", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing,
     Rival::SpoilsEntry, Outcome::Changed},
    {"purge, the document is written", PlannedCommand::Purge, EntryIs::NullOld, StoreSays::Nothing,
     Rival::WritesBeside, Outcome::Done},
    {"dispatch, its receiver is done", PlannedCommand::Dispatch, EntryIs::Waiting, StoreSays::Open,
     Rival::SaysDone, Outcome::Changed},
    {"reconcile, its receiver is done", PlannedCommand::Reconcile, EntryIs::Waiting,
     StoreSays::Open, Rival::SaysDone, Outcome::Changed},
    {"reconcile, the document is written", PlannedCommand::Reconcile, EntryIs::Waiting,
     StoreSays::Open, Rival::WritesBeside, Outcome::Done},
    {"reconcile a leftover", PlannedCommand::Reconcile, EntryIs::Waiting, StoreSays::Done,
     Rival::Nobody, Outcome::Done},
    {"reconcile a leftover, the record goes", PlannedCommand::Reconcile, EntryIs::Waiting,
     StoreSays::Done, Rival::SaysOpen, Outcome::Changed},
    {"reconcile a leftover, null, the record goes", PlannedCommand::Reconcile, EntryIs::NullOld,
     StoreSays::Done, Rival::SaysOpen, Outcome::Changed},
    {"reconcile a leftover, the entry goes", PlannedCommand::Reconcile, EntryIs::Waiting,
     StoreSays::Done, Rival::TakesEntry, Outcome::Changed},
    {"reconcile a leftover, the document is written", PlannedCommand::Reconcile, EntryIs::Waiting,
     StoreSays::Done, Rival::WritesBeside, Outcome::Done},
};

void meddle(DesignWorld &world, const DesignCell &cell, Rival rival)
{
    const auto with
        = [&](EntryIs entry) { world.putDocument(cell, world.documentWith(cell, entry)); };
    switch (rival) {
    case Rival::Nobody:
        break;
    case Rival::TakesDocument:
        world.dropDocument(cell);
        break;
    case Rival::TakesEntry:
        with(EntryIs::NoEntry);
        break;
    case Rival::NullsEntry:
        with(EntryIs::NullYoung);
        break;
    case Rival::FillsEntry:
        with(EntryIs::Waiting);
        break;
    case Rival::SpoilsEntry:
        with(EntryIs::Unreadable);
        break;
    case Rival::WritesBeside:
        world.putDocument(cell, world.documentWith(cell, cell.entry).replace(u"12.50"_s, u"99"_s));
        break;
    case Rival::SaysDone:
    case Rival::SaysOpen:
        world.setDone(cell, rival == Rival::SaysDone);
        break;
    }
}

} // namespace

class TestDesignRivals : public QObject
{
    Q_OBJECT

    int m_cells = 0;

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
    }
    void cleanupTestCase() { std::printf("%d cells\n", m_cells); }

    void whatIsNotAsItWasSeenIsLeftAlone_data() { addDesignGrounds(true); }
    void whatIsNotAsItWasSeenIsLeftAlone()
    {
        const DesignGround ground = designGround();
        DesignWorld world(databases, redis, ground);
        TestStores stores(world);
        for (const RivalCase &one : cases) {
            const bool isOfEntity = one.store == StoreSays::Nothing;
            if (isOfEntity != (ground.design == Design::EntityState))
                continue;
            for (const DesignCell &cell : world.cells()) {
                if (cell.entry != one.entry || cell.store != one.store)
                    continue;
                world.putDocument(cell, world.documentWith(cell, cell.entry)); // cases before it
                if (!isOfEntity)
                    world.setDone(cell, cell.store == StoreSays::Done);
                meet(world, stores, one, cell);
                if (QTest::currentTestFailed())
                    return;
                ++m_cells;
            }
        }
    }

private:
    static void meet(DesignWorld &world, TestStores &stores, const RivalCase &one,
                     const DesignCell &cell)
    {
        const auto operation = one.command == PlannedCommand::Purge
            ? makePurgeEntries(world.place())
            : makeSettleEntries(world.place(), one.command == PlannedCommand::Reconcile);
        Selection selection;
        selection.meant = DocumentPart::Entries;
        selection.rows += MessageId{cell.document()};
        selection.tasks += TaskId{cell.incoming()};
        const auto plan = operation->plan(stores.session(), selection);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 1);
        QVERIFY2(plan->items.first().expected == Outcome::Done, one.name);
        meddle(world, cell, one.rival);
        const DesignSight before = world.look();
        const QStringList tasksBefore = world.tasksOf(cell);
        const QJsonObject documentBefore = world.document(cell);
        const auto receipt = stores.carryOut(*operation, *plan);
        QVERIFY_RESULT(receipt);
        QVERIFY2(!receipt->error, one.name);
        const ReceiptItem item = receipt->items.first();
        QVERIFY2(item.outcome == one.promised,
                 qPrintable(QString::fromLatin1(one.name) + u": "_s + word(item.outcome) + u" ("_s
                            + item.reason + u')'));
        if (one.promised == Outcome::Changed) {
            QVERIFY2(!item.reason.isEmpty(), one.name);
            QVERIFY2(world.look() == before, one.name); // nothing anywhere
            return;
        }
        const QJsonObject document = world.document(cell);
        QCOMPARE(document[u"Balance"_s], documentBefore[u"Balance"_s]); // others' change stays
        const QJsonObject map = document[u"OutboxState"_s].toObject();
        QCOMPARE(map.size(), one.isNull ? 2 : 1);
        if (one.isNull)
            QVERIFY(map[cell.incoming()].toObject()[u"OutgoingMessages"_s].isNull());
        const bool isSent = one.command != PlannedCommand::Purge && one.store != StoreSays::Done;
        QCOMPARE(world.tasksOf(cell).size(), isSent ? 2 : tasksBefore.size());
    }
};

} // namespace tst_designrivals

OUTBOX_TEST(tst_designrivals::TestDesignRivals)
#include "tst_designrivals.moc"
