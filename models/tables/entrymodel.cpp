// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/entrymodel.h"

#include "models/message/messagestate.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation entryText("outbox::EntryModel");

/// A leftover has done its work and stays: that is neither waiting nor done.
QString stateText(const SeenEntry &row)
{
    if (row.next.act == NextStep::Act::Remove)
        return entryText("Leaked");
    switch (row.entry.state) {
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
MessageState stateOf(const SeenEntry &row)
{
    if (row.next.act == NextStep::Act::Remove)
        return MessageState::Locked;
    switch (row.entry.state) {
    case OutboxEntry::State::Undispatched:
        return MessageState::Pending;
    case OutboxEntry::State::Dispatched:
        return MessageState::Processed;
    case OutboxEntry::State::Malformed:
        break;
    }
    return MessageState::Unknown;
}

QString typesText(const SeenEntry &row)
{
    QStringList types;
    for (const OutgoingMessage &message : row.entry.messages) {
        if (!types.contains(message.type))
            types += message.type;
    }
    return types.join(u", "_s);
}

QString nextText(const SeenEntry &row)
{
    const NextStep &next = row.next;
    return next.kind ? QString(word(*next.kind) + u": "_s + next.reason) : next.reason;
}

QString ageText(const SeenEntry &row)
{
    return row.ageSeconds ? spanText(double(std::max<qint64>(0, qint64(*row.ageSeconds))))
                          : QString();
}

QList<EntryModel::Column> entryColumns()
{
    using Column = EntryModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    const Qt::Alignment right = Qt::AlignRight;
    return {
        Column(entryText("State"), left, stateText).withState([](const SeenEntry &row) {
            return QVariant::fromValue(stateOf(row));
        }),
        Column::ofText(entryText("Document"), [](const SeenEntry &row) { return row.document; }),
        Column::ofText(entryText("Message"),
                       [](const SeenEntry &row) { return row.entry.incoming; })
            .explained(entryText("The incoming message that the entry is about")),
        Column::ofText(entryText("Sends"), [](const SeenEntry &row) { return typesText(row); })
            .explained(entryText("Types of the messages that are inside")),
        Column(entryText("Age"), right, ageText)
            .withTip([](const SeenEntry &row) {
                return row.entry.made ? exactTime(*row.entry.made) : QString();
            })
            .withRoomFor(spanSamples()),
        Column(entryText("Size"), right,
               [](const SeenEntry &row) { return bytesText(row.entry.json.size()); }),
        Column::ofText(entryText("What is safe next"),
                       [](const SeenEntry &row) { return nextText(row); }),
    };
}

} // namespace

EntryModel::EntryModel(QObject *parent)
    : KeyedTableModel(
        entryColumns(),
        [](const SeenEntry &row) { return QString(row.document + u'\n' + row.entry.incoming); },
        parent)
{ }

QVariantList EntryModel::states()
{
    return {QVariant::fromValue(MessageState::Pending), QVariant::fromValue(MessageState::Locked),
            QVariant::fromValue(MessageState::Processed),
            QVariant::fromValue(MessageState::Unknown)};
}

namespace {

// What an operator should look at first.
constexpr std::array reaches{TokenReach::Garbage, TokenReach::Unknown, TokenReach::Losing,
                             TokenReach::Attempt, TokenReach::Held,    TokenReach::Carried};

constexpr Translation tokenText("outbox::TokenModel");

/// In the colours and glyphs of rows: its message waits, is on its way, or nobody knows.
MessageState stateOf(TokenReach reach)
{
    switch (reach) {
    case TokenReach::Held:
        return MessageState::Pending;
    case TokenReach::Carried:
        return MessageState::Processed;
    case TokenReach::Attempt:
        return MessageState::Waiting;
    case TokenReach::Losing:
        return MessageState::Locked;
    case TokenReach::Garbage:
        return MessageState::Parked;
    case TokenReach::Unknown:
        break;
    }
    return MessageState::Unknown;
}

QList<TokenModel::Column> tokenColumns()
{
    using Column = TokenModel::Column;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column(tokenText("Reach"), left, [](const JudgedToken &row) { return label(row.reach); })
            .withState(
                [](const JudgedToken &row) { return QVariant::fromValue(stateOf(row.reach)); }),
        Column::ofText(tokenText("Token"), [](const JudgedToken &row) { return row.token.id; }),
        Column(tokenText("Age"), Qt::AlignRight,
               [](const JudgedToken &row) {
                   return row.ageSeconds ? spanText(double(*row.ageSeconds)) : QString();
               })
            .withTip([](const JudgedToken &row) {
                return row.token.made ? exactTime(*row.token.made) : QString();
            })
            .withRoomFor(spanSamples()),
        Column::ofText(tokenText("Attempt"),
                       [](const JudgedToken &row) { return row.token.attempt; }),
        Column::ofText(tokenText("Message"),
                       [](const JudgedToken &row) { return row.token.incoming; })
            .explained(tokenText("The incoming message that the attempt was about")),
        Column::ofText(tokenText("What refers to it"),
                       [](const JudgedToken &row) { return row.words; }),
    };
}

} // namespace

TokenModel::TokenModel(QObject *parent)
    : KeyedTableModel(
        tokenColumns(), [](const JudgedToken &row) { return row.token.id; }, parent)
{ }

QList<JudgedToken> TokenModel::rowsOf(const DesignView &view)
{
    QList<JudgedToken> rows;
    if (!view.tokens)
        return rows;
    rows = view.tokens->tokens;
    for (JudgedToken &row : rows) {
        if (row.token.made)
            row.ageSeconds = std::max<qint64>(0, row.token.made->secsTo(view.at));
    }
    const auto rank = [](const JudgedToken &row) {
        return std::find(reaches.begin(), reaches.end(), row.reach) - reaches.begin();
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&rank](const JudgedToken &one, const JudgedToken &other) {
                         return std::pair(rank(one), -one.ageSeconds.value_or(0))
                             < std::pair(rank(other), -other.ageSeconds.value_or(0));
                     });
    return rows;
}

QString tokenCountsText(const TokenReport &report)
{
    QStringList words;
    for (const TokenReach reach : reaches) {
        const auto count
            = std::count_if(report.tokens.begin(), report.tokens.end(),
                            [reach](const JudgedToken &one) { return one.reach == reach; });
        if (count > 0)
            words += QString(countText(count) + u' ' + label(reach).toLower());
    }
    return words.join(u", "_s);
}

} // namespace outbox
