// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list that opens under a filter while it is typed: fields, then their values.
#pragma once

#include "models/filter/completion.h"

#include <QObject>

class QCompleter;
class QLineEdit;
class QStandardItemModel;

namespace outbox {

class FilterCompleter : public QObject
{
    Q_OBJECT

public:
    /// Lives with `line`, which it writes into.
    FilterCompleter(QLineEdit *line, FilterSubject subject);

    void setKnown(const FilterWords &known) { m_known = known; }
    /// Opens the list where the cursor stands, or closes it where there is nothing to say.
    void suggest();
    void close();
    /// Whether a line of the list is chosen: then Enter takes it.
    [[nodiscard]] bool isChoosing() const;

signals:
    /// A suggestion was written into the line.
    void taken(const QString &text);

private:
    void take(const QModelIndex &index);

    QLineEdit *m_line;
    FilterSubject m_subject;
    FilterWords m_known;
    QList<FilterSuggestion> m_shown;
    QStandardItemModel *m_model;
    QCompleter *m_completer;
};

} // namespace outbox
