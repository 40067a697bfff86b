// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks at a database for the mapping editor: which tables could be an outbox, what one of them
// holds, and what a mapping makes of it.
#pragma once

#include "connectors/room.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/mapping/tablesurvey.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace outbox {

/// Lives in the asker's thread and never waits; it only reads. An answer that is overtaken by a
/// later question is dropped.
class MappingProbe : public QObject
{
    Q_OBJECT

public:
    MappingProbe(const Profile &profile, const ProfilePasswords &secrets,
                 QObject *parent = nullptr);
    ~MappingProbe() override;

    /// Probes all tables.
    void findTables();
    void survey(const outbox::TableName &table);
    /// A moment after the last such call: reads rows and counts as `shape` says, and the values of
    /// `statusColumn` where it is not empty. The rows are of any state where `states` is empty.
    void preview(const outbox::OutboxShape &shape, const QString &statusColumn,
                 const QList<outbox::MessageState> &states = {});
    /// The answer to what was asked before is not wanted any more.
    void forgetPreview();

signals:
    /// Best first; with the names of all tables.
    void tablesFound(const QList<outbox::ProbeFinding> &findings, const QStringList &tables);
    void surveyed(const outbox::TableSurvey &survey);
    void previewTaken(const outbox::MappingPreview &preview);
    /// The tables, or one of them, could not be read.
    void failed(const outbox::Error &error);

private:
    void lookNow();
    template <typename Job, typename Answer> void ask(Job job, Answer answer);

    Result<StoreSettings> m_settings;
    QTimer m_pause; ///< between the last change and the look
    QTimer m_overdue;
    std::function<MappingPreview(OutboxStore &)> m_wish; ///< the next look; empty: none
    qint64 m_surveys = 0; ///< asked for
    qint64 m_previews = 0;
    int m_waiting = 0; ///< answers that have not come yet
    bool m_isLooking = false;
    Room<OutboxStore> m_room; ///< last member: its thread ends before the rest goes
};

} // namespace outbox
