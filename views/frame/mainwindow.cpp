// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/mainwindow.h"

#include "models/plaintext.h"
#include "views/frame/closequestion.h"
#include "views/frame/livestatus.h"
#include "views/frame/messagesmenu.h"
#include "views/frame/pagelist.h"
#include "views/frame/shortcutsheet.h"
#include "views/widgets/actions.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/themeactions.h"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QMenuBar>
#include <QStackedWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int compactBelow = 1100;

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_actions(new Actions(menuBar(), this)), m_band(new EnvironmentBand),
      m_list(new PageList), m_pages(new QStackedWidget), m_messages(new MessageBar),
      m_status(new LiveStatus), m_closing(new CloseQuestion(m_messages, this))
{
    setObjectName(u"mainWindow"_s);
    setMinimumSize(1024, 640);
    auto *central = new QWidget;
    auto *whole = new QVBoxLayout(central);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(m_band);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_list);
    auto *line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setForegroundRole(QPalette::Mid);
    middle->addWidget(line);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_messages);
    right->addWidget(m_pages, 1);
    middle->addLayout(right, 1);
    whole->addLayout(middle, 1);
    setCentralWidget(central);
    setStatusBar(m_status);
    addActions();

    connect(m_list, &QListWidget::currentRowChanged, this, &MainWindow::showPage);
    connect(m_band, &EnvironmentBand::unlockAsked, this, &MainWindow::unlockAsked);
    connect(m_band, &EnvironmentBand::lockAsked, this, &MainWindow::lockAsked);
    connect(m_status, &LiveStatus::pauseAsked, this, &MainWindow::pauseAsked);
    connect(m_closing, &CloseQuestion::drainAndCloseAsked, this, &MainWindow::drainAndCloseAsked);
    connect(m_closing, &CloseQuestion::stopAndCloseAsked, this, &MainWindow::stopAndCloseAsked);
    connect(m_closing, &CloseQuestion::cancelAndCloseAsked, this, &MainWindow::cancelAndCloseAsked);
    connect(&m_tick, &QTimer::timeout, this,
            [this] { m_status->tick(QDateTime::currentDateTimeUtc()); });
    m_tick.start(1'000);
}

MainWindow::~MainWindow() = default;

void MainWindow::addActions()
{
    using Menu = Actions::Menu;
    const auto add = [this](const Actions::Spec &spec, auto signal) {
        connect(m_actions->add(spec), &QAction::triggered, this, signal);
    };
    add({u"refresh"_s, Menu::View, tr("&Refresh now"), tr("Read everything again"), u"refresh"_s,
         Qt::Key_F5},
        &MainWindow::refreshAsked);
    add({u"pause"_s, Menu::View, tr("&Pause live refresh"),
         tr("Stop asking both servers; relays go on"), u"pause"_s, Qt::CTRL | Qt::Key_P, true},
        &MainWindow::pauseAsked);
    add({u"filter"_s, Menu::View, tr("&Filter"), tr("Go to the filter of this page"), u"search"_s,
         Qt::CTRL | Qt::Key_F},
        &MainWindow::filterAsked);
    addThemeActions(*m_actions, this, [this](ThemeChoice choice) { emit themeChosen(choice); });
    add({u"connections"_s, Menu::Connection, tr("&Connections\u2026"),
         tr("Open, test and save systems"), u"connection"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_C},
        &MainWindow::connectionsAsked);
    add({u"unlock"_s, Menu::Connection, tr("&Unlock or lock writing\u2026"),
         tr("Arms writing for %n minutes, or ends that", nullptr, armedMinutes), u"unlock"_s,
         Qt::CTRL | Qt::Key_U},
        [this] { m_band->toggleLock(); });
    m_verbs = new MessagesMenu(*m_actions, this);
    add({u"shortcuts"_s, Menu::Help, tr("&Keyboard shortcuts"), tr("Every key there is"),
         u"keyboard"_s, Qt::Key_F1},
        &MainWindow::showSheet);
    add({u"quit"_s, Menu::File, tr("&Quit"), tr("Close this window"), u"quit"_s,
         Qt::CTRL | Qt::Key_Q},
        &MainWindow::close);
}

void MainWindow::setProfile(const Profile &profile)
{
    m_band->setProfile(profile);
    // Only the document part: the platform adds the program's name by itself.
    setWindowTitle(u"[%1] %2"_s.arg(label(profile.environment), shownText(profile.name)));
}

void MainWindow::setBadge(int page, const QString &badge, bool stale, const QString &meaning)
{
    m_list->setBadge(page, badge, stale, meaning);
}

void MainWindow::setSource(Source source, const SourceHealth &health)
{
    m_status->setSource(source, health);
}

void MainWindow::setRefresh(int milliseconds, bool slowed)
{
    m_status->setInterval(milliseconds, slowed);
}

void MainWindow::setPaused(bool paused)
{
    m_status->setPaused(paused);
    m_actions->action(u"pause"_s)->setChecked(paused);
}

void MainWindow::setRelayRunning(bool running, bool asksOnClose)
{
    m_closing->setRelayRunning(running && asksOnClose);
    m_band->setRelayRunning(running);
}

void MainWindow::setOperationRunning(bool running)
{
    m_closing->setOperationRunning(running);
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    const QString id = choice == ThemeChoice::Light ? u"themeLight"_s
        : choice == ThemeChoice::Dark               ? u"themeDark"_s
                                                    : u"themeSystem"_s;
    m_actions->action(id)->setChecked(true);
    theme::apply(choice);
}

void MainWindow::setBreakMenu(const QList<BreakEntry> &entries)
{
    delete std::exchange(m_breakMenu, nullptr);
    if (entries.isEmpty())
        return;
    m_breakMenu = new BreakMenu(entries, this);
    menuBar()->addMenu(m_breakMenu);
    connect(m_breakMenu, &BreakMenu::breakAsked, this, &MainWindow::breakAsked);
}

void MainWindow::setBroken(const QString &id, bool broken)
{
    if (m_breakMenu)
        m_breakMenu->setBroken(id, broken);
}

void MainWindow::showSheet()
{
    auto *sheet = new ShortcutSheet(m_actions->sheet(), this);
    sheet->open();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_closing->mayClose())
        QMainWindow::closeEvent(event);
    else
        event->ignore();
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    m_list->setCompact(width() < compactBelow);
}

} // namespace outbox
