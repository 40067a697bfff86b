// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/system/jobs/messagecomparer.h"

#include <QObject>
#include <QPointer>

class QAction;

namespace outbox {

class CompareActions;
class CompareDialog;
class System;
struct Pages;

/// Joins Compare of the tables, and of the menu, to the reading of two messages. Made anew for each
/// opened profile, gone with it. Lives in the GUI thread.
class ComparisonPresenter : public QObject
{
    Q_OBJECT

public:
    /// `system` and `pages` outlive this.
    ComparisonPresenter(System &system, const Pages &pages, const QString &stateFolder,
                        QObject *parent = nullptr);
    ~ComparisonPresenter() override;

private:
    void joinMenu();
    /// What is selected on the page that is shown.
    [[nodiscard]] QList<ComparedId> chosen() const;
    void open(const QList<ComparedId> &ids);

    const Pages &m_pages;
    QPointer<QAction> m_menu;
    QPointer<CompareDialog> m_dialog;
    MessageComparer m_comparer;
};

} // namespace outbox
