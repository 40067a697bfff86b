// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins what the pages ask for to the operator of the system: preview, consent, run, result, undo.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/operations/operationdriver.h"
#include "app/settings/folders.h"
#include "app/system/system.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace outbox {

class EditDialog;
class PlanDialog;
class UnlockDialog;
class VerbBar;
struct Pages;

/// Made anew for each opened profile, gone with it. Lives in the GUI thread; the operator has a
/// room of its own.
class OperationPresenter : public QObject
{
    Q_OBJECT

public:
    OperationPresenter(System &system, const Pages &pages, const Folders &folders,
                       QObject *parent = nullptr);
    ~OperationPresenter() override;

    [[nodiscard]] OperationDriver &driver() { return m_driver; }
    /// Of a session that looks at this system and may not act.
    [[nodiscard]] const OperatorSessionSettings &settings() const { return m_settings; }
    [[nodiscard]] PlanDialog *dialog() const { return m_dialog; }
    /// Opens the preview.
    void ask(const OperationRequest &request);
    /// Opens the sheet that asks for the acting roles.
    void askToUnlock();

private:
    void joinWindow();
    void joinMasks();
    void joinDialog();
    void joinDriver();
    void tellTerms();
    void tellRunning(const OperationProgress &progress);
    void tellReceipt(const Plan &plan, const Receipt &receipt);
    void openEditor(const RowContent &content);
    /// Somebody sees the payload of this row as it is, or where a queue is named, of this task.
    void noteUnmasked(const QString &id, const QueueName &queue = {});
    void showDialog();
    void saveResult(const Plan &plan, const Receipt &receipt);
    void say(HealthLevel level, const QString &text,
             const QList<std::pair<QString, QString>> &acts = {});

    System &m_system;
    const Pages &m_pages;
    OperatorSessionSettings m_settings;
    QList<QPointer<VerbBar>> m_bars;
    SourceHealth m_database;
    SourceHealth m_queue;
    int m_intervalMs = 1000;
    OperationRequest m_undo; ///< of what the notice tells
    PlanDialog *m_dialog;
    QPointer<UnlockDialog> m_unlock;
    QPointer<EditDialog> m_editor;
    QTimer m_tick;
    RecordWriter m_record;
    OperationDriver m_driver; ///< last: it is the first to end
};

} // namespace outbox
