// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One line of the record of what was done from here, and the operations that such lines tell of.
#pragma once

#include "models/operations/outcome.h"
#include "models/operations/verb.h"
#include "models/profile/profile.h"
#include "models/result.h"

#include <QDateTime>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// One message in an audit line.
struct AuditedItem
{
    QString row;
    QString task;
    QString queue;
    QString before; ///< intent: state, version and stamp as seen
    QString after; ///< outcome: word of the Outcome, and what undo must find

    bool operator==(const AuditedItem &) const = default;
};

/// Append-only: an Intent is on disk before its act begins, an Outcome follows. A chunk has one of
/// each, so that after a crash at most one chunk of an operation is in doubt.
struct AuditEntry
{
    enum class Kind {
        Begin, ///< an operation was confirmed: plan and counts
        Intent, ///< a chunk is about to be carried out
        Outcome, ///< what came of it
        End, ///< the operation ended: counts, or the error
        Refusal, ///< an act was asked for and refused
        Unlock, ///< writing was armed
        Lock, ///< and disarmed
        Check, ///< a chunk in doubt (0: all of them) was looked at: what was found, by item
        Relay, ///< a relay was started, paused, resumed or stopped; `counts` are its totals
        Settings, ///< a profile, or a mapping in it, was changed
        Unmask, ///< a payload, or several, were shown without their masks
    };
    qint64 sequence = 0; ///< 1, 2, 3 … in one file; set when it is appended
    QDateTime at; ///< UTC, our clock
    Kind kind = Kind::Begin;
    QString operation; ///< uuid; empty for Unlock, Lock, Settings and Unmask
    int chunk = 0; ///< 1, 2 …; 0 where it is about the whole
    QString who; ///< "ana@desk"
    QString face; ///< "outboxdeck" or "outboxctl"
    QString profile;
    Environment environment = Environment::Unsaid;
    QString target;
    std::optional<Verb> verb;
    QString what; ///< selection or reason in words
    QString note; ///< the operator's
    QMap<QString, qint64> counts; ///< by word of Outcome; what is trimmed counts too
    QList<AuditedItem> items;
    QStringList statements;
    QString exportFile;
    QByteArray exportChecksum; ///< hex SHA-256 that its last line says; names the content
    QString error; ///< oneLine() of it
    bool undoable = false;
    QString undoOf; ///< operation that this one undoes
    QByteArray previous; ///< hex SHA-256 of the line before; 64 zeros on the first
    QByteArray hash; ///< hex SHA-256 of this line without `hash`
    /// False: it was read from a line that is not as it was written. Not part of the line.
    bool intact = true;

    [[nodiscard]] QJsonObject toJson() const;
    [[nodiscard]] static Result<AuditEntry> fromJson(const QJsonObject &json);
    bool operator==(const AuditEntry &) const = default;
};

[[nodiscard]] QString word(AuditEntry::Kind kind);

/// One operation as the Activity page lists it.
struct Activity
{
    enum class State {
        Running,
        Done,
        Partly,
        Failed,
        Refused,
        InDoubt,
        Cancelled,
        Undone,
        Noted,
        RecordChanged, ///< a line of it is not as it was written: nothing it says counts
    };
    /// Where it stands: in the file of this machine and account, in the table outbox_audit of the
    /// database, or in both.
    enum class Record { Here, Database, Both };
    QString operation;
    QDateTime at;
    QString who;
    QString face;
    QString profile;
    QString target;
    std::optional<Verb> verb; ///< none: it met no message, as an unlock or a start of a relay
    QString what;
    qint64 count = 0;
    QMap<QString, qint64> counts;
    State state = State::Running;
    QString note;
    QString exportFile;
    QByteArray exportChecksum;
    QString error;
    bool undoable = false;
    QString undoOf;
    QStringList statements;
    QList<AuditedItem> items; ///< with before and after joined; of the last act on each
    QList<AuditedItem> doubtful; ///< of intents without an outcome
    Record record = Record::Here;
    QString mismatch; ///< what the file and the table do not agree on, for people; empty: nothing

    bool operator==(const Activity &) const = default;
};

[[nodiscard]] QString word(Activity::State state);
[[nodiscard]] QString label(Activity::State state);
[[nodiscard]] QList<Activity::State> allActivityStates();
[[nodiscard]] QString word(Activity::Record record); ///< "this-machine", "database", "both"
[[nodiscard]] QString label(Activity::Record record); ///< "this machine"
[[nodiscard]] QList<Activity::Record> allActivityRecords();
/// Why this cannot be undone now, for people; empty when it can.
[[nodiscard]] QString undoObstacle(const Activity &activity);

/// Newest first. An intent without an outcome makes its operation InDoubt, unless `running` names
/// it or a later Check settled it. One line that is not intact makes its operation RecordChanged,
/// and what that one undid as well.
[[nodiscard]] QList<Activity> activitiesOf(const QList<AuditEntry> &entries,
                                           const QStringList &running = {});

} // namespace outbox
