// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verb of tokens, forced execution, against every state of a token: what is said to refer to
// it, what the plan foresees, and what was made; no verb takes a token away.
#include "app/designs/designoperations.h"
#include "app/designs/tokenscan.h"
#include "tests/app/designworld.h"
#include "tests/app/teststores.h"
#include "tests/support/testprogram.h"

#include <cstdio>

namespace tst_tokenmatrix {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

enum class Rival { Nobody, MakesToken, TakesToken };

/// correctness.md 7: a live token is named by an entry, by a message in a queue, or by a registered
/// attempt; one that is gone was consumed, and to make it is a second execution.
struct TokenCase
{
    QString token;
    std::optional<TokenReach> reach; ///< nullopt: there is none
    Outcome foreseen = Outcome::NothingToDo;
};

const QList<TokenCase> cases{
    {u"t-held"_s, TokenReach::Held, Outcome::NothingToDo},
    {u"t-carried"_s, TokenReach::Carried, Outcome::NothingToDo},
    {u"t-attempt"_s, TokenReach::Attempt, Outcome::NothingToDo},
    {u"t-losing"_s, TokenReach::Losing, Outcome::NothingToDo},
    {u"t-garbage"_s, TokenReach::Garbage, Outcome::NothingToDo},
    {u"t-byhand"_s, TokenReach::Garbage, Outcome::NothingToDo},
    {u"t-consumed"_s, std::nullopt, Outcome::SecondExecution},
    {u"T-HELD"_s, std::nullopt, Outcome::SecondExecution}, // not the one that is there
};

} // namespace

class TestTokenMatrix : public QObject
{
    Q_OBJECT

    int m_cells = 0;

private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
    }
    void cleanupTestCase()
    {
        std::printf("%d cells, foreseen = promised = done in all of them\n", m_cells);
    }

    void aForcedExecutionIsAskedForAndOnRecord_data() { addDesignGrounds(false); }
    void aForcedExecutionIsAskedForAndOnRecord()
    {
        for (const Rival rival : {Rival::Nobody, Rival::MakesToken, Rival::TakesToken}) {
            for (const bool consents : {true, false}) {
                force(rival, consents);
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    void whatRefersToATokenIsSaid_data() { addDesignGrounds(false); }
    void whatRefersToATokenIsSaid()
    {
        DesignWorld world(databases, redis, designGround());
        makeTokens(world);
        QHash<QString, TokenReach> seen = reaches(world, true);
        for (const TokenCase &one : casesOf(world)) {
            QCOMPARE(seen.contains(one.token), one.reach.has_value());
            if (one.reach)
                QVERIFY2(seen.value(one.token) == *one.reach, qPrintable(one.token));
            ++m_cells;
        }
        // Where the queues were not read, nothing is called garbage.
        seen = reaches(world, false);
        for (const TokenReach reach : std::as_const(seen))
            QVERIFY(reach != TokenReach::Garbage);
        QCOMPARE(seen.value(u"t-garbage"_s), TokenReach::Unknown);
    }

private:
    void force(Rival rival, bool consents)
    {
        DesignWorld world(databases, redis, designGround());
        makeTokens(world);
        TestStores stores(world);
        const std::unique_ptr<const Operation> force = makeForceExecution(world.place());
        Selection selection;
        for (const TokenCase &one : casesOf(world))
            selection.tasks += TaskId{one.token};
        const DesignSight before = world.look();
        const auto plan = force->plan(stores.session(), selection);
        QVERIFY_RESULT(plan);
        QCOMPARE(world.look(), before);
        const QList<TokenCase> all = casesOf(world);
        QCOMPARE(plan->items.size(), all.size());
        for (qsizetype i = 0; i < all.size(); ++i) {
            QVERIFY2(plan->items.at(i).expected == all.at(i).foreseen, qPrintable(all.at(i).token));
            QVERIFY(!plan->items.at(i).reason.isEmpty());
        }
        const QString consumed = u"t-consumed"_s;
        if (rival == Rival::MakesToken)
            world.putToken(consumed, u"rival"_s, u"m"_s);
        if (rival == Rival::TakesToken)
            world.dropToken(u"t-garbage"_s);
        const DesignSight between = world.look();
        const auto receipt = stores.carryOut(*force, *plan, consents);
        QVERIFY_RESULT(receipt);
        const DesignSight after = world.look();
        DesignSight wanted = between; // nothing but the tokens asked for
        for (qsizetype i = 0; i < all.size(); ++i) {
            const TokenCase &one = all.at(i);
            const ReceiptItem &item = receipt->items.at(i);
            const bool isMade = one.foreseen == Outcome::SecondExecution && consents
                && !between.store.contains(one.token);
            const Outcome done = one.foreseen != Outcome::SecondExecution ? one.foreseen
                : !consents                                               ? Outcome::SecondExecution
                : isMade                                                  ? Outcome::Done
                                                                          : Outcome::Changed;
            QVERIFY2(item.outcome == done,
                     qPrintable(one.token + u": "_s + word(item.outcome) + u' ' + item.reason));
            if (isMade) {
                wanted.store.insert(one.token);
                QVERIFY2(world.attemptOf(one.token).contains(u"forced by"_s),
                         qPrintable(world.attemptOf(one.token)));
            }
            ++m_cells;
        }
        QCOMPARE(after, wanted);
    }

    /// MariaDB's usual key has no place for two tokens that differ by their case.
    static QList<TokenCase> casesOf(const DesignWorld &world)
    {
        QList<TokenCase> all = cases;
        if (world.place().look.url.dialect == DatabaseUrl::Dialect::MariaDb)
            all.removeLast();
        return all;
    }

    static QHash<QString, TokenReach> reaches(const DesignWorld &world, bool withQueues)
    {
        DocumentStores person;
        if (const auto opened = person.open(world.place(), StoreAccess::ReadOnly); !opened)
            qFatal("%s", qPrintable(oneLine(opened.error())));
        AsynqInspector queues;
        if (const auto opened = queues.open(*world.place().lookRedis, u"matrix"_s); !opened)
            qFatal("%s", qPrintable(oneLine(opened.error())));
        const auto report = scanTokens(person, withQueues ? &queues : nullptr, 1000);
        if (!report)
            qFatal("%s", qPrintable(oneLine(report.error())));
        QHash<QString, TokenReach> seen;
        for (const JudgedToken &one : report->tokens)
            seen.insert(one.token.id, one.reach);
        return seen;
    }

    static void makeTokens(DesignWorld &world)
    {
        // An entry that cannot be read may name any token: it would forbid every judgement.
        for (const DesignCell &cell : world.cells())
            world.dropDocument(cell);
        const DesignCell held{EntryIs::AllOut, StoreSays::Open, 900};
        const DesignCell open{EntryIs::Waiting, StoreSays::Open, 901};
        world.putDocument(
            held, world.documentWith(held, EntryIs::AllOut).replace(u"t-900-1"_s, u"t-held"_s));
        world.putDocument(open, world.documentWith(open, EntryIs::Waiting));
        world.putToken(u"t-held"_s, u"a-1"_s, held.incoming());
        world.putToken(u"t-losing"_s, u"a-2"_s, held.incoming());
        world.putToken(u"t-attempt"_s, u"a-3"_s, open.incoming());
        world.putToken(u"t-carried"_s, u"a-4"_s, u"m-gone"_s);
        world.putToken(u"t-garbage"_s, u"a-5"_s, u"m-gone"_s);
        world.putToken(u"t-byhand"_s, {}, {});
        world.putTask(u"t-carried"_s);
    }
};

} // namespace tst_tokenmatrix

OUTBOX_TEST(tst_tokenmatrix::TestTokenMatrix)
#include "tst_tokenmatrix.moc"
