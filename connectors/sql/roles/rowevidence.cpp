// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/rowevidence.h"

#include "connectors/sql/names/namehints.h"
#include "connectors/sql/roles/rowvalues.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype enoughEvidenceRows = 12;
constexpr qsizetype mostEvidenceValues = 8;

bool mayMark(const TableFacts &facts, const ColumnFacts &one)
{
    return !one.isKey && !one.isTime && one.set == facts.rows() && one.counts.size() >= 2
        && one.counts.size() <= mostEvidenceValues;
}

} // namespace

RowMask openByWords(const TableFacts &facts)
{
    RowMask none(static_cast<std::size_t>(facts.rows()));
    if (facts.rows() < enoughEvidenceRows)
        return none;
    for (const ColumnFacts &one : facts.columns()) {
        if (!mayMark(facts, one) || one.isNumber || one.isTruth)
            continue;
        RowMask open(static_cast<std::size_t>(facts.rows()));
        bool areKnown = true;
        bool hasSent = false;
        for (auto value = one.counts.cbegin(); value != one.counts.cend(); ++value) {
            const MessageState state = stateOf(one, value.key());
            areKnown &= state != MessageState::Unknown;
            hasSent |= state == MessageState::Processed;
            if (state == MessageState::Unknown || state == MessageState::Processed)
                continue;
            addRows(open, facts.holding(one, value.key()));
        }
        if (areKnown && hasSent)
            return open;
    }
    return none;
}

RowMask doneBySomebody(const TableFacts &facts)
{
    constexpr qsizetype mostNames = 20;
    if (facts.rows() < enoughEvidenceRows)
        return {};
    for (const ColumnFacts &one : facts.columns()) {
        const bool isName = one.column->typeClass == TypeClass::Text && one.startsEmpty()
            && !one.isWide && !one.isTime && !one.isKey && one.set * 5 >= facts.rows()
            && one.set < facts.rows() && one.counts.size() <= mostNames
            && one.counts.size() * 3 <= one.set;
        if (!isName)
            continue;
        RowMask named = facts.setIn(one);
        constexpr double begun = 0.25;
        if (facts.isOrdered() && facts.firstAgeOf(named) > begun)
            continue; // who holds the young ones
        for (const ColumnFacts &mark : facts.columns()) {
            if (mark.place != one.place && mayMark(facts, mark) && isValueOf(facts, mark, named, 5))
                return named;
        }
    }
    return {};
}

bool isSame(const RowMask &one, const RowMask &other)
{
    return one.size() == other.size() && countOf(one) > 0 && isWithin(one, other)
        && isWithin(other, one);
}

bool isValueOf(const TableFacts &facts, const ColumnFacts &column, const RowMask &mask, int least)
{
    if (mask.empty() || countOf(mask) < least)
        return false;
    for (auto value = column.counts.cbegin(); value != column.counts.cend(); ++value) {
        if (value.value() >= least && isSame(facts.holding(column, value.key()), mask))
            return true;
    }
    return false;
}

const ColumnFacts *counterBeside(const TableFacts &facts, const RowMask &sent,
                                 const QSet<int> &taken)
{
    constexpr int mostTries = 50;
    for (const ColumnFacts &one : facts.columns()) {
        const bool mayCount = !taken.contains(one.place) && !one.isKey && one.isNumber
            && !one.isTime && !one.column->nullable && one.column->defaultText == u"0"
            && one.counts.size() >= 2 && one.counts.size() <= mostTries;
        if (!mayCount || isStatusHint(one.words))
            continue;
        int ofSent = 0;
        bool isCounter = true;
        for (auto value = one.counts.cbegin(); value != one.counts.cend(); ++value) {
            const int number = value.key().toInt();
            const qsizetype both = bothIn(facts.holding(one, value.key()), sent);
            isCounter &= number >= 0 && number <= mostTries && (number > 0 || both == 0);
            ofSent += value.value() >= 2 && both * 20 >= value.value() * qsizetype(15) ? 1 : 0;
        }
        if (isCounter && ofSent >= 2)
            return &one;
    }
    return nullptr;
}

RowMask countedIn(const TableFacts &facts, const ColumnFacts &counter, const RowMask &except)
{
    RowMask counted = facts.holding(counter, u"0"_s);
    counted.flip();
    return butNot(counted, except);
}

QList<RowMask> marksIn(const TableFacts &facts, const ColumnFacts &column, const RowMask &set)
{
    QList<RowMask> marks;
    for (auto value = column.counts.cbegin(); value != column.counts.cend(); ++value) {
        const RowMask rows = facts.holding(column, value.key());
        if (!isWithin(rows, set))
            continue;
        if (column.isNumber && !marks.isEmpty())
            addRows(marks.first(), rows);
        else
            marks += rows;
    }
    return marks;
}

bool isDocument(const QString &text)
{
    return text.startsWith(u'{') || text.startsWith(u'[') || text.startsWith(u'<');
}

bool hasDocumentBefore(const TableFacts &facts, const ColumnFacts &one)
{
    const auto &columns = facts.columns();
    return std::any_of(columns.cbegin(), columns.cbegin() + one.place, [](const auto &other) {
        const bool isText = other.column->typeClass == TypeClass::Text;
        const bool isDocuments
            = other.set > 0 ? other.share(isDocument) > 0.9 : typePoints(other.words) <= 0;
        return other.isWide && !other.isTime && !other.isKey && other.mustBeFilled()
            && (!isText || isDocuments);
    });
}

} // namespace outbox
