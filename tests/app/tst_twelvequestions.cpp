// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The twelve questions that an operator has, asked of the window by mouse and by keyboard alone:
// three acts at most for each, and the answer is the one of the servers, which are asked apart.
// Acts and answers are checked; how long a person waited is printed.
#include "app/settings/profilestore.h"
#include "models/phrases.h"
#include "tests/app/consoleground.h"
#include "tests/app/questionworld.h"
#include "tests/app/walker.h"
#include "tests/support/ctl.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"
#include "views/widgets/actions.h"

#include <QAbstractButton>
#include <QDir>
#include <QLocale>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace tst_twelvequestions {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

/// The system is open, and both servers have answered, before a person begins. Writing is allowed
/// in it: unlocking is no part of a question.
class TestTwelveQuestions : public QObject, protected ConsoleGround
{
    Q_OBJECT

    static constexpr int mostActs = 3;

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<QuestionWorld> m_world;
    std::unique_ptr<Walker> m_walker;
    QStringList m_verdicts;

    static void addWays()
    {
        QTest::addColumn<bool>("byKeys");
        QTest::newRow("mouse") << false;
        QTest::newRow("keyboard") << true;
    }
    void begin(bool byKeys)
    {
        m_walker
            = std::make_unique<Walker>(window(), byKeys ? Walker::By::Keys : Walker::By::Mouse);
        QTRY_VERIFY(m_desktop->operations()->driver().isOpen());
        QTRY_VERIFY(m_desktop->system()->snapshot().outbox.has_value());
        QTRY_VERIFY(m_desktop->system()->snapshot().queues.has_value());
    }
    [[nodiscard]] QString all() const
    {
        return m_walker->problem() + u'\n' + walk::linesOf(&window()).join(u'\n');
    }
    /// What a line that is read aloud says at the place of the brackets, as soon as one does;
    /// empty: none ever did.
    [[nodiscard]] QString heard(const QString &pattern)
    {
        const QRegularExpression expression(pattern);
        QString said;
        m_walker->until([&] {
            const QStringList lines = walk::linesOf(&window());
            for (const QString &line : lines) {
                const auto match = expression.match(line);
                if (match.hasMatch()) {
                    said = match.captured(1);
                    return true;
                }
            }
            return false;
        });
        return said;
    }
    [[nodiscard]] static qint64 numberIn(const QString &text)
    {
        bool isNumber = false;
        const qint64 number = QLocale().toLongLong(text, &isNumber);
        return isNumber ? number : -1;
    }
    /// How a length of time may have been told that was `before` and is `after` now, in seconds.
    [[nodiscard]] static QStringList spansBetween(double before, double after)
    {
        QStringList spans;
        for (double seconds = std::floor(before) - 3; seconds <= after + 1; ++seconds)
            spans += spanText(seconds);
        return spans;
    }
    [[nodiscard]] QString taskOf(const QString &row) const
    {
        return m_world->shape().taskIdFor(row, std::nullopt).text;
    }
    /// Counts the walk that ends here.
    void answered(const QString &question, const QString &answer, int most = mostActs)
    {
        m_verdicts += u"| %1 | %2 | %3 | %4 | %5 | %6 |"_s.arg(
            question, m_walker->isByKeys() ? u"keyboard"_s : u"mouse"_s,
            QString::number(m_walker->acts()), QString::number(m_walker->confirmations()),
            QString::number(m_walker->waitedMs()), answer);
        QVERIFY2(m_walker->acts() <= most, qPrintable(m_verdicts.last()));
    }

    void askForId(bool byKeys, const QString &id)
    {
        if (byKeys) {
            QVERIFY2(m_walker->goTo(id, u"Message id: "_s + id), qPrintable(all()));
            return;
        }
        QVERIFY2(m_walker->clickPage(u"Outbox"_s)
                     && m_walker->click(QAccessible::EditableText, u"Filter"_s)
                     && m_walker->type(id),
                 qPrintable(all()));
    }
    /// All delivered rows of this customer, by the window.
    void purge(int customer)
    {
        begin(false);
        OperationRequest request{Verb::Purge, {}, {}};
        request.selection.filter = u"payload.customer:%1 state:processed"_s.arg(customer);
        m_desktop->operations()->ask(request);
        const QString result = m_walker->confirm(*m_desktop->operations()->dialog());
        QVERIFY2(result.startsWith(u"Purged: "_s),
                 qPrintable(QString(result + m_walker->problem())));
    }
    /// What outboxctl answers to Ana, who works on another machine.
    [[nodiscard]] CtlRun asAna(const QStringList &arguments) const
    {
        const QString place = m_folder->filePath(u"ana"_s);
        Profile hers = m_world->profile();
        hers.environment = Environment::Development;
        CtlRun run;
        if (const auto saved = ProfileStore(Folders::standard(place).profilesFile()).put(hers);
            !saved) {
            run.err = oneLine(saved.error()).toUtf8();
            return run;
        }
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"USER"_s, u"ana"_s);
        return runCtl(arguments
                          + QStringList{u"--profile"_s, hers.name, u"--config-dir"_s, place,
                                        u"--state-dir"_s, place},
                      patient(60'000), {}, environment);
    }
    /// A button whose name begins so, as soon as it can be pressed; by keyboard, its marked letter.
    [[nodiscard]] bool press(const QString &name, int milliseconds = 20'000)
    {
        const auto isIt = [&name](walk::Accessible *one) {
            return one->role() == QAccessible::Button && !one->state().disabled
                && one->text(QAccessible::Name).startsWith(name);
        };
        if (!m_walker->isByKeys())
            return m_walker->click(name, isIt, milliseconds);
        QKeySequence letter;
        m_walker->until(
            [&] {
                const auto *found
                    = walk::first(QAccessible::queryAccessibleInterface(&window()), isIt);
                const auto *button
                    = found ? qobject_cast<QAbstractButton *>(found->object()) : nullptr;
                letter = button ? QKeySequence::mnemonic(button->text()) : QKeySequence();
                return button != nullptr;
            },
            milliseconds);
        return m_walker->key(letter);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        // The size of the table is as it was counted when its indexes were made.
        OUTBOX_START_SERVER(m_postgres, {u"autovacuum=off"_s});
        OUTBOX_START_SERVER(m_redis);
        m_world = std::make_unique<QuestionWorld>(m_postgres, m_redis);
        const QString problem = m_world->setUp();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        QCOMPARE(m_world->number(u"select count(*) from outbox"_s), 200'000);
    }
    void cleanupTestCase()
    {
        m_walker.reset();
        m_world.reset();
        qInfo("three acts at most for each question; %lld walks\n"
              "| question | by | acts | confirming | ms waited | answer |\n%s",
              static_cast<long long>(m_verdicts.size()), qPrintable(m_verdicts.join(u'\n')));
    }
    void init()
    {
        startConsole();
        QVERIFY(QDir(m_folder->path()).mkdir(u"ana"_s)); // whose machine is another one
        openWindow(m_world->profile());
    }
    void cleanup()
    {
        m_walker.reset();
        m_desktop.reset();
        m_folder.reset();
    }

    void isItFine();
    void sinceWhenAndWhyNot();
    void whoHoldsThisRow_data() { addWays(); }
    void whoHoldsThisRow();
    void whereIsThisMessage_data() { addWays(); }
    void whereIsThisMessage();
    void isADayEnough();
    void whatWillAReplayDo_data() { addWays(); }
    void whatWillAReplayDo();
    void whatFailedInGroups_data() { addWays(); }
    void whatFailedInGroups();
    void undoMyPurge_data() { addWays(); }
    void undoMyPurge();
    void whatDidMyColleagueDo_data() { addWays(); }
    void whatDidMyColleagueDo();
    void allMessagesOfOneCustomer_data() { addWays(); }
    void allMessagesOfOneCustomer();
    void mendWhatIsInconsistent_data() { addWays(); }
    void mendWhatIsInconsistent();
    void stopTheRelayWithoutLoss_data() { addWays(); }
    void stopTheRelayWithoutLoss();
};

/// The level, the rows that wait and the tasks that are dead: all on the first page.
void TestTwelveQuestions::isItFine()
{
    begin(false);
    const QString level = heard(u"^Health: (Stalled)\\|"_s);
    QVERIFY2(!level.isEmpty(), qPrintable(all()));
    const auto escaped = [](qint64 count) { return QRegularExpression::escape(countText(count)); };
    const QString pending = heard(u"^Pending rows: (%1)\\|"_s.arg(escaped(m_world->pendingRows())));
    QVERIFY2(!pending.isEmpty(), qPrintable(all()));
    const QString dead
        = heard(u"^Queue depth: .* (%1) dead\\b"_s.arg(escaped(m_world->tasksIn("archived"))));
    QVERIFY2(!dead.isEmpty(), qPrintable(all()));
    answered(u"1 is it fine"_s, u"%1, %2 pending, %3 dead"_s.arg(level, pending, dead), 0);
}

/// The window was not open when it began: the table tells it.
void TestTwelveQuestions::sinceWhenAndWhyNot()
{
    const QString sinceLeft
        = u"select extract(epoch from clock_timestamp() - max(completed_at)) from outbox"_s;
    begin(false);
    const double before = m_world->seconds(sinceLeft);
    const QString since = heard(u"rows wait and nothing has been delivered for ([^,;|]+), since "
                                u"[^;|]+; %1 rows are held by "
                                u"billing-nightly"_s.arg(QuestionWorld::heldIds().size()));
    const QStringList spans = spansBetween(before, m_world->seconds(sinceLeft));
    QVERIFY2(spans.contains(since), qPrintable(QString(spans.first() + u' ' + all())));
    answered(u"2 since when, and why not"_s,
             u"nothing has been delivered for %1, billing-nightly"_s.arg(since), 0);
}

void TestTwelveQuestions::whoHoldsThisRow()
{
    QFETCH(const bool, byKeys);
    begin(byKeys);
    const qint64 pid = m_world->number(
        u"select pid from pg_stat_activity where application_name = 'billing-nightly'"_s);
    QVERIFY(pid > 0);
    QString holder;
    if (byKeys) { // the list tells it, too
        QVERIFY2(m_walker->goTo(u"state:locked"_s, u"Filter: state:locked"_s), qPrintable(all()));
        QStringList ids;
        QVERIFY(m_walker->until([&] {
            const auto rows = walk::tableRows(&window(), u"Outbox rows"_s);
            ids.clear();
            for (const auto &row : rows)
                ids += row.value(u"Id"_s);
            holder = rows.isEmpty() ? QString() : rows.first().value(u"Locked by"_s);
            return rows.size() == QuestionWorld::heldIds().size();
        }));
        ids.sort();
        QStringList held = QuestionWorld::heldIds();
        held.sort();
        QCOMPARE(ids, held);
        QVERIFY2(holder.startsWith(u"billing-nightly (%1)"_s.arg(pid)), qPrintable(holder));
    } else {
        const auto isHeld = [held = QuestionWorld::heldIds()](walk::Accessible *one) {
            return one->role() == QAccessible::Cell && held.contains(one->text(QAccessible::Name));
        };
        QVERIFY2(m_walker->clickPage(u"Outbox"_s) && m_walker->click(u"State Locked"_s)
                     && m_walker->click(u"a row that is held"_s, isHeld),
                 qPrintable(all()));
        holder = heard(u"^(Held by [^|]*)\\|"_s);
        QVERIFY2(holder.startsWith(u"Held by billing-nightly (process %1)"_s.arg(pid)),
                 qPrintable(all()));
    }
    answered(u"3 who holds this row"_s, holder);
}

/// It was delivered to another queue than the usual one, and its row is deleted.
void TestTwelveQuestions::whereIsThisMessage()
{
    QFETCH(const bool, byKeys);
    begin(byKeys);
    const QString id = QuestionWorld::deletedId();
    QCOMPARE(m_world->number(u"select count(*) from outbox where id = '%1'"_s.arg(id)), 0);
    const auto kept = m_world->keptUntil(u"mail"_s, taskOf(id));
    QVERIFY(kept.has_value());
    askForId(byKeys, id);
    const QString said = heard(u"^(Completed[^|]*refused until about [^|]*)\\|"_s);
    const QString until = aboutMomentText(*kept, QDateTime::currentDateTimeUtc());
    QVERIFY2(said.endsWith(u"refused until about %1."_s.arg(until)), qPrintable(all()));
    answered(u"4 where is message X"_s, said);
}

void TestTwelveQuestions::isADayEnough()
{
    begin(false);
    const double longest = m_world->seconds(
        u"select extract(epoch from max(completed_at - created_at)) from outbox"_s);
    const auto kept = static_cast<double>(m_world->profile().retentionSeconds);
    const QString delay = heard(u"Worst relay delay (%1)\\b"_s.arg(spanText(longest)));
    QVERIFY2(!delay.isEmpty(), qPrintable(all()));
    const QString times = heard(u"^The %1 window is (%2) times the worst relay delay"_s.arg(
        spanText(kept), QString::number(qRound64(kept / longest))));
    QVERIFY2(!times.isEmpty(), qPrintable(all()));
    answered(u"5 is 24 h enough"_s, u"%1 times %2"_s.arg(times, delay), 0);
}

void TestTwelveQuestions::whatWillAReplayDo()
{
    QFETCH(const bool, byKeys);
    begin(byKeys);
    const QString id = QuestionWorld::keptId();
    const auto kept = m_world->keptUntil(u"default"_s, taskOf(id));
    QVERIFY(kept.has_value());
    askForId(byKeys, id);
    const QString said = heard(u"^If sent now: ([^|]*)\\.\\|"_s);
    const QString until = aboutMomentText(*kept, QDateTime::currentDateTimeUtc());
    QVERIFY2(said == u"refused until about %1"_s.arg(until), qPrintable(all()));
    answered(u"6 what will a replay do"_s, said);
}

void TestTwelveQuestions::whatFailedInGroups()
{
    QFETCH(const bool, byKeys);
    begin(byKeys);
    if (byKeys) {
        QVERIFY2(m_walker->keyOfPage(u"Queue"_s) && m_walker->key(Qt::ALT | Qt::Key_I),
                 qPrintable(all()));
    } else {
        QVERIFY2(m_walker->clickPage(u"Queue"_s)
                     && m_walker->click(QAccessible::PageTab, u"Failures"_s),
                 qPrintable(all()));
    }
    const QMap<QString, qint64> wanted = m_world->failuresByBegin(QuestionWorld::errorBegins());
    QMap<QString, qint64> counts;
    m_walker->until([&] {
        counts.clear();
        const auto groups = walk::tableRows(&window(), u"Groups of failures"_s);
        for (auto error = wanted.cbegin(); error != wanted.cend(); ++error) {
            for (const auto &group : groups) {
                if (group.value(u"Error"_s).startsWith(error.key()))
                    counts[error.key()] += numberIn(group.value(u"Count"_s));
            }
        }
        return counts == wanted;
    });
    QCOMPARE(counts, wanted);
    QStringList told;
    for (auto one = counts.cbegin(); one != counts.cend(); ++one)
        told += u"%1: %2"_s.arg(one.key(), QString::number(one.value()));
    answered(u"7 what failed, in groups"_s, told.join(u", "_s));
}

void TestTwelveQuestions::undoMyPurge()
{
    QFETCH(const bool, byKeys);
    const QString count = u"select count(*) from outbox"_s;
    const qint64 before = m_world->number(count);
    purge(7);
    const qint64 purged = before - m_world->number(count);
    QVERIFY(purged > 0);
    m_walker.reset();
    startAgain(); // the window that did it is closed
    openWindow(m_world->profile());
    begin(byKeys);
    if (byKeys) {
        QVERIFY2(m_walker->keyOf(window().registry()->action(u"undoLast"_s)), qPrintable(all()));
    } else {
        const auto isPurge = [](walk::Accessible *one) {
            return one->role() == QAccessible::Cell
                && one->text(QAccessible::Name).startsWith(u"Purge"_s);
        };
        QVERIFY2(m_walker->clickPage(u"Activity"_s)
                     && m_walker->click(u"the newest purge"_s, isPurge)
                     && m_walker->click(u"Undo the operation"_s),
                 qPrintable(all()));
    }
    const QString result = m_walker->confirm(*m_desktop->operations()->dialog());
    QVERIFY2(result.startsWith(u"Put back: %1 rows"_s.arg(countText(purged))),
             qPrintable(QString(result + all())));
    QCOMPARE(m_world->number(count), before);
    answered(u"8 undo my purge"_s, result);
}

void TestTwelveQuestions::whatDidMyColleagueDo()
{
    QFETCH(const bool, byKeys);
    const QStringList rows
        = m_world->texts(u"select id from outbox where completed_at < now() - interval '2 days'"
                         " and payload->>'customer' = '9' limit 3"_s);
    QCOMPARE(rows.size(), 3);
    const CtlRun run = asAna(QStringList{u"purge"_s} + rows + QStringList{u"--yes"_s});
    QVERIFY2(run.exitCode == 0, run.err.constData());
    begin(byKeys);
    QVERIFY2(byKeys ? m_walker->keyOfPage(u"Activity"_s) : m_walker->clickPage(u"Activity"_s),
             qPrintable(all()));
    QMap<QString, QString> newest;
    QVERIFY(m_walker->until([&] {
        const auto acts = walk::tableRows(&window(), u"What was done, newest first"_s);
        newest = acts.isEmpty() ? QMap<QString, QString>() : acts.first();
        return newest.value(u"Who"_s).startsWith(u"ana@"_s);
    }));
    const QString hers = u"from outbox_audit where actor like 'ana@%' and at ="
                         " (select max(at) from outbox_audit where actor like 'ana@%')"_s;
    QCOMPARE(newest.value(u"Who"_s), m_world->text(u"select max(actor) "_s + hers));
    QVERIFY(newest.value(u"What"_s).startsWith(u"Purge"_s));
    QCOMPARE(m_world->text(u"select max(verb) "_s + hers), u"purge"_s);
    QCOMPARE(numberIn(newest.value(u"Count"_s)), rows.size());
    QCOMPARE(m_world->number(u"select count(*) from outbox_audit where message_id in ('%1')"
                             " and actor like 'ana@%'"_s.replace(u"%1"_s, rows.join(u"', '"_s))),
             rows.size());
    answered(u"10 what did my colleague do"_s,
             u"%1, %2, %3"_s.arg(newest.value(u"Who"_s), newest.value(u"What"_s),
                                 newest.value(u"Count"_s)));
}

void TestTwelveQuestions::allMessagesOfOneCustomer()
{
    QFETCH(const bool, byKeys);
    begin(byKeys);
    const qint64 wanted
        = m_world->number(u"select count(*) from outbox where payload->>'customer' = '42'"_s);
    QCOMPARE(wanted, 400);
    if (byKeys) {
        QVERIFY2(m_walker->key(Qt::CTRL | Qt::Key_F), qPrintable(all()));
    } else {
        QVERIFY2(m_walker->clickPage(u"Outbox"_s)
                     && m_walker->click(QAccessible::EditableText, u"Filter"_s),
                 qPrintable(all()));
    }
    QVERIFY2(m_walker->type(u"payload.customer:42"_s), qPrintable(all()));
    const QString said = heard(u"^rows [^|]*, ([\\d.,]+) match\\b"_s);
    QVERIFY2(numberIn(said) == wanted, qPrintable(all()));
    answered(u"11 all messages of customer 42"_s, said + u" match"_s);
}

/// All kinds that can be repaired are in one preview, chosen without a further act. Dead leases are
/// among them, and stay: nobody allows that their tasks run a second time.
void TestTwelveQuestions::mendWhatIsInconsistent()
{
    QFETCH(const bool, byKeys);
    QVERIFY(m_world->plantDamage());
    const qint64 planted = m_world->damaged();
    QVERIFY(planted > 0);
    begin(byKeys);
    const QString page = u"Reconcile"_s;
    QVERIFY2((byKeys ? m_walker->keyOfPage(page) : m_walker->clickPage(page))
                 && press(u"Check now"_s),
             qPrintable(all()));
    // Suspects are looked at twice, and rows one after the other.
    constexpr int longestCheck = 120'000;
    QVERIFY2(byKeys ? m_walker->keyOf(window().registry()->action(u"reconcile"_s), longestCheck)
                    : press(u"Preview "_s, longestCheck),
             qPrintable(all()));
    const QString result = m_walker->confirm(*m_desktop->operations()->dialog());
    static const QRegularExpression repaired(u"^Repaired: ([\\d.,]+) finding"_s);
    QVERIFY2(numberIn(repaired.match(result).captured(1)) == planted,
             qPrintable(QString(result + all())));
    QCOMPARE(m_world->damaged(), 0);
    answered(u"12 mend what is inconsistent"_s, result);
}

/// Last: it delivers the rows that other questions are about.
void TestTwelveQuestions::stopTheRelayWithoutLoss()
{
    QFETCH(const bool, byKeys);
    QVERIFY(m_world->exec(
        u"insert into outbox (id, type, payload, created_at) select gen_random_uuid(),"
        " 'email:deliver', jsonb_build_object('customer', 500 + n), now()"
        " from generate_series(1, 30000) n"_s));
    const QString begun = m_world->text(u"select now()::text"_s);
    const QString delivered = u"from outbox where completed_at >= '%1'"_s.arg(begun);
    begin(byKeys);
    RelayStart start;
    start.batch = 50; // so that it is stopped in the midst of its work
    m_desktop->relay()->start(start);
    QTRY_VERIFY(m_world->number(u"select count(*) "_s + delivered) > 0);
    if (byKeys) {
        QVERIFY2(m_walker->keyOfPage(u"Relay"_s)
                     && m_walker->goTo(u"stop relay"_s, u"Action: Stop relay now"_s),
                 qPrintable(all()));
    } else {
        QVERIFY2(m_walker->clickPage(u"Relay"_s) && m_walker->click(u"Stop now"_s),
                 qPrintable(all()));
    }
    const QString state = heard(u"^(Stopped)\\|"_s);
    QVERIFY2(!state.isEmpty(), qPrintable(all()));
    const QStringList rows = m_world->texts(u"select id "_s + delivered);
    QVERIFY(!rows.isEmpty());
    QCOMPARE(m_world->tasksOf(rows), rows.size());
    // Told, and not checked: a machine that stood still for seconds delivers all before the click.
    const qint64 left = m_world->pendingRows();
    answered(
        u"9 stop the relay without loss"_s,
        u"%1; %2 of %3 marked rows have their task, %4 wait"_s.arg(
            state, countText(m_world->tasksOf(rows)), countText(rows.size()), countText(left)));
}

} // namespace tst_twelvequestions

OUTBOX_TEST(tst_twelvequestions::TestTwelveQuestions)
#include "tst_twelvequestions.moc"
