// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The whole console over real servers, each behind a line that can be made bad: what it says while
// a fault lasts, how long its window stands still, and what became of every message.
#pragma once

#include "app/desktop/desktop.h"
#include "tests/support/faultproxy.h"
#include "tests/support/gapmeter.h"
#include "tests/support/patience.h"
#include "tests/support/testoutbox.h"

#include <QTemporaryDir>

#include <functional>
#include <memory>

namespace outbox {

/// One fault as a test brings it about.
struct Fault
{
    QList<Source> sources; ///< which of the two must be said to fail; none: the relay must say it
    QStringList words; ///< of which one must stand in what is told of each
    std::function<void()> strike;
    std::function<void()> heal;
    bool mayPassUnnoticed = false; ///< a look may come just before and just after
    bool losesQueue = false; ///< what was enqueued before is gone with the fault
    int longestMs = 20'000; ///< until it must be noticed, and until it must be over
};

/// Made in the GUI thread, which it keeps turning while it waits.
class FaultConsole
{
public:
    FaultConsole(TestOutbox::Kind kind, PrivatePostgres *postgres, PrivateRedis &redis,
                 PrivateMariadb *mariadb = nullptr, BenchShape shape = BenchShape::Payload);
    ~FaultConsole();

    /// A table, a window that looks at it and at Redis through the lines, a relay in that window.
    /// Answers what is wrong; empty = it stands, and has delivered its first rows.
    [[nodiscard]] QString open(bool withRelay = true);
    /// The same with another profile than `profile`.
    [[nodiscard]] QString open(const Profile &profile, bool withRelay);
    [[nodiscard]] Profile profile() const;

    /// Rows are written, the fault strikes and is told with its age, rows are written, it is over
    /// and told so; every row was delivered once. Up to five times while the window stands still
    /// for more than `mostGapMs`: a busy machine is no fault of ours. Answers what is wrong.
    [[nodiscard]] QString survive(const Fault &fault);
    /// The shortest of the longest gaps.
    [[nodiscard]] double gapMs() const { return m_gapMs; }

    /// Turns the event loop until `done`, looking every few milliseconds.
    [[nodiscard]] static bool until(const std::function<bool()> &done, int milliseconds = 20'000);
    /// The same where looking itself may take long and is none of the console's doing.
    [[nodiscard]] bool untilAside(const std::function<bool()> &done, int milliseconds = 20'000);
    /// Does something that may take long and is none of the console's doing.
    void aside(const std::function<void()> &doing);

    int patienceMs = 20'000; ///< of `open`
    FaultProxy databaseLine;
    FaultProxy queueLine;
    void setLines(const FaultLine &line)
    {
        databaseLine.set(line);
        queueLine.set(line);
    }
    void cutLines()
    {
        databaseLine.cut();
        queueLine.cut();
    }
    [[nodiscard]] TestOutbox &fixture() { return m_fixture; }
    [[nodiscard]] Desktop &desktop() { return *m_desktop; }
    [[nodiscard]] RelayDriver &relay() { return m_desktop->relay()->driver(); }
    [[nodiscard]] GapMeter &meter() { return m_meter; }
    [[nodiscard]] const SourceHealth &health(Source source) const
    {
        return m_health[source == Source::Database ? 0 : 1];
    }
    /// All that was told of failures since the last `forgetFailures`, in one text for each source.
    [[nodiscard]] QString told(Source source) const
    {
        return m_told[source == Source::Database ? 0 : 1];
    }
    /// The same of the relay.
    [[nodiscard]] const QString &toldByRelay() const { return m_toldByRelay; }
    [[nodiscard]] int failures(Source source) const
    {
        return m_failures[source == Source::Database ? 0 : 1];
    }
    void forgetFailures();
    /// What the status bar says of a source.
    [[nodiscard]] QString status(Source source) const;
    [[nodiscard]] bool isLive() const;
    /// Empty when each row ever inserted was delivered just once.
    [[nodiscard]] QString account();
    /// The same for what was inserted from this row on.
    [[nodiscard]] QString account(qsizetype from);
    /// Turns until all rows are gone from the outbox.
    [[nodiscard]] bool untilDelivered(int milliseconds = 20'000);

private:
    [[nodiscard]] QString surviveOnce(const Fault &fault);
    void tell(Source source, const SourceHealth &health);

    TestOutbox m_fixture;
    PrivatePostgres *m_postgres;
    PrivateRedis &m_redis;
    PrivateMariadb *m_mariadb;
    QTemporaryDir m_folder;
    std::unique_ptr<Desktop> m_desktop;
    SourceHealth m_health[2];
    QString m_told[2];
    QString m_toldByRelay;
    int m_failures[2] = {0, 0};
    GapMeter m_meter;
    double m_gapMs = 0;
    qsizetype m_lost = 0; ///< rows before this one are gone with a queue
};

/// Does `body` again, up to five times, while the window stood still for more than 100 ms, as it
/// says at its end: a busy machine is no fault of ours. Fails as QVERIFY does, and does nothing
/// more where `body` failed.
void calmly(const std::function<void(double &gapMs)> &body);

} // namespace outbox

/// Fails with what FaultConsole answers, and with a window that stood still for too long.
#define SURVIVES(console, fault)                                                                   \
    do {                                                                                           \
        const QString problem = (console).survive(fault);                                          \
        qInfo("%s: the window stood still for %.1f ms at most",                                    \
              QTest::currentDataTag() ? QTest::currentDataTag() : QTest::currentTestFunction(),    \
              (console).gapMs());                                                                  \
        QVERIFY2(problem.isEmpty(), qPrintable(problem));                                          \
        QVERIFY2((console).gapMs() <= outbox::patient(100), "the window stood still");             \
    } while (false)
