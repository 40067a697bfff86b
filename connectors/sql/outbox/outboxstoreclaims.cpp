// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's part of the store: claims, their COMMIT, and what a relay asks besides.
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/tableholder.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/outbox/heldrows.h"
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "connectors/sql/probe/shapecheck.h"
#include "models/filter/pagerequest.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What the server itself refused did not happen; without its word, or by its own admission, the
/// outcome is not known.
bool isCertain(const Error &error)
{
    return !error.code.isEmpty() && error.kind != Error::Kind::Unreachable
        && error.code != u"40003";
}

} // namespace

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
    if (!dialect->table().transactional)
        return tl::unexpected(notTransactional(doing, session.database()));
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
    if ((d->isShapeDoubted || d->fence.isDueAgain()) && d->session->underWay() == 0) {
        TRY(use(OutboxShape(d->shape)));
    }
    OpenClaim &claim = d->claim;
    if (claim.stage != OpenClaim::Stage::None)
        return fail(Error::Kind::Conflict, doing, u"the last claim is still open"_s);
    claim.asked = request;
    claim.isTaken = false;
    claim.taken.clear();
    auto sent = d->askForClaim(doing);
    if (sent)
        claim.stage = OpenClaim::Stage::Sent;
    return sent;
}

Result<void> OutboxStore::Private::askForClaim(const QString &doing) const
{
    if (!session->sendsAhead())
        return {};
    const ClaimScope scope = scopeOf(claim.asked, *dialect);
    return session->send(
        {{u"BEGIN"_s, {}}, claim.asked.held ? dialect->hold(scope) : dialect->claim(scope)}, doing);
}

Result<Claim> OutboxStore::Private::answeredClaim(const QString &doing)
{
    const ClaimContext tools = toolsFor(doing);
    if (!session->sendsAhead())
        return takeAtOnce(tools, claim.asked);
    const auto taken = TRY(session->receive(doing));
    return claimFrom(tools, taken, claim.asked);
}

Result<Claim> OutboxStore::Private::takeSent(const QString &doing)
{
    if (claim.stage != OpenClaim::Stage::Sent || claim.isCommitting) {
        return fail(Error::Kind::Conflict, doing,
                    claim.isCommitting ? u"the answer of the commit before comes first"_s
                                       : u"no claim was sent"_s);
    }
    claim.stage = OpenClaim::Stage::None;
    auto found = answeredClaim(doing);
    if (!found && wasForgotten(found.error())) { // the session prepares nothing from now on
        TRY(session->rollback(doing));
        TRY(askForClaim(doing));
        found = answeredClaim(doing);
    }
    if (!found || found->rows.isEmpty()) {
        const auto undone = session->rollback(doing);
        if (found && !undone)
            return passOn(undone);
        if (!found)
            found.error() = session->explained(found.error());
        return found;
    }
    claim.stage = OpenClaim::Stage::Open;
    claim.taken.reserve(claim.asked.held ? 0 : found->rows.size());
    for (qsizetype row = 0; !claim.asked.held && row < found->rows.size(); ++row)
        claim.taken += found->rows.at(row).id;
    return found;
}

Result<Claim> OutboxStore::takeClaim()
{
    const QString doing = d->claiming(d->claim.asked);
    TRY(d->readyToClaim(doing));
    auto claim = d->takeSent(doing);
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
    if (d->claim.stage != OpenClaim::Stage::None || d->claim.isCommitting)
        return fail(Error::Kind::Conflict, doing, u"the last claim is still open"_s);
    d->claim.asked = {1, parked, {}, false, mostPayloadBytes, false, queues};
    const ClaimContext tools = d->toolsFor(doing);
    TRY(tools.session.begin(doing));
    SingleClaim single{id, {}, {}};
    if (id.isEmpty()) {
        const auto first = tools.session.query(
            tools.dialect.firstDue(scopeOf(d->claim.asked, tools.dialect)), doing);
        if (!first) {
            static_cast<void>(tools.session.rollback(doing)); // the first error is the one to tell
            return tl::unexpected(tools.session.explained(first.error()));
        }
        if (first->size() > 0)
            single.id.text = first->text(0, 0);
    }
    if (!single.id.isEmpty() && tools.dialect.isKeyText(single.id.text)) {
        auto taken = takeOne(tools, single.id.text, mostPayloadBytes);
        if (!taken)
            single.error = taken.error();
        else if (!taken->rows.isEmpty())
            single.row = std::move(taken->rows.first());
    }
    if (single.row) {
        d->claim.stage = OpenClaim::Stage::Open;
        d->claim.taken = {single.row->id};
        return single;
    }
    const auto undone = tools.session.rollback(doing);
    if (!undone && !single.error)
        return passOn(undone);
    if (single.error)
        single.error = tools.session.explained(*single.error);
    return single;
}

Result<QList<RefusedRow>> OutboxStore::consumeLocked(const QList<MessageId> &ids, bool areSuspect)
{
    const QString doing
        = u"taking %1 messages from %2"_s.arg(ids.size()).arg(d->shape.table.text());
    TRY(d->readyToClaim(doing));
    OpenClaim &claim = d->claim;
    if (!claim.isOpen() || !claim.asked.held || claim.isTaken)
        return fail(Error::Kind::Conflict, doing, u"no claim is held"_s);
    HeldRows rows(*d->session, *d->dialect, doing);
    auto refused = rows.take(d->dialect->keyTexts(ids), areSuspect);
    claim.isTaken = refused.has_value();
    if (!refused)
        return refused;
    QSet<MessageId> staying;
    for (const RefusedRow &row : std::as_const(*refused))
        staying += row.first;
    claim.taken = ids;
    claim.taken.removeIf([&staying](const MessageId &id) { return staying.contains(id); });
    return refused;
}

bool OutboxStore::mayOverlap() const
{
    return !d->session.database().isFile();
}

bool OutboxStore::isPooled() const
{
    return d->session && d->session->isPooled();
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
    if (!d->claim.isOpen())
        return fail(Error::Kind::Conflict, doing, u"no claim is open"_s);
    return d->session->verifyTransaction(doing);
}

const QList<MessageId> &OutboxStore::taken() const
{
    return d->claim.taken;
}

Result<void> OutboxStore::sendCommit(const QList<DeliveryProof> &proofs,
                                     const QList<RelayLife> &lives)
{
    const QString doing = d->committing();
    TRY(d->ready(doing));
    if (!d->claim.isOpen())
        return fail(Error::Kind::Conflict, doing, u"no claim is open"_s);
    d->claim.lives = lives;
    if (d->areAllProven(proofs))
        return d->sendEnd({}, doing);
    if (d->claim.asked.held && d->claim.isTaken)
        return d->sendCommitOfSome(proofs, doing);
    const qsizetype taken = d->claim.taken.size();
    static_cast<void>(d->giveBack(doing)); // what follows is the one to tell
    return fail(Error::Kind::Conflict, doing,
                u"%1 rows were taken, and the queue answered for %2 of them"_s.arg(taken).arg(
                    proofs.size()),
                {}, u"Nothing was given up: the rows are claimed again"_s);
}

bool OutboxStore::Private::areAllProven(const QList<DeliveryProof> &proofs) const
{
    return std::equal(
        claim.taken.cbegin(), claim.taken.cend(), proofs.cbegin(), proofs.cend(),
        [](const MessageId &id, const DeliveryProof &proof) { return id == proof.row(); });
}

Result<void> OutboxStore::Private::sendCommitOfSome(const QList<DeliveryProof> &proofs,
                                                    const QString &doing)
{
    QList<MessageId> ids;
    for (const DeliveryProof &proof : proofs)
        ids += proof.row();
    const QStringList keys = dialect->keyTexts(ids);
    const auto exactly = dialect->consumeExactly(keys);
    if (exactly && session->sendsAhead())
        return sendEnd({HeldRows::giveUp(), *exactly}, doing);
    HeldRows rows(*session, *dialect, doing);
    const auto refused = rows.consumeAgain(keys);
    if (refused && refused->isEmpty())
        return sendEnd({}, doing);
    // They were taken a moment ago; what is told is the first error, not one of the rollback.
    static_cast<void>(giveBack(doing));
    return tl::unexpected(refused ? refused->first().second : refused.error());
}

Result<void> OutboxStore::Private::sendEnd(const QList<SqlText> &end, const QString &doing)
{
    if (claim.asked.held && !claim.isTaken)
        return fail(Error::Kind::Conflict, doing, u"the rows are held and not taken"_s);
    claim.stage = OpenClaim::Stage::None;
    claim.parts = 1;
    if (session->sendsAhead()) {
        const SqlText commit{u"COMMIT"_s, {}};
        const SqlText kept = fence.isUsed() ? fence.put(claim.lives) : SqlText();
        QList<QList<SqlText>> parts;
        if (kept.isEmpty()) {
            parts.append(end + QList<SqlText>{commit});
        } else { // with an answer of its own: where it fails no row is at fault
            if (!end.isEmpty()) // which may undo what stands before it
                parts.append(end);
            parts.append(QList<SqlText>{kept});
            parts.append(QList<SqlText>{commit});
        }
        for (const QList<SqlText> &part : std::as_const(parts)) {
            if (auto sent = session->send(part, doing); !sent) {
                static_cast<void>(giveBack(doing)); // `sent` is the one to tell
                return sent;
            }
        }
        claim.parts = static_cast<int>(parts.size());
    }
    claim.isCommitting = true;
    return {};
}

Failure OutboxStore::Private::unkept(const Error &error, const QString &doing)
{
    using Kind = Error::Kind;
    if (error.kind == Kind::Conflict || error.kind == Kind::Timeout
        || error.kind == Kind::Unreachable)
        return Failure(error); // it passes
    if (wasForgotten(error)) // the session prepares nothing from now on; no row is at fault
        return fail(Kind::Conflict, doing, error.text);
    fence.giveUp(error.text);
    const QString told = u"%1 is not written to any more (%2), and tried again after a minute: "
                         "what is delivered is remembered on the relay's host alone"_s.arg(
                             fence.tableText(), error.text);
    if (const auto &servers = session.settings().servers)
        servers->news += servers->news.isEmpty() ? told : QString(u"; "_s + told);
    return fail(
        Kind::Conflict, doing,
        u"the server rolled the transaction back, since %1 could not be written to: %2"_s.arg(
            fence.tableText(), error.text),
        {}, u"The rows are in the outbox and go without that table"_s);
}

Result<void> OutboxStore::Private::endAtOnce(const QString &doing)
{
    // Not before: the line would be held against the next batch of this relay.
    if (const SqlText kept = fence.isUsed() ? fence.put(claim.lives) : SqlText(); !kept.isEmpty()) {
        if (const auto written = session->query(kept, doing); !written) {
            static_cast<void>(session->rollback(doing)); // `written` is the one to tell
            return unkept(written.error(), doing);
        }
    }
    return session->commit(doing);
}

Result<void> OutboxStore::Private::takeEnd(const QString &doing)
{
    std::optional<Error> failed;
    bool isOfFence = false;
    for (int left = std::exchange(claim.parts, 1); left > 1; --left) {
        const auto done = session->receive(doing);
        if (!done && !session->isUp()) { // its first word is the reason
            session->close();
            return passOn(done);
        }
        if (done || failed)
            continue;
        failed = done.error();
        isOfFence = left == 2;
    }
    const auto done = session->receive(doing);
    if (!done) {
        if (!isCertain(done.error()))
            session->close();
        else if (session->underWay() == 0) // what stood before the COMMIT failed
            static_cast<void>(session->rollback(doing));
        return passOn(done);
    }
    if (done->command == "COMMIT" && !failed)
        return {};
    // Of a failed transaction: no error, but ROLLBACK. A COMMIT behind what failed was of nothing.
    if (failed)
        return isOfFence ? unkept(*failed, doing) : Failure(*failed);
    return fail(Error::Kind::Conflict, doing, u"the server rolled the transaction back"_s);
}

Result<void> OutboxStore::takeCommit()
{
    const QString doing = d->committing();
    TRY(d->ready(doing));
    if (!std::exchange(d->claim.isCommitting, false))
        return fail(Error::Kind::Conflict, doing, u"no commit was sent"_s);
    return d->session->sendsAhead() ? d->takeEnd(doing) : d->endAtOnce(doing);
}

Result<void> OutboxStore::rollback()
{
    if (!isOpen()) {
        d->claim.forget();
        return {}; // the server rolled back when the session ended
    }
    return d->giveBack(u"giving the claim on %1 back"_s.arg(d->shape.table.text()));
}

Result<void> OutboxStore::Private::giveBack(const QString &doing)
{
    claim.forget();
    while (session->underWay() > 0) {
        if (const auto late = session->receive(doing); !late && !session->isUp())
            return {}; // the server rolls back when the session ends
    }
    return session->rollback(doing);
}

Result<void> OutboxStore::makeDurable()
{
    const QString doing = u"waiting until the rows are on the server's disk"_s;
    TRY(d->ready(doing));
    if (d->claim.isOpen())
        return fail(Error::Kind::Conflict, doing, u"a claim is open"_s);
    const SqlDatabase &database = d->session.database();
    if (!database.hasBarrier()) {
        return fail(Error::Kind::Unsupported, doing, database.name + u" cannot be asked for that"_s,
                    {}, u"Leave the barrier off, and let every writer commit synchronously"_s);
    }
    return d->session.passBarrier(doing);
}

Result<void> OutboxStore::noteFailure(const MessageId &id, const QString &reason)
{
    const QString doing = u"noting the failed try of "_s + id.text;
    TRY(d->ready(doing));
    if (d->claim.isOpen())
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
