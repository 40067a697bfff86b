// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/relaylistmodel.h"

#include "models/payload/celltext.h"
#include "models/translation.h"

namespace outbox {

namespace {

constexpr Translation relayTableText("outbox::RelayListModel");

QString hostWords(const ListedRelay &relay)
{
    const auto &about = relay.entry.about;
    return about ? cellText(about->host) : relayTableText("not told");
}

QString stateWords(const ListedRelay &relay)
{
    if (relay.activity != RelayActivity::Silent)
        return label(relay.activity);
    return relayTableText("Silent since %1")
        .arg(momentText(relay.entry.lastBatch, QDateTime::currentDateTimeUtc()));
}

QList<RelayListModel::Column> relayColumns()
{
    using Column = RelayListModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column(relayTableText("Host"), left, hostWords).withTip([](const ListedRelay &one) {
            return tipText(one.entry.relay);
        }),
        Column(relayTableText("Version"), left,
               [](const ListedRelay &one) {
                   return one.entry.about ? cellText(one.entry.about->version) : QString();
               }),
        Column(relayTableText("Worker"), right,
               [](const ListedRelay &one) {
                   return one.entry.about ? QString::number(one.entry.about->worker) : QString();
               }),
        Column::ofMoment(relayTableText("Since"),
                         [](const ListedRelay &one) {
                             return one.entry.about ? one.entry.about->started : QDateTime();
                         }),
        Column::ofMoment(relayTableText("Last batch"),
                         [](const ListedRelay &one) { return one.entry.lastBatch; }),
        Column(relayTableText("State"), left, stateWords)
            .explained(relayTableText("Silent: rows wait, and this relay sends nothing. Idle: it "
                                      "sends nothing, and no row waits for long.")),
    };
}

} // namespace

RelayListModel::RelayListModel(QObject *parent)
    : KeyedTableModel(
        relayColumns(), [](const ListedRelay &one) { return one.entry.relay; }, parent)
{ }

} // namespace outbox
