// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A path of values that are not to be seen: `$.card.number`, `*.password`, `$.items[*].iban`.
#pragma once

#include "models/result.h"

#include <QList>
#include <QString>

namespace outbox {

/// A path begins with `$`, the whole payload, or with `*`, any place in it, and goes on in steps:
/// `.name`, `["any name"]` (with \" and \\), `.*` for any member, `[3]`, `[*]` for any element.
/// `$` alone is the whole payload; behind `*` there is at least one step. Whether letters are
/// large or small does not count in names, as it does not for programs that read JSON in Go;
/// everything else does.
class MaskPath
{
public:
    static constexpr int mostSteps = 32;
    static constexpr qsizetype mostCharacters = 500;

    /// Which first steps of the path lead to a value: bit n for n of them. Several may, as the path
    /// `*.a.a` has them.
    using Passed = quint64;

    /// Fails with Invalid and the position of the character at fault.
    [[nodiscard]] static Result<MaskPath> fromText(const QString &text);
    [[nodiscard]] const QString &text() const { return m_text; }

    [[nodiscard]] Passed atRoot() const { return 1; }
    /// Of the member `foldedName` (`toCaseFolded`) of a value that has `passed`.
    [[nodiscard]] Passed atMember(Passed passed, const QString &foldedName) const;
    /// The same of its element `place`, from 0.
    [[nodiscard]] Passed atElement(Passed passed, int place) const;
    /// The value itself is meant.
    [[nodiscard]] bool isAtEnd(Passed passed) const
    {
        return ((passed >> m_steps.size()) & 1U) != 0;
    }
    bool operator==(const MaskPath &other) const { return m_text == other.m_text; }

private:
    struct Step
    {
        enum class Kind { Name, AnyName, Place, AnyPlace };
        Kind kind = Kind::Name;
        QString name; ///< folded
        int place = 0;
    };
    friend class MaskPathReader;

    MaskPath() = default;
    /// One step on from each that was passed.
    template <typename Fits> [[nodiscard]] Passed stepped(Passed passed, Fits fits) const
    {
        Passed next = m_isAnywhere ? Passed{1} : Passed{0};
        for (qsizetype step = 0; step < m_steps.size(); ++step) {
            if (((passed >> step) & 1U) != 0 && fits(m_steps.at(step)))
                next |= Passed{1} << (step + 1);
        }
        return next;
    }

    QString m_text;
    bool m_isAnywhere = false;
    QList<Step> m_steps;
};

} // namespace outbox
