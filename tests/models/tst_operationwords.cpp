// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations in words: sentences, buttons, the twin on the command line, result files, and why a
// verb cannot be asked for.
#include "models/filter/completion.h"
#include "models/filter/listline.h"
#include "models/filter/taskfilter.h"
#include "models/operations/arming.h"
#include "models/operations/commandline.h"
#include "models/operations/planwords.h"
#include "models/operations/receiptfile.h"
#include "models/system/offer.h"
#include "models/system/windowlink.h"
#include "models/tables/planmodel.h"
#include "tests/support/sampleplan.h"
#include "tests/support/testprogram.h"

#include <QAbstractItemModelTester>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace tst_operationwords {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOperationWords : public QObject
{
    Q_OBJECT

private slots:
    void theButtonHasTheNumberOfTheSentence()
    {
        const Plan plan = sample::purgePlan();
        QCOMPARE(planSentence(plan),
                 u"Exactly 297 of 300 rows will be purged; 3 are left alone."_s);
        QCOMPARE(actWords(plan), u"Purge 297 rows"_s);
        QCOMPARE(receiptSentence(plan, sample::receiptFor(plan)),
                 u"Purged: 297 rows; 2 claimed, 1 task not finished."_s);
        Plan full = sample::emptyPlan(Verb::Archive);
        full.items = {sample::item(1, Outcome::Done)};
        Receipt trimming = sample::receiptFor(full);
        trimming.trimmed = {{{}, {u"7"_s}, {u"low"_s}, Outcome::Done, u"old"_s, {}},
                            {{}, {u"8"_s}, {u"low"_s}, Outcome::Changed, u"moved"_s, {}}};
        QCOMPARE(receiptSentence(full, trimming),
                 u"Archived: 1 task. 1 of the oldest was removed to make room; 1 changed "
                 "meanwhile."_s);
        QVERIFY(!trimming.isInDoubt());
        trimming.trimmed.last().outcome = Outcome::InDoubt;
        QVERIFY(trimming.isInDoubt());
        QCOMPARE(receiptCsv(full, trimming).count('\n'), 4);
        QVERIFY(receiptCsv(full, trimming).endsWith("in-doubt,done,,8,low,,,moved\n"));
        QCOMPARE(receiptJsonLines(full, trimming).count('\n'), 4);
        QVERIFY(receiptJsonLines(full, trimming).contains("\"task\":\"7\",\"trimmed\":true"));
        Plan one = sample::emptyPlan(Verb::Run);
        one.items = {sample::item(1, Outcome::Done)};
        QCOMPARE(actWords(one), u"Run 1 task"_s);
        one.items.first().expected = Outcome::InFlight;
        QCOMPARE(planSentence(one),
                 u"This task cannot be moved to pending: see the reason below."_s);
        Plan pause = sample::emptyPlan(Verb::Pause);
        PlanItem queue;
        queue.queue = {u"mail"_s};
        queue.expected = Outcome::Done;
        pause.items = {queue};
        QCOMPARE(actWords(pause), u"Pause queue \"mail\""_s);
        QCOMPARE(planSentence(sample::emptyPlan(Verb::Purge)), u"Nothing matches any more."_s);
    }

    void everyVerbHasWords()
    {
        for (const Verb verb : allVerbs()) {
            Plan plan = sample::emptyPlan(verb);
            plan.items = {sample::item(1, Outcome::Done), sample::item(2, Outcome::Changed)};
            QVERIFY2(planSentence(plan).contains(u"1 of 2"_s), qPrintable(planSentence(plan)));
            for (const Outcome outcome : allOutcomes()) {
                QVERIFY(!expectationWords(verb, outcome).isEmpty());
                QVERIFY(outcomeWords(verb, outcome).front().isUpper());
            }
        }
    }

    void commandsAreQuotedForAShell()
    {
        Profile profile = sample::production();
        profile.name = u"the \"big\" one's"_s;
        Selection selection;
        selection.rows = {{u"7e57d004-2b97-44a7"_s}, {u"-rf"_s}, {u"a b'c\\d"_s}};
        const Consent consent{true, false, u"3 the \"big\" one's"_s, u"INC-4711; rm -rf $HOME"_s};
        const QString line
            = commandLine({Verb::Replay, selection, {}}, profile, consent, u"it's late"_s);
        // A real shell must hand over exactly these words.
        QProcess shell;
        shell.start(u"sh"_s, {u"-c"_s, u"outboxctl() { printf '%s\\n' \"$@\"; }; "_s + line});
        QVERIFY(shell.waitForFinished());
        const QStringList words
            = QString::fromUtf8(shell.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
        const QStringList wanted{u"replay"_s,
                                 u"--profile"_s,
                                 profile.name,
                                 u"--yes"_s,
                                 u"--allow-second-execution"_s,
                                 u"--confirm"_s,
                                 consent.typed,
                                 u"--unlock"_s,
                                 u"it's late"_s,
                                 u"--note"_s,
                                 consent.note,
                                 u"--"_s,
                                 u"7e57d004-2b97-44a7"_s,
                                 u"-rf"_s,
                                 u"a b'c\\d"_s};
        QCOMPARE(words, wanted);
    }

    void commandsNameWhatIsNotSavedByItsParts()
    {
        Profile demo = sample::production();
        demo.environment = Environment::Demo;
        demo.databaseUrl = u"sqlite:///tmp/outbox.db"_s;
        demo.redisUrl = u"redis+unix:///tmp/r.sock?db=0"_s;
        Selection queue;
        queue.queue = {u"mail"_s};
        QCOMPARE(commandLine({Verb::Pause, queue, {}}, demo),
                 u"outboxctl pause --database sqlite:///tmp/outbox.db --table outbox --redis "
                 "'redis+unix:///tmp/r.sock?db=0' --queue mail --retention 86400s"_s);
        Selection edited;
        edited.rows = {{u"7e57"_s}};
        edited.edit = RowEdit();
        edited.edit->type = u"it's"_s;
        edited.edit->queue = u"low"_s;
        QCOMPARE(commandLine({Verb::Edit, edited, {}}, demo),
                 u"outboxctl edit --database sqlite:///tmp/outbox.db --table outbox --redis "
                 "'redis+unix:///tmp/r.sock?db=0' --queue default --retention 86400s --type "
                 "'it'\\''s' --to-queue low 7e57"_s);
        QCOMPARE(commandLine({Verb::Import, {}, u"0b9f"_s}, sample::production(), Consent()),
                 u"outboxctl audit --profile orders --undo 0b9f --yes --unlock 'as in the "
                 "console'"_s);
    }

    void linesListWhatATableShows()
    {
        const Profile orders = sample::production();
        QCOMPARE(listLine(QList<MessageId>{{u"7e57"_s}, {u"a b"_s}, {u"none"_s}}, orders),
                 u"outboxctl list --profile orders --filter 'id=7e57,\"a b\",\"none\"'"_s);
        QVERIFY(listLine(QList<MessageId>(), orders).isEmpty());
        QList<MessageId> many;
        for (int number = 0; number < 150; ++number)
            many += MessageId{QString::number(number)};
        QVERIFY(listLine(many, orders).endsWith(u" --limit 150"_s));
        for (int number = 0; number < 2000; ++number)
            many += MessageId{QString::number(number)};
        QVERIFY(listLine(many, orders).isEmpty()); // longer than a filter may be
        Task retried;
        retried.id = {u"t-1"_s};
        retried.queue = {u"mail"_s};
        retried.state = TaskState::Retry;
        Task dead = retried;
        dead.id = {u"t-2"_s};
        dead.state = TaskState::Archived;
        const QString line = listLine(QList<Task>{retried, dead}, orders);
        QCOMPARE(line,
                 u"outboxctl tasks --profile orders --queue mail --filter "
                 "'state:retry,archived id=t-1,t-2'"_s);
        const auto filter
            = TaskFilter::fromText(line.section(u'\'', 1, 1), QDateTime::currentDateTime());
        QVERIFY(filter.has_value());
        QCOMPARE(filter->states(), (QList{TaskState::Retry, TaskState::Archived}));
        dead.queue = {u"low"_s};
        QVERIFY(listLine(QList<Task>{retried, dead}, orders).isEmpty());
        retried.state = TaskState::None;
        QVERIFY(listLine(QList<Task>{retried}, orders).isEmpty());
    }

    void linesOpenAWindow()
    {
        const Profile orders = sample::production();
        QCOMPARE(windowLine(QList<MessageId>{{u"7e57"_s}}, orders),
                 u"outboxdeck --profile orders --page=outbox --id=7e57"_s);
        QCOMPARE(windowLine(QList<MessageId>{{u"7e57"_s}, {u"a b"_s}}, orders),
                 u"outboxdeck --profile orders --page=outbox '--filter=id=7e57,\"a b\"'"_s);
        QVERIFY(windowLine(QList<MessageId>(), orders).isEmpty());
        Task task;
        task.id = {u"-t"_s};
        task.queue = {u"mail"_s};
        QCOMPARE(windowLine(QList<Task>{task}, orders),
                 u"outboxdeck --profile orders --page=queue '--filter=queue:mail id=%1'"_s.arg(
                     asFilterValue(u"-t"_s)));
        for (int page = 0; page < pageWords().size(); ++page)
            QCOMPARE(pageOfWord(pageWords().at(page)), std::optional(page));
        QCOMPARE(pageOfWord(u"documents"_s), pageOfWord(u"outbox"_s));
        QVERIFY(!pageOfWord(u"nowhere"_s));
    }

    void whatCannotActSaysWhy()
    {
        const QDateTime now = sample::now();
        ActingTerms terms;
        QCOMPARE(whyNotNow(Verb::Purge, terms, now), QString());
        terms.databaseStale = now.addSecs(-60);
        QVERIFY(whyNotNow(Verb::Purge, terms, now).contains(u"database"_s));
        QCOMPARE(whyNotNow(Verb::Run, terms, now), QString()); // tasks are read from the queue
        terms.queueStale = QDateTime();
        QVERIFY(whyNotNow(Verb::Run, terms, now).contains(u"has not been read"_s));
        terms.running = u"Purge 3 rows"_s;
        QVERIFY(whyNotNow(Verb::Run, terms, now).contains(u"Purge 3 rows"_s));
    }

    void offersFollowTheStates()
    {
        IdVerdict facts = sample::verdict(4); // processed
        QCOMPARE(offeredVerbs(facts), (QList<Verb>{Verb::Replay, Verb::Purge}));
        facts.row->state = MessageState::Parked; // what sends it is offered where that is said
        QCOMPARE(offeredVerbs(facts), (QList<Verb>{Verb::Unpark, Verb::Edit, Verb::Purge}));
        QVERIFY(!whyNotInState(Verb::Park, MessageState::Parked).isEmpty());
        facts.row->state = MessageState::Processed;
        facts.task = sample::task(4, TaskState::Completed);
        QCOMPARE(offeredVerbs(facts), (QList<Verb>{Verb::Run, Verb::Purge}));
        facts.task->state = TaskState::Archived;
        QCOMPARE(offeredVerbs(facts), (QList<Verb>{Verb::Run, Verb::Replace}));
        facts.task->state = TaskState::Active;
        QCOMPARE(offeredVerbs(facts), QList<Verb>{Verb::Cancel});
        facts.task.reset();
        facts.taskError = Error{};
        QVERIFY(offeredVerbs(facts).isEmpty()); // never from one source alone
        for (const TaskState state : {TaskState::Stub, TaskState::Orphan, TaskState::WrongType})
            QVERIFY(whyNotInState(Verb::Run, state).contains(u"Reconcile"_s));
    }

    void modelShowsAllOrSome()
    {
        PlanModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const Plan plan = sample::purgePlan(20);
        model.setPlan(plan);
        QCOMPARE(model.rowCount(), 20);
        model.setShown({u"claimed"_s, u"unfinished"_s});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(2, PlanModel::Seen).data().toString().section(u';', -1).trimmed(),
                 u"in queue: retry"_s);
        Receipt other = sample::receiptFor(plan);
        other.operation = u"another"_s;
        model.setReceipt(other);
        QVERIFY(!model.hasReceipt());
        model.setReceipt(sample::receiptFor(plan));
        QVERIFY(model.hasReceipt());
        QCOMPARE(model.rowCount(), 20);
        QCOMPARE(model.index(0, PlanModel::What).data().toString(), u"Purged"_s);
    }

    void resultFilesHoldEveryMessage()
    {
        Plan plan = sample::purgePlan(20);
        plan.items[0].type = u"=HYPERLINK(\"http://x\")"_s;
        const Receipt receipt = sample::receiptFor(plan);
        const QList<QByteArray> lines = receiptJsonLines(plan, receipt).split('\n');
        QCOMPARE(lines.size(), 22); // the whole, twenty, and the end of the last line
        const QJsonObject head = QJsonDocument::fromJson(lines.first()).object();
        QCOMPARE(head["counts"_L1].toObject()["done"_L1].toInt(), 17);
        QCOMPARE(QJsonDocument::fromJson(lines.at(4)).object()["outcome"_L1].toString(),
                 u"claimed"_s);
        const QByteArray csv = receiptCsv(plan, receipt);
        QCOMPARE(csv.count('\n'), 21);
        QVERIFY(csv.contains("\"'=HYPERLINK(\"\"http://x\"\")\""));
    }
};

} // namespace tst_operationwords

OUTBOX_TEST(tst_operationwords::TestOperationWords)
#include "tst_operationwords.moc"
