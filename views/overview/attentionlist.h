// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What needs attention: at most seven lines, worst first, each with its way to the rows behind it.
#pragma once

#include "models/system/healthreport.h"

#include <QWidget>

namespace outbox {

class AttentionList : public QWidget
{
    Q_OBJECT

public:
    static constexpr qsizetype most = 7;

    explicit AttentionList(QWidget *parent = nullptr);

    /// Causes come worst first. Lines that stay the same keep their widgets, and so
    /// the focus. `known` is false while a source does not answer: then an empty list is no good
    /// news.
    void setCauses(const QList<HealthCause> &causes, bool known);

signals:
    void showAsked(const QString &filter);

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();

    QList<HealthCause> m_causes;
    bool m_known = false;
};

} // namespace outbox
