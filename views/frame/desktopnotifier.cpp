// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/desktopnotifier.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QSystemTrayIcon>
#include <QWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A desktop may read markup in a notice, and an escape would be shown by one that does not.
QString noticeText(const QString &text)
{
    QString shown = shownText(text);
    shown.replace(QChar(u'<'), QChar(0x2039))
        .replace(QChar(u'>'), QChar(0x203a))
        .replace(QChar(u'&'), QChar(0xff06));
    return shown;
}

} // namespace

DesktopNotifier::DesktopNotifier(QWidget *window, QObject *parent)
    : QObject(parent), m_window(window)
{ }

bool DesktopNotifier::showsNotices()
{
    return QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages();
}

void DesktopNotifier::tell(const QString &title, const QString &text)
{
    if (!showsNotices()) {
        if (m_window)
            QApplication::alert(m_window);
        return;
    }
    if (!m_tray) {
        m_tray = new QSystemTrayIcon(theme::icon(u"notify"_s), this);
        connect(m_tray, &QSystemTrayIcon::messageClicked, this, &DesktopNotifier::activated);
        connect(m_tray, &QSystemTrayIcon::activated, this, &DesktopNotifier::activated);
    }
    m_tray->show(); // without its icon a tray shows no notice
    m_tray->showMessage(noticeText(title), noticeText(text), QSystemTrayIcon::Warning);
}

} // namespace outbox
