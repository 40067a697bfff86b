// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins Export rows of the Outbox page, and of the menu, to the job that writes them into a file.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/settings/folders.h"
#include "app/system/jobs/rowexport.h"

#include <QObject>
#include <QPointer>

class QAction;

namespace outbox {

class System;
struct Pages;

/// Made anew for each opened profile, gone with it: an export that is under way ends then, and
/// leaves no file. Lives in the GUI thread.
class RowExportPresenter : public QObject
{
    Q_OBJECT

public:
    /// `system` and `pages` outlive this.
    RowExportPresenter(System &system, const Pages &pages, const Folders &folders,
                       QObject *parent = nullptr);
    ~RowExportPresenter() override;

private:
    void joinMenu();
    /// Asks what is exported; while an export is under way, it is shown.
    void open();
    void askForFile(const RowExportOrder &order);
    void start(const RowExportOrder &order);
    /// That payloads leave without the masks.
    void record(const QString &file);
    void show(const RowExportState &state);

    System &m_system;
    const Pages &m_pages;
    QPointer<QAction> m_menu;
    RecordWriter m_record;
    RowExport m_export; ///< last: its thread ends first
};

} // namespace outbox
