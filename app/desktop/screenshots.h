// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws every page, light and dark, and every dialog into PNG files.
#pragma once

#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace outbox {

class Desktop;
class PlanDialog;

/// Waits until each page has something to show, then draws and ends. Works offscreen.
class Screenshots : public QObject
{
    Q_OBJECT

public:
    Screenshots(Desktop &desktop, QString folder, QObject *parent = nullptr);
    void start();

signals:
    /// All pictures are there, or `problem` says why not; empty = all went well.
    void finished(const QString &problem);

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
    QList<Shot> m_shots;
    qsizetype m_at = 0;
};

} // namespace outbox
