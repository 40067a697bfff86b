// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/transitions.h"

#include "tests/crash/eventlog.h"

#include <algorithm>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 mostViolations = 20;

/// True where the machine has an arrow. A batch is given back before it was sent, or after the
/// queue has answered for it; while it is being sent and while its COMMIT is being written there is
/// only one way on.
bool mayFollow(RelayStage from, RelayStage to)
{
    switch (to) {
    case RelayStage::Enqueueing:
        return from == RelayStage::Claimed;
    case RelayStage::Enqueued:
        return from == RelayStage::Enqueueing;
    case RelayStage::Committing:
        return from == RelayStage::Enqueued;
    case RelayStage::CommitSent:
        return from == RelayStage::Committing;
    case RelayStage::Committed:
        return from == RelayStage::CommitSent;
    case RelayStage::RolledBack:
        return from == RelayStage::Claimed || from == RelayStage::Enqueued
            || from == RelayStage::CommitSent;
    case RelayStage::Claiming:
    case RelayStage::Claimed:
    case RelayStage::Narrowed: // becomes another batch
        break;
    }
    return false;
}

QString text(const QByteArray &bytes)
{
    return QString::fromUtf8(bytes);
}

} // namespace

QList<Transitions::Batch> Transitions::Life::batches() const
{
    QList<Batch> all;
    for (const QList<Batch> &sameName : open)
        all += sameName;
    return all;
}

void Transitions::read(const QString &relay, const QByteArray &log)
{
    Life life;
    life.relay = relay;
    qsizetype begin = 0;
    for (qsizetype end = log.indexOf('\n'); end >= 0; end = log.indexOf('\n', begin)) {
        ++life.line;
        take(life, log.mid(begin, end - begin));
        begin = end + 1;
    }
    for (const Batch &batch : life.batches()) {
        ++m_cutShort;
        if (batch.moment == RelayStage::Committing || batch.moment == RelayStage::CommitSent)
            doubt(batch.rows);
    }
}

void Transitions::take(Life &life, const QByteArray &line)
{
    const QByteArrayList fields = line.split('\t');
    const auto moment = momentFrom(fields.value(1));
    if (fields.size() != 4 || !moment)
        return blame(life, u"a line that cannot be read"_s);
    ++m_moments;
    const qint64 clock = fields.first().toLongLong();
    if (clock < life.clock)
        blame(life, u"the clock went back"_s);
    life.clock = clock;

    const QByteArray &name = fields.at(2);
    if (name == "-") { // a claim that took nothing fit to be sent
        if (*moment != RelayStage::Claiming && *moment != RelayStage::Claimed
            && *moment != RelayStage::RolledBack)
            blame(life, text(fields.at(1)) + u" without a row"_s);
        return;
    }
    if (*moment == RelayStage::Claimed || *moment == RelayStage::Narrowed) {
        QByteArrayList rows = fields.at(3).split(' ');
        rows.removeAll(QByteArray());
        return *moment == RelayStage::Claimed ? claim(life, name, rows) : narrow(life, name, rows);
    }
    const auto named = life.open.find(name);
    if (named == life.open.end() && *moment == RelayStage::Committed
        && life.doubtful.contains(name))
        return settle(life, life.doubtful.take(name));
    if (named == life.open.end())
        return blame(life, u"%1 of a batch that is not held"_s.arg(text(fields.at(1))));
    qsizetype at = placeOf(*named, *moment);
    if (at == named->size() && mayFollow(life.twins.value(name).moment, *moment)) {
        doubt(named->constFirst().rows); // it was that one which was given back
        at = 0;
        (*named)[at] = life.twins.take(name);
    }
    if (at == named->size()) {
        at = 0;
        blame(life,
              u"%1 after %2"_s.arg(text(fields.at(1)), text(word(named->constFirst().moment))));
    }
    if (*moment == RelayStage::Enqueueing)
        send(life, (*named)[at]);
    if (*moment != RelayStage::Committed && *moment != RelayStage::RolledBack) {
        (*named)[at].moment = *moment;
        return;
    }
    const Batch batch = named->takeAt(at);
    if (named->isEmpty()) {
        life.open.erase(named);
        life.twins.remove(name);
    } else if (*moment == RelayStage::RolledBack) {
        life.twins[name] = batch;
    }
    if (*moment == RelayStage::RolledBack && batch.moment == RelayStage::CommitSent)
        life.doubtful[name] = batch;
    finish(life, batch, *moment);
}

qsizetype Transitions::placeOf(const QList<Batch> &sameName, RelayStage moment)
{
    qsizetype place = sameName.size();
    for (qsizetype at = 0; at < sameName.size(); ++at) {
        if (!mayFollow(sameName.at(at).moment, moment))
            continue;
        if (sameName.at(at).moment != RelayStage::CommitSent)
            return at;
        place = std::min(place, at);
    }
    return place;
}

void Transitions::claim(Life &life, const QByteArray &name, const QByteArrayList &rows)
{
    life.doubtful.remove(name); // they came back: it was not committed
    life.open[name] += Batch{RelayStage::Claimed, rows};
}

void Transitions::send(Life &life, const Batch &batch)
{
    const QSet<QByteArray> sent(batch.rows.begin(), batch.rows.end());
    for (QList<Batch> &sameName : life.open) {
        for (Batch &other : sameName) {
            if (&other == &batch)
                continue;
            if (other.moment == RelayStage::Enqueueing)
                blame(life, u"two batches are being sent at once"_s);
            for (const QByteArray &row : std::as_const(other.rows))
                other.overtaken = other.overtaken || sent.contains(row);
        }
    }
    for (const QByteArray &row : batch.rows) {
        if (life.done.contains(row))
            blame(life, u"row %1 sent after its COMMIT"_s.arg(text(row)));
    }
}

void Transitions::narrow(Life &life, const QByteArray &name, const QByteArrayList &rows)
{
    for (auto named = life.open.begin(); named != life.open.end(); ++named) {
        for (qsizetype at = 0; at < named->size(); ++at) {
            const QByteArrayList &held = named->at(at).rows;
            const bool isPart = held.size() > rows.size()
                && std::all_of(rows.begin(), rows.end(),
                               [&held](const QByteArray &row) { return held.contains(row); });
            if (!isPart || named->at(at).moment != RelayStage::Enqueued)
                continue;
            Batch batch = named->takeAt(at);
            if (named->isEmpty())
                life.open.erase(named);
            batch.rows = rows;
            life.open[name] += batch;
            return;
        }
    }
    blame(life, u"narrowed to rows that are part of no enqueued batch"_s);
}

void Transitions::finish(Life &life, const Batch &batch, RelayStage how)
{
    if (how == RelayStage::RolledBack) {
        ++m_rolledBack;
        if (batch.moment == RelayStage::CommitSent)
            doubt(batch.rows);
        return;
    }
    ++m_committed;
    if (batch.overtaken)
        blame(life, u"committed after its rows were sent again"_s);
    for (const QByteArray &row : batch.rows) {
        life.done.insert(row);
        if (++m_fates[row].committed > 1)
            blame(life, u"row %1 committed twice"_s.arg(text(row)));
    }
}

void Transitions::settle(Life &life, const Batch &batch)
{
    ++m_committed;
    for (const QByteArray &row : batch.rows) {
        life.done.insert(row);
        m_fates[row].settled = true;
    }
}

void Transitions::doubt(const QByteArrayList &rows)
{
    ++m_inDoubt;
    for (const QByteArray &row : rows)
        m_fates[row].doubted = true;
}

void Transitions::end(const QStringList &gone, const QStringList &left)
{
    for (const QString &row : gone) {
        const Fate fate = m_fates.value(row.toUtf8());
        if (fate.committed == 0 && !fate.doubted)
            blame(u"row %1 left the outbox by no COMMIT of a relay"_s.arg(row));
    }
    for (const QString &row : left) {
        const Fate fate = m_fates.value(row.toUtf8());
        if (fate.committed > 0 || fate.settled)
            blame(u"row %1 is in the outbox after its COMMIT"_s.arg(row));
    }
}

void Transitions::blame(const Life &life, const QString &what)
{
    blame(u"%1, line %2: %3"_s.arg(life.relay).arg(life.line).arg(what));
}

void Transitions::blame(const QString &what)
{
    if (++m_count <= mostViolations)
        m_violations += what;
}

} // namespace outbox::crash
