// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/slotrelays.h"

#include <QRegularExpression>

#include <algorithm>
#include <csignal>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int startEveryMs = 500; ///< one that ends at once is not started sooner
constexpr int mostEnds = 300;

/// No second start would help: usage, configuration.
bool isForGood(int code)
{
    return code == 2 || code == 78;
}

} // namespace

SlotRelays::SlotRelays(QStringList arguments, int count)
    : m_arguments(std::move(arguments)), m_lives(size_t(count))
{ }

Result<void> SlotRelays::startAll()
{
    Result<void> started;
    for (Life &life : m_lives) {
        if (started)
            started = start(life);
    }
    return started;
}

Result<void> SlotRelays::start(Life &life)
{
    life.process = std::make_unique<RelayProcess>();
    life.since.start();
    return life.process->launch(QStringLiteral(OUTBOXCTL), m_arguments);
}

Result<void> SlotRelays::tend()
{
    for (Life &life : m_lives) {
        life.process->listen();
        if (life.process->isRunning() || !life.since.hasExpired(startEveryMs))
            continue;
        const int code = life.process->end();
        const QByteArray words = note(life);
        if (isForGood(code) || ++m_endsInAll > mostEnds) {
            return fail(Error::Kind::Refused, u"running a relay"_s,
                        u"it ended with %1: "_s.arg(code)
                            + QString::fromUtf8(words.right(1000)).trimmed());
        }
        if (auto started = start(life); !started)
            return started;
    }
    return {};
}

void SlotRelays::kill(int which)
{
    Life &life = m_lives.at(size_t(which));
    life.process->tell(SIGKILL);
    static_cast<void>(life.process->end());
}

void SlotRelays::stopAll()
{
    for (const Life &life : m_lives)
        life.process->tell(SIGTERM);
    for (Life &life : m_lives) {
        static_cast<void>(life.process->end());
        note(life);
    }
}

QByteArray SlotRelays::note(Life &life)
{
    ++m_ends[life.process->end()];
    const QByteArray words = life.process->complaints();
    if (!words.contains("has lost what it was given"))
        return words;
    ++m_told.losses;
    // Each of its lanes may have met the loss, and said so several times.
    static const QRegularExpression figure(u"of this run (?:more than )?(\\d+) rows"_s);
    qint64 rows = 0;
    auto found = figure.globalMatch(QString::fromUtf8(words));
    while (found.hasNext())
        rows = std::max(rows, found.next().captured(1).toLongLong());
    m_told.rows += rows;
    return words;
}

} // namespace outbox::crash
