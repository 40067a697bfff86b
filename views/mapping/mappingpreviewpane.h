// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a mapping makes of its table: rows by state, counted, and the first of them as they are
// read.
#pragma once

#include "models/mapping/tablesurvey.h"

#include <QWidget>

namespace outbox {

class LiveTable;
class NoticeBar;
class OutboxModel;
class StateChips;

class MappingPreviewPane : public QWidget
{
    Q_OBJECT

public:
    explicit MappingPreviewPane(QWidget *parent = nullptr);

    void setPreview(const MappingPreview &preview);
    /// A new answer is on its way; what is shown is from before the change.
    void setAwaiting();
    /// Nothing can be shown yet, and why.
    void setIncomplete(const QString &why);
    [[nodiscard]] QList<MessageState> chosenStates() const;

signals:
    /// Rows of other states are wanted.
    void statesChosen();

private:
    StateChips *m_chips;
    LiveTable *m_table;
    OutboxModel *m_model;
    NoticeBar *m_notice;
};

} // namespace outbox
