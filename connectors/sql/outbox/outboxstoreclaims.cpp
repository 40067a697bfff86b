// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's part of the store: claims, their COMMIT, and what a relay asks besides.
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/tableholder.h"
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "connectors/sql/probe/shapecheck.h"
#include "models/filter/pagerequest.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> OutboxStore::Private::readyToClaim(const QString &doing) const
{
    TRY(ready(doing));
    if (session.settings().access != StoreAccess::Relay) {
        return fail(Error::Kind::Refused, doing,
                    session.settings().access == StoreAccess::ReadOnly
                        ? u"this session may only look"_s
                        : u"this session is no relay's"_s);
    }
    QString why = shape.whyNotRelay();
    if (why.isEmpty())
        why = whyOnlyLook(shape, dialect->table(), session.dialect());
    if (!why.isEmpty())
        return fail(Error::Kind::Refused, doing, why);
    if (!dialect->table().transactional) {
        return fail(Error::Kind::Refused, doing,
                    u"the table is kept by an engine that cannot roll back"_s, {},
                    u"ALTER TABLE … ENGINE = InnoDB"_s);
    }
    return {};
}

Result<QList<ClaimedMessage>> OutboxStore::claim(int rows, const QList<MessageId> &parked)
{
    TRY(sendClaim({rows, parked, {}}));
    auto claim = TRY(takeClaim());
    return std::move(claim.rows);
}

Result<void> OutboxStore::sendClaim(const ClaimRequest &request)
{
    const QString doing = d->claiming(request);
    TRY(d->readyToClaim(doing));
    if (d->isShapeDoubted && d->session->underWay() == 0) {
        TRY(use(OutboxShape(d->shape)));
    }
    return d->claims.send(d->toolsFor(doing), request);
}

Result<Claim> OutboxStore::takeClaim()
{
    const QString doing = d->claiming(d->claims.asked());
    TRY(d->readyToClaim(doing));
    auto claim = d->claims.take(d->toolsFor(doing));
    if (!claim && claim.error().kind == Error::Kind::Invalid)
        d->isShapeDoubted = true;
    if (claim && claim->rows.isEmpty())
        d->doubtIfPartitioned();
    if (!claim && d->session->underWay() == 0)
        return tl::unexpected(withTableHolder(claim.error(), *d->session, d->shape.table));
    return claim;
}

void OutboxStore::Private::doubtIfPartitioned()
{
    constexpr int everyMs = 1000;
    if (!partitionsUnknown.hasExpired() || session->underWay() > 0)
        return;
    partitionsUnknown.setRemainingTime(everyMs);
    const SqlText question = dialect->isPartitionedNow();
    if (question.text.isEmpty())
        return;
    const auto partitioned
        = session->query(question, u"looking at the kind of "_s + shape.table.text());
    isShapeDoubted = isShapeDoubted || (partitioned && partitioned->size() > 0);
}

bool OutboxStore::isFilePlace(const QStringList &place) const
{
    return d->dialect && d->dialect->isFilePlace(place);
}

QStringList OutboxStore::startOfFile() const
{
    const QString start = d->dialect ? d->dialect->startOfFile() : QString();
    return start.isEmpty() ? QStringList() : QStringList{start};
}

Result<SingleClaim> OutboxStore::claimSingle(const MessageId &id, const QList<MessageId> &parked,
                                             qint64 mostPayloadBytes, const QStringList &queues)
{
    const QString doing = u"claiming one message from "_s + d->shape.table.text();
    TRY(d->readyToClaim(doing));
    return d->claims.takeAlone(d->toolsFor(doing), id,
                               {1, parked, {}, false, mostPayloadBytes, false, queues});
}

Result<QList<RefusedRow>> OutboxStore::consumeLocked(const QList<MessageId> &ids, bool areSuspect)
{
    const QString doing
        = u"taking %1 messages from %2"_s.arg(ids.size()).arg(d->shape.table.text());
    TRY(d->readyToClaim(doing));
    return d->claims.consumeLocked(d->toolsFor(doing), ids, areSuspect);
}

bool OutboxStore::mayOverlap() const
{
    return !d->session.database().isFile();
}

Result<bool> OutboxStore::anyLeft(const QList<MessageId> &parked)
{
    const QString doing = u"looking for rows left in "_s + d->shape.table.text();
    TRY(d->ready(doing));
    const auto left
        = TRY(d->session->query(d->dialect->anyLeft(d->dialect->keyTexts(parked)), doing));
    return left.size() > 0;
}

Result<void> OutboxStore::verifyClaim()
{
    const QString doing = u"checking the claim on "_s + d->shape.table.text();
    TRY(d->ready(doing));
    if (!d->claims.isOpen())
        return fail(Error::Kind::Conflict, doing, u"no claim is open"_s);
    return d->session->verifyTransaction(doing);
}

const QList<MessageId> &OutboxStore::taken() const
{
    return d->claims.taken();
}

Result<void> OutboxStore::sendCommit(const QList<DeliveryProof> &proofs)
{
    const QString doing = d->committing();
    TRY(d->ready(doing));
    return d->claims.sendCommit(d->toolsFor(doing), proofs);
}

Result<void> OutboxStore::takeCommit()
{
    const QString doing = d->committing();
    TRY(d->ready(doing));
    return d->claims.takeCommit(*d->session, doing);
}

Result<void> OutboxStore::rollback()
{
    if (!isOpen()) {
        d->claims.forget();
        return {}; // the server rolled back when the session ended
    }
    return d->claims.rollback(*d->session,
                              u"giving the claim on %1 back"_s.arg(d->shape.table.text()));
}

Result<void> OutboxStore::makeDurable()
{
    const QString doing = u"waiting until the rows are on the server's disk"_s;
    TRY(d->ready(doing));
    if (d->claims.isOpen())
        return fail(Error::Kind::Conflict, doing, u"a claim is open"_s);
    const SqlDatabase &database = d->session.database();
    if (!database.hasBarrier()) {
        return fail(Error::Kind::Unsupported, doing, u"only PostgreSQL can be asked for that"_s, {},
                    u"Leave the barrier off, and let every writer commit synchronously"_s);
    }
    TRY(d->session->query({database.barrier, {}}, doing));
    return {};
}

Result<void> OutboxStore::noteFailure(const MessageId &id, const QString &reason)
{
    const QString doing = u"noting the failed try of "_s + id.text;
    TRY(d->ready(doing));
    if (d->claims.isOpen())
        return fail(Error::Kind::Conflict, doing, u"a claim is open"_s);
    const auto note
        = d->dialect->isKeyText(id.text) ? d->dialect->noteFailure(id.text, reason) : std::nullopt;
    if (!note)
        return {};
    const auto noted = d->session->query(*note, doing);
    const QString &heldRowCode = d->session.database().heldRowCode;
    if (!noted && !heldRowCode.isEmpty() && noted.error().code == heldRowCode)
        return {}; // it is held
    return noted ? Result<void>() : Result<void>(passOn(noted));
}

Result<bool> OutboxStore::takeJobLock()
{
    TRY(d->ready(u"beginning a run"_s));
    return d->job.take(*d->session, d->session.settings().url, d->dialect->table().name);
}

Result<void> OutboxStore::releaseJobLock()
{
    TRY(d->ready(u"ending a run"_s));
    return d->job.release(*d->session, d->session.settings().url, d->dialect->table().name);
}

Result<OutboxStore::Fate> OutboxStore::fateOf(const QList<MessageId> &rows)
{
    Fate fate = Fate::Gone;
    for (qsizetype from = 0; from < rows.size(); from += rowsOfStep) {
        PageRequest request;
        request.ids = rows.mid(from, rowsOfStep);
        request.limit = rowsOfStep;
        request.payloadPrefixBytes = 0;
        const auto found = TRY(page(request));
        for (const Message &row : found.rows) {
            if (row.state == MessageState::Locked)
                fate = Fate::Held;
            else if (row.state != MessageState::Processed)
                return Fate::Back; // one transaction: then it is none of them
        }
    }
    return fate;
}

} // namespace outbox
