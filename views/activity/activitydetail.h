// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One operation of the record: what it was about, what became of each message, what ran.
#pragma once

#include "models/operations/auditentry.h"

#include <QTabWidget>

#include <optional>

class QLabel;
class QPlainTextEdit;

namespace outbox {

class AuditedItemsModel;
class PropertyList;
class LiveTable;

class ActivityDetail : public QTabWidget
{
    Q_OBJECT

public:
    /// Messages that are listed; an export has all of them.
    static constexpr qsizetype mostMessages = 10'000;

    explicit ActivityDetail(QWidget *parent = nullptr);

    void setActivity(const Activity &activity);
    void clear();

private:
    PropertyList *m_facts;
    QLabel *m_extent;
    LiveTable *m_messages;
    AuditedItemsModel *m_model;
    QPlainTextEdit *m_statements;
    std::optional<Activity> m_shown;
};

} // namespace outbox
