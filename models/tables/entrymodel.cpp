// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/entrymodel.h"

#include "models/message/messagestate.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation entryText("outbox::EntryModel");

/// A leftover has done its work and stays: that is neither waiting nor done.
QString stateText(const EntryRow &row)
{
    if (row.seen.next.act == NextStep::Act::Remove)
        return entryText("Leaked");
    switch (row.seen.entry.state) {
    case OutboxEntry::State::Undispatched:
        return entryText("Undispatched");
    case OutboxEntry::State::Dispatched:
        return entryText("Dispatched");
    case OutboxEntry::State::Malformed:
        break;
    }
    return entryText("Unreadable");
}

/// The same meaning in the colours and glyphs of rows.
MessageState stateOf(const EntryRow &row)
{
    if (row.seen.next.act == NextStep::Act::Remove)
        return MessageState::Locked;
    switch (row.seen.entry.state) {
    case OutboxEntry::State::Undispatched:
        return MessageState::Pending;
    case OutboxEntry::State::Dispatched:
        return MessageState::Processed;
    case OutboxEntry::State::Malformed:
        break;
    }
    return MessageState::Unknown;
}

QString typesText(const EntryRow &row)
{
    QStringList types;
    for (const OutgoingMessage &message : row.seen.entry.messages) {
        if (!types.contains(message.type))
            types += message.type;
    }
    return types.join(u", "_s);
}

QString nextText(const EntryRow &row)
{
    const NextStep &next = row.seen.next;
    return next.kind ? QString(word(*next.kind) + u": "_s + next.reason) : next.reason;
}

QList<EntryModel::Column> entryColumns()
{
    using Column = EntryModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column(entryText("State"), left, stateText).withState([](const EntryRow &row) {
            return QVariant::fromValue(stateOf(row));
        }),
        Column(entryText("Document"), left,
               [](const EntryRow &row) { return cellText(row.seen.document); })
            .withTip([](const EntryRow &row) { return tipText(row.seen.document); }),
        Column(entryText("Message"), left,
               [](const EntryRow &row) { return cellText(row.seen.entry.incoming); })
            .withTip([](const EntryRow &row) { return tipText(row.seen.entry.incoming); })
            .explained(entryText("The incoming message that the entry is about")),
        Column(entryText("Sends"), left,
               [](const EntryRow &row) { return cellText(typesText(row)); })
            .withTip([](const EntryRow &row) { return tipText(typesText(row)); })
            .explained(entryText("Types of the messages that are inside")),
        Column(entryText("Age"), right,
               [](const EntryRow &row) {
                   return row.ageSeconds ? spanText(double(*row.ageSeconds)) : QString();
               })
            .sortedBy([](const EntryRow &row) {
                return row.ageSeconds ? QVariant(*row.ageSeconds) : QVariant();
            })
            .withTip([](const EntryRow &row) {
                return row.seen.entry.made ? exactTime(*row.seen.entry.made) : QString();
            }),
        Column(entryText("Size"), right,
               [](const EntryRow &row) { return bytesText(row.seen.entry.json.size()); })
            .sortedBy([](const EntryRow &row) { return row.seen.entry.json.size(); }),
        Column(entryText("What is safe next"), left,
               [](const EntryRow &row) { return cellText(nextText(row)); })
            .withTip([](const EntryRow &row) { return tipText(nextText(row)); }),
    };
}

} // namespace

EntryModel::EntryModel(QObject *parent)
    : KeyedTableModel(
        entryColumns(), [](const EntryRow &row) { return row.key(); }, parent)
{ }

QList<EntryRow> EntryModel::rowsOf(const DesignView &view)
{
    QList<EntryRow> rows;
    rows.reserve(view.entries.size());
    for (const SeenEntry &seen : view.entries) {
        std::optional<qint64> age;
        if (seen.ageSeconds)
            age = std::max<qint64>(0, qint64(*seen.ageSeconds));
        rows += EntryRow{seen, age};
    }
    return rows;
}

QVariantList EntryModel::states()
{
    return {QVariant::fromValue(MessageState::Pending), QVariant::fromValue(MessageState::Locked),
            QVariant::fromValue(MessageState::Processed),
            QVariant::fromValue(MessageState::Unknown)};
}

} // namespace outbox
