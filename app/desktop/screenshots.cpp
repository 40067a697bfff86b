// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screenshots.h"

#include "app/desktop/desktop.h"
#include "views/queueview.h"
#include "views/relayview.h"
#include "views/taskspane.h"
#include "views/theme.h"

#include <QApplication>
#include <QDir>
#include <QTableView>
#include <QTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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
        if (table->isVisible() && table->model() && table->model()->rowCount() > 1)
            table->selectRow(0);
    }
}

} // namespace

Screenshots::Screenshots(Desktop &desktop, QString folder, QObject *parent)
    : QObject(parent), m_desktop(desktop), m_folder(std::move(folder))
{
    const Pages &pages = m_desktop.pages();
    const auto page = [this](int number) {
        return [this, number]() -> QWidget * {
            m_desktop.window().showPage(number);
            return &m_desktop.window();
        };
    };
    m_shots = {
        {u"overview"_s, 0, page(Pages::Overview)},
        {u"relay"_s, 0, page(Pages::Relay)},
        {u"queue"_s, 0,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Queue);
             pages.queue->tasks()->setState(TaskState::Completed);
             return &m_desktop.window();
         }},
        {u"dedup"_s, 0, page(Pages::Dedup)},
        {u"relay-start"_s, pileUpMs,
         [this, &pages]() -> QWidget * {
             m_desktop.window().showPage(Pages::Relay);
             pages.relay->openStartSheet();
             return topLevel("outbox::RelayStartDialog");
         }},
        {u"outbox"_s, 0, page(Pages::Outbox)},
        {u"connections"_s, 0,
         [this]() -> QWidget * {
             m_desktop.openConnections();
             return topLevel("outbox::ProfileDialog");
         }},
        {u"welcome"_s, 0,
         [this]() -> QWidget * {
             m_desktop.window().showCover(true);
             return &m_desktop.window();
         }},
    };
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_folder)) {
        emit finished(u"the folder %1 cannot be made"_s.arg(m_folder));
        return;
    }
    theme::apply(ThemeChoice::Light);
    m_desktop.window().resize(1280, 800);
    QTimer::singleShot(warmUpMs, this, &Screenshots::next);
}

void Screenshots::next()
{
    if (m_at == m_shots.size()) {
        emit finished(QString());
        return;
    }
    const Shot shot = m_shots.at(m_at++);
    if (shot.pileUpMs > 0 && m_desktop.relay())
        m_desktop.relay()->driver().stop();
    QTimer::singleShot(shot.pileUpMs, this, [this, shot] {
        QWidget *widget = shot.show();
        if (!widget) {
            emit finished(u"%1 has nothing to draw"_s.arg(shot.name));
            return;
        }
        QTimer::singleShot(settleMs / 2, widget, [widget] { selectFirstRow(widget); });
        QTimer::singleShot(settleMs, this, [this, shot, widget] { draw(shot.name, widget); });
    });
}

void Screenshots::draw(const QString &name, QWidget *widget)
{
    const bool light = widget->grab().save(QDir(m_folder).filePath(name + u"-light.png"_s));
    theme::apply(ThemeChoice::Dark);
    QTimer::singleShot(repaintMs, this, [this, name, widget, light] {
        const bool dark = widget->grab().save(QDir(m_folder).filePath(name + u"-dark.png"_s));
        theme::apply(ThemeChoice::Light);
        if (widget != &m_desktop.window())
            widget->close();
        if (!light || !dark) {
            emit finished(u"%1 could not be saved in %2"_s.arg(name, m_folder));
            return;
        }
        next();
    });
}

} // namespace outbox
