// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Messages menu: the verbs of the page that is shown, each with one shortcut for all pages.
#pragma once

#include "models/operations/verb.h"

#include <QList>
#include <QObject>
#include <QPointer>

class QAction;
class QWidget;

namespace outbox {

class Actions;
class VerbBar;

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

} // namespace outbox
