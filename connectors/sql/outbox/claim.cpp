// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/claim.h"

#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/outbox/claimrows.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What is read as it lies is begun so, too: the index may hold many dead versions.
QStringList startOf(const QStringList &after, const Dialect &dialect)
{
    return dialect.isFilePlace(after) ? QStringList{dialect.startOfFile()} : QStringList();
}

ClaimScope scopeOf(const ClaimRequest &request, const Dialect &dialect)
{
    return {request.rows,
            dialect.keyTexts(request.parked),
            request.fromStart ? startOf(request.after, dialect) : request.after,
            request.mostPayloadBytes,
            request.queues,
            request.upTo};
}

QStringList keysOf(const SqlRows &read)
{
    QStringList keys;
    keys.reserve(read.size());
    for (qsizetype row = 0; row < read.size(); ++row)
        keys += read.text(row, ClaimColumn::Key);
    return keys;
}

/// Writes to the rows that were read, where reading them did not.
Result<void> takeThem(const ClaimContext &tools, const SqlRows &read)
{
    const auto take = tools.dialect.consumeRead(keysOf(read));
    if (!take)
        return {};
    const auto done = TRY(tools.session.query(*take, tools.doing));
    if (done.affected == read.size())
        return {};
    if (done.affected < read.size())
        return tl::unexpected(keptRow(tools.doing));
    return fail(Error::Kind::Conflict, tools.doing,
                u"%1 rows were read and %2 taken"_s.arg(read.size()).arg(done.affected), {},
                u"The key is not unique."_s);
}

/// The one row of `key` in the open transaction, or none.
Result<Claim> takeOne(const ClaimContext &tools, const QString &key, qint64 mostPayloadBytes)
{
    const auto read
        = TRY(tools.session.query(tools.dialect.claimOnly(key, mostPayloadBytes), tools.doing));
    if (read.size() == 0)
        return Claim();
    TRY(takeThem(tools, read));
    ClaimRequest asked;
    asked.rows = 1;
    asked.mostPayloadBytes = mostPayloadBytes;
    return claimFrom(tools, read, asked);
}

/// The answer of a claim that found nothing; rows may be due that it can never find.
Result<SqlRows> nothingFound(const ClaimContext &tools, bool &hasNoKey)
{
    const auto look = tools.dialect.anyWithoutKey();
    auto keyless = TRY(look ? tools.session.query(*look, tools.doing) : SqlRows());
    hasNoKey = keyless.size() > 0;
    return SqlRows();
}

/// Where the database answers each statement at once.
Result<SqlRows> takeAtOnce(const ClaimContext &tools, const ClaimRequest &asked, bool &hasNoKey)
{
    const auto &[session, dialect, references, doing] = tools;
    const ClaimScope scope = scopeOf(asked, dialect);
    if (const auto look = dialect.anyDue()) {
        const auto due = session.query(*look, doing);
        if (!due || due->size() == 0)
            return due ? nothingFound(tools, hasNoKey) : due;
    }
    TRY(session.begin(doing));
    auto taken = session.query(asked.held ? dialect.hold(scope) : dialect.claim(scope), doing);
    if (taken && taken->size() == 0)
        return nothingFound(tools, hasNoKey);
    if (!taken || asked.held)
        return taken;
    TRY(takeThem(tools, *taken));
    return taken;
}

constexpr qsizetype partsOfPart = 8; ///< a part that fails is tried again in so many
constexpr qsizetype partsAhead = 64; ///< bounds what answers may pile up unread

// A name may stand for several savepoints at once; what is undone is the newest of them. So
// `undoPart` takes back what failed, and nothing where the savepoint behind it was reached: the
// same words either way, which therefore need not wait for an answer.
const SqlText beforeAll{u"SAVEPOINT outboxdeck_held"_s, {}};
const SqlText undoAll{u"ROLLBACK TO SAVEPOINT outboxdeck_held"_s, {}};
const SqlText behindPart{u"SAVEPOINT outboxdeck_part"_s, {}};
const SqlText undoPart{u"ROLLBACK TO SAVEPOINT outboxdeck_part"_s, {}};

/// Of errors that any row would meet: they are no reason to look for one.
bool concernsAll(const Error &error)
{
    using Kind = Error::Kind;
    return error.kind == Kind::Unreachable || error.kind == Kind::Timeout
        || error.kind == Kind::Refused || error.kind == Kind::Conflict;
}

qsizetype takenOf(const SqlRows &outcome)
{
    return outcome.columns > 0 ? outcome.size() : outcome.affected;
}

/// A part of which some rows were taken, nobody knows which, is undone and tried in smaller ones.
bool isUnclear(const SqlRows &outcome, const QStringList &part)
{
    return outcome.columns == 0 && outcome.affected < part.size();
}

QList<QStringList> splitOf(const QStringList &keys)
{
    const qsizetype size = (keys.size() + partsOfPart - 1) / partsOfPart;
    QList<QStringList> parts;
    for (qsizetype from = 0; from < keys.size(); from += size)
        parts += keys.mid(from, size);
    return parts;
}

/// Works between savepoints: a statement that fails takes back itself and nothing else. The rows
/// are tried in parts, those of a part that fails in smaller ones, and a failing part of one row is
/// the row. All parts of a round are sent before the first answer is read, where that can be done.
/// Errors: those of `SqlSession`, where the transaction is not what it was.
class HeldRows
{
public:
    HeldRows(SqlSession &session, const Dialect &dialect, QString doing)
        : m_session(session), m_dialect(dialect), m_doing(std::move(doing))
    { }

    /// Takes the rows of `keys`; `areSuspect`: some of them will be refused.
    [[nodiscard]] Result<QList<RefusedRow>> take(const QStringList &keys, bool areSuspect)
    {
        return takeParts(beforeAll, areSuspect ? splitOf(keys) : QList<Part>{keys});
    }
    /// The same for a second time: those that were taken are given up first.
    [[nodiscard]] Result<QList<RefusedRow>> consumeAgain(const QStringList &keys)
    {
        return takeParts(undoAll, {keys});
    }
    /// Gives up what was taken; the rows stay held.
    [[nodiscard]] static const SqlText &giveUp() { return undoAll; }

private:
    using Part = QStringList;
    using Outcome = Result<SqlRows>;

    /// What became of each part; an error of its own where the transaction is not what it was.
    [[nodiscard]] Result<QList<Outcome>> tryParts(const QList<Part> &parts)
    {
        QList<Outcome> outcomes;
        if (m_session.sendsAhead()) {
            for (qsizetype from = 0; from < parts.size(); from += partsAhead) {
                outcomes += TRY(tryAhead(parts.mid(from, partsAhead)));
            }
            return outcomes;
        }
        for (const Part &part : parts) {
            outcomes += m_session.query(m_dialect.consumeLocked(part), m_doing);
            const bool isTaken = outcomes.last() && !isUnclear(*outcomes.last(), part);
            const auto done = m_session.query(isTaken ? behindPart : undoPart, m_doing);
            if (!done) // a trigger ended the whole transaction: there is nothing left to go back to
                return outcomes.last() ? passOn(done) : passOn(outcomes.last());
        }
        return outcomes;
    }
    [[nodiscard]] Result<QList<Outcome>> tryAhead(const QList<Part> &parts)
    {
        for (const Part &part : parts) {
            TRY(m_session.send({undoPart, m_dialect.consumeLocked(part)}, m_doing));
            TRY(m_session.send({behindPart}, m_doing));
        }
        TRY(m_session.send({undoPart}, m_doing));
        if (std::exchange(m_isMarking, false)) {
            TRY(m_session.receive(m_doing)); // the caller rolls back, which takes the other answers
        }
        QList<Outcome> outcomes;
        for (qsizetype i = 0; i < parts.size(); ++i) {
            outcomes += m_session.receive(m_doing);
            static_cast<void>(m_session.receive(m_doing)); // fails behind a part that failed
        }
        TRY(m_session.receive(m_doing));
        return outcomes;
    }
    /// All parts, and smaller ones of those that fail, behind the savepoint that `first` sets.
    [[nodiscard]] Result<QList<RefusedRow>> takeParts(const SqlText &first, QList<Part> parts)
    {
        const bool ahead = m_session.sendsAhead();
        if (ahead) {
            TRY(m_session.send({first, behindPart}, m_doing));
        } else {
            for (const SqlText &one : {first, behindPart}) {
                TRY(m_session.query(one, m_doing));
            }
        }
        m_isMarking = ahead;
        QList<RefusedRow> refused;
        while (!parts.isEmpty()) {
            const auto outcomes = TRY(tryParts(parts));
            QList<Part> smaller;
            for (qsizetype i = 0; i < parts.size(); ++i) {
                const Part &part = parts.at(i);
                const Outcome &outcome = outcomes.at(i);
                if (!outcome) {
                    if (concernsAll(outcome.error()))
                        return passOn(outcome);
                    if (wasForgotten(outcome.error()))
                        smaller += part;
                    else if (part.size() == 1)
                        refused += RefusedRow{MessageId{part.first()}, outcome.error()};
                    else
                        smaller += splitOf(part);
                    continue;
                }
                if (takenOf(*outcome) == part.size())
                    continue;
                if (isUnclear(*outcome, part) && part.size() > 1) {
                    smaller += splitOf(part);
                    continue;
                }
                if (takenOf(*outcome) > part.size()) {
                    return fail(
                        Error::Kind::Conflict, m_doing,
                        u"%1 rows were held and %2 taken"_s.arg(part.size()).arg(takenOf(*outcome)),
                        {}, u"The key is not unique."_s);
                }
                QSet<QString> taken;
                for (qsizetype row = 0; row < outcome->size(); ++row)
                    taken += outcome->text(row, 0);
                for (const QString &key : part) {
                    if (!taken.contains(key))
                        refused += RefusedRow{MessageId{key}, keptRow(m_doing)};
                }
            }
            parts = smaller;
        }
        return refused;
    }

    SqlSession &m_session;
    const Dialect &m_dialect;
    QString m_doing;
    bool m_isMarking = false; ///< the answer about the first savepoints is to come
};

/// What the server itself refused did not happen; without its word, or by its own admission, the
/// outcome is not known.
bool isCertain(const Error &error)
{
    return !error.code.isEmpty() && error.kind != Error::Kind::Unreachable
        && error.code != u"40003";
}

} // namespace

void ClaimTransaction::forget()
{
    m_stage = Stage::None;
    m_isCommitting = false;
    m_taken.clear();
}

Result<void> ClaimTransaction::ask(const ClaimContext &tools) const
{
    if (!tools.session.sendsAhead())
        return {};
    const ClaimScope scope = scopeOf(m_asked, tools.dialect);
    return tools.session.send(
        {{u"BEGIN"_s, {}}, m_asked.held ? tools.dialect.hold(scope) : tools.dialect.claim(scope)},
        tools.doing);
}

Result<void> ClaimTransaction::send(const ClaimContext &tools, const ClaimRequest &request)
{
    if (m_stage != Stage::None)
        return fail(Error::Kind::Conflict, tools.doing, u"the last claim is still open"_s);
    m_asked = request;
    m_isTaken = false;
    m_taken.clear();
    auto sent = ask(tools);
    if (sent)
        m_stage = Stage::Sent;
    return sent;
}

Result<Claim> ClaimTransaction::answered(const ClaimContext &tools, const ClaimRequest &asked)
{
    bool hasNoKey = false;
    const auto taken = TRY(tools.session.sendsAhead() ? tools.session.receive(tools.doing)
                                                      : takeAtOnce(tools, asked, hasNoKey));
    auto claim = claimFrom(tools, taken, asked);
    if (claim)
        claim->hasNoKey = claim->hasNoKey || hasNoKey;
    return claim;
}

Result<Claim> ClaimTransaction::take(const ClaimContext &tools)
{
    if (m_stage != Stage::Sent || m_isCommitting) {
        return fail(Error::Kind::Conflict, tools.doing,
                    m_isCommitting ? u"the answer of the commit before comes first"_s
                                   : u"no claim was sent"_s);
    }
    m_stage = Stage::None;
    auto claim = answered(tools, m_asked);
    if (!claim && wasForgotten(claim.error())) { // the session prepares nothing from now on
        TRY(tools.session.rollback(tools.doing));
        TRY(ask(tools));
        claim = answered(tools, m_asked);
    }
    if (!claim || claim->rows.isEmpty()) {
        const auto undone = tools.session.rollback(tools.doing);
        if (claim && !undone)
            return passOn(undone);
        if (!claim)
            claim.error() = tools.session.explained(claim.error());
        return claim;
    }
    m_stage = Stage::Open;
    m_taken.reserve(m_asked.held ? 0 : claim->rows.size());
    for (qsizetype row = 0; !m_asked.held && row < claim->rows.size(); ++row)
        m_taken += claim->rows.at(row).id;
    return claim;
}

Result<SingleClaim> ClaimTransaction::takeAlone(const ClaimContext &tools, const MessageId &id,
                                                const ClaimRequest &request)
{
    const auto &[session, dialect, references, doing] = tools;
    if (m_stage != Stage::None || m_isCommitting)
        return fail(Error::Kind::Conflict, doing, u"the last claim is still open"_s);
    m_asked = request;
    TRY(session.begin(doing));
    SingleClaim claim{id, {}, {}};
    if (id.isEmpty()) {
        const auto first = session.query(dialect.firstDue(scopeOf(request, dialect)), doing);
        if (!first) {
            static_cast<void>(session.rollback(doing)); // the first error is the one to tell
            return tl::unexpected(session.explained(first.error()));
        }
        if (first->size() > 0)
            claim.id.text = first->text(0, 0);
    }
    if (!claim.id.isEmpty() && dialect.isKeyText(claim.id.text)) {
        auto taken = takeOne(tools, claim.id.text, request.mostPayloadBytes);
        if (!taken)
            claim.error = taken.error();
        else if (!taken->rows.isEmpty())
            claim.row = std::move(taken->rows.first());
    }
    if (claim.row) {
        m_stage = Stage::Open;
        m_taken = {claim.row->id};
        return claim;
    }
    const auto undone = session.rollback(doing);
    if (!undone && !claim.error)
        return passOn(undone);
    if (claim.error)
        claim.error = session.explained(*claim.error);
    return claim;
}

Result<QList<RefusedRow>> ClaimTransaction::consumeLocked(const ClaimContext &tools,
                                                          const QList<MessageId> &ids,
                                                          bool areSuspect)
{
    if (m_stage != Stage::Open || !m_asked.held || m_isTaken)
        return fail(Error::Kind::Conflict, tools.doing, u"no claim is held"_s);
    HeldRows rows(tools.session, tools.dialect, tools.doing);
    auto refused = rows.take(tools.dialect.keyTexts(ids), areSuspect);
    m_isTaken = refused.has_value();
    if (!refused)
        return refused;
    QSet<MessageId> staying;
    for (const RefusedRow &row : std::as_const(*refused))
        staying += row.first;
    m_taken = ids;
    m_taken.removeIf([&staying](const MessageId &id) { return staying.contains(id); });
    return refused;
}

Result<void> ClaimTransaction::sendEnd(const ClaimContext &tools, const QList<SqlText> &end)
{
    if (m_stage != Stage::Open)
        return fail(Error::Kind::Conflict, tools.doing, u"no claim is open"_s);
    if (m_asked.held && !m_isTaken)
        return fail(Error::Kind::Conflict, tools.doing, u"the rows are held and not taken"_s);
    m_stage = Stage::None;
    if (tools.session.sendsAhead()) {
        if (auto sent = tools.session.send(end, tools.doing); !sent) {
            static_cast<void>(rollback(tools.session, tools.doing)); // `sent` is the one to tell
            return sent;
        }
    }
    m_isCommitting = true;
    return {};
}

bool ClaimTransaction::areAllProven(const QList<DeliveryProof> &proofs) const
{
    return std::equal(
        m_taken.cbegin(), m_taken.cend(), proofs.cbegin(), proofs.cend(),
        [](const MessageId &id, const DeliveryProof &proof) { return id == proof.row(); });
}

Result<void> ClaimTransaction::sendCommit(const ClaimContext &tools,
                                          const QList<DeliveryProof> &proofs)
{
    if (m_stage != Stage::Open)
        return fail(Error::Kind::Conflict, tools.doing, u"no claim is open"_s);
    if (areAllProven(proofs))
        return sendEnd(tools, {{u"COMMIT"_s, {}}});
    if (m_asked.held && m_isTaken)
        return sendCommitOfSome(tools, proofs);
    const qsizetype taken = m_taken.size();
    static_cast<void>(rollback(tools.session, tools.doing)); // what follows is the one to tell
    return fail(Error::Kind::Conflict, tools.doing,
                u"%1 rows were taken, and the queue answered for %2 of them"_s.arg(taken).arg(
                    proofs.size()),
                {}, u"Nothing was given up: the rows are claimed again"_s);
}

Result<void> ClaimTransaction::sendCommitOfSome(const ClaimContext &tools,
                                                const QList<DeliveryProof> &proofs)
{
    QList<MessageId> ids;
    for (const DeliveryProof &proof : proofs)
        ids += proof.row();
    const QStringList keys = tools.dialect.keyTexts(ids);
    const auto exactly = tools.dialect.consumeExactly(keys);
    if (exactly && tools.session.sendsAhead())
        return sendEnd(tools, {HeldRows::giveUp(), *exactly, {u"COMMIT"_s, {}}});
    HeldRows rows(tools.session, tools.dialect, tools.doing);
    const auto refused = rows.consumeAgain(keys);
    if (refused && refused->isEmpty())
        return sendEnd(tools, {{u"COMMIT"_s, {}}});
    // They were taken a moment ago; what is told is the first error, not one of the rollback.
    static_cast<void>(rollback(tools.session, tools.doing));
    return tl::unexpected(refused ? refused->first().second : refused.error());
}

Result<void> ClaimTransaction::takeCommit(SqlSession &session, const QString &doing)
{
    if (!std::exchange(m_isCommitting, false))
        return fail(Error::Kind::Conflict, doing, u"no commit was sent"_s);
    if (!session.sendsAhead())
        return session.commit(doing);
    const auto done = session.receive(doing);
    if (!done) {
        if (!isCertain(done.error()))
            session.close();
        else if (session.underWay() == 0) // what stood before the COMMIT failed
            static_cast<void>(session.rollback(doing));
        return passOn(done);
    }
    if (done->command != "COMMIT") // of a failed transaction: no error, but ROLLBACK
        return fail(Error::Kind::Conflict, doing, u"the server rolled the transaction back"_s);
    return {};
}

Result<void> ClaimTransaction::rollback(SqlSession &session, const QString &doing)
{
    forget();
    while (session.underWay() > 0) {
        if (const auto late = session.receive(doing); !late && !session.isUp())
            return {}; // the server rolls back when the session ends
    }
    return session.rollback(doing);
}

} // namespace outbox
