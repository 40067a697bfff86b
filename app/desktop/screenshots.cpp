// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws every page, light and dark, and every dialog into PNG files.
#include "app/desktop/desktop.h"

#include "app/desktop/mappingpresenter.h"
#include "models/operations/consent.h"
#include "views/alerts/alertsview.h"
#include "views/documents/documentsview.h"
#include "views/failures/failurespane.h"
#include "views/operation/plandialog.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/reconcile/reconcileview.h"
#include "views/relay/relayview.h"
#include "views/theme/theme.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString failType = u"fail-type"_s; // an entry of the menu that breaks things
// The demo writes some twenty messages a second: by then every chart has a line.
constexpr int warmUpMs = 45'000;
constexpr int settleMs = 2500; // a page that was just opened gets its rows
constexpr int repaintMs = 400;
constexpr int pileUpMs = 9000; // without a relay the rows stay to be looked at

QWidget *topLevel(const QByteArray &className)
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (widget->isVisible() && widget->metaObject()->className() == className)
            return widget;
    }
    return nullptr;
}

void selectFirstRow(QWidget *page)
{
    for (auto *table : page->findChildren<QTableView *>()) {
        if (table->isVisible() && table->model() && table->model()->rowCount() > 0)
            table->selectRow(0);
    }
}

void selectRows(QTableView *table, int rows)
{
    table->clearSelection();
    table->setSelectionMode(QAbstractItemView::MultiSelection);
    for (int row = 0; row < std::min(rows, table->model()->rowCount()); ++row)
        table->selectRow(row);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
}

void press(QWidget *in, const QString &name)
{
    if (auto *button = in ? in->findChild<QAbstractButton *>(name) : nullptr)
        button->click();
}

/// Child of the desktop.
class Screenshots : public QObject
{
public:
    Screenshots(Desktop &desktop, QString folder, std::function<void(const QString &)> finished);
    void start();

private:
    struct Shot
    {
        QString name;
        int pileUpMs = 0; ///< the relay is stopped so long before, to have rows to show
        std::function<QWidget *()> show; ///< brings it up and answers what to draw
        bool staysOpen = false; ///< a dialog whose next step is drawn after it
    };

    [[nodiscard]] std::function<QWidget *()> page(int number);
    void addPages();
    void addDocumentPages();
    void addOperation();
    void addDocumentOperation();
    [[nodiscard]] PlanDialog *planDialog() const;
    void next();
    void draw(const Shot &shot, QWidget *widget);

    Desktop &m_desktop;
    QString m_folder;
    std::function<void(const QString &)> m_finished;
    QList<Shot> m_shots;
    qsizetype m_at = 0;
};

Screenshots::Screenshots(Desktop &desktop, QString folder,
                         std::function<void(const QString &)> finished)
    : QObject(&desktop), m_desktop(desktop), m_folder(std::move(folder)),
      m_finished(std::move(finished))
{
    const OperationPresenter *operations = m_desktop.operations();
    if (operations && operations->settings().profile.design) {
        addDocumentPages();
        addDocumentOperation();
    } else {
        addPages();
        addOperation();
    }
    if (m_desktop.window().findChild<QMenu *>(u"demoMenu"_s)) {
        m_shots += {u"demo-menu"_s, 0, [this]() -> QWidget * {
                        auto *menu = m_desktop.window().findChild<QMenu *>(u"demoMenu"_s);
                        menu->popup(m_desktop.window().pos());
                        return menu;
                    }};
    }
    m_shots += {u"welcome"_s, 0, [this]() -> QWidget * {
                    m_desktop.window().showCover(true);
                    return &m_desktop.window();
                }};
}

std::function<QWidget *()> Screenshots::page(int number)
{
    return [this, number]() -> QWidget * {
        m_desktop.window().showPage(number);
        return &m_desktop.window();
    };
}

void Screenshots::addPages()
{
    const Pages &pages = m_desktop.pages();
    const auto &shape
        = m_desktop.operations() ? m_desktop.operations()->settings().profile.shape : std::nullopt;
    if (shape && shape->processedHow == OutboxShape::ProcessedHow::Time) {
        // The row that the relay has set aside, and why.
        m_shots += {u"outbox-parked"_s, 0, [this, &pages]() -> QWidget * {
                        m_desktop.window().showPage(Pages::Outbox);
                        pages.outbox->openFilter(u"state:parked"_s);
                        return &m_desktop.window();
                    }};
    }
    m_shots += QList<Shot>{
        {u"overview"_s, 0, page(Pages::Overview)},
        {u"relay"_s, 0, page(Pages::Relay)},
        {u"queue"_s, 0,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Queue);
             pages.queue->tasks()->setState(TaskState::Completed);
             return &m_desktop.window();
         }},
        {u"queue-failures"_s, 0,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Queue);
             if (auto *tabs = pages.queue->findChild<QTabWidget *>(u"queueTabs"_s))
                 tabs->setCurrentWidget(pages.queue->failures());
             emit m_desktop.window().breakAsked(failType);
             QTimer::singleShot(settleMs * 2 / 3, pages.queue->failures(),
                                [&pages] { press(pages.queue->failures(), u"groupsAgain"_s); });
             return &m_desktop.window();
         }},
        {u"outbox-groups"_s, 0,
         [this, &pages]() -> QWidget * {
             emit m_desktop.window().breakAsked(failType); // heals it
             m_desktop.window().showPage(Pages::Outbox);
             pages.outbox->groupsButton()->setChecked(true);
             return &m_desktop.window();
         }},
        {u"dedup"_s, 0, page(Pages::Dedup)},
        {u"alerts"_s, 0,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Alerts);
             press(pages.alerts, u"alertAdd"_s);
             return &m_desktop.window();
         }},
        {u"relay-start"_s, pileUpMs,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Relay);
             pages.relay->openStartSheet();
             return topLevel("outbox::RelayStartDialog");
         }},
        {u"outbox"_s, 0,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Outbox);
             pages.outbox->openFilter({});
             pages.outbox->groupsButton()->setChecked(false);
             return &m_desktop.window();
         }},
        {u"connections"_s, 0,
         [this]() -> QWidget * {
             m_desktop.openConnections();
             return topLevel("outbox::ProfileDialog");
         }},
        {u"mapping"_s, 0,
         [this]() -> QWidget * {
             if (const auto profile = m_desktop.profile())
                 new MappingPresenter(*profile, {}, &m_desktop.window()); // goes with its dialog
             return topLevel("outbox::MappingDialog");
         }},
    };
}

void Screenshots::addDocumentPages()
{
    const Pages &pages = m_desktop.pages();
    const auto list = [this, &pages](DesignList shown) {
        return [this, &pages, shown]() -> QWidget * {
            m_desktop.window().showPage(Pages::Outbox);
            pages.documents->showList(shown);
            return &m_desktop.window();
        };
    };
    m_shots = {
        {u"overview"_s, 0, page(Pages::Overview)},
        {u"queue"_s, 0, page(Pages::Queue)},
        {u"dedup"_s, 0, page(Pages::Dedup)},
    };
    const Design design = m_desktop.operations()->settings().profile.design->design;
    if (design == Design::EntityState)
        m_shots += {u"documents-dispatched"_s, 0, list(DesignList::Dispatched)};
    if (design == Design::Tokens)
        m_shots += {u"documents-tokens"_s, 0, list(DesignList::Tokens)};
    m_shots += {u"documents"_s, 0, list(DesignList::Unsettled)};
}

PlanDialog *Screenshots::planDialog() const
{
    return m_desktop.operations() ? m_desktop.operations()->dialog() : nullptr;
}

/// A purge from its preview to its result, and the pages that tell of it.
void Screenshots::addOperation()
{
    const Pages &pages = m_desktop.pages();
    m_shots += {u"plan-preview"_s, 0,
                [this, &pages]() -> QWidget * {
                    // The look for inconsistencies is under way while the next ones are drawn.
                    press(pages.reconcile, u"lookGo"_s);
                    m_desktop.window().showPage(Pages::Outbox);
                    selectRows(pages.outbox->findChild<QTableView *>(u"outboxTable"_s), 12);
                    if (auto *purge = pages.outbox->findChild<QAction *>(u"rowVerbs-purge"_s))
                        purge->trigger();
                    return planDialog();
                },
                true};
    m_shots += {u"plan-confirm"_s, 0,
                [this]() -> QWidget * {
                    PlanDialog *dialog = planDialog();
                    press(dialog, u"planGo"_s);
                    if (auto *typed = dialog->findChild<QLineEdit *>(u"confirmTyped"_s))
                        typed->setText(textToType(dialog->plan()));
                    return dialog;
                },
                true};
    m_shots += {u"plan-result"_s, 0, [this]() -> QWidget * {
                    press(planDialog(), u"planGo"_s);
                    return planDialog();
                }};
    m_shots += {u"unlock"_s, 0, [this]() -> QWidget * {
                    m_desktop.operations()->askToUnlock();
                    return topLevel("outbox::UnlockDialog");
                }};
    m_shots += {u"activity"_s, 0, page(Pages::Activity)};
    m_shots += {u"reconcile"_s, 0, page(Pages::Reconcile)};
}

/// What handlers left behind is sent, or removed.
void Screenshots::addDocumentOperation()
{
    const Pages &pages = m_desktop.pages();
    m_shots += {u"plan-preview"_s, 0,
                [this, &pages]() -> QWidget * {
                    m_desktop.window().showPage(Pages::Outbox);
                    pages.documents->findChild<QTableView *>(u"entryTable"_s)->clearSelection();
                    press(pages.documents, u"documentVerbs-reconcileButton"_s);
                    return planDialog();
                },
                true};
    // A demo asks for no confirmation of what deletes nothing.
    m_shots += {u"plan-result"_s, 0, [this]() -> QWidget * {
                    press(planDialog(), u"planGo"_s);
                    return planDialog();
                }};
    m_shots += {u"activity"_s, 0, page(Pages::Activity)};
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_folder)) {
        m_finished(u"the folder %1 cannot be made"_s.arg(m_folder));
        return;
    }
    theme::apply(ThemeChoice::Light);
    m_desktop.window().resize(1280, 800);
    QTimer::singleShot(warmUpMs, this, [this] { next(); });
}

void Screenshots::next()
{
    if (m_at == m_shots.size()) {
        m_finished(QString());
        return;
    }
    const Shot shot = m_shots.at(m_at++);
    if (shot.pileUpMs > 0 && m_desktop.relay())
        m_desktop.relay()->driver().stop();
    QTimer::singleShot(shot.pileUpMs, this, [this, shot] {
        QWidget *widget = shot.show();
        if (!widget) {
            m_finished(u"%1 has nothing to draw"_s.arg(shot.name));
            return;
        }
        QTimer::singleShot(settleMs / 2, widget, [widget] { selectFirstRow(widget); });
        QTimer::singleShot(settleMs, this, [this, shot, widget] { draw(shot, widget); });
    });
}

void Screenshots::draw(const Shot &shot, QWidget *widget)
{
    const auto save = [folder = QDir(m_folder), widget](const QString &name) {
        return widget->grab().save(folder.filePath(name + u".png"_s));
    };
    const bool light = save(shot.name + u"-light"_s);
    theme::apply(ThemeChoice::Dark);
    QTimer::singleShot(repaintMs, this, [this, shot, widget, light, save] {
        const bool dark = save(shot.name + u"-dark"_s);
        theme::apply(ThemeChoice::Light);
        if (widget != &m_desktop.window() && !shot.staysOpen)
            widget->close();
        if (!light || !dark) {
            m_finished(u"%1 could not be saved in %2"_s.arg(shot.name, m_folder));
            return;
        }
        next();
    });
}

} // namespace

void takeScreenshots(Desktop &desktop, const QString &folder,
                     std::function<void(const QString &problem)> finished)
{
    auto *screenshots = new Screenshots(desktop, folder, std::move(finished));
    screenshots->start();
}

} // namespace outbox
