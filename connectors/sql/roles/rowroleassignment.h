// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which column plays which part, by the rows of a table as well as by its catalog (shapes.md 5.5):
// every column gets points for every part from its type, its values and its name, and the most
// points win. A clear name keeps its part, and rows that speak against it are told. Pure.
#pragma once

#include "connectors/sql/names/namehints.h"
#include "connectors/sql/roles/columnroles.h"
#include "connectors/sql/roles/rowevidence.h"
#include "connectors/sql/roles/tablefacts.h"
#include "models/message/messagestate.h"

#include <QSet>

#include <optional>

namespace outbox {

// Points for a part.
inline constexpr int byOldRules = 8; ///< what catalog and names say together
inline constexpr int byClearName = 35; ///< a name that says it

inline constexpr qint64 oneHour = 3'600'000; ///< milliseconds

/// What the rows of a table say of it.
struct RowReading
{
    ColumnRoles roles;
    QMap<QString, MessageState> states; ///< what values of the status mean
    QStringList guessed; ///< of these: those that no word, comment or default explains
    QMap<QString, QStringList> reasons; ///< by member of the shape
    QStringList doubts; ///< where rows and names do not say the same
    QStringList unseen; ///< what no row shows yet
    QStringList open; ///< columns that a person must be asked about
    int points = 0; ///< for an outbox, by what the rows show
    /// Of the status, the most frequent first; nothing where the rows were not read or not whole.
    std::optional<QStringList> statusValues;
    /// Keys that were looked at, where each of them holds the time when its row was written; 0: not
    /// known, or they do not.
    qsizetype timedKeys = 0;
};

/// The columns that play the parts, as far as they are found; null: none does.
struct PartColumns
{
    const ColumnFacts *created = nullptr;
    const ColumnFacts *payload = nullptr;
    const ColumnFacts *type = nullptr;
    const ColumnFacts *attempts = nullptr;
    const ColumnFacts *maxAttempts = nullptr;
    const ColumnFacts *error = nullptr;
    const ColumnFacts *due = nullptr;
    const ColumnFacts *lease = nullptr;
    const ColumnFacts *owner = nullptr;
    const ColumnFacts *lockTime = nullptr;
    const ColumnFacts *sent = nullptr;
    const ColumnFacts *failed = nullptr;
    const ColumnFacts *sentFlag = nullptr;
    const ColumnFacts *failedFlag = nullptr;
    const ColumnFacts *status = nullptr;
};

class RowRoleAssignment
{
public:
    /// `byNames`: what catalog and names say.
    RowRoleAssignment(TableFacts &facts, const ColumnRoles &byNames);

    [[nodiscard]] RowReading read();

private:
    void assignContent();
    void assignCounters();
    void countTriesBy(const ColumnFacts *attempts);
    void assignTimes();
    void assignOwner();
    void assignFlags();
    void assignStatus();
    void assignUnused();
    void assignUnusedHolder();
    void assignTimeOfHolder();
    void dropUnusedHolder(const ColumnFacts &status);
    void readValues(const ColumnFacts &status);
    void giveBegin(const ColumnFacts &status);
    [[nodiscard]] bool isWithoutTime(const ColumnFacts &status, const QString &value) const;
    [[nodiscard]] bool isStranded(const ColumnFacts &status, const QString &value) const;
    void giveLabels(const ColumnFacts &status);
    void giveRest(const ColumnFacts &status, const QMap<QString, MessageState> &byRows);
    void judge();

    [[nodiscard]] int createdPoints(const ColumnFacts &one) const;
    [[nodiscard]] int payloadPoints(const ColumnFacts &one) const;
    [[nodiscard]] int typePointsOf(const ColumnFacts &one) const;
    [[nodiscard]] int duePoints(const ColumnFacts &one) const;
    [[nodiscard]] int leasePoints(const ColumnFacts &one) const;
    [[nodiscard]] int lockTimePoints(const ColumnFacts &one) const;
    [[nodiscard]] int sentPoints(const ColumnFacts &one) const;
    [[nodiscard]] int failedPoints(const ColumnFacts &one) const;
    [[nodiscard]] int ownerPoints(const ColumnFacts &one) const;
    [[nodiscard]] int sentFlagPoints(const ColumnFacts &one) const;
    [[nodiscard]] int failedFlagPoints(const ColumnFacts &one) const;
    [[nodiscard]] int statusPoints(const ColumnFacts &one) const;
    [[nodiscard]] MessageState stateByRows(const ColumnFacts &status, const QString &value) const;

    /// Points for the part that the names give to `byNames`: a few rows may add to what names say,
    /// they cannot overrule it.
    [[nodiscard]] int weighed(const ColumnFacts &one, const QString &byNames, int points) const;
    void keepKeyParts();
    /// Its name says what everybody means by it: rows may speak against that, and are told, but
    /// the name stays.
    [[nodiscard]] int kept(const ColumnFacts &one, int points, int enough);
    [[nodiscard]] bool isClearTime(const ColumnFacts &one, const QString &byNames,
                                   TimeHint wanted) const;
    [[nodiscard]] bool isFree(const ColumnFacts &one) const { return !m_taken.contains(one.place); }
    [[nodiscard]] bool canBeFlag(const ColumnFacts &one) const;
    [[nodiscard]] bool isLikeCreated(const ColumnFacts &time) const;
    /// How long after the creation of its row it always is, where it was known when the row was
    /// written. Rows that all came at once, and were all delivered at once, do not show that.
    [[nodiscard]] std::optional<qint64> usualDistance(const ColumnFacts &time) const;
    [[nodiscard]] bool isComputed(const ColumnFacts &time) const
    {
        return usualDistance(time).has_value();
    }
    /// Another column marks rows that all have this time, and the time is set in others besides: it
    /// is that of the last change.
    [[nodiscard]] bool isOfMoreThanAMark(const ColumnFacts &time) const;
    [[nodiscard]] bool isOfRetention(const ColumnFacts &time) const;
    [[nodiscard]] bool isOnlyEnd(const ColumnFacts &time) const;
    [[nodiscard]] bool isOfTried(const ColumnFacts &time) const;
    [[nodiscard]] bool isOfLately(const ColumnFacts &time) const;
    [[nodiscard]] bool isOfMoreThanAFlag(const ColumnFacts &time) const;
    [[nodiscard]] bool isLongAfterCreation(const ColumnFacts &time) const;
    [[nodiscard]] bool hasHolder(const ColumnFacts &time) const;
    [[nodiscard]] double shareOf(const RowMask &mask) const;
    [[nodiscard]] RowMask heldNow() const;
    [[nodiscard]] bool hasOpenValues(const ColumnFacts &status) const;
    [[nodiscard]] bool isExplained(const ColumnFacts &status) const;
    void because(const QString &member, const QString &reason) { m_read.reasons[member] += reason; }
    /// The free column with the most points, at least `least`; it is taken then.
    template <typename Points>
    const ColumnFacts *best(const QString &byNames, Points points, int least)
    {
        const ColumnFacts *found = nullptr;
        int most = least - 1;
        for (const ColumnFacts &one : m_facts.columns()) {
            if (const int here = isFree(one) ? weighed(one, byNames, points(one)) : 0;
                here > most) {
                most = here;
                found = &one;
            }
        }
        if (found)
            m_taken += found->place;
        return found;
    }

    TableFacts &m_facts;
    ColumnRoles m_byNames;
    RowReading m_read;
    QSet<QString> m_doubted; ///< columns whose rows speak against their names
    QSet<int> m_taken;
    QSet<QString> m_named; ///< columns that have a part by name
    bool m_isThin = false; ///< too few rows to overrule a name
    RowMask m_openByWord; ///< rows of which a status says that they were not delivered
    RowMask m_done; ///< rows that name who did it; empty: no column tells that
    RowMask m_givenUp; ///< rows of the most tries
    RowMask m_triedWell; ///< tried, not given up, without an error; empty: nobody counts
    QSet<int> m_onlyEnds; ///< places of times that alone tell which rows are through
    PartColumns m_parts;
};

} // namespace outbox
