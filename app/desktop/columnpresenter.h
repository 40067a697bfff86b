// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the tables of the pages to what is kept of their columns between two runs.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QTimer>

class QWidget;

namespace outbox {

struct Pages;

/// Lives in the GUI thread.
class ColumnPresenter : public QObject
{
    Q_OBJECT

public:
    /// The tables of `pages` take what is in `kept`.
    ColumnPresenter(const Pages &pages, const QJsonObject &kept, QObject *parent = nullptr);

signals:
    /// A person chose something. `kept` is what is chosen now, by page and table; of tables that
    /// are not here it is as it was given.
    void chosen(const QJsonObject &kept);
    /// A person chose something, and has not gone on for a second: it is to be saved.
    void settled();

private:
    void join(const QString &page, const QWidget *view);

    QJsonObject m_kept;
    QTimer m_pause;
};

} // namespace outbox
