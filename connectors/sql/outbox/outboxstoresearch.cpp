// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A search of an outbox store through its whole table, one slice at a time.
#include "connectors/sql/driver/timed.h"
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "connectors/sql/outbox/rowreader.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

bool OutboxStore::Private::pagesHaveIndex()
{
    const auto advice = indexes.missing(*session, *dialect, session.dialect());
    return std::none_of(advice.begin(), advice.end(),
                        [](const IndexAdvice &one) { return one.isOfPages; });
}

QList<SortColumn> OutboxStore::Private::searchOrder(bool newestFirst, bool byPages) const
{
    if (byPages)
        return dialect->pageOrder(newestFirst);
    QList<SortColumn> order = dialect->countOrder();
    for (SortColumn &one : order)
        one.descending = newestFirst;
    return order;
}

Result<MessagePage> OutboxStore::search(const PageRequest &request, qint64 rows)
{
    const QString doing = u"searching the rows of "_s + d->shape.table.text();
    TRY(d->ready(doing));
    const auto checks = TRY(checksOf(request.filter, FilterSubject::Rows, request.at));
    const auto push = TRY(d->dialect->push(checks, PayloadTexts::Within));

    MessagePage slice;
    slice.byPages = request.after.isEmpty()
        ? d->dialect->countOrder().isEmpty() || d->pagesHaveIndex()
        : !request.after.startsWith(searchMark);
    RowSpan span{d->searchOrder(request.newestFirst, slice.byPages), {}, {}};
    if (span.order.isEmpty()) {
        return fail(Error::Kind::Unsupported, doing,
                    u"the table has no key along which it could be gone through"_s, {},
                    u"Add a primary key."_s);
    }
    const QString mark = slice.byPages ? QString() : QString(searchMark);
    if (!request.after.isEmpty()) {
        span.after = TRY(
            placeOfCursor(request.after.mid(mark.size()), request.newestFirst, span.order.size()));
    }
    const qint64 wanted = qMax<qint64>(1, rows);
    const auto end = TRY(timed(
        slice, [&] { return d->session->query(d->dialect->placeBehind(span, wanted), doing); }));
    span.upTo = end.texts(0); // none: there are fewer, to the end of the table

    const qsizetype mostFound = qBound(1, request.limit, rowsOfStep);
    const CheckNode &rest = push.rest;
    CheckNode told = rest; // what the queue is asked for is told by others
    told.parts.removeIf([](const CheckNode &part) { return needsOf(part).queue; });
    PageRequest asked = request;
    asked.limit = told.isEverything() ? int(mostFound) : rowsOfStep;
    asked.payloadPrefixBytes = qMax(0, request.payloadPrefixBytes);
    if (needsOf(rest).payload) {
        asked.payloadPrefixBytes = qMax(asked.payloadPrefixBytes, payloadBytesOfStep);
        asked.keepsPayload = asked.keepsPayload || told.parts.size() < rest.parts.size();
    }
    auto read = timed(slice, [&] { return d->readRows(asked, span, push.condition, doing); });
    if (!read)
        return passOn(read);
    slice.statements = {read->statement};

    QStringList cut; // the rest comes with the next slice
    if (read->more)
        cut = read->places.constLast();
    const bool uuidKeys = d->dialect->keysAreUuids();
    for (qsizetype i = 0; i < read->rows.size(); ++i) {
        if (slice.rows.size() == mostFound) {
            cut = read->places.at(i - 1);
            break;
        }
        Message &row = read->rows[i];
        const Truth truth = truthOf(told, row, uuidKeys);
        slice.undecided += truth == Truth::Unknown ? 1 : 0;
        if (truth != Truth::Yes)
            continue;
        if (!asked.keepsPayload && row.payload.size() > request.payloadPrefixBytes)
            row.payload.truncate(request.payloadPrefixBytes);
        slice.rows += row;
    }
    if (!cut.isEmpty())
        span.upTo = cut;
    slice.searched = wanted;
    if (!cut.isEmpty() || span.upTo.isEmpty()) {
        const auto count = TRY(
            timed(slice, [&] { return d->session->query(d->dialect->countIn(span), doing); }));
        slice.searched = count.size() > 0 ? count.integer(0, 0).value_or(0) : 0;
    }
    if (!span.upTo.isEmpty())
        slice.next = mark + cursorText(request.newestFirst, span.upTo);
    return slice;
}

} // namespace outbox
