// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message: where it stands, what it carries, and how that was found out.
#pragma once

#include "models/payload/payloadmasks.h"
#include "models/system/systemview.h"

#include <QTabWidget>

#include <optional>

class QAction;
class QLabel;
class QPlainTextEdit;

namespace outbox {

class JourneyLine;
class PropertyList;
class OfferedVerbs;
class PayloadView;

class MessagePanel : public QTabWidget
{
    Q_OBJECT

public:
    explicit MessagePanel(QWidget *parent = nullptr);

    /// A row was chosen: shows what its page knows, until `setVerdict` brings the rest.
    void showRow(const Message &message);
    /// What the outbox and the queue say about the chosen id; others are ignored.
    void setVerdict(const IdVerdict &verdict);
    /// The SQL that the page just ran, with its time in milliseconds.
    void setStatements(const QStringList &statements, double tookMs);
    void clear();
    /// What of payloads is not to be seen.
    void setMasks(const PayloadMasks &masks);
    /// How far the payload of `id` is, and what came of it; others are ignored.
    void setFetched(const MessageId &id, qint64 bytes, qint64 storedBytes);
    void setWholePayload(const MessageId &id, const Result<QByteArray> &payload);
    [[nodiscard]] const MessageId &shownId() const { return m_id; }
    [[nodiscard]] PayloadView *payload() const { return m_payload; }
    /// To what else there is of the message: visible while it is there. For the menu of its row.
    [[nodiscard]] QList<QAction *> links() const { return {m_showTask, m_showActivity}; }

signals:
    /// The payload of the shown row is large, and wanted whole.
    void wholePayloadAsked(const outbox::MessageId &id);
    /// It is wanted no longer: it was cancelled, or another row was chosen.
    void payloadNotWanted();
    /// Somebody sees the payload of this message unmasked; to be put on record.
    void payloadUnmasked(const outbox::MessageId &id);
    /// The task of the shown message is to be shown.
    void taskAsked(const outbox::QueueName &queue, const outbox::TaskId &id,
                   outbox::TaskState state);
    /// What operators did to it is to be shown.
    void activityAsked(const outbox::MessageId &id);

private:
    void makeLinks();
    void hideLinks();
    void showLinks(const IdVerdict &verdict);
    void showPayload(const Message &message);

    MessageId m_id;
    PayloadMasks m_masks = PayloadMasks::none(); ///< until a system is opened
    std::optional<Task> m_task; ///< of the shown message; its payload left out
    QAction *m_showTask;
    QAction *m_showActivity;
    QLabel *m_sentence;
    JourneyLine *m_line;
    QLabel *m_replay;
    OfferedVerbs *m_offered;
    PropertyList *m_journey;
    PayloadView *m_payload;
    PropertyList *m_columns;
    QPlainTextEdit *m_sql;
};

} // namespace outbox
