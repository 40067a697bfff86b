// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/hostilewindow.h"

#include "models/filter/completion.h"
#include "models/filter/savedfilters.h"
#include "tests/support/hostilesystem.h"
#include "views/documents/documentverbs.h"
#include "views/failures/failurespane.h"
#include "views/filter/filterbar.h"
#include "views/frame/demomenu.h"
#include "views/frame/livestatus.h"
#include "views/frame/locator.h"
#include "views/frame/shortcutsheet.h"
#include "views/message/messagepanel.h"
#include "views/message/payloadview.h"
#include "views/operation/selectionverbs.h"
#include "views/operation/unlockdialog.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/outboxview.h"
#include "views/queue/taskspane.h"
#include "views/relay/relaystartdialog.h"
#include "views/widgets/environmentband.h"

#include <QCoreApplication>
#include <QDialog>
#include <QStackedWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The engine tells one thing at a time, and the window is drawn between them.
void turn()
{
    QCoreApplication::processEvents();
}

/// To the front of the pages beside it.
void bring(QWidget *page)
{
    qobject_cast<QStackedWidget *>(page->parentWidget())->setCurrentWidget(page);
}

} // namespace

HostileWindow::HostileWindow()
{
    m_window.resize(1200, 800);
    for (QWidget *page :
         std::initializer_list<QWidget *>{&m_overview, &m_outbox, &m_queues, &m_dedup, &m_reconcile,
                                          &m_relay, &m_activity, &m_documents, &m_fleet, &m_alerts})
        m_window.addPage(page, u"outbox"_s, u"Page"_s);
    m_documents.setDesign(Design::Tokens);
    const QList<QWidget *> shown{&m_window, &m_profiles, &m_mapping, &m_plan, &m_welcome};
    for (QWidget *one : shown)
        one->show();
}

HostileWindow::~HostileWindow()
{
    const QList<QWidget *> pages{&m_overview, &m_outbox,   &m_queues,    &m_dedup, &m_reconcile,
                                 &m_relay,    &m_activity, &m_documents, &m_fleet, &m_alerts};
    for (QWidget *page : pages)
        page->setParent(nullptr); // they are ours, not the window's
}

QList<HostileWindow::Filling> HostileWindow::fillings(const QString &text)
{
    m_values = hostile::everything(text);
    const auto make = [this](QWidget *made) {
        m_made.reset(made);
        made->show();
        return made;
    };
    return {
        {u"frame"_s, 0, [=, this] { return fillFrame(text); }},
        {u"overview"_s, 0, [=, this] { return fillOverview(text); }},
        {u"outbox"_s, 1, [=, this] { return fillOutbox(text); }},
        {u"outbox, failing"_s, 1, [=, this] { return fillOutboxFailures(text); }},
        {u"message panel"_s, 1, [=, this] { return fillPanel(text); }},
        {u"payloads"_s, 1, [=, this] { return fillPayloads(text); }},
        {u"filter"_s, 1, [=, this] { return fillFilter(text); }},
        {u"queues"_s, 2, [=, this] { return fillQueues(text); }},
        {u"task search"_s, 2, [=, this] { return fillSearch(text); }},
        {u"groups of tasks"_s, 2, [=, this] { return fillGroups(m_queues.failures(), text); }},
        {u"groups of rows"_s, 1, [=, this] { return fillGroups(m_outbox.groups(), text); }},
        {u"dedup"_s, 3, [=, this] { return fillDedup(text); }},
        {u"reconcile"_s, 4, [=, this] { return fillReconcile(text); }},
        {u"relay"_s, 5, [=, this] { return fillRelay(text); }},
        {u"activity"_s, 6, [=, this] { return fillActivity(text); }},
        {u"documents"_s, 7, [=, this] { return fillDocuments(text, DesignList::Unsettled); }},
        {u"dispatched"_s, 7, [=, this] { return fillDocuments(text, DesignList::Dispatched); }},
        {u"tokens"_s, 7, [=, this] { return fillDocuments(text, DesignList::Tokens); }},
        {u"fleet"_s, 8, [=, this] { return fillFleet(text); }},
        {u"alerts"_s, 9, [=, this] { return fillAlerts(text); }},
        {u"profiles"_s, -1, [=, this] { return fillProfiles(text); }},
        {u"mapping"_s, -1, [=, this] { return fillMapping(text); }},
        {u"plan"_s, -1, [=, this] { return fillPlan(text); }},
        {u"receipt"_s, -1, [=, this] { return fillReceipt(text); }},
        {u"welcome"_s, -1,
         [=, this] {
             m_welcome.setDemoProblem(text);
             return &m_welcome;
         }},
        {u"unlock"_s, -1,
         [=, this] {
             auto *dialog = new UnlockDialog(m_values.profile);
             dialog->showError(m_values.error);
             return make(dialog);
         }},
        {u"shortcuts"_s, -1,
         [=] {
             return make(shortcutSheet({{text, text}}));
         }},
        {u"locator"_s, -1,
         [=] {
             auto *locator = new Locator;
             locator->setFindings({{LocatorEntry::Kind::Profile, text, text}}, text);
             return make(locator);
         }},
        {u"demo menu"_s, -1,
         [=] {
             return make(demoMenu({{u"a"_s, text, text}, {u"b"_s, text, text}}, u"a"_s));
         }},
    };
}

QWidget *HostileWindow::fillFrame(const QString &text)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_window.setProfile(m_values.profile);
    m_window.setBadge(1, text, true);
    for (const Source source : {Source::Database, Source::Queue}) {
        m_window.setSource(source, m_values.health);
        m_window.status()->setAddress(source, text);
    }
    m_window.messages()->add({u"a"_s, HealthLevel::Watch, text, {{u"x"_s, text}}});
    m_window.setBreakMenu({{u"x"_s, text, text}});
    turn();
    m_window.status()->setSelection(text);
    m_window.status()->setOperation(text, {1, 2, text});
    m_window.status()->tick(now);
    m_window.band()->setArming({true, now.addSecs(600), text, text});
    return &m_window;
}

QWidget *HostileWindow::fillOverview(const QString &text)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_overview.setHealth({HealthLevel::Broken,
                          text,
                          {{HealthLevel::Broken, text, text}, {HealthLevel::Watch, text, {}}},
                          text});
    m_overview.setOutbox(m_values.counts);
    m_overview.setQueues(m_values.queues);
    turn();
    m_overview.setStale(Source::Database, now, text);
    m_overview.setStale(Source::Queue, now, text);
    m_history.addOutbox(now, m_values.counts);
    m_history.addQueues(now, m_values.queues);
    m_overview.showHistory(now);
    return &m_overview;
}

QWidget *HostileWindow::fillOutbox(const QString &text)
{
    qobject_cast<QStackedWidget *>(m_outbox.groups()->parentWidget())->setCurrentIndex(0);
    m_outbox.setCounts(m_values.counts);
    OutboxPageView page = m_values.page;
    page.request = m_outbox.request();
    m_outbox.setPage(page);
    turn();
    m_outbox.setVerdict(m_values.verdict);
    turn();
    m_outbox.verbs()->setTerms({{}, {}, text});
    return &m_outbox;
}

QWidget *HostileWindow::fillOutboxFailures(const QString &text)
{
    m_outbox.setHealth(m_values.health);
    m_outbox.setPageError(m_values.error);
    turn();
    ExactCount count;
    count.note = text;
    count.isComplete = true;
    m_outbox.exactCount()->setResult(count);
    turn();
    m_outbox.exactCount()->setResult(Failure(m_values.error));
    m_outbox.verbs()->setNotOffered(Verb::Purge, text);
    return &m_outbox;
}

QWidget *HostileWindow::fillPanel(const QString &text)
{
    const Message row = m_values.messages.constFirst();
    m_outbox.panel()->showRow(row);
    m_outbox.panel()->setVerdict(m_values.verdict);
    turn();
    m_outbox.panel()->setStatements({text, text}, 1.9);
    turn();
    m_outbox.panel()->setWholePayload(row.id, Failure(m_values.error));
    return m_outbox.panel();
}

/// As it came, and as a JSON document that has the text in a name and in a value.
QWidget *HostileWindow::fillPayloads(const QString &text)
{
    auto *view = m_outbox.panel()->findChild<PayloadView *>();
    m_outbox.panel()->setCurrentWidget(view);
    const QByteArray json = m_values.payload;
    for (const QByteArray &payload : {text.toUtf8(), json}) {
        view->setPayload(payload, payload.size());
        for (const auto form : {PayloadView::Form::Text, PayloadView::Form::Hex,
                                PayloadView::Form::Tree, PayloadView::Form::Decoded}) {
            view->choose(form);
            turn();
        }
    }
    view->setFetchError(m_values.error);
    return view;
}

QWidget *HostileWindow::fillFilter(const QString &text)
{
    FilterWords known;
    known.types = {{text, 7}};
    known.queues = known.payloadPaths = {text};
    m_outbox.filter()->setKnown(known);
    turn();
    m_outbox.filter()->setSaved({{text, text, Environment::Production}, {text, text, {}}},
                                Environment::Production);
    m_outbox.setSearch(hostile::rowSearch(text));
    m_outbox.openFilter(text);
    return m_outbox.filter();
}

QWidget *HostileWindow::fillQueues(const QString &text)
{
    bring(m_queues.tasks());
    m_queues.setQueues(m_values.queues);
    m_queues.chooseQueue({text});
    turn();
    m_queues.setWorkers(m_values.servers, m_values.workers);
    m_queues.setRedisFacts(m_values.redis);
    turn();
    TaskPage page;
    page.tasks = m_values.tasks;
    page.next = text;
    m_queues.tasks()->filter()->setSaved({{text, text, {}, FilterSubject::Tasks}},
                                         Environment::Production);
    m_queues.tasks()->setPage(m_queues.tasks()->request(), page);
    for (const Task &task : page.tasks)
        m_queues.tasks()->setTask(task);
    m_queues.setHealth(m_values.health);
    m_queues.tasks()->setPageError(m_values.error);
    return &m_queues;
}

QWidget *HostileWindow::fillSearch(const QString &text)
{
    m_queues.setQueues(m_values.queues);
    m_queues.setFilter(text);
    m_queues.tasks()->setSearch(hostile::taskSearch(m_queues.tasks()->request(), text));
    return &m_queues;
}

QWidget *HostileWindow::fillGroups(FailuresPane *pane, const QString &text)
{
    bring(pane);
    const FailureSample sample = hostile::failures(pane->question(), text);
    pane->setSample(sample);
    turn();
    GroupNote note{{}, text.left(GroupNote::mostCharacters), {}, sample.at};
    note.who = text.left(GroupNote::mostWhoCharacters);
    note.group = noteKey(groupsOf(sample, GroupBy::Cause).constFirst());
    pane->setNotes({note});
    turn();
    pane->setError(m_values.error);
    return pane;
}

QWidget *HostileWindow::fillDedup(const QString &text)
{
    DedupSnapshot kept;
    kept.name = {text};
    kept.retained = 7;
    m_dedup.setDedup(kept);
    m_dedup.setRedisFacts(m_values.redis);
    m_dedup.setRetained({m_values.tasks, {}, 0});
    turn();
    m_dedup.setVerdict(m_values.verdict);
    turn();
    m_dedup.setHealth(m_values.health);
    return &m_dedup;
}

QWidget *HostileWindow::fillReconcile(const QString &text)
{
    m_reconcile.setProgress(text, 7, 1);
    m_reconcile.setReport(m_values.report);
    turn();
    m_reconcile.setError(m_values.error);
    return &m_reconcile;
}

QWidget *HostileWindow::fillRelay(const QString &text)
{
    RelayOutlook outlook;
    outlook.profile.name = outlook.promise = text;
    outlook.facts = m_values.redis;
    outlook.refusals = outlook.notes = {text, text};
    m_relay.setOutlook(outlook);
    turn();
    RelayStart start;
    start.notifyChannel = start.schedule = text;
    m_relay.setStart(start);
    m_relay.setRunning(start, QDateTime::currentDateTimeUtc());
    m_relay.addSteps(m_values.steps);
    turn();
    m_relay.setNotice(text);
    m_relay.setHealth(Source::Database, m_values.health);
    turn();
    m_relay.openStartSheet();
    turn();
    m_relay.setForbidden(text);
    return &m_relay;
}

QWidget *HostileWindow::fillActivity(const QString &text)
{
    m_activity.setActivities(m_values.activities);
    turn();
    m_activity.openOperation(u"1"_s + text);
    turn();
    m_activity.setChain(text, false);
    turn();
    m_activity.setError(m_values.error);
    return &m_activity;
}

QWidget *HostileWindow::fillDocuments(const QString &text, DesignList list)
{
    m_documents.showList(list);
    m_documents.setView(m_values.documents.value(list));
    turn();
    m_documents.verbs()->setToken(text);
    m_documents.setHealth(m_values.health);
    return &m_documents;
}

QWidget *HostileWindow::fillFleet(const QString &text)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    FleetLine line;
    line.key = line.group = line.name = text;
    line.report = {HealthLevel::Broken, text, {{HealthLevel::Watch, text, text}}, text};
    line.at = now;
    m_fleet.setLines({line}, now);
    turn();
    m_fleet.setNote(text);
    return &m_fleet;
}

QWidget *HostileWindow::fillAlerts(const QString &text)
{
    AlertLine line;
    line.alert.name = line.alert.rule.text = text;
    line.alert.command = {text};
    line.state = AlertLine::State::Raised;
    line.since = QDateTime::currentDateTimeUtc();
    m_alerts.setLines({line});
    turn();
    m_alerts.setNote(text);
    m_alerts.setProblem(text);
    return &m_alerts;
}

QWidget *HostileWindow::fillProfiles(const QString &text)
{
    m_profiles.setProfiles({m_values.profile});
    m_profiles.chooseProfile(text);
    turn();
    m_profiles.setTestSteps({{text, ConnectionStep::State::Failed, 1.5, text},
                             {text, ConnectionStep::State::Ok, 1.5, text}});
    m_profiles.setFinding(m_values.survey.finding);
    turn();
    m_profiles.setShape(m_values.shape);
    turn();
    m_profiles.importUrl(text);
    return &m_profiles;
}

QWidget *HostileWindow::fillMapping(const QString &text)
{
    m_mapping.setTables({m_values.survey.finding}, {text});
    turn();
    m_mapping.setSurvey(m_values.survey);
    turn();
    m_mapping.openShape(m_values.shape);
    turn();
    m_mapping.setPreview(m_values.preview);
    turn();
    m_mapping.tell(text);
    return &m_mapping;
}

QWidget *HostileWindow::fillPlan(const QString &text)
{
    m_plan.setProfile(m_values.profile);
    m_plan.setWhyNot(text);
    turn();
    OperationRequest request;
    request.selection.filter = text;
    m_plan.showLooking(request);
    turn();
    m_plan.showPlan(m_values.plan);
    return &m_plan;
}

QWidget *HostileWindow::fillReceipt(const QString &text)
{
    m_plan.showProgress({1, 2, text});
    turn();
    m_plan.showReceipt(m_values.plan, m_values.receipt);
    turn();
    m_plan.showError(m_values.error);
    return &m_plan;
}

} // namespace outbox
