// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The demo's menu: what can be broken, and what is broken now.
#pragma once

#include <QList>
#include <QMenu>
#include <QString>

namespace outbox {

/// One entry of the demo's "Break something" menu.
struct BreakEntry
{
    QString id;
    QString title;
    QString description; ///< what will happen and what to look at
};

class BreakMenu : public QMenu
{
    Q_OBJECT

public:
    explicit BreakMenu(const QList<BreakEntry> &entries, QWidget *parent = nullptr);

    /// Marks an entry for as long as it is broken.
    void setBroken(const QString &id, bool broken);

signals:
    void breakAsked(const QString &id);
};

} // namespace outbox
