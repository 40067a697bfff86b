// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which table is the outbox: those that look like one, best first, with reasons; or any other.
#pragma once

#include "models/shape/catalog.h"

#include <QWidget>

class QLabel;
class QListWidget;

namespace outbox {

class ChoiceField;
class PropertyList;

class MappingTables : public QWidget
{
    Q_OBJECT

public:
    explicit MappingTables(QWidget *parent = nullptr);

    /// `names` are all tables, as "schema.table".
    void setTables(const QList<ProbeFinding> &findings, const QStringList &names);
    /// Marks the table that is being mapped, with what the probe says of it; emits nothing.
    void showTable(const ProbeFinding &finding);

signals:
    void tableChosen(const outbox::TableName &table);

private:
    void showNames(const QString &chosen);

    QLabel *m_headline;
    QListWidget *m_list;
    ChoiceField *m_any;
    PropertyList *m_reasons;
    QStringList m_found;
    QStringList m_names;
};

} // namespace outbox
