// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands behind one light of the status bar: which server it is, and what our own looking
// costs it.
#pragma once

#include "models/system/pollcost.h"
#include "models/system/staleness.h"
#include "views/widgets/propertylist.h"

#include <QFrame>

namespace outbox {

/// The costs as names and values, the totals as of `now`.
[[nodiscard]] QList<Fact> costFacts(Source source, const PollCost &cost, const QDateTime &now);

/// Opens above the widget it belongs to and closes at a click elsewhere or Escape; goes on while
/// it is open.
class SourceDetails : public QFrame
{
    Q_OBJECT

public:
    SourceDetails(Source source, QWidget *parent);

    /// Which server this is; plain text, no password in it.
    void setAddress(const QString &address);
    void setHealth(const SourceHealth &health);
    void setCost(const PollCost &cost);
    void openAbove(const QWidget *widget);
    /// Brings the totals up to `now`, where it is open.
    void tick(const QDateTime &now);

private:
    void fill(const QDateTime &now);

    Source m_source;
    QString m_address;
    SourceHealth m_health;
    PollCost m_cost;
    PropertyList *m_facts;
};

} // namespace outbox
