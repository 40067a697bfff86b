// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screenshots.h"

#include "app/desktop/desktop.h"
#include "views/outboxview.h"
#include "views/profiledialog.h"
#include "views/relaystartdialog.h"
#include "views/relayview.h"
#include "views/theme.h"

#include <QApplication>
#include <QDir>
#include <QTableView>
#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

// The demo writes some twenty messages a second: by then every chart has a line.
constexpr int warmUpMs = 20'000;
constexpr int settleMs = 1500;

QWidget *topLevel(const QString &className)
{
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (widget->isVisible() && QString::fromLatin1(widget->metaObject()->className()) == className)
            return widget;
    }
    return nullptr;
}

} // namespace

Screenshots::Screenshots(Desktop &desktop, QString folder, QObject *parent)
    : QObject(parent)
    , m_desktop(desktop)
    , m_folder(std::move(folder))
{
    MainWindow *window = &m_desktop.window();
    const QList<std::pair<QString, int>> pages {{u"overview"_s, Pages::Overview},
                                                {u"outbox"_s, Pages::Outbox},
                                                {u"queue"_s, Pages::Queue},
                                                {u"dedup"_s, Pages::Dedup},
                                                {u"relay"_s, Pages::Relay}};
    for (const auto &[name, page] : pages) {
        m_shots += Shot {name, [this, window, page = page]() -> QWidget * {
                             window->showPage(page);
                             if (page == Pages::Outbox) {
                                 if (auto *table = m_desktop.pages().outbox->findChild<QTableView *>())
                                     table->selectRow(0);
                             }
                             return window;
                         }};
    }
    m_shots += Shot {u"relay-start"_s, [this, window]() -> QWidget * {
                         window->showPage(Pages::Relay);
                         m_desktop.pages().relay->openStartSheet();
                         return topLevel(u"outbox::RelayStartDialog"_s);
                     }};
    m_shots += Shot {u"connections"_s, [this]() -> QWidget * {
                         m_desktop.openConnections();
                         return topLevel(u"outbox::ProfileDialog"_s);
                     }};
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_folder)) {
        emit finished(u"the folder %1 cannot be made"_s.arg(m_folder));
        return;
    }
    theme::apply(ThemeChoice::Light);
    QTimer::singleShot(warmUpMs, this, &Screenshots::next);
}

void Screenshots::next()
{
    if (m_at == m_shots.size()) {
        if (m_dark) {
            emit finished(QString());
            return;
        }
        m_dark = true;
        m_at = 0;
        theme::apply(ThemeChoice::Dark);
    }
    const Shot shot = m_shots.at(m_at++);
    QWidget *widget = shot.show();
    // One more round of answers, so that a page that was just opened has its rows.
    QTimer::singleShot(settleMs, this, [this, shot, widget] {
        const QString name = shot.name + (m_dark ? u"-dark.png"_s : u"-light.png"_s);
        if (!widget || !save(widget, name)) {
            emit finished(u"%1 could not be drawn"_s.arg(name));
            return;
        }
        if (widget != &m_desktop.window())
            widget->close();
        next();
    });
}

bool Screenshots::save(QWidget *widget, const QString &name)
{
    return widget->grab().save(QDir(m_folder).filePath(name));
}

} // namespace outbox
