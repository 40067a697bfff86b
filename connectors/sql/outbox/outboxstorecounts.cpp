// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How many rows of an outbox match a filter: counted by the database alone, up to a bound, or
// refused with what it cannot tell.
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "models/filter/checks.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowcount.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostParkedOfPage = 500;

/// The first check of a filter for which `text` answers one, and that text; empty: there is none.
template <typename Text> QString firstTextOf(const CheckNode &node, const Text &text)
{
    if (node.kind == FilterNode::Kind::Term)
        return text(node.check);
    for (const CheckNode &part : node.parts) {
        if (const QString found = firstTextOf(part, text); !found.isEmpty())
            return found;
    }
    return {};
}

/// What of the states that a check names nobody can tell; empty: all of them are told.
QString untoldState(const OutboxShape &shape, const QStringList &words, bool seesLocks)
{
    const auto asks = [&words](MessageState state) { return words.contains(word(state)); };
    using FailedHow = OutboxShape::FailedHow;
    const bool countsTries = !shape.maxAttemptsColumn.isEmpty() || shape.maxAttempts > 0;
    if (asks(MessageState::Failed)
        && ((shape.failedHow == FailedHow::None && !countsTries)
            || shape.failedHow == FailedHow::Table))
        return u"which rows have failed"_s;
    if ((asks(MessageState::Processed) || asks(MessageState::Pending)) && !shape.tellsProcessed())
        return u"which rows were delivered"_s;
    return asks(MessageState::Locked) && !seesLocks ? u"which rows are held"_s : QString();
}

/// What a check asks of rows that no column of this shape holds; empty: it can be told. Where a
/// column is missing every row is without it, and a filter for that is right.
QString untoldOf(const OutboxShape &shape, const FieldCheck &check, bool seesLocks)
{
    if (check.field == FilterField::State)
        return untoldState(shape, check.words, seesLocks);
    if (check.field == FilterField::Locked)
        return seesLocks ? QString() : u"which rows are held"_s;
    if (check.orMissing)
        return {};
    const auto unless = [](bool isTold, const QString &what) { return isTold ? QString() : what; };
    switch (check.field) {
    case FilterField::Created:
    case FilterField::Age:
    case FilterField::Wait:
        return unless(!shape.createdColumn.isEmpty(), u"when a row was made"_s);
    case FilterField::Processed:
        return unless(!shape.processedWhenColumn().isEmpty(), u"when a row was delivered"_s);
    case FilterField::Due:
        return unless(!shape.dueColumn.isEmpty(), u"when a row is due"_s);
    case FilterField::Attempts:
        return unless(!shape.attemptsColumn.isEmpty(), u"how often a row was tried"_s);
    case FilterField::Max:
        return unless(!shape.maxAttemptsColumn.isEmpty() || shape.maxAttempts > 0,
                      u"how often a row may be tried"_s);
    case FilterField::Error:
    case FilterField::Cause:
        return unless(shape.tellsErrors(), u"the error of a row"_s);
    case FilterField::Type:
        return unless(!shape.typeColumn.isEmpty() || !shape.fixedType.isEmpty()
                          || !shape.typeIn.isEmpty(),
                      u"the type of a row"_s);
    case FilterField::Queue:
        return unless(!shape.queueColumn.isEmpty() || shape.hasShards(), u"the queue of a row"_s);
    default:
        return {};
    }
}

/// The filter of the question, with the time in which rows were made as a part of it.
Filter filterOfCount(const RowCountRequest &request)
{
    Filter filter = request.filter;
    if (request.madeWithinSeconds) {
        FilterTerm term;
        term.field = u"age"_s; // by the clock of the database
        term.op = FilterOp::LessOrEqual;
        term.values = {
            FilterValue{QString::number(*request.madeWithinSeconds, 'f', 3) + u's', {}, false, 0}};
        filter.root.parts += FilterNode{FilterNode::Kind::Term, term, {}};
    }
    return filter;
}

Failure uncounted(const QString &doing, const QString &text, const QString &hint)
{
    return fail(Error::Kind::Unsupported, doing, text, {}, hint);
}

} // namespace

Result<qint64> OutboxStore::count(const RowCountRequest &request, const QList<ParkedRow> &parked)
{
    const QString doing = u"counting rows of %1 by a filter"_s.arg(d->shape.table.text());
    TRY(d->ready(doing));
    PageRequest aside;
    aside.filter = filterOfCount(request);
    aside.at = request.at;
    const auto checks = TRY(checksOf(aside.filter, FilterSubject::Rows, request.at));
    const bool seesLocks = isLockInColumns(d->shape)
        || (d->session.database().tellsRowLocks && !d->session->standby());
    const QString untold = firstTextOf(
        checks, [&](const FieldCheck &check) { return untoldOf(d->shape, check, seesLocks); });
    if (!untold.isEmpty()) {
        return uncounted(doing, u"nothing tells here "_s + untold,
                         u"Leave that out of the filter, or name its column in the mapping"_s);
    }
    const auto push = TRY(d->dialect->push(checks, PayloadTexts::Within));
    if (!push.rest.isEverything()) {
        const QString name = firstTextOf(push.rest, [](const FieldCheck &check) {
            return check.name.isEmpty() ? u"a word"_s : check.name;
        });
        return uncounted(doing, u"the database cannot tell `%1` by itself"_s.arg(name),
                         u"Leave that out of the filter"_s);
    }
    for (const ParkedRow &row : parked)
        aside.ids += row.id;
    const QStringList without = d->dialect->keyTexts(aside.ids);
    const auto rows
        = d->session->query(d->dialect->countOf(push.condition, without, request.most), doing);
    if (!rows)
        return Failure(d->errorBy(aside.filter, rows.error()));
    const auto told = rows->size() > 0 ? rows->integer(0, 0) : std::nullopt;
    if (!told)
        return fail(Error::Kind::Protocol, doing, u"the answer holds no number"_s);
    qint64 counted = *told;
    if (without.isEmpty())
        return counted;
    aside.limit = mostParkedOfPage;
    aside.payloadPrefixBytes = 0;
    while (counted <= request.most) {
        const auto some = TRY(page(aside, parked));
        if (some.undecided > 0) {
            return uncounted(doing, u"the payload of a row that is set aside is too long to tell"_s,
                             u"Leave the payload out of the filter"_s);
        }
        counted += some.rows.size();
        if (some.next.isEmpty())
            break;
        aside.after = some.next;
    }
    return std::min(counted, request.most + 1);
}

} // namespace outbox
