// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/mainwindow.h"

#include "models/operations/verb.h"
#include "models/operations/verbdescriptor.h"
#include "models/plaintext.h"
#include "models/translation.h"
#include "views/frame/demomenu.h"
#include "views/frame/helpmenu.h"
#include "views/frame/livestatus.h"
#include "views/frame/pagelist.h"
#include "views/operation/verbbar.h"
#include "views/widgets/actions.h"
#include "views/widgets/boxes.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/scrolledpage.h"
#include "views/widgets/tabplace.h"

#include <QActionGroup>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDialog>
#include <QMap>
#include <QMenuBar>
#include <QObject>
#include <QPointer>
#include <QStackedWidget>
#include <QWindow>

#include <tuple>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The Messages menu: the verbs of the page that is shown, each with one shortcut for all pages.
/// Keys open previews and change nothing. Lives as long as the window.
class MessagesMenu : public QObject
{
    Q_OBJECT

public:
    MessagesMenu(Actions &actions, QObject *parent);

    /// The page that is shown now; its verb bars are found by themselves.
    void setPage(QWidget *page);

private:
    /// One entry; several verbs share it where a page has only one of them.
    struct Entry
    {
        QList<Verb> verbs;
        QAction *action = nullptr;
        QPointer<QAction> target; ///< of the page that is shown
    };

    void follow();

    QList<Entry> m_entries;
    QList<QPointer<VerbBar>> m_bars;
};

MessagesMenu::MessagesMenu(Actions &actions, QObject *parent) : QObject(parent)
{
    QMap<int, QList<Verb>> places;
    for (const VerbDescriptor &one : verbDescriptors()) {
        if (one.menu)
            places[one.menu->place] += one.verb;
    }
    for (const QList<Verb> &verbs : std::as_const(places)) {
        const VerbMenu &menu = *descriptorOf(verbs.first()).menu;
        Entry entry;
        entry.verbs = verbs;
        entry.action = actions.add(
            {QString::fromLatin1(menu.id), Actions::Menu::Messages, verbTexts(menu.text),
             verbTip(verbs.first()), verbIcon(verbs.first()),
             menu.key ? QKeySequence(*menu.key) : QKeySequence(), false, menu.separated});
        const qsizetype at = m_entries.size();
        connect(entry.action, &QAction::triggered, this, [this, at] {
            if (QAction *target = m_entries.at(at).target)
                target->trigger();
        });
        m_entries += entry;
    }
    follow();
}

void MessagesMenu::setPage(QWidget *page)
{
    for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
        if (bar)
            disconnect(bar, nullptr, this, nullptr);
    }
    m_bars.clear();
    const QList<VerbBar *> found = page ? page->findChildren<VerbBar *>() : QList<VerbBar *>();
    for (VerbBar *bar : found) {
        if (bar->place() != VerbBar::Place::Page)
            continue;
        m_bars += bar;
        connect(bar, &VerbBar::changed, this, &MessagesMenu::follow);
    }
    follow();
}

void MessagesMenu::follow()
{
    for (Entry &entry : m_entries) {
        entry.target = nullptr;
        for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
            for (const Verb verb : std::as_const(entry.verbs)) {
                QAction *one = bar ? bar->action(verb) : nullptr;
                // Of two the one that can act; else the first says why not.
                if (one && (!entry.target || (!entry.target->isEnabled() && one->isEnabled())))
                    entry.target = one;
            }
        }
        const Verb first = entry.verbs.first();
        const QString elsewhere = descriptorOf(first).subject == VerbSubject::Finding
            ? tr("Inconsistencies are on the Reconcile page.")
            : actsOnRows(first) ? tr("Rows are on the Outbox page.")
                                : tr("Tasks and queues are on the Queue page.");
        entry.action->setEnabled(entry.target && entry.target->isEnabled());
        entry.action->setToolTip(entry.target ? entry.target->toolTip() : plainTooltip(elsewhere));
        entry.action->setStatusTip(entry.target ? entry.target->statusTip() : elsewhere);
    }
}

namespace {

constexpr Translation actionText("outbox::MainWindow");

/// Adds the three themes to the registry.
void addThemeActions(Actions &actions, MainWindow *window)
{
    auto *group = new QActionGroup(window);
    const QList<std::tuple<QString, QString, ThemeChoice>> choices{
        {u"themeSystem"_s, actionText("Theme: &system"), ThemeChoice::System},
        {u"themeLight"_s, actionText("Theme: &light"), ThemeChoice::Light},
        {u"themeDark"_s, actionText("Theme: &dark"), ThemeChoice::Dark}};
    bool first = true;
    for (const auto &[id, text, choice] : choices) {
        QAction *made = actions.add({id,
                                     Actions::Menu::View,
                                     text,
                                     actionText("Colours of the console"),
                                     u"theme"_s,
                                     {},
                                     true,
                                     std::exchange(first, false)});
        group->addAction(made);
        made->setChecked(choice == theme::choice());
        QObject::connect(made, &QAction::triggered, window,
                         [window, choice = choice] { emit window->themeChosen(choice); });
    }
}

const QString messageId = u"close"_s;

} // namespace

/// What is asked before the window closes while something runs here.
/// Asks inside the page, never with a box on top. Lives as long as the window.
class CloseQuestion : public QObject
{
    Q_OBJECT

public:
    explicit CloseQuestion(MessageBar *messages, QObject *parent = nullptr);

    void setRelayRunning(bool running)
    {
        m_relay = running;
        withdraw();
    }

    void setOperationRunning(bool running)
    {
        m_operation = running;
        withdraw();
    }

    /// False: it was asked, and the window stays for now.
    [[nodiscard]] bool mayClose();

signals:
    void drainAndCloseAsked();
    void stopAndCloseAsked();
    /// The operation is to be cancelled after the batch in hand.
    void cancelAndCloseAsked();

private:
    void withdraw()
    {
        if (!m_relay && !m_operation)
            m_messages->remove(messageId);
    }

    MessageBar *m_messages;
    bool m_relay = false;
    bool m_operation = false;
};

CloseQuestion::CloseQuestion(MessageBar *messages, QObject *parent)
    : QObject(parent), m_messages(messages)
{
    connect(m_messages, &MessageBar::actAsked, this, [this](const QString &id, const QString &act) {
        if (id != messageId)
            return;
        m_messages->remove(id);
        if (act == u"drainAndClose"_s)
            emit drainAndCloseAsked();
        else if (act == u"stopAndClose"_s)
            emit stopAndCloseAsked();
        else if (act == u"cancelAndClose"_s)
            emit cancelAndCloseAsked();
    });
}

bool CloseQuestion::mayClose()
{
    if (m_operation) {
        m_messages->add({messageId,
                         HealthLevel::Watch,
                         tr("An operation is under way. It can be cancelled after the batch in "
                            "hand: what was done stays done, and stands in the record."),
                         {{u"cancelAndClose"_s, tr("Cancel it and close")}}});
    } else if (m_relay) {
        m_messages->add({messageId,
                         HealthLevel::Watch,
                         tr("A relay runs here. Draining sends what is left and then closes; "
                            "stopping rolls the batch in hand back, which is always safe."),
                         {{u"drainAndClose"_s, tr("Drain and close")},
                          {u"stopAndClose"_s, tr("Stop now and close")}}});
    }
    return !m_operation && !m_relay;
}

namespace {

constexpr int compactBelow = 1100;
constexpr QSize leastWindow(1024, 640);

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_actions(new Actions(menuBar(), this)), m_band(new EnvironmentBand),
      m_list(new PageList), m_pages(new QStackedWidget), m_place(new TabPlace(m_pages)),
      m_messages(new MessageBar), m_status(new LiveStatus),
      m_closing(new CloseQuestion(m_messages, this))
{
    setObjectName(u"mainWindow"_s);
    boundMinimum();
    auto *central = new QWidget;
    auto *whole = boxOn<QVBoxLayout>(central, 0);
    whole->addWidget(m_band);
    auto *middle = boxOn<QHBoxLayout>(nullptr, 0);
    middle->addWidget(m_list);
    auto *line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setForegroundRole(QPalette::Mid);
    middle->addWidget(line);
    auto *right = boxOn<QVBoxLayout>(nullptr, 0);
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
    add({u"oldestFirst"_s, Menu::View, tr("&Oldest rows first"),
         tr("Turns the order of the rows on the Outbox page"), u"down"_s,
         Qt::CTRL | Qt::SHIFT | Qt::Key_O, true},
        &MainWindow::rowOrderAsked);
    setRowOrder(false, false);
    addThemeActions(*m_actions, this);
    addSteps();
    add({u"connections"_s, Menu::Connection, tr("&Connections\u2026"),
         tr("Open, test and save systems"), u"connection"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_C},
        &MainWindow::connectionsAsked);
    add({u"saveProfile"_s,
         Menu::Connection,
         tr("&Save as profile\u2026"),
         tr("Keep the system that is open under a name, without its passwords"),
         u"add"_s,
         {}},
        &MainWindow::saveProfileAsked);
    setSavingOffered(false);
    add({u"unlock"_s, Menu::Connection, tr("&Unlock or lock writing\u2026"),
         tr("Arms writing for %n minutes, or ends that", nullptr, armedMinutes), u"unlock"_s,
         Qt::CTRL | Qt::Key_U},
        [this] { m_band->toggleLock(); });
    m_verbs = new MessagesMenu(*m_actions, this);
    add({u"undoLast"_s, Menu::Messages, tr("Undo last &operation\u2026"),
         tr("Shows what undoing the newest operation would do; nothing is changed yet"), u"undo"_s,
         QKeySequence(QKeySequence::Undo), false, true},
        &MainWindow::undoLastAsked);
    setUndoOffered(false);
    add({u"drainRelay"_s,
         Menu::Relay,
         tr("&Drain and stop relay"),
         tr("Sends the rows that wait, also those that others hold, then stops; nothing is lost"),
         u"drain"_s,
         {}},
        &MainWindow::drainRelayAsked);
    add({u"stopRelay"_s,
         Menu::Relay,
         tr("&Stop relay now"),
         tr("Rolls the batch in hand back and stops: its rows wait, nothing is lost"),
         u"stop"_s,
         {}},
        &MainWindow::stopRelayAsked);
    setRelayStops(false, false);
    addHelpActions(*m_actions, this);
    add({u"newWindow"_s, Menu::File, tr("&New window"),
         tr("Another window of the system that is open, if it is saved; typed passwords stay here"),
         u"add"_s, Qt::CTRL | Qt::SHIFT | Qt::Key_N},
        &MainWindow::newWindowAsked);
    setNewWindowOffered(false);
    add({u"quit"_s, Menu::File, tr("&Quit"), tr("Close this window"), u"quit"_s,
         Qt::CTRL | Qt::Key_Q},
        &MainWindow::close);
}

void MainWindow::addSteps()
{
    using Menu = Actions::Menu;
    const QAction *locate = m_actions->add(
        {u"locate"_s, Menu::Go, tr("Go &to\u2026"),
         tr("Finds a message by its id, a page, an action, a saved filter or a profile"),
         u"search"_s, Qt::CTRL | Qt::Key_K});
    connect(locate, &QAction::triggered, this, &MainWindow::locateAsked);
    const QAction *back = m_actions->add({u"back"_s, Menu::Go, tr("&Back"),
                                          tr("The page and the filter from before"), u"back"_s,
                                          QKeySequence(QKeySequence::Back), false, true});
    connect(back, &QAction::triggered, this, &MainWindow::backAsked);
    const QAction *forward = m_actions->add({u"forward"_s, Menu::Go, tr("&Forward"),
                                             tr("The page and the filter that were left by Back"),
                                             u"forward"_s, QKeySequence(QKeySequence::Forward)});
    connect(forward, &QAction::triggered, this, &MainWindow::forwardAsked);
    setSteps(false, false);
}

void MainWindow::setNewWindowOffered(bool offered)
{
    m_actions->action(u"newWindow"_s)->setEnabled(offered);
}

void MainWindow::setRowOrder(bool offered, bool oldestFirst)
{
    m_actions->action(u"oldestFirst"_s)->setEnabled(offered);
    m_actions->action(u"oldestFirst"_s)->setChecked(oldestFirst);
}

void MainWindow::setSteps(bool back, bool forward)
{
    m_actions->action(u"back"_s)->setEnabled(back);
    m_actions->action(u"forward"_s)->setEnabled(forward);
}

void MainWindow::setUndoOffered(bool offered)
{
    m_actions->action(u"undoLast"_s)->setEnabled(offered);
}

void MainWindow::setRelayStops(bool drain, bool stop)
{
    m_actions->action(u"drainRelay"_s)->setEnabled(drain);
    m_actions->action(u"stopRelay"_s)->setEnabled(stop);
}

void MainWindow::setProfile(const Profile &profile)
{
    m_band->setProfile(profile);
    // Only the document part: the platform adds the program's name by itself.
    setWindowTitle(u"[%1] %2"_s.arg(label(profile.environment), shownText(profile.name)));
}

void MainWindow::setSavingOffered(bool offered)
{
    m_actions->action(u"saveProfile"_s)->setEnabled(offered);
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

void MainWindow::setBreakMenu(const QList<NamedChoice> &entries)
{
    delete std::exchange(m_breakMenu, nullptr);
    if (entries.isEmpty())
        return;
    m_breakMenu = breakMenu(entries, this);
    menuBar()->addMenu(m_breakMenu);
    for (QAction *entry : m_breakMenu->actions()) {
        connect(entry, &QAction::triggered, this, [this, entry](bool checked) {
            entry->setChecked(!checked); // the mark tells what is broken, not what was clicked
            emit breakAsked(entry->data().toString());
        });
    }
}

void MainWindow::setBroken(const QString &id, bool broken)
{
    auto *entry = m_breakMenu ? m_breakMenu->findChild<QAction *>(id) : nullptr;
    if (entry)
        entry->setChecked(broken);
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

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    boundMinimum();
    connect(windowHandle(), &QWindow::screenChanged, this, &MainWindow::boundMinimum,
            Qt::UniqueConnection);
}

void MainWindow::boundMinimum()
{
    setMinimumSize(leastWindow.boundedTo(screenRoom(this)));
}

int MainWindow::addPage(QWidget *page, const QString &icon, const QString &name)
{
    auto *area = new ScrolledPage(name, ScrolledPage::Wants::Little);
    area->replacePage(page);
    const int index = m_pages->addWidget(area);
    m_place->gather();
    const int number = index + 1;
    const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number));
    QAction *go = m_actions->add({u"page%1"_s.arg(number), Actions::Menu::View, name,
                                  tr("Show the page %1").arg(name), icon, keys, false, index == 0});
    connect(go, &QAction::triggered, this, [this, index] { showPage(index); });
    m_list->addPage(icon, name, u"%1 (%2)"_s.arg(name, keys.toString(QKeySequence::NativeText)));
    if (index == 0)
        m_list->setCurrentRow(0);
    return index;
}

void MainWindow::replacePage(int page, QWidget *widget, const QString &name)
{
    m_list->setName(page, name);
    auto *area = static_cast<ScrolledPage *>(m_pages->widget(page));
    if (area->widget() == widget)
        return;
    area->setAccessibleName(name);
    area->replacePage(widget)->setParent(this); // a hidden child from now on
    m_verbs->setPage(m_pages->currentWidget());
    pageAction(page)->setText(name);
}

void MainWindow::setPageOffered(int page, bool offered)
{
    m_list->setShown(page, offered);
    pageAction(page)->setVisible(offered);
    if (!offered && currentPage() == page)
        showPage(0);
}

void MainWindow::showPage(int page)
{
    if (page < 0 || page >= m_list->count() || m_pages->currentWidget() == m_cover
        || m_list->isRowHidden(page))
        return;
    m_list->setCurrentRow(page);
    if (m_pages->currentIndex() == page)
        return;
    m_pages->setCurrentIndex(page);
    m_verbs->setPage(m_pages->currentWidget());
    emit pageShown(page);
}

int MainWindow::currentPage() const
{
    return m_pages->currentIndex();
}

QAction *MainWindow::pageAction(int page) const
{
    return m_actions->action(u"page%1"_s.arg(page + 1));
}

void MainWindow::setCover(QWidget *cover)
{
    m_cover = new ScrolledPage(tr("Welcome"), ScrolledPage::Wants::Little);
    m_cover->replacePage(cover);
    m_pages->addWidget(m_cover);
    m_place->gather();
}

void MainWindow::showCover(bool shown)
{
    if (shown)
        setWindowTitle(tr("No system open"));
    m_list->setVisible(!shown);
    m_band->setVisible(!shown);
    m_pages->setCurrentIndex(shown ? m_pages->indexOf(m_cover) : 0);
    m_verbs->setPage(m_pages->currentWidget());
    m_list->setCurrentRow(0);
    if (shown)
        m_cover->widget()->setFocus();
}

} // namespace outbox

#include "mainwindow.moc"
