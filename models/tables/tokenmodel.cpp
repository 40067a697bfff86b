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
        Column(tokenText("Reach"), left,
               [](const TokenRow &row) { return label(row.judged.reach); })
            .withState(
                [](const TokenRow &row) { return QVariant::fromValue(stateOf(row.judged.reach)); }),
        Column(tokenText("Token"), left,
               [](const TokenRow &row) { return cellText(row.judged.token.id); })
            .withTip([](const TokenRow &row) { return tipText(row.judged.token.id); }),
        Column(tokenText("Age"), Qt::AlignRight,
               [](const TokenRow &row) {
                   return row.ageSeconds ? spanText(double(*row.ageSeconds)) : QString();
               })
            .sortedBy([](const TokenRow &row) {
                return row.ageSeconds ? QVariant(*row.ageSeconds) : QVariant();
            })
            .withTip([](const TokenRow &row) {
                return row.judged.token.made ? exactTime(*row.judged.token.made) : QString();
            }),
        Column(tokenText("Attempt"), left,
               [](const TokenRow &row) { return cellText(row.judged.token.attempt); })
            .withTip([](const TokenRow &row) { return tipText(row.judged.token.attempt); }),
        Column(tokenText("Message"), left,
               [](const TokenRow &row) { return cellText(row.judged.token.incoming); })
            .withTip([](const TokenRow &row) { return tipText(row.judged.token.incoming); })
            .explained(tokenText("The incoming message that the attempt was about")),
        Column(tokenText("What refers to it"), left,
               [](const TokenRow &row) { return cellText(row.judged.words); })
            .withTip([](const TokenRow &row) { return tipText(row.judged.words); }),
    };
}

} // namespace

TokenModel::TokenModel(QObject *parent)
    : KeyedTableModel(
        tokenColumns(), [](const TokenRow &row) { return row.judged.token.id; }, parent)
{ }

QList<TokenRow> TokenModel::rowsOf(const DesignView &view)
{
    QList<TokenRow> rows;
    if (!view.tokens)
        return rows;
    for (const JudgedToken &judged : view.tokens->tokens) {
        std::optional<qint64> age;
        if (judged.token.made)
            age = std::max<qint64>(0, judged.token.made->secsTo(view.at));
        rows += TokenRow{judged, age};
    }
    const auto rank = [](const TokenRow &row) {
        return std::find(reaches.begin(), reaches.end(), row.judged.reach) - reaches.begin();
    };
    std::stable_sort(rows.begin(), rows.end(), [&rank](const TokenRow &one, const TokenRow &other) {
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
