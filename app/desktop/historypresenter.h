// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins one system to the file in which its history is kept: charts go on where they ended.
#pragma once

#include "app/system/historykeeper.h"

#include <QObject>

namespace outbox {

class System;
struct Pages;

/// Made anew for each opened profile, before its first look, and gone with it. Lives in the GUI
/// thread.
class HistoryPresenter : public QObject
{
    Q_OBJECT

public:
    /// `system` writes into `history`, and all of them outlive this.
    HistoryPresenter(System &system, SystemHistory &history, const Pages &pages,
                     const QString &stateFolder, QObject *parent = nullptr);
    ~HistoryPresenter() override;

    [[nodiscard]] HistoryKeeper &keeper() { return m_keeper; }

private:
    void joinLooks(System &system);
    void joinMessages();
    void joinEarlier();

    SystemHistory &m_history;
    const Pages &m_pages;
    HistoryKeeper m_keeper;
};

} // namespace outbox
