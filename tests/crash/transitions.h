// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Judges the diaries of relays by the state machine of a row: what no order of faults excuses.
#pragma once

#include "app/relay/relayobserver.h"

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <QStringList>

namespace outbox::crash {

/// The machine (correctness.md 2.1): a batch goes claimed → enqueueing → enqueued → committing →
/// commit-sent → committed, and may fall back to pending by rolled-back before it is sent and
/// after the queue has answered. Some of its rows do so alone where an enqueued batch is narrowed.
/// A relay that dies leaves its batch pending, but for one whose COMMIT may have been sent: that
/// one is in doubt. A row is committed at most once in all diaries together, is in at most one
/// open batch of a relay, and leaves the outbox by a COMMIT of a diary or in doubt.
class Transitions
{
public:
    /// One life of one relay, as `EventLog` wrote it. A last line without its end is left out: the
    /// relay was killed while it wrote.
    void read(const QString &relay, const QByteArray &log);
    /// After the last life: `gone` are the rows that left the outbox, `left` those that stayed.
    void end(const QStringList &gone, const QStringList &left);

    [[nodiscard]] bool hasViolations() const { return m_count > 0; }
    /// In words, the first twenty.
    [[nodiscard]] const QStringList &violations() const { return m_violations; }
    [[nodiscard]] qint64 moments() const { return m_moments; }
    [[nodiscard]] qint64 committed() const { return m_committed; }
    [[nodiscard]] qint64 rolledBack() const { return m_rolledBack; }
    /// Batches that a relay held when it died.
    [[nodiscard]] qint64 cutShort() const { return m_cutShort; }
    /// Batches whose COMMIT may have been sent and was not answered.
    [[nodiscard]] qint64 inDoubt() const { return m_inDoubt; }

private:
    struct Batch
    {
        RelayStage moment = RelayStage::Claiming;
        QByteArrayList rows;
        bool overtaken = false; ///< its rows were sent again
    };
    struct Fate
    {
        int committed = 0;
        bool doubted = false;
        /// A relay that doubted its COMMIT found the row gone: by that COMMIT, or by another relay.
        bool settled = false;
    };
    /// What is known of a relay while its diary is read.
    struct Life
    {
        QString relay;
        qint64 line = 0;
        qint64 clock = 0;
        /// By name; two have the same one where a lost batch was claimed again.
        QHash<QByteArray, QList<Batch>> open;
        /// By name; what was given back while another of that name was open.
        QHash<QByteArray, Batch> twins;
        /// By name; given back after their COMMIT was sent. What became of it may be told later.
        QHash<QByteArray, Batch> doubtful;
        QSet<QByteArray> done; ///< rows committed in this life

        [[nodiscard]] QList<Batch> batches() const; ///< the open ones
    };

    void take(Life &life, const QByteArray &line);
    void claim(Life &life, const QByteArray &name, const QByteArrayList &rows);
    /// Which of those that hold the same rows `moment` is of; their number where it can be of none.
    /// One lane's answer to a claim may be read after its session was cut and the other lane has
    /// the rows: what is given back is rather a claim than a batch whose COMMIT is on its way.
    [[nodiscard]] static qsizetype placeOf(const QList<Batch> &sameName, RelayStage moment);
    void send(Life &life, const Batch &batch);
    void narrow(Life &life, const QByteArray &name, const QByteArrayList &rows);
    void finish(Life &life, const Batch &batch, RelayStage how);
    void settle(Life &life, const Batch &batch);
    void doubt(const QByteArrayList &rows);
    void blame(const Life &life, const QString &what);
    void blame(const QString &what);

    QHash<QByteArray, Fate> m_fates;
    QStringList m_violations;
    qint64 m_count = 0;
    qint64 m_moments = 0;
    qint64 m_committed = 0;
    qint64 m_rolledBack = 0;
    qint64 m_cutShort = 0;
    qint64 m_inDoubt = 0;
};

} // namespace outbox::crash
