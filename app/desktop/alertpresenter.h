// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the alerts of one system to their page, and tells of them: on Overview, in the list of
// pages, on the desktop, by commands and webhooks.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/service/alertdelivery.h"
#include "app/system/alertjudge.h"
#include "views/frame/desktopnotifier.h"

#include <QObject>
#include <QString>

namespace outbox {

class HistoryKeeper;
struct Pages;

/// Made anew for each opened profile, gone with it. Lives in the GUI thread.
class AlertPresenter : public QObject
{
    Q_OBJECT

public:
    /// `file` is where the alerts are kept. `keeper` has what a rule is tried on; nullptr: nothing
    /// is kept. `record` is the file in which muting is put on record. All but the files outlive
    /// this.
    AlertPresenter(System &system, const Pages &pages, QString file, QString record,
                   HistoryKeeper *keeper, QObject *parent = nullptr);
    ~AlertPresenter() override;

    [[nodiscard]] const QString &file() const { return m_file; }
    /// The same alerts are kept in another file from now on.
    void setFile(const QString &file);

private:
    void joinPage();
    void joinTelling();
    void joinTrial();
    void load();
    void save(const QString &before, const Alert &alert);
    void taken(const Result<QList<Alert>> &alerts);
    /// It is muted for another time than before, or not any more.
    void noteMuting(const Alert &alert);
    void tellOnDesktop(const Alert &alert, const AlertEvent &event);
    void show();
    void showNote();

    const System &m_system;
    const Pages &m_pages;
    QString m_file;
    HistoryKeeper *m_keeper;
    AlertJudge m_judge;
    AlertDelivery m_delivery;
    DesktopNotifier m_notifier;
    RecordWriter m_record;
};

} // namespace outbox
