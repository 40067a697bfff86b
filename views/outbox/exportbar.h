// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The export of rows into a file: how far it is, what became of it, and its end at will.
#pragma once

#include "models/message/rowexport.h"
#include "views/widgets/noticebar.h"

namespace outbox {

class ExportBar : public NoticeBar
{
    Q_OBJECT

public:
    explicit ExportBar(QWidget *parent = nullptr);

    /// How many rows the table's question has, as it is shown; empty: nobody counted them.
    void setTotal(const QString &total) { m_total = total; }
    [[nodiscard]] const QString &total() const { return m_total; }
    void setState(const RowExportState &state);
    /// The sentence of an export, as the bar shows it.
    [[nodiscard]] static QString sentence(const RowExportState &state);
    /// Another system comes: nothing of the one before stays.
    void forget();

signals:
    void cancelAsked();

private:
    QString m_total;
    bool m_isRunning = false;
};

} // namespace outbox
