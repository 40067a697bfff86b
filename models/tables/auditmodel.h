// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was done from here as a table, and the messages that one operation met.
#pragma once

#include "models/operations/auditentry.h"
#include "models/tables/keyedtablemodel.h"

namespace outbox {

/// Shows activities in the order given, newest first.
class AuditModel : public KeyedTableModel<Activity, QString>
{
    Q_OBJECT

public:
    enum Columns { When, Who, What, Where, Count, State, Record, Note, Operation, ColumnCount };

    explicit AuditModel(QObject *parent = nullptr);
};

class AuditedItemsModel : public KeyedTableModel<AuditedItem, QString>
{
    Q_OBJECT

public:
    enum Columns { Row, Task, Queue, Before, After, ColumnCount };

    explicit AuditedItemsModel(QObject *parent = nullptr);
};

/// "Replay, rows that match state:failed"
[[nodiscard]] QString activityTitle(const Activity &activity);
/// "In the file of this machine"
[[nodiscard]] QString recordSentence(Activity::Record record);
/// "290 done, 7 changed meanwhile"
[[nodiscard]] QString countsSentence(const QMap<QString, qint64> &counts);
/// What became of it, in one line.
[[nodiscard]] QString outcomeSentence(const Activity &activity);

} // namespace outbox
