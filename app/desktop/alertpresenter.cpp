// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/alertpresenter.h"

#include "app/desktop/pages.h"
#include "app/settings/alertstore.h"
#include "app/settings/opening.h"
#include "app/system/historykeeper.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/alerts/alerteditor.h"
#include "views/alerts/alertsview.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/overview/overviewview.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString untoldMessage = u"alert-untold"_s;
const QString unjudgedMessage = u"alert-unjudged"_s;
const QString unrecordedMessage = u"alert-unrecorded"_s;

} // namespace

AlertPresenter::AlertPresenter(System &system, const Pages &pages, QString file, QString record,
                               HistoryKeeper *keeper, QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages), m_file(std::move(file)), m_keeper(keeper),
      m_judge(system), m_notifier(pages.window), m_record(std::move(record))
{
    m_pages.alerts->forget();
    joinPage();
    joinTelling();
    joinTrial();
    showNote();
    load();
}

AlertPresenter::~AlertPresenter()
{
    m_pages.window->messages()->remove(untoldMessage);
    m_pages.window->messages()->remove(unjudgedMessage);
    m_pages.window->messages()->remove(unrecordedMessage);
    m_pages.window->setBadge(Pages::Alerts, {}, false);
    m_pages.overview->setAlerts({});
    m_pages.alerts->forget();
}

void AlertPresenter::setFile(const QString &file)
{
    m_file = file;
    showNote();
    load();
}

void AlertPresenter::joinPage()
{
    AlertsView *view = m_pages.alerts;
    connect(&m_judge, &AlertJudge::judged, this, &AlertPresenter::show);
    connect(view, &AlertsView::saveAsked, this, &AlertPresenter::save);
    connect(view, &AlertsView::removeAsked, this,
            [this](const QString &name) { taken(removeAlert(m_file, name)); });
    connect(&m_record, &RecordWriter::failed, this, [this](const Error &error) {
        m_pages.window->messages()->add(
            {unrecordedMessage,
             HealthLevel::Watch,
             tr("The muting is kept, but it is not on record: %1").arg(oneLine(error)),
             {}});
    });
    connect(m_pages.window, &MainWindow::pageShown, this, [this](int page) {
        if (page == Pages::Alerts)
            load(); // another window may have changed them
    });
    connect(m_pages.window, &MainWindow::pauseAsked, this, [this] {
        m_judge.skip();
        showNote();
    });
}

void AlertPresenter::joinTelling()
{
    connect(&m_judge, &AlertJudge::noticed, this,
            [this](const Alert &alert, const AlertEvent &event) {
                if (alert.isShown)
                    tellOnDesktop(alert, event);
                m_delivery.send(alert, event);
            });
    connect(&m_judge, &AlertJudge::lost, this, [this](const Alert &, const QString &sentence) {
        m_pages.window->messages()->add(
            {unjudgedMessage, HealthLevel::Watch, shownText(sentence), {}});
    });
    connect(&m_delivery, &AlertDelivery::failed, this,
            [this](const QString &place, const QString &why) {
                m_pages.window->messages()->add(
                    {untoldMessage,
                     HealthLevel::Watch,
                     tr("%1 was not told of an alert: %2").arg(capital(place), why),
                     {}});
            });
    connect(&m_notifier, &DesktopNotifier::activated, this, [this] {
        m_pages.window->show();
        m_pages.window->raise();
        m_pages.window->activateWindow();
        m_pages.window->showPage(Pages::Alerts);
    });
}

void AlertPresenter::joinTrial()
{
    AlertEditor *editor = m_pages.alerts->editor();
    if (m_keeper)
        connect(m_keeper, &HistoryKeeper::ruleTried, editor, &AlertEditor::setTrial);
    connect(editor, &AlertEditor::trialAsked, this, [this, editor](const AlertRule &rule) {
        if (rule.isOnFilter())
            return editor->setTrial(rule, m_judge.tried(rule));
        if (m_keeper)
            return m_keeper->tryRule(rule);
        editor->setTrial(rule,
                         fail(Error::Kind::Unsupported, u"trying a rule"_s,
                              u"no history is kept of this system"_s));
    });
}

void AlertPresenter::load()
{
    const auto alerts = keptAlerts(m_file);
    m_pages.alerts->setProblem(alerts ? QString() : oneLine(alerts.error()));
    if (alerts) // what was read before is judged until it can be read again
        m_judge.setAlerts(*alerts);
}

void AlertPresenter::save(const QString &before, const Alert &alert)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QList<AlertLine> lines = m_judge.lines(now);
    const auto known = std::find_if(lines.cbegin(), lines.cend(), [&before](const AlertLine &line) {
        return line.alert.name == before;
    });
    const auto kept = keepAlert(m_file, before, alert);
    // The file keeps whole seconds.
    const auto second = [](const Alert &one) {
        return one.mutedUntil ? std::optional(one.mutedUntil->toSecsSinceEpoch()) : std::nullopt;
    };
    if (kept && known != lines.cend() && second(known->alert) != second(alert))
        noteMuting(alert);
    taken(kept);
}

/// It is saved already: whom an alert tells is no act on messages, and needs no record to be made.
void AlertPresenter::noteMuting(const Alert &alert)
{
    AuditEntry entry = entryAbout(AuditEntry::Kind::Settings, m_system.profile(), u"outboxdeck"_s);
    entry.what = mutingSentence(alert, QDateTime::currentDateTimeUtc());
    m_record.write(entry);
}

void AlertPresenter::taken(const Result<QList<Alert>> &alerts)
{
    if (alerts)
        m_judge.setAlerts(*alerts);
    m_pages.alerts->setSaved(alerts ? QString() : oneLine(alerts.error()));
}

void AlertPresenter::tellOnDesktop(const Alert &alert, const AlertEvent &event)
{
    m_notifier.tell(m_pages.window->windowTitle(), alertSentence(alert, event));
}

void AlertPresenter::show()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QList<AlertLine> lines = m_judge.lines(now);
    m_pages.alerts->setLines(lines);
    if (unjudgedText(lines).isEmpty())
        m_pages.window->messages()->remove(unjudgedMessage);
    m_pages.overview->setAlerts(raisedSentence(lines, now));
    const auto isRaised
        = [](const AlertLine &line) { return line.state == AlertLine::State::Raised; };
    const auto isOld = [](const AlertLine &line) {
        return line.state == AlertLine::State::Raised && line.isUnknown;
    };
    const auto raised = std::count_if(lines.cbegin(), lines.cend(), isRaised);
    m_pages.window->setBadge(Pages::Alerts, raised > 0 ? countText(raised) : QString(),
                             std::any_of(lines.cbegin(), lines.cend(), isOld), tr("raised"));
}

void AlertPresenter::showNote()
{
    QStringList lines;
    if (m_system.isPaused())
        lines += tr("Paused: nothing is judged until looking goes on.");
    lines += DesktopNotifier::showsNotices()
        ? tr("Notices come from the tray of this desktop.")
        : tr("This desktop shows no notices: the window asks for attention in the task bar.");
    lines += tr("Judged while this window has the system open. An `outboxctl watch --alerts` on "
                "the same file knows nothing of this window, and tells by itself: %1")
                 .arg(shownText(m_file));
    m_pages.alerts->setNote(lines.join(u'\n'));
}

} // namespace outbox
