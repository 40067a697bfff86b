// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small world for tests of operations from the command line: six rows, seven tasks, and what
// became of them.
#pragma once

#include "models/profile/profile.h"
#include "tests/support/ctl.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"

#include <QJsonObject>
#include <QTemporaryDir>

#include <memory>

namespace outbox {

/// The member `name` of the first object that has it.
[[nodiscard]] QJsonObject part(const CtlRun &run, const QString &name);
/// `member` of each item of a plan or receipt.
[[nodiscard]] QStringList outcomes(const QJsonObject &object, const QString &member);

class CtlWorld
{
public:
    /// Six rows; 1 to 4 are processed. Tasks stand under 3 (retained), 4 (dead), whose ids are made
    /// from table and key, and under names that say their state.
    [[nodiscard]] bool setUpWorld(TestOutbox::Kind kind = TestOutbox::Kind::Postgres);
    void tearDownWorld();

    [[nodiscard]] CtlRun ctl(const QStringList &arguments, const QStringList &more = {},
                             const QByteArray &input = {}) const;
    /// The options that name this world.
    [[nodiscard]] QStringList parts() const;
    /// A profile of this world, saved where --config-dir looks; the options that name it.
    [[nodiscard]] QStringList profile(Environment environment, bool readOnly,
                                      const QString &actingUser = {},
                                      const PayloadMasks &masks = PayloadMasks::none()) const;

    /// All that the database and Redis hold, as one figure.
    [[nodiscard]] QByteArray world() const;
    [[nodiscard]] QByteArray stateInRedis(const QString &id) const;
    [[nodiscard]] bool isPaused() const;
    [[nodiscard]] qint64 count(const QString &where) const;
    [[nodiscard]] QList<QJsonObject> audit(const QStringList &more = {}) const;

protected:
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder; ///< configuration and state
};

} // namespace outbox
