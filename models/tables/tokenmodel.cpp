// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/tokenmodel.h"

#include "models/message/messagestate.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
        Column(tokenText("Token"), left,
               [](const JudgedToken &row) { return cellText(row.token.id); })
            .withTip([](const JudgedToken &row) { return tipText(row.token.id); }),
        Column(tokenText("Age"), Qt::AlignRight,
               [](const JudgedToken &row) {
                   return row.ageSeconds ? spanText(double(*row.ageSeconds)) : QString();
               })
            .sortedBy([](const JudgedToken &row) {
                return row.ageSeconds ? QVariant(*row.ageSeconds) : QVariant();
            })
            .withTip([](const JudgedToken &row) {
                return row.token.made ? exactTime(*row.token.made) : QString();
            }),
        Column(tokenText("Attempt"), left,
               [](const JudgedToken &row) { return cellText(row.token.attempt); })
            .withTip([](const JudgedToken &row) { return tipText(row.token.attempt); }),
        Column(tokenText("Message"), left,
               [](const JudgedToken &row) { return cellText(row.token.incoming); })
            .withTip([](const JudgedToken &row) { return tipText(row.token.incoming); })
            .explained(tokenText("The incoming message that the attempt was about")),
        Column(tokenText("What refers to it"), left,
               [](const JudgedToken &row) { return cellText(row.words); })
            .withTip([](const JudgedToken &row) { return tipText(row.words); }),
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
