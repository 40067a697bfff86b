// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a command's words go, results to stdout and everything else to stderr, and the exit code
// that it ends with.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/result.h"
#include "models/system/healthreport.h"

#include <QJsonObject>
#include <QString>

namespace outbox {

/// The exit codes of cli.md.
enum class ExitCode {
    Ok = 0,
    Failed = 1,
    Usage = 2,
    NothingMatched = 3,
    NoConnection = 4,
    Refused = 5,
    Partly = 6,
    Temporary = 75,
    BadConfiguration = 78,
    Signal = 128, ///< plus the signal's number
};

/// The code an error ends a command with.
[[nodiscard]] ExitCode exitCodeOf(const Error &error);
/// Of a plan that was printed: NothingMatched where it is empty or speaks of what is not there;
/// where a source was not read, its error's, or Partly where the other one showed something.
[[nodiscard]] ExitCode exitCodeOf(const Plan &plan);
/// Ok when everything is done or was so before; what is in doubt outweighs what was done, and what
/// was done makes the rest a part.
[[nodiscard]] ExitCode exitCodeOf(const Receipt &receipt);
/// Of `check`.
[[nodiscard]] ExitCode exitCodeOf(HealthLevel level);
[[nodiscard]] ExitCode exitCodeOfSignal(int number);

/// The syslog levels that are used here.
enum class LogLevel {
    Error = 3,
    Warning = 4,
    Notice = 5, ///< normal, but worth to be found again
    Info = 6,
};

class Printer
{
public:
    explicit Printer(bool json);

    [[nodiscard]] bool isJson() const { return m_json; }
    /// One compact JSON object on a line of its own; flushed, so that a reader sees it at once.
    void object(const QJsonObject &object) const;
    /// One line for people, already made plain.
    void line(const QString &text) const;
    /// Progress, logs and warnings: stderr; where that is systemd's journal, with their level.
    void note(const QString &text, LogLevel level = LogLevel::Info) const;
    /// What happens to a relay, one line on stderr: `sentence` follows "relay: "; with `--json` an
    /// object with `event`, the machine word, and `facts`.
    void event(LogLevel level, const QString &event, const QString &sentence,
               const QJsonObject &facts = {}) const;
    /// The error in one line on stderr, with `--json` as an object on stdout too; answers its exit
    /// code.
    [[nodiscard]] ExitCode error(const Error &error) const;
    /// The same for a command line that cannot be understood: always Usage.
    [[nodiscard]] ExitCode usage(const Error &error) const;
    [[nodiscard]] ExitCode usage(const QString &text, const QString &hint = {}) const;

private:
    bool m_json;
    bool m_toJournal;
};

[[nodiscard]] QJsonObject errorJson(const Error &error);
/// Columns of equal width, two blanks between them; the first row is the heading.
[[nodiscard]] QString tableText(const QList<QStringList> &rows);

} // namespace outbox
