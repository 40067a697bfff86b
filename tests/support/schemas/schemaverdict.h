// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares what a probe says of a generated outbox with what is so, and adds the verdicts up.
#pragma once

#include "models/shape/catalog.h"
#include "models/system/snapshots.h"
#include "tests/support/schemas/generatedschema.h"

namespace outbox {

struct SchemaVerdict
{
    enum class Is {
        Right, ///< and sure
        RightTold, ///< right, and told as a guess
        Asked, ///< told as a guess, where nobody could know
        WrongAsked, ///< told as a guess, and a question names the columns that it is about
        WrongTold,
        WrongSilent,
    };

    Is is = Is::Right;
    QStringList wrong; ///< facts: "processed", "key" …; "found": no probe of all tables lists it
    double confidence = 0;
    bool asksAboutColumns = false; ///< it names columns that too little shows the part of
};

/// From this on the program uses a mapping unasked.
constexpr double sureEnough = 0.9 - 1e-6;

/// What the finding's shape counts. Where it asks in which zone times are, `open` is what it says
/// before somebody answers: rows whose state depends on the answer have none yet.
struct SchemaCounts
{
    OutboxSnapshot all;
    std::optional<OutboxSnapshot> open;
};

/// `isListed`: a probe of all tables names it too.
[[nodiscard]] SchemaVerdict verdictOf(const OutboxTruth &truth, const ProbeFinding &finding,
                                      bool isListed, const SchemaCounts &counts);

/// The sums of many verdicts.
class VerdictTally
{
public:
    void add(const SchemaVerdict &verdict);
    [[nodiscard]] int all() const;
    [[nodiscard]] int count(SchemaVerdict::Is is) const { return m_counts.value(is); }
    /// Right, told or not, or asked where it cannot be known; per cent.
    [[nodiscard]] double rightPerCent() const;
    /// "300: right and sure 200, …; wrong and told by fact: processed 3 …".
    [[nodiscard]] QString text() const;

private:
    QMap<SchemaVerdict::Is, int> m_counts;
    int m_asking = 0; ///< right or wrong
    QMap<QString, int> m_told; ///< by fact
    QMap<QString, int> m_silent;
};

} // namespace outbox
