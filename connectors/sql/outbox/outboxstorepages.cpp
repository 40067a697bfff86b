// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pages of an outbox store: what the database finds by itself, what is searched for in the rows
// that it gives, and which of them are parked.
#include "connectors/sql/dialect/tableholder.h"
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "connectors/sql/outbox/parkedrows.h"
#include "connectors/sql/outbox/rowreader.h"
#include "models/elapsed.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/shape/keytime.h"

#include <QElapsedTimer>
#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Rows as one statement gave them.
struct ReadRows
{
    QList<Message> rows;
    QList<QStringList> places; ///< of each row, for a cursor
    bool more = false;
    QString statement;
};

namespace {

constexpr int mostRowsOfPage = 10'000;
/// Above it nobody waits for the database to look into the documents of all rows.
constexpr double mostRowsLookedInto = 200'000;

/// What leads from a page to those around it.
void setTurns(MessagePage &page, const QList<QStringList> &places, bool newestFirst)
{
    if (places.isEmpty())
        return;
    page.back = cursorText(!newestFirst, places.constFirst());
    page.turn = cursorText(!newestFirst, places.constLast());
    for (qsizetype row = MessagePage::step; row < places.size(); row += MessagePage::step)
        page.steps += cursorText(newestFirst, places.at(row - 1));
}

/// Whether a page of these rows goes by the time. A sample said so of keys that hold it: among them
/// one of another kind takes it back, and so does a server that orders their texts in another way,
/// as by a collation in which "aa" is the last letter.
bool isInOrderOfTime(const Dialect &dialect, const QList<Message> &rows)
{
    if (!dialect.pagesGoByTime())
        return false;
    const OutboxShape &shape = dialect.shape();
    const CatalogColumn *key = dialect.table().column(shape.keyColumn);
    const bool isByKey = key && shape.orderIs == OutboxShape::OrderIs::Time
        && shape.order.constFirst() == shape.keyColumn
        && (key->typeClass == TypeClass::Uuid || key->typeClass == TypeClass::Text);
    if (!isByKey)
        return true;
    QStringList keys;
    for (const Message &row : rows)
        keys += row.id.text;
    return areKeysOfTime(keys)
        && (std::is_sorted(keys.cbegin(), keys.cend())
            || std::is_sorted(keys.crbegin(), keys.crend()));
}

constexpr qint64 mostPagePayloadBytes = 64'000'000;

/// The parts of `checks` with this need, or without it.
CheckNode partsOf(const CheckNode &checks, bool FilterNeeds::*need, bool with)
{
    CheckNode some;
    std::copy_if(checks.parts.begin(), checks.parts.end(), std::back_inserter(some.parts),
                 [&](const CheckNode &part) { return needsOf(part).*need == with; });
    return some;
}

/// A question for rows where some are parked: what the store is asked, and which rows are meant.
class ParkedSight
{
public:
    ParkedSight(const PageRequest &request, const CheckNode &checks, const QList<ParkedRow> &rows,
                bool uuidKeys)
        : m_request(request), m_asked(request), m_parked(parkedById(rows)),
          m_checks(statePart(checks)), m_uuidKeys(uuidKeys)
    {
        if (!rows.isEmpty())
            m_asked.filter = widenedForParked(request.filter);
        m_parkedOnly = request.states.contains(MessageState::Parked);
        if (!m_parkedOnly && statesWithin(request.filter) != QList{MessageState::Parked})
            return;
        m_asked.states.clear();
        m_asked.ids.clear();
        const QSet<MessageId> wanted(request.ids.begin(), request.ids.end());
        for (const ParkedRow &row : rows) {
            if (wanted.isEmpty() || wanted.contains(row.id))
                m_asked.ids += row.id;
        }
        m_isNone = m_asked.ids.isEmpty();
    }

    [[nodiscard]] const PageRequest &asked() const { return m_asked; }
    [[nodiscard]] bool isNone() const { return m_isNone; } ///< nothing need be asked
    /// What was asked for by its state may be parked, and the other way round.
    void tell(QList<Message> &rows) const
    {
        if (m_parked.isEmpty())
            return;
        for (Message &row : rows)
            markParked(row, m_parked);
        rows.removeIf([this](const Message &row) {
            const bool isParked = row.state == MessageState::Parked;
            return (m_parkedOnly && !isParked)
                || (!m_parkedOnly && !m_request.states.isEmpty() && isParked)
                || truthOf(m_checks, row, m_uuidKeys) == Truth::No;
        });
    }

private:
    const PageRequest &m_request;
    PageRequest m_asked;
    ParkedById m_parked;
    CheckNode m_checks; ///< of states
    bool m_uuidKeys;
    bool m_parkedOnly = false;
    bool m_isNone = false;
};

/// Fails with Invalid where states are asked for that cannot be listed together.
Result<ParkedSight> sightOf(const PageRequest &request, const QList<ParkedRow> &parked,
                            bool uuidKeys)
{
    if (request.states.contains(MessageState::Parked) && request.states.size() > 1) {
        return fail(Error::Kind::Invalid, u"listing rows"_s,
                    u"parked rows are listed apart from those in other states"_s, {},
                    u"Ask for them by --filter state:parked,failed"_s);
    }
    const auto checks = TRY(checksOf(request.filter, FilterSubject::Rows, request.at));
    return ParkedSight(request, checks, parked, uuidKeys);
}

} // namespace

Result<void> OutboxStore::Private::fillReferences(const SqlRows &rows, QList<Message> &messages,
                                                  qint64 payloadLimit)
{
    QList<Reference> wanted;
    for (qsizetype row = 0; row < messages.size(); ++row)
        wanted += {rows.text(row, PageColumn::RefTable), rows.text(row, PageColumn::RefId)};
    const auto found = TRY(references->read(*session, *dialect, wanted, payloadLimit));
    for (qsizetype row = 0; row < messages.size(); ++row) {
        messages[row].payload = found.at(row).json;
        messages[row].payloadBytes = found.at(row).bytes;
        if (!found.at(row).problem.isEmpty())
            messages[row].note = found.at(row).problem;
    }
    return {};
}

Error OutboxStore::Private::errorBy(const Filter &filter, const Error &error)
{
    Error told = withTableHolder(error, *session, shape.table);
    const QString &deadlineCode = session.database().deadlineCode;
    if (!filter.isEmpty() && !deadlineCode.isEmpty() && told.code == deadlineCode)
        told.hint
            = u"No index finds these rows quickly: narrow the filter, say by state or by created"_s;
    return told;
}

Result<ReadRows> OutboxStore::Private::readRows(const PageRequest &request, const RowSpan &span,
                                                const SqlFragment &condition, const QString &doing)
{
    const SqlText sql = dialect->rowsIn(span, request, condition);
    const auto rows = session->query(sql, doing);
    if (!rows)
        return Failure(errorBy(request.filter, rows.error()));
    ReadRows read;
    read.statement = sql.text;
    read.more = rows->size() > request.limit;
    const qsizetype count = qMin<qsizetype>(rows->size(), request.limit);
    for (qsizetype row = 0; row < count; ++row) {
        read.rows += messageFrom(*rows, row, shape);
        // a prefix of text was cut by characters
        read.rows.last().payload.truncate(request.payloadPrefixBytes);
        read.places += rows->texts(row, PageColumn::FirstOfCursor);
    }
    if (shape.payloadForm == OutboxShape::PayloadForm::Reference) {
        TRY(fillReferences(*rows, read.rows, request.payloadPrefixBytes));
    }
    return read;
}

Result<MessagePage> OutboxStore::Private::search(PageRequest request, RowSpan span,
                                                 const SqlFragment &condition,
                                                 const CheckNode &rest, const QString &doing)
{
    const bool uuidKeys = dialect->keysAreUuids();
    const int limit = request.limit;
    const int shown = request.payloadPrefixBytes;
    request.limit = rowsOfStep;
    if (needsOf(rest).payload)
        request.payloadPrefixBytes = qMax(shown, payloadBytesOfStep);
    MessagePage page;
    page.reach = FilterReach::Scan;
    QList<QStringList> places;
    qint64 bytes = 0;
    for (bool more = true; more;) {
        auto step = TRY(readRows(request, span, condition, doing));
        if (page.statements.isEmpty())
            page.statements = {step.statement};
        more = step.more;
        for (qsizetype i = 0; i < step.rows.size(); ++i) {
            Message &row = step.rows[i];
            bytes += row.payload.size();
            const Truth truth = truthOf(rest, row, uuidKeys);
            if (truth == Truth::Yes && page.rows.size() == limit) { // where the next page begins
                page.next = cursorText(request.newestFirst, span.after);
                setTurns(page, places, request.newestFirst);
                return page;
            }
            span.after = step.places.at(i);
            ++page.searched;
            page.undecided += truth == Truth::Unknown ? 1 : 0;
            if (truth != Truth::Yes)
                continue;
            if (row.payload.size() > shown && !request.keepsPayload)
                row.payload.truncate(shown);
            page.rows += row;
            places += span.after;
        }
        if (more && (page.searched >= request.searchRows || bytes >= mostPagePayloadBytes)) {
            page.next = cursorText(request.newestFirst, span.after);
            break;
        }
    }
    setTurns(page, places, request.newestFirst);
    return page;
}

Result<MessagePage> OutboxStore::page(const PageRequest &request)
{
    const QString doing = u"listing the rows of "_s + d->shape.table.text();
    TRY(d->ready(doing));
    if (d->shape.keyColumns().isEmpty()) {
        return fail(Error::Kind::Unsupported, doing, u"a table without a key cannot be paged"_s, {},
                    u"Add a primary key, or a unique column that is never empty."_s);
    }
    if (const QString mark = d->shape.processedWhenColumn();
        request.processedWithinSeconds && !mark.isEmpty() && d->shape.zoneOf(mark).isEmpty()) {
        return fail(Error::Kind::Unsupported, doing,
                    u"nobody said the time zone of \"%1\", by which rows are chosen"_s.arg(mark),
                    {}, timeZoneHint);
    }
    const auto checks = TRY(checksOf(request.filter, FilterSubject::Rows, request.at));
    const auto push = TRY(d->dialect->push(checks, PayloadTexts::Apart));
    QElapsedTimer clock;
    clock.start();
    PageRequest bounded = request;
    bounded.limit = qBound(1, request.limit, mostRowsOfPage);
    bounded.payloadPrefixBytes = qMax(0, request.payloadPrefixBytes);
    RowSpan span{d->dialect->pageOrder(request.newestFirst), {}, {}};
    if (!request.after.isEmpty()) {
        span.after = TRY(placeOfCursor(request.after, request.newestFirst, span.order.size()));
    }
    const CheckNode rest = partsOf(push.rest, &FilterNeeds::queue, false);
    if (rest.parts.size() < push.rest.parts.size() && needsOf(push.rest).payload) {
        bounded.keepsPayload = true; // for whoever asks the queue
        bounded.payloadPrefixBytes = qMax(bounded.payloadPrefixBytes, payloadBytesOfStep);
        bounded.limit = qMin(bounded.limit, rowsOfStep);
    }
    MessagePage page;
    if (!rest.isEverything()) {
        page = TRY(d->search(bounded, span, push.condition, rest, doing));
    } else {
        // The database looks into documents itself, but what is rare in many rows it does not find
        // in time: then the rows that the other parts leave are searched. In a large table that is
        // not even tried, since it would take the whole deadline.
        const CheckNode slow = partsOf(checks, &FilterNeeds::payload, true);
        const bool maySearch = !slow.isEverything() && !needsOf(slow).columns
            && !needsOf(slow).queue && push.rest.isEverything();
        const bool isSlow = maySearch
            && (d->tooSlow == request.filter
                || d->dialect->table().estimatedRows > mostRowsLookedInto);
        auto read = isSlow ? Result<ReadRows>(ReadRows())
                           : d->readRows(bounded, span, push.condition, doing);
        if (maySearch
            && (isSlow || (!read && read.error().kind == Error::Kind::Timeout && isOpen()))) {
            d->tooSlow = request.filter;
            const auto others = TRY(d->dialect->push(partsOf(checks, &FilterNeeds::payload, false),
                                                     PayloadTexts::Apart));
            auto found = d->search(bounded, span, others.condition, slow, doing);
            if (found)
                found->tookMs = millisecondsOf(clock);
            return found;
        }
        if (!read)
            return passOn(read);
        page.rows = std::move(read->rows);
        page.statements = {read->statement};
        if (read->more)
            page.next = cursorText(request.newestFirst, read->places.last());
        setTurns(page, read->places, request.newestFirst);
        if (!push.rest.isEverything())
            page.reach = FilterReach::Queue;
    }
    page.tookMs = millisecondsOf(clock);
    return page;
}

Result<MessagePage> OutboxStore::page(const PageRequest &request, const QList<ParkedRow> &parked)
{
    const auto sight = TRY(sightOf(request, parked, d->shape.hasUuidKeys()));
    if (sight.isNone())
        return MessagePage();
    // A page that is empty by it is followed by the next, of which there are not more than parked
    // rows fill.
    PageRequest asked = sight.asked();
    qint64 searched = 0;
    qint64 undecided = 0;
    while (true) {
        auto found = page(asked);
        if (!found)
            return found;
        searched += found->searched;
        undecided += found->undecided;
        found->searched = searched;
        found->undecided = undecided;
        found->isByTime = isInOrderOfTime(*d->dialect, found->rows);
        const bool wasEmpty = found->rows.isEmpty();
        sight.tell(found->rows);
        if (wasEmpty || !found->rows.isEmpty() || found->next.isEmpty())
            return found;
        asked.after = found->next;
    }
}

Result<MessagePage> OutboxStore::search(const PageRequest &request, qint64 rows,
                                        const QList<ParkedRow> &parked)
{
    const auto sight = TRY(sightOf(request, parked, d->shape.hasUuidKeys()));
    if (sight.isNone())
        return MessagePage();
    auto slice = search(sight.asked(), rows);
    if (slice)
        sight.tell(slice->rows);
    return slice;
}

} // namespace outbox
