// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells somebody who does not look at the window, by what the desktop has for it.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

class QSystemTrayIcon;
class QWidget;

namespace outbox {

/// A notice of the tray where there is one that shows notices; else the window asks for attention
/// in the task bar. Lives in the GUI thread.
class DesktopNotifier : public QObject
{
    Q_OBJECT

public:
    explicit DesktopNotifier(QWidget *window, QObject *parent = nullptr);

    /// Whether this desktop shows notices.
    [[nodiscard]] static bool showsNotices();
    /// Both texts are plain text.
    void tell(const QString &title, const QString &text);

signals:
    /// The window is wanted: a notice was clicked.
    void activated();

private:
    QPointer<QWidget> m_window;
    QSystemTrayIcon *m_tray = nullptr; ///< made for the first notice
};

} // namespace outbox
