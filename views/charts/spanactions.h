// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be done with a span that is selected on a chart: two buttons that stand on it.
#pragma once

#include <QWidget>

class QToolButton;

namespace outbox {

class SpanActions : public QWidget
{
    Q_OBJECT

public:
    /// Hidden until somebody shows it. It keeps itself inside of its parent.
    explicit SpanActions(QWidget *parent);

    /// Whether there are rows of a span at all.
    void setRowsOffered(bool offered);
    /// Puts it below this point, in the middle, as far as there is room.
    void placeAt(const QPoint &top);

signals:
    void zoomAsked();
    void rowsAsked();

protected:
    /// Return does what has the focus: the chart below would zoom.
    void keyPressEvent(QKeyEvent *event) override;

private:
    QToolButton *m_rows;
};

} // namespace outbox
