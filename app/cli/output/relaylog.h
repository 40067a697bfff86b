// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happens to a relay, one line each on stderr: a sentence for people, with --json an object.
#pragma once

#include "app/cli/output/printer.h"
#include "models/relay/schedule.h"
#include "models/relay/relaystep.h"

namespace outbox {

class RelayLog
{
public:
    /// `printer` outlives this.
    explicit RelayLog(const Printer &printer) : m_printer(printer) { }

    [[nodiscard]] const Printer &printer() const { return m_printer; }

    /// `event` is the machine word, `sentence` follows "relay: "; `facts` are for JSON.
    void tell(LogLevel level, const QString &event, const QString &sentence,
              const QJsonObject &facts = {}) const;
    void parked(const ParkedRow &row) const;
    /// A try of a row that is not given up yet.
    void failedTry(const ParkedRow &row) const;
    void rolledBack(const RelayStep &step) const;
    /// How a batch ended that was in doubt.
    void settled(const RelayStep &step) const;
    void backingOff(const Error &error, int milliseconds) const;
    /// Nothing is done until then.
    void planned(const QString &schedule, const QDateTime &next) const;
    void ran(const JobRun &run) const;
    /// It works again.
    void recovered(int tries, qint64 milliseconds) const;

private:
    const Printer &m_printer;
};

} // namespace outbox
