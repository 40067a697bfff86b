// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a probe says of schemas that nobody wrote, on real databases: right, asked, wrong and told,
// wrong in silence. Of the held-out ones only sums are printed.
//
//   OUTBOX_SCHEMAS=2000           so many of each kind, not a sample
//   OUTBOX_SCHEMAS_FROM=5000      others: those from this number on
//   OUTBOX_SCHEMAS_SHOW=training  what went wrong in each training schema ("all": held out too,
//                                 from which no rule is made)
//   OUTBOX_SCHEMAS_ONE=7          only schema 7 of those that are not held out, with its statements
#include "connectors/sql/probe/zoneprobe.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/crash/longmain.h"
#include "tests/support/schemas/schemaverdict.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTimeZone>

#include <map>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Dialect = DatabaseUrl::Dialect;
using Make = GeneratedSchema (*)(const Corpus &, quint64, Dialect, const QDateTime &);

/// Brings schemas into databases, one after the other.
class SchemaWorld
{
public:
    [[nodiscard]] Databases &databases() { return m_databases; }

    GeneratedSchema made(Make make, const Corpus &corpus, quint64 number)
    {
        static const QList<Dialect> dialects{Dialect::PostgreSql, Dialect::Sqlite,
                                             Dialect::MariaDb};
        return make(corpus, number, dialects.at(static_cast<int>(number % 3)),
                    QDateTime::currentDateTimeUtc());
    }

    /// A database that holds this schema and nothing else, until the next call.
    DatabaseUrl holding(const GeneratedSchema &schema)
    {
        const TestWords &words = testWords(schema.dialect);
        Held &held = m_held[schema.dialect];
        if (words.isFile() && held.session) {
            held.session.reset();
            QFile::remove(held.url.database);
        }
        if (!held.session) {
            held.url = m_databases.fresh(schema.dialect);
            held.session = std::make_unique<SideSession>(held.url);
        }
        QStringList empty = words.emptyDatabase;
        empty.replaceInStrings(u"@name"_s, held.url.database);
        held.session->all(empty + schema.statements + QStringList{u"COMMIT"_s});
        return held.url;
    }

private:
    struct Held
    {
        DatabaseUrl url;
        std::unique_ptr<SideSession> session;
    };

    Databases m_databases;
    std::map<Dialect, Held> m_held; ///< they end before the servers
};

/// The shape that somebody who knows the table would map; keys and forms are as `found`.
OutboxShape trueShape(const OutboxTruth &truth, const OutboxShape &found)
{
    OutboxShape shape = found;
    const auto columnOf = [](const auto &ways) { return ways.constFirst().columns.value(0); };
    const auto valuesOf
        = [&truth](MessageState state) { return QStringList(truth.values.keys(state)); };
    shape.where.clear();
    shape.createdColumn = truth.created.value(0);
    shape.dueColumn = truth.due;
    shape.dueOnlyIn.clear();
    shape.processedHow = truth.processed.constFirst().how;
    shape.processedColumn = columnOf(truth.processed);
    shape.processedTimeColumn.clear();
    shape.processedValues = valuesOf(MessageState::Processed);
    shape.processedAnd.clear();
    shape.processedIn = {};
    shape.positions = {};
    shape.lockedHow = truth.locked.constFirst().how;
    shape.leaseColumn.clear();
    shape.ownerColumn.clear();
    shape.lockTimeColumn.clear();
    shape.lockedColumn.clear();
    shape.lockedIn = {};
    shape.node = {};
    if (shape.lockedHow == OutboxShape::LockedHow::Until)
        shape.leaseColumn = columnOf(truth.locked);
    else if (shape.lockedHow == OutboxShape::LockedHow::Owner) {
        shape.ownerColumn = columnOf(truth.locked);
        shape.lockTimeColumn = truth.locked.constFirst().columns.value(1);
    } else {
        shape.lockedColumn = columnOf(truth.locked);
    }
    shape.lockedValues = valuesOf(MessageState::Locked);
    shape.failedHow = truth.failed.constFirst().how;
    shape.failedColumn = columnOf(truth.failed);
    shape.failedValues = valuesOf(MessageState::Failed);
    shape.failedIn = {};
    shape.attemptsColumn = truth.attempts;
    shape.startedColumn.clear();
    shape.maxAttemptsColumn = truth.maxAttempts;
    shape.maxAttempts = 0;
    const bool isStatus = shape.processedHow == OutboxShape::ProcessedHow::Status;
    const QStringList waiting = valuesOf(MessageState::Waiting);
    shape.waitingColumn = waiting.isEmpty() ? QString() : shape.processedColumn;
    shape.waitingValues = waiting;
    shape.waitingIn = {};
    shape.pendingColumn = isStatus ? shape.processedColumn : QString();
    shape.pendingValues = isStatus ? valuesOf(MessageState::Pending) : QStringList();
    shape.pendingIn = {};
    return shape;
}

QString shown(const GeneratedSchema &schema, const SchemaVerdict &verdict,
              const ProbeFinding &finding, const OutboxSnapshot &counts)
{
    static const QStringList words{u"right"_s,        u"right, told"_s, u"asked"_s,
                                   u"wrong, asked"_s, u"WRONG, TOLD"_s, u"WRONG IN SILENCE"_s};
    const auto rows = [](const std::optional<qint64> &count) {
        return count ? QString::number(*count) : u"-"_s;
    };
    QString text = u"%1 | %2 | %3 %% | %4 | %5 | %6 %7"_s.arg(
        words.at(static_cast<int>(verdict.is)), verdict.wrong.join(u' '),
        QString::number(qRound(verdict.confidence * 100)), QString::number(schema.number),
        schema.family, schema.outbox->table,
        QString::fromUtf8(QJsonDocument(finding.shape.toJson()).toJson(QJsonDocument::Compact)));
    text += u" | p/w/l/d/f/u %1/%2/%3/%4/%5/%6 truth"_s.arg(
        rows(counts.pending), rows(counts.waiting), rows(counts.locked), rows(counts.processed),
        rows(counts.failed), rows(counts.unknown));
    for (auto row = schema.outbox->rows.begin(); row != schema.outbox->rows.end(); ++row)
        text += u' ' + word(row.key()) + u' ' + QString::number(row.value());
    return text + u" | "_s + finding.questions.join(u" / "_s);
}

bool asksForZone(const ProbeFinding &finding)
{
    return std::any_of(finding.questions.cbegin(), finding.questions.cend(),
                       [](const QString &question) { return question.startsWith(zoneQuestion); });
}

int howMany(int sample)
{
    return qEnvironmentVariableIntValue("OUTBOX_SCHEMAS") > 0
        ? qEnvironmentVariableIntValue("OUTBOX_SCHEMAS")
        : sample;
}

int firstNumber()
{
    return qEnvironmentVariableIntValue("OUTBOX_SCHEMAS_FROM");
}

bool isShown(const Corpus &corpus)
{
    const QByteArray what = qgetenv("OUTBOX_SCHEMAS_SHOW");
    return what == "all" || (what == "training" && !corpus.isHeldOut);
}

} // namespace

class TestGeneratedSchemas : public QObject
{
    Q_OBJECT

    SchemaWorld m_world;

    struct Seen
    {
        VerdictTally tally;
        int neighboursTaken = 0; ///< tables beside an outbox that a probe is sure of
        int zonesAsked = 0; ///< of times that say none
    };

    /// Probes so many schemas of a corpus; stops at the first error of a database.
    void look(const Corpus &corpus, int from, int count, Seen *seen)
    {
        QElapsedTimer clock;
        clock.start();
        for (int number = from; number < from + count; ++number) {
            const GeneratedSchema schema
                = m_world.made(generatedOutbox, corpus, static_cast<quint64>(number));
            const OutboxTruth &truth = *schema.outbox;
            OutboxStore store;
            QVERIFY_RESULT(store.open(settingsFor(m_world.holding(schema), StoreAccess::ReadOnly)));
            const auto listed = store.probe();
            QVERIFY_RESULT(listed);
            bool isListed = false;
            for (const ProbeFinding &one : *listed) {
                isListed |= one.shape.table.table == truth.table;
                const bool isTaken
                    = one.shape.table.table != truth.table && one.confidence >= sureEnough;
                seen->neighboursTaken += isTaken ? 1 : 0;
                if (isTaken && isShown(corpus))
                    qInfo("NEIGHBOUR TAKEN | %d | %s", number, qPrintable(one.shape.table.table));
            }
            const auto named = store.probe(TableName{{}, truth.table});
            QVERIFY_RESULT(named);
            QVERIFY2(named->size() == 1, qPrintable(truth.table));
            const ProbeFinding &finding = named->constFirst();
            OutboxShape shape = finding.shape;
            SchemaCounts counts;
            if (asksForZone(finding)) {
                ++seen->zonesAsked;
                QVERIFY_RESULT(store.use(shape));
                const auto open = store.snapshot();
                QVERIFY_RESULT(open);
                counts.open = *open;
                shape.setTimeZone(u"UTC"_s); // what its owner would answer
            }
            QVERIFY_RESULT(store.use(shape));
            const auto all = store.snapshot();
            QVERIFY_RESULT(all);
            counts.all = *all;
            const SchemaVerdict verdict = verdictOf(truth, finding, isListed, counts);
            seen->tally.add(verdict);
            if (isShown(corpus) && !verdict.wrong.isEmpty())
                qInfo("%s", qPrintable(shown(schema, verdict, finding, counts.all)));
        }
        qInfo("%s: %s; the zone of times asked in %d; %d neighbours taken; %.1f ms each",
              qPrintable(corpus.name), qPrintable(seen->tally.text()), seen->zonesAsked,
              seen->neighboursTaken, double(clock.elapsed()) / count);
    }

    void lookAtOne(const Corpus &corpus, Seen *seen)
    {
        const int number = qEnvironmentVariableIntValue("OUTBOX_SCHEMAS_ONE");
        const auto one = m_world.made(generatedOutbox, corpus, static_cast<quint64>(number));
        for (const QString &statement : one.statements)
            qInfo("%s", qPrintable(statement));
        look(corpus, number, 1, seen);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_world.databases().postgres, {u"timezone=UTC"_s});
        OUTBOX_START_SERVER(m_world.databases().mariadb);
    }

    void theSameNumberMakesTheSameSchema()
    {
        const QDateTime now(QDate(2026, 3, 1), QTime(12, 0), QTimeZone::utc());
        QSet<QString> families;
        for (quint64 number = 0; number < 30; ++number) {
            const auto once = generatedOutbox(trainingCorpus(), number, Dialect::Sqlite, now);
            const auto again = generatedOutbox(trainingCorpus(), number, Dialect::Sqlite, now);
            QCOMPARE(once.statements, again.statements);
            families += once.family;
        }
        QVERIFY(families.size() >= 29);
    }

    /// Of the generator itself: who maps a table as its truth says counts the rows it was given.
    void theTruthCountsItsRows()
    {
        const int end = firstNumber() + qMax(60, howMany(0) / 10);
        for (int number = firstNumber(); number < end; ++number) {
            const Corpus &corpus = number % 2 == 0 ? trainingCorpus() : heldOutCorpus();
            const GeneratedSchema schema
                = m_world.made(generatedOutbox, corpus, static_cast<quint64>(number));
            const OutboxTruth &truth = *schema.outbox;
            OutboxStore store;
            QVERIFY_RESULT(store.open(settingsFor(m_world.holding(schema), StoreAccess::ReadOnly)));
            const auto named = store.probe(TableName{{}, truth.table});
            QVERIFY_RESULT(named);
            QCOMPARE(named->size(), 1);
            OutboxShape shape = trueShape(truth, named->constFirst().shape);
            if (asksForZone(named->constFirst()))
                shape.setTimeZone(u"UTC"_s);
            QVERIFY_RESULT(store.use(shape));
            const auto counts = store.snapshot();
            QVERIFY_RESULT(counts);
            const QString what = u"%1 %2 %3"_s.arg(corpus.name).arg(number).arg(schema.family);
            const auto same = [&](const std::optional<qint64> &count, MessageState state) {
                const QString text = u"%1: %2 %3, not %4"_s.arg(what, word(state))
                                         .arg(count.value_or(-1))
                                         .arg(truth.rows.value(state));
                QVERIFY2(count.value_or(0) == truth.rows.value(state), qPrintable(text));
            };
            same(counts->pending, MessageState::Pending);
            same(counts->waiting, MessageState::Waiting);
            if (counts->lockVisible)
                same(counts->locked, MessageState::Locked);
            same(counts->processed, MessageState::Processed);
            if (counts->failed)
                same(counts->failed, MessageState::Failed);
            same(counts->unknown, MessageState::Unknown);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void trainingOutboxesAreReadRightOrAsked()
    {
        Seen seen;
        if (qEnvironmentVariableIsSet("OUTBOX_SCHEMAS_ONE"))
            return lookAtOne(trainingCorpus(), &seen);
        look(trainingCorpus(), firstNumber(), howMany(100), &seen);
        if (!QTest::currentTestFailed())
            assertGoals(seen);
    }

    /// Where words mean nothing only rows tell: not all of it, but never wrongly in silence.
    void strangeWordsAreNotReadWronglyInSilence() { areNotReadWronglyInSilence(strangeCorpus()); }

    /// Locks, flags, statuses and tries as relays and job queues combine them.
    void designsAreNotReadWronglyInSilence() { areNotReadWronglyInSilence(designedCorpus()); }
    void tangledWordsAreNotReadWronglyInSilence() { areNotReadWronglyInSilence(tangledCorpus()); }

    void heldOutOutboxesAreReadRightOrAsked()
    {
        Seen seen;
        look(heldOutCorpus(), firstNumber(), howMany(200), &seen);
        // The goal is 95, and it is asked for by hand: a sample holds what is reached.
        const bool isGoal = qEnvironmentVariableIsSet("OUTBOX_SCHEMAS");
        if (!QTest::currentTestFailed())
            assertGoals(seen, isGoal ? 95 : 92);
    }

    void ordinaryTablesAreNotTaken_data()
    {
        QTest::addColumn<bool>("isHeldOut");
        QTest::newRow("training") << false;
        QTest::newRow("held out") << true;
    }
    void ordinaryTablesAreNotTaken()
    {
        QFETCH(const bool, isHeldOut);
        const Corpus &corpus = isHeldOut ? heldOutCorpus() : trainingCorpus();
        int tables = 0;
        int named = 0;
        int taken = 0;
        for (auto number = static_cast<quint64>(firstNumber());
             tables < howMany(isHeldOut ? 200 : 100); ++number) {
            const GeneratedSchema schema = m_world.made(generatedOrdinary, corpus, number);
            OutboxStore store;
            QVERIFY_RESULT(store.open(settingsFor(m_world.holding(schema), StoreAccess::ReadOnly)));
            const auto found = store.probe();
            QVERIFY_RESULT(found);
            tables += static_cast<int>(schema.tables.size());
            for (const ProbeFinding &one : *found) {
                ++named;
                taken += one.confidence >= sureEnough ? 1 : 0;
                if (isShown(corpus))
                    qInfo("ORDINARY %.2f, %d points | %d | %s: %s", one.confidence, one.score,
                          static_cast<int>(number), qPrintable(schema.family),
                          qPrintable(one.shape.table.table));
            }
        }
        qInfo("%s: of %d ordinary tables %d were proposed as a guess, %d taken for an outbox",
              qPrintable(corpus.name), tables, named - taken, taken);
        QCOMPARE(taken, 0);
    }

private:
    void areNotReadWronglyInSilence(const Corpus &corpus)
    {
        Seen seen;
        if (qEnvironmentVariableIsSet("OUTBOX_SCHEMAS_ONE"))
            return lookAtOne(corpus, &seen);
        look(corpus, firstNumber(), howMany(60), &seen);
        QCOMPARE(seen.tally.count(SchemaVerdict::Is::WrongSilent), 0);
        QCOMPARE(seen.neighboursTaken, 0);
    }

    static void assertGoals(const Seen &seen, double leastPerCent = 95)
    {
        QCOMPARE(seen.tally.count(SchemaVerdict::Is::WrongSilent), 0);
        QCOMPARE(seen.neighboursTaken, 0);
        QVERIFY2(seen.tally.rightPerCent() >= leastPerCent, qPrintable(seen.tally.text()));
    }
};

OUTBOX_LONG_TEST_MAIN(TestGeneratedSchemas)
#include "tst_generatedschemas.moc"
