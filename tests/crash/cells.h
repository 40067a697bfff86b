// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One cell of the crash matrix: a relay stands at a stop point, a fault strikes, a fresh relay
// finishes, and everything is counted from outside.
#pragma once

#include "tests/crash/ground.h"
#include "tests/crash/seededbugs.h"
#include "tests/crash/stoppoint.h"

#include <QTemporaryDir>

namespace outbox::crash {

constexpr int rowsOfBatch = 10;
constexpr int poisonOfBatch = 2; ///< one that the database refuses to give up, one that Redis does

/// How both relays of a cell are run.
struct ClaimOptions
{
    int lanes = 2; ///< two lanes get two batches, so that the second one is under way at the fault
    int retentionSeconds = 3600;
    Bug bug = Bug::None; ///< of both relays; the finishing one is outboxctl's where there is none
    /// A batch has `poisonOfBatch` rows more, which must stay; for one cell, with one lane.
    bool isPoisoned = false;

    [[nodiscard]] int batch() const { return rowsOfBatch + (isPoisoned ? poisonOfBatch : 0); }
};

/// The cells of one shape over one database, one after the other on the same table.
class Cells
{
public:
    Cells(Ground &ground, TestOutbox::Kind kind, BenchShape shape, ClaimOptions manner);
    [[nodiscard]] Result<void> open();
    /// Inserts the rows of a cell, runs it, and counts what became of them. Fails when the test
    /// itself could not be carried out, such as a relay that never came to its point.
    [[nodiscard]] Result<Tally> run(int point, Fault fault);
    [[nodiscard]] TestOutbox &fixture() { return m_fixture; }
    [[nodiscard]] CountingWorker &worker() { return m_worker; }
    /// Drains the outbox with a fresh relay and counts; for rows that stand there already.
    [[nodiscard]] Result<Tally> finish(const QStringList &expected);
    /// What stands before a row's key in the name of its task.
    [[nodiscard]] QString taskOf(const QString &id) { return m_fixture.taskId(m_shape, id); }

private:
    [[nodiscard]] Result<void> strike(RelayProcess &relay, Fault fault);
    [[nodiscard]] Result<void> drain();
    /// Sees to it that neither row can go.
    [[nodiscard]] Result<void> spoil(const QString &forDatabase, const QString &forRedis);
    /// What of a trigger stands behind its table: the row where %1 holds may not go.
    [[nodiscard]] QString refusing() const;
    [[nodiscard]] QStringList options() const;
    /// Of both relays: the shape, where it is relayed only because we say so.
    [[nodiscard]] QStringList shapeOption() const;
    [[nodiscard]] Result<void> confirm(OutboxShape shape);

    Ground &m_ground;
    TestOutbox::Kind m_kind;
    ClaimOptions m_manner;
    TestOutbox m_fixture;
    CountingWorker m_worker;
    QTemporaryDir m_folder;
    QString m_shapeFile;
    OutboxShape m_shape;
    QStringList m_poison; ///< ids of the rows that must stay
};

} // namespace outbox::crash
