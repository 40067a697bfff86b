// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/alertpresenter.h"

#include "app/desktop/pages.h"
#include "app/settings/alertstore.h"
#include "app/system/historykeeper.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/alerts/alerteditor.h"
#include "views/alerts/alertsview.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/overview/overviewview.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString untoldMessage = u"alert-untold"_s;

} // namespace

AlertPresenter::AlertPresenter(System &system, const Pages &pages, QString file,
                               HistoryKeeper *keeper, QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages), m_file(std::move(file)), m_keeper(keeper),
      m_judge(system), m_notifier(pages.window)
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
    connect(view, &AlertsView::saveAsked, this, [this](const QString &before, const Alert &alert) {
        taken(keepAlert(m_file, before, alert));
    });
    connect(view, &AlertsView::removeAsked, this,
            [this](const QString &name) { taken(removeAlert(m_file, name)); });
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
    lines += tr("Judged while this window has the system open. A `watch --alerts` on the same "
                "file knows nothing of this window, and tells by itself: %1")
                 .arg(shownText(m_file));
    m_pages.alerts->setNote(lines.join(u'\n'));
}

} // namespace outbox
