// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A busy demo is read at random moments, as a screen reader reads it: no two numbers that mean the
// same thing may differ. OUTBOX_MOMENTS=1000 reads more often.
#include "app/desktop/desktop.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/filter/filterbar.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/relay/relayview.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLocale>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

namespace tst_onemoment {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Where a number is said: page, name and description as one line, and the number in it.
struct Place
{
    QString meaning;
    QRegularExpression pattern; ///< its first group is the number
};

Place place(const QString &meaning, const QString &pattern)
{
    return {meaning, QRegularExpression(pattern)};
}

/// What says the same number must say the same text, "~" included.
QList<Place> places()
{
    const QString count = u"(?<![\\d,~])(~?\\d{1,3}(?:,\\d{3})*|One|No)"_s;
    const QString span = u"([\\d.,]+ (?:s|min|h \\d+ min|h|days \\d+ h|days))"_s;
    const QString rate = u"([\\d.,]+)/s"_s;
    const QString chart = u"^Overview\\|%1\\|.*\\b%2 "_s;
    const auto legend
        = [&chart](const QString &title, const QString &line) { return chart.arg(title, line); };
    QList<Place> all{
        place(u"pending rows"_s, u"^Overview\\|Pending rows: "_s + count),
        place(u"pending rows"_s, u"^\\w+\\|Outbox, "_s + count + u"(?: pending)?\\|"_s),
        place(u"pending rows"_s, u"^Outbox\\|State Pending\\|"_s + count),
        place(u"pending rows"_s, count + u" rows? waits?\\b"_s),
        place(u"pending rows"_s, legend(u"Backlog and lag"_s, u"pending"_s) + count),
        place(u"backlog"_s, legend(u"Backlog and lag"_s, u"backlog"_s) + count),
        place(u"waiting rows"_s, u"^Outbox\\|State Waiting\\|"_s + count),
        place(u"waiting rows"_s, u"^Overview\\|Pending rows: .*\\b"_s + count + u" waiting\\b"_s),
        place(u"locked rows"_s, u"^Outbox\\|State Locked\\|"_s + count),
        place(u"locked rows"_s, u"^Overview\\|Pending rows: .*\\b"_s + count + u" locked\\b"_s),
        place(u"parked rows"_s, u"^Outbox\\|State Parked\\|"_s + count),
        place(u"parked rows"_s, count + u" rows? (?:is|are) parked"_s),
        place(u"lag"_s, u"^Overview\\|Lag \\(oldest pending\\): "_s + span),
        place(u"lag"_s, legend(u"Backlog and lag"_s, u"lag"_s) + span),
        place(u"lag"_s, u"\\|(?:Dedup window|Safe margin)\\|.*Oldest pending "_s + span),
        place(u"lag"_s, u"^Overview\\|Health: .*\\boldest "_s + span),
        place(u"worst delay"_s,
              u"\\|(?:Dedup window|Safe margin)\\|.*Worst relay delay (?:since [\\d:]+ )?"_s
                  + span),
        place(u"tasks in queue"_s, u"^Overview\\|Queue depth: "_s + count),
        place(u"tasks in queue"_s, u"^\\w+\\|Queue, "_s + count + u"(?: in queue)?\\|"_s),
        place(u"active tasks"_s, u"^Overview\\|Queue depth: .*\\b"_s + count + u" active"_s),
        place(u"dead tasks"_s, u"^Overview\\|Queue depth: .*\\b"_s + count + u" dead"_s),
        place(u"dead tasks"_s, count + u" tasks? (?:is|are) dead"_s),
        place(u"in"_s, u"^Overview\\|Throughput: .*\\bin "_s + rate),
        place(u"in"_s, legend(u"In and out"_s, u"in"_s) + rate),
        place(u"in"_s, u"^Overview\\|Health: .*\\bin "_s + rate),
        place(u"out"_s, u"^Overview\\|Throughput: "_s + rate),
        place(u"out"_s, legend(u"In and out"_s, u"out"_s) + rate),
        place(u"out"_s, u"^Overview\\|Health: .*\\bout "_s + rate),
        place(u"kept ids"_s, u"^Dedup\\|Ids kept: "_s + count),
    };
    for (const auto &[meaning, line] : QList<std::pair<QString, QString>>{
             {u"pending tasks"_s, u"Pending"_s},
             {u"active tasks"_s, u"Active"_s},
             {u"tasks to retry"_s, u"Retry"_s},
             {u"dead tasks"_s, u"Dead"_s},
         }) {
        all += place(meaning, legend(u"Queue by state"_s, line) + count);
        all += place(meaning, u"^Queue\\|State %1\\|"_s.arg(line) + count);
        all += place(meaning, u"^Queue\\|Queues, %1\\|"_s.arg(line) + count);
    }
    all += place(u"scheduled tasks"_s, u"^Queue\\|State Scheduled\\|"_s + count);
    all += place(u"scheduled tasks"_s, u"^Queue\\|Queues, Scheduled\\|"_s + count);
    all += place(u"grouped tasks"_s, u"^Queue\\|State Grouped\\|"_s + count);
    all += place(u"kept ids"_s, u"^Queue\\|State Completed\\|"_s + count);
    all += place(u"kept ids"_s, u"^Queue\\|State Done\\|"_s + count);
    all += place(u"kept ids"_s, u"^Queue\\|Queues, Done\\|"_s + count);
    return all;
}

/// The number on the left is what those on the right are together, where all of them are read.
const QMap<QString, QStringList> &sums()
{
    static const QMap<QString, QStringList> all{
        {u"backlog"_s, {u"pending rows"_s, u"waiting rows"_s, u"locked rows"_s}},
        {u"tasks in queue"_s,
         {u"pending tasks"_s, u"active tasks"_s, u"scheduled tasks"_s, u"tasks to retry"_s,
          u"grouped tasks"_s}},
    };
    return all;
}

/// Every line that is read aloud below `root`, the page's name before it.
void read(walk::Accessible *root, const QString &page, QStringList &lines)
{
    if (!root || !root->isValid() || root->state().invisible)
        return;
    const QString name = root->text(QAccessible::Name);
    if (auto *table = root->tableInterface(); table && name == u"Queues"_s) {
        for (int column = 0; table->rowCount() == 1 && column < table->columnCount(); ++column)
            lines += page + u"|Queues, "_s + table->columnDescription(column) + u'|'
                + table->cellAt(0, column)->text(QAccessible::Name);
        return;
    }
    if (!name.isEmpty())
        lines += page + u'|' + name + u'|' + root->text(QAccessible::Description);
    for (int at = 0; at < root->childCount(); ++at)
        read(root->child(at), page, lines);
}

QString asNumber(const QString &text)
{
    return text == u"One"_s ? u"1"_s : text == u"No"_s ? u"0"_s : text;
}

} // namespace

class TestOneMoment : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Desktop> m_desktop;
    const QList<Place> m_places = places();
    QMap<QString, int> m_compared; ///< by meaning: moments in which it stood in several places
    QStringList m_wrong;
    QMap<QString, int> m_wrongBy;

    [[nodiscard]] QString pageName() const
    {
        static const QStringList names{u"Overview"_s,  u"Outbox"_s, u"Queue"_s,   u"Dedup"_s,
                                       u"Reconcile"_s, u"Relay"_s,  u"Activity"_s};
        return names.value(m_desktop->window().currentPage());
    }

    void compare(int moment, const QStringList &lines)
    {
        QMap<QString, QMap<QString, QStringList>> said; // meaning -> number -> lines
        QMap<QString, QSet<QString>> where;
        for (const QString &line : lines) {
            if (line.contains(u"as of "_s) || line.contains(u"not up to date"_s))
                continue; // another moment, and it says so
            for (const Place &one : m_places) {
                const auto match = one.pattern.match(line);
                if (!match.hasMatch())
                    continue;
                said[one.meaning][asNumber(match.captured(1))] += line;
                where[one.meaning] += line;
            }
        }
        for (auto one = said.cbegin(); one != said.cend(); ++one) {
            m_compared[one.key()] += where.value(one.key()).size() > 1 ? 1 : 0;
            if (one->size() < 2)
                continue;
            ++m_wrongBy[one.key()];
            QString told = u"moment %1, %2: "_s.arg(moment).arg(one.key());
            for (auto number = one->cbegin(); number != one->cend(); ++number)
                told += number.key() + u" in ["_s + number->join(u" ; "_s) + u"] "_s;
            m_wrong += told;
        }
        for (auto sum = sums().cbegin(); sum != sums().cend(); ++sum)
            compareSum(moment, sum.key(), sum.value(), said);
    }

    void compareSum(int moment, const QString &whole, const QStringList &parts,
                    const QMap<QString, QMap<QString, QStringList>> &said)
    {
        const auto numberOf = [&said](const QString &meaning) -> std::optional<qint64> {
            const auto numbers = said.value(meaning).keys();
            bool isNumber = false;
            const qint64 number = QLocale().toLongLong(numbers.value(0), &isNumber);
            return numbers.size() == 1 && isNumber ? std::optional(number) : std::nullopt;
        };
        const auto together = numberOf(whole);
        if (!together)
            return;
        qint64 sum = 0;
        int known = 0;
        for (const QString &part : parts) {
            const auto number = numberOf(part);
            known += number ? 1 : 0;
            sum += number.value_or(0);
        }
        // A database that does not show locks has no number of locked rows: the rest is the sum.
        if (known == 0 || !said.contains(parts.first())
            || (whole == u"tasks in queue"_s && known < 4))
            return;
        if (whole == u"backlog"_s && known < 2)
            return;
        ++m_compared[u"sum: "_s + whole];
        if (sum != *together) {
            ++m_wrongBy[u"sum: "_s + whole];
            m_wrong += u"moment %1: %2 is %3, its parts make %4"_s.arg(moment)
                           .arg(whole)
                           .arg(*together)
                           .arg(sum);
        }
    }

    /// False where a server is missing.
    bool open(Demo::Kind kind, DemoDesign design)
    {
        m_desktop = std::make_unique<Desktop>(Folders{m_folder.path(), m_folder.path()});
        QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
        m_desktop->openDemo(kind, design);
        if (!QTest::qWaitFor([&] { return settled.count() == 1; }, 60'000)
            || m_desktop->relay() == nullptr)
            return false;
        m_desktop->window().show();
        return QTest::qWaitFor([&] { return m_desktop->relay()->isRunning(); }, 20'000);
    }

    /// What is wrong with the demo from this share of the moments on.
    void breakSome(int moment, int moments)
    {
        const QList<std::pair<int, QString>> story{{10, u"fail-type"_s},
                                                   {25, u"burst"_s},
                                                   {50, u"stop-relay"_s},
                                                   {70, u"fail-type"_s},
                                                   {85, u"kill-redis"_s}};
        for (const auto &[share, id] : story) {
            if (moment == share * moments / 100)
                emit m_desktop->window().breakAsked(id);
        }
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void noTwoNumbersContradictEachOther_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("design");
        QTest::newRow("SQLite, rows are deleted")
            << int(Demo::Kind::Sqlite) << int(DemoDesign::RedisRelay);
        QTest::newRow("SQLite, rows are kept")
            << int(Demo::Kind::Sqlite) << int(DemoDesign::ProcessedDate);
        QTest::newRow("PostgreSQL, rows are deleted")
            << int(Demo::Kind::Postgres) << int(DemoDesign::RedisRelay);
    }
    void noTwoNumbersContradictEachOther()
    {
        QFETCH(const int, kind);
        QFETCH(const int, design);
        const int asked = qEnvironmentVariableIntValue("OUTBOX_MOMENTS");
        const int moments = asked > 0 ? asked : 150;
        QRandomGenerator random(20'261'124);
        m_compared.clear();
        m_wrong.clear();
        m_wrongBy.clear();

        if (!open(static_cast<Demo::Kind>(kind), static_cast<DemoDesign>(design)))
            QSKIP("no private server could be started: apt-get install redis-server postgresql");
        MainWindow &window = m_desktop->window();

        const QList<int> pages{Pages::Overview, Pages::Outbox, Pages::Queue, Pages::Dedup};
        for (int moment = 0; moment < moments; ++moment) {
            breakSome(moment, moments);
            const int rounds = random.bounded(1, 9);
            for (int round = 0; round < rounds; ++round)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            // Two pages in one moment: nothing happens between the two readings.
            QStringList lines;
            read(QAccessible::queryAccessibleInterface(&window), pageName(), lines);
            if (random.bounded(3) > 0) {
                window.showPage(pages.at(random.bounded(pages.size())));
                read(QAccessible::queryAccessibleInterface(&window), pageName(), lines);
            }
            compare(moment, lines);
        }
        m_desktop.reset();

        QStringList table;
        for (auto one = m_compared.cbegin(); one != m_compared.cend(); ++one)
            table += u"%1: %2 compared, %3 differ"_s.arg(one.key())
                         .arg(one.value())
                         .arg(m_wrongBy.value(one.key()));
        qInfo("%s", qPrintable(table.join(u"\n"_s)));
        for (const QString &meaning : {u"pending rows"_s, u"lag"_s, u"out"_s, u"tasks in queue"_s,
                                       u"pending tasks"_s, u"dead tasks"_s, u"worst delay"_s})
            QVERIFY2(m_compared.value(meaning) > 0, qPrintable(meaning));
        QVERIFY2(m_wrong.isEmpty(),
                 qPrintable(u"%1 contradictions:\n%2"_s.arg(m_wrong.size())
                                .arg(m_wrong.mid(0, 12).join(u'\n'))));
    }

    void cardsOpenWhatTheyCount()
    {
        if (!open(Demo::Kind::Sqlite, DemoDesign::RedisRelay))
            QSKIP("no private server could be started: apt-get install redis-server");
        const Pages &pages = m_desktop->pages();
        const auto click = [this](const QString &card) {
            m_desktop->window().findChild<QAbstractButton *>(card)->click();
        };
        click(u"depthCard"_s);
        QCOMPARE(m_desktop->window().currentPage(), Pages::Queue);
        QCOMPARE(pages.queue->tasks()->filter()->appliedText(),
                 u"state:pending,active,scheduled,retry,aggregating"_s);
        emit pages.relay->parkedAsked();
        QCOMPARE(m_desktop->window().currentPage(), Pages::Outbox);
        QCOMPARE(pages.outbox->filter()->appliedText(), u"state:parked"_s);
        // The lag is the age of the oldest row: that one is on screen.
        m_desktop->relay()->driver().abandon();
        QTRY_VERIFY(!m_desktop->relay()->isRunning());
        emit m_desktop->window().breakAsked(u"burst"_s);
        auto *table = m_desktop->window().findChild<QTableView *>(u"outboxTable"_s);
        pages.outbox->openFilter(u"state:pending"_s);
        QTRY_VERIFY(table->model()->rowCount() >= MessagePage::step);
        click(u"lagCard"_s); // its keys tell the time: the list begins with the oldest
        QTRY_COMPARE(table->horizontalHeader()->sortIndicatorOrder(), Qt::AscendingOrder);
        QTRY_VERIFY(table->model()->rowCount() >= MessagePage::step);
        QCOMPARE(table->verticalScrollBar()->value(), 0);
        QVERIFY(table->verticalScrollBar()->maximum() > 0);
    }

    void aPausedWindowIsNowhereLive()
    {
        if (!open(Demo::Kind::Sqlite, DemoDesign::RedisRelay))
            QSKIP("no private server could be started: apt-get install redis-server");
        m_desktop->window().showPage(Pages::Outbox);
        const auto *live = m_desktop->window().findChild<QToolButton *>(u"outboxLive"_s);
        QCOMPARE(live->text(), u"Live"_s);
        emit m_desktop->window().pauseAsked(true);
        QCOMPARE(live->text(), u"Paused"_s);
        QVERIFY(!live->isEnabled());
        emit m_desktop->window().pauseAsked(false);
        QCOMPARE(live->text(), u"Live"_s);
        QVERIFY(live->isEnabled());
    }

    void cleanup() { m_desktop.reset(); }
};

} // namespace tst_onemoment

OUTBOX_TEST(tst_onemoment::TestOneMoment)
#include "tst_onemoment.moc"
