// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message: where it stands, what it carries, and how that was found out.
#pragma once

#include "models/systemview.h"

#include <QTabWidget>

class QLabel;
class QPlainTextEdit;

namespace outbox {

class FactsForm;
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
    [[nodiscard]] const MessageId &shownId() const { return m_id; }

private:
    void showPayload(const Message &message);
    void showColumns(const Message &message);

    MessageId m_id;
    QLabel *m_sentence;
    QLabel *m_replay;
    OfferedVerbs *m_offered;
    FactsForm *m_journey;
    PayloadView *m_payload;
    FactsForm *m_columns;
    QPlainTextEdit *m_sql;
};

} // namespace outbox
