// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of what failed: their counts, their trends, their bounds, and the filter that each one is.
#include "models/filter/cause.h"
#include "models/filter/rowfilter.h"
#include "models/groups/failuregroups.h"
#include "models/tables/groupmodel.h"
#include "tests/support/randomfilters.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QTest>

namespace tst_failuregroups {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0), Qt::UTC);

Message failedRow(int number, const QString &type, const QString &error, int minutesAgo)
{
    Message row;
    row.id.text = QString::number(number);
    row.type = type;
    row.error = error;
    row.state = MessageState::Failed;
    row.created = noon.addSecs(-60 * minutesAgo);
    row.ageSeconds = 60 * minutesAgo;
    return row;
}

FailureSample sampleOf(const QList<Message> &rows, std::optional<qint64> within = {})
{
    FailureSample sample;
    sample.question = {FailureSource::Rows, scopesOf(FailureSource::Rows).first().filter, within};
    sample.at = noon;
    for (const Message &row : rows)
        sample.items += itemOf(row);
    return sample;
}

bool matches(const QString &filter, const Message &row)
{
    const auto parsed = Filter::fromText(filter);
    const auto checks = parsed ? checksOf(*parsed, FilterSubject::Rows, noon) : passOn(parsed);
    return checks && truthOf(*checks, row, false) == Truth::Yes;
}

} // namespace

class TestFailureGroups : public QObject
{
    Q_OBJECT

private slots:
    void theLargestGroupIsFirst()
    {
        const auto sample = sampleOf({failedRow(1, u"sms"_s, u"refused"_s, 10),
                                      failedRow(2, u"mail"_s, u"timeout after 30 ms"_s, 50),
                                      failedRow(3, u"mail"_s, u"timeout after 31 ms"_s, 5),
                                      failedRow(4, u"mail"_s, u""_s, 20)},
                                     3600);
        qint64 others = -1;
        const QList<FailureGroup> groups = groupsOf(sample, GroupBy::Cause, &others);
        QCOMPARE(groups.size(), 3);
        QCOMPARE(others, 0);
        const FailureGroup &first = groups.first();
        QCOMPARE(first.type, u"mail"_s);
        QCOMPARE(first.cause, u"timeout after * ms"_s);
        QCOMPARE(first.count, 2);
        QCOMPARE(first.share, 0.5);
        QCOMPARE(first.ids, (QStringList{u"2"_s, u"3"_s}));
        QCOMPARE(first.example, u"timeout after 30 ms"_s);
        QCOMPARE(first.first, noon.addSecs(-3000));
        QCOMPARE(first.last, noon.addSecs(-300));
        QCOMPARE(first.filter,
                 u"state:failed,parked created>=2026-11-21T11:00:00Z type=\"mail\" "
                 "cause=\"timeout after * ms\""_s);
        QCOMPARE(titleOf(first), u"mail: timeout after * ms"_s);
        QCOMPARE(first.trend.size(), FailureGroup::buckets);
        QCOMPARE(first.trend.at(4), 1); // ten minutes of sixty
        QCOMPARE(first.trend.at(22), 1);
        QCOMPARE(groupsOf(sample, GroupBy::Error).last().filter,
                 u"state:failed,parked created>=2026-11-21T11:00:00Z cause:none"_s);
        QCOMPARE(groupsOf(sample, GroupBy::Type).size(), 2);
        QCOMPARE(groupsOf(sample, GroupBy::Queue).size(), 1);
    }

    void hoursStandInTheirOrder()
    {
        QList<Message> rows{failedRow(1, u"a"_s, u"e"_s, 30), failedRow(2, u"a"_s, u"e"_s, 90),
                            failedRow(3, u"a"_s, u"e"_s, 100), failedRow(4, u"a"_s, u"e"_s, 0)};
        rows.last().created.reset();
        const QList<FailureGroup> groups = groupsOf(sampleOf(rows), GroupBy::Hour);
        QCOMPARE(groups.size(), 3);
        QCOMPARE(groups.at(0).hour, noon.addSecs(-3600));
        QCOMPARE(groups.at(1).count, 2);
        QCOMPARE(groups.at(1).filter,
                 u"state:failed,parked created:2026-11-21T10:00:00Z..2026-11-21T10:59:59Z"_s);
        QVERIFY(!groups.at(2).hour);
        QVERIFY(groups.at(2).trend.isEmpty());
        QCOMPARE(groups.at(2).filter, u"state:failed,parked created:none"_s);
    }

    void codesTellGroupsApart()
    {
        const QList<Message> rows{failedRow(1, u"hook"_s, u"HTTP 503 after 30 ms"_s, 5),
                                  failedRow(2, u"hook"_s, u"HTTP 404 after 31 ms"_s, 5),
                                  failedRow(3, u"hook"_s, u"HTTP 503 after 32 ms"_s, 5),
                                  failedRow(4, u"mail"_s, u"550 5.1.1 ana@example.org"_s, 5),
                                  failedRow(5, u"mail"_s, u"552 5.2.2 ana@example.org"_s, 5)};
        const QList<FailureGroup> groups = groupsOf(sampleOf(rows), GroupBy::Cause);
        QStringList causes;
        for (const FailureGroup &group : groups) {
            causes += group.cause;
            qint64 found = 0;
            for (const Message &row : rows)
                found += matches(group.filter, row) ? 1 : 0;
            QVERIFY2(found == group.count, qPrintable(group.filter));
        }
        causes.sort();
        QCOMPARE(causes,
                 (QStringList{u"550 5.1.1 *"_s, u"552 5.2.2 *"_s, u"HTTP 404 after * ms"_s,
                              u"HTTP 503 after * ms"_s}));
    }

    void aGroupIsAFilterOfJustItsMembers()
    {
        RandomFilters random(QTest::currentTestFunction());
        const QStringList types{u"mail"_s, u"sms x"_s, u"a\"b\\c"_s, u"*"_s, u"none"_s, QString()};
        const QStringList errors{u"timeout after %1 ms"_s,
                                 u"timeout after all ms"_s,
                                 u"what? %1"_s,
                                 u"what! %1"_s,
                                 u"\"%1\" \\ (x)"_s,
                                 u"none"_s,
                                 u"two\nlines %1"_s,
                                 QString()};
        QList<Message> rows;
        for (int i = 0; i < 600; ++i) {
            const QString error = random.oneOf(errors);
            // Of four digits: shorter numbers are codes, and each would be a group.
            rows += failedRow(i, random.oneOf(types),
                              error.contains(u"%1") ? error.arg(i + 1'000) : error,
                              random.below(900));
            if (random.below(20) == 0)
                rows.last().created.reset();
        }
        for (const GroupBy by : allGroupings()) {
            const QList<FailureGroup> groups = groupsOf(sampleOf(rows), by);
            qint64 sum = 0;
            for (const FailureGroup &group : groups) {
                QVERIFY(!group.filter.isEmpty());
                qint64 found = 0;
                for (const Message &row : std::as_const(rows))
                    found += matches(group.filter, row) ? 1 : 0;
                QVERIFY2(found == group.count, qPrintable(group.filter));
                sum += group.count;
            }
            QCOMPARE(sum, rows.size());
        }
    }

    void manyGroupsAreBounded()
    {
        QList<Message> rows;
        for (int i = 0; i < 5'000; ++i) {
            QString error; // letters only, so that each is another cause
            for (int n = i; n > 0; n /= 10)
                error += QChar(u'g' + n % 10);
            rows += failedRow(i, u"mail"_s, error, 1);
        }
        for (int i = 0; i < 7; ++i)
            rows += failedRow(i, u"mail"_s, u"g"_s.repeated(3), 1);
        rows.prepend(failedRow(9'999, u"mail"_s, u"ggg"_s, 1));
        const FailureSample sample = sampleOf(rows);
        QElapsedTimer clock;
        clock.start();
        qint64 others = -1;
        const QList<FailureGroup> groups = groupsOf(sample, GroupBy::Cause, &others);
        qInfo("%lld items: %lld ms", static_cast<long long>(rows.size()),
              static_cast<long long>(clock.elapsed()));
        QCOMPARE(groups.size(), mostGroupsListed);
        QCOMPARE(groups.first().count, 8);
        qint64 sum = others;
        for (const FailureGroup &group : groups)
            sum += group.count;
        QCOMPARE(sum, rows.size());
    }

    void aFilterThatCannotBeWrittenIsNone()
    {
        const auto sample = sampleOf({failedRow(1, QString(5'000, u't'), u"e"_s, 1)});
        QVERIFY(groupsOf(sample, GroupBy::Type).first().filter.isEmpty());
        QVERIFY(!groupsOf(sample, GroupBy::Error).first().filter.isEmpty());
    }

    void tasksAreNeverPutTogetherAcrossQueues()
    {
        FailureSample sample;
        sample.question = {FailureSource::Tasks, u"state:retry,archived"_s, 3600};
        sample.at = noon;
        for (const QString &queue : {u"default"_s, u"mail"_s}) {
            Task task;
            task.queue.text = queue;
            task.type = u"sms"_s;
            task.lastError = u"refused by 10.0.0.1"_s;
            task.lastFailed = noon.addSecs(-60);
            sample.items += itemOf(task);
        }
        const QList<FailureGroup> groups = groupsOf(sample, GroupBy::Cause);
        QCOMPARE(groups.size(), 2);
        QCOMPARE(groups.first().filter,
                 u"state:retry,archived failed>=2026-11-21T11:00:00Z queue=\"default\" "
                 "type=\"sms\" cause=\"refused by *\""_s);
    }

    void theSampleTellsHowFarItGoes()
    {
        FailureSample sample = sampleOf({failedRow(1, u"a"_s, u"e"_s, 1)});
        QCOMPARE(sizeWords(sample), u"all 1"_s);
        sample.isWhole = false;
        QCOMPARE(sizeWords(sample), u"the newest 1 of more"_s);
        sample.total = 12'400;
        sample.totalIsExact = false;
        QCOMPARE(sizeWords(sample), u"the newest 1 of ~12,400"_s);
        sample.searched = 20'000;
        QCOMPARE(sizeWords(sample), u"1 among the newest 20,000 rows"_s);
    }

    void aNoteStaysWithItsGroup()
    {
        const auto groupOf = [](const QString &error, std::optional<qint64> within, GroupBy by) {
            return groupsOf(sampleOf({failedRow(1, u"mail"_s, error, 10)}, within), by).first();
        };
        const QString key = noteKey(groupOf(u"after 30 ms"_s, 3600, GroupBy::Cause));
        QCOMPARE(noteKey(groupOf(u"after 7 ms"_s, {}, GroupBy::Cause)), key);
        QVERIFY(noteKey(groupOf(u"after 7 ms"_s, {}, GroupBy::Error)) != key);
        QVERIFY(noteKey(groupOf(u"after 7 s"_s, {}, GroupBy::Cause)) != key);
        QVERIFY(noteKey(groupOf(u"after 7 s"_s, {}, GroupBy::Hour)).isEmpty());
        QCOMPARE(noteWords({key, u"INC-12"_s, u"ana"_s, noon}), u"ana: INC-12"_s);
        QCOMPARE(noteWords({key, u"INC-12"_s, {}, noon}), u"INC-12"_s);
        QCOMPARE(noteWords({key, {}, u"ana"_s, noon}), u"ana"_s);
    }

    void theModelSaysItInWords()
    {
        GroupModel model;
        model.merge(groupsOf(sampleOf({failedRow(1, u"mail"_s, u"<b>no</b> 5000"_s, 10),
                                       failedRow(2, u"mail"_s, u""_s, 50)},
                                      3600),
                             GroupBy::Cause));
        const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
            return model.index(row, column).data(role).toString();
        };
        QCOMPARE(cell(0, GroupModel::Cause), u"<b>no</b> *"_s);
        QVERIFY(!cell(0, GroupModel::Cause, Qt::ToolTipRole).contains(u"<b>no"));
        QCOMPARE(cell(1, GroupModel::Cause), u"no error noted"_s);
        QCOMPARE(cell(0, GroupModel::Share), u"50 %"_s);
        QCOMPARE(cell(0, GroupModel::Trend), u"rising"_s);
        QCOMPARE(cell(1, GroupModel::Trend), u"falling"_s);
        for (const GroupBy by : allGroupings())
            QVERIFY(GroupModel::shownColumns(by, FailureSource::Rows).contains(GroupModel::Count));
    }
};

} // namespace tst_failuregroups

OUTBOX_TEST(tst_failuregroups::TestFailureGroups)
#include "tst_failuregroups.moc"
