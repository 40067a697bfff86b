// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/heldrows.h"

#include "connectors/sql/driver/sqlerror.h"

#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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

} // namespace

Result<QList<RefusedRow>> HeldRows::take(const QStringList &keys, bool areSuspect)
{
    return takeParts(beforeAll, areSuspect ? splitOf(keys) : QList<Part>{keys});
}

Result<QList<RefusedRow>> HeldRows::consumeAgain(const QStringList &keys)
{
    return takeParts(undoAll, {keys});
}

SqlText HeldRows::giveUp()
{
    return undoAll;
}

Result<QList<HeldRows::Outcome>> HeldRows::tryParts(const QList<Part> &parts)
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

Result<QList<HeldRows::Outcome>> HeldRows::tryAhead(const QList<Part> &parts)
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

Result<QList<RefusedRow>> HeldRows::takeParts(const SqlText &first, QList<Part> parts)
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
                    u"%1 rows were held and %2 taken"_s.arg(part.size()).arg(takenOf(*outcome)), {},
                    u"The key is not unique."_s);
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

} // namespace outbox
