// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/outcome.h"

#include <QCoreApplication>

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct OutcomeWords
{
    Outcome outcome;
    const char *word;
    const char *label;
};

constexpr std::array wordsOfOutcomes{
    OutcomeWords{Outcome::Done, "done", QT_TRANSLATE_NOOP("outbox::Outcome", "done")},
    OutcomeWords{Outcome::SecondExecution, "second-execution",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "second execution")},
    OutcomeWords{Outcome::NothingToDo, "nothing-to-do",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "nothing to do")},
    OutcomeWords{Outcome::InFlight, "in-flight", QT_TRANSLATE_NOOP("outbox::Outcome", "in flight")},
    OutcomeWords{Outcome::RefusedUntil, "refused",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "would be swallowed")},
    OutcomeWords{Outcome::Dead, "dead", QT_TRANSLATE_NOOP("outbox::Outcome", "dead in queue")},
    OutcomeWords{Outcome::Collision, "collision",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "id taken by another message")},
    OutcomeWords{Outcome::Blocked, "blocked",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "blocked by a damaged task")},
    OutcomeWords{Outcome::Claimed, "claimed", QT_TRANSLATE_NOOP("outbox::Outcome", "claimed")},
    OutcomeWords{Outcome::Unfinished, "unfinished",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "task not finished")},
    OutcomeWords{Outcome::Gone, "gone", QT_TRANSLATE_NOOP("outbox::Outcome", "not there")},
    OutcomeWords{Outcome::NotOffered, "not-offered",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "not possible in this state")},
    OutcomeWords{Outcome::NotAllowed, "not-allowed",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "not allowed")},
    OutcomeWords{Outcome::Unknown, "unknown", QT_TRANSLATE_NOOP("outbox::Outcome", "not known")},
    OutcomeWords{Outcome::Changed, "changed",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "changed meanwhile")},
    OutcomeWords{Outcome::InDoubt, "in-doubt", QT_TRANSLATE_NOOP("outbox::Outcome", "in doubt")},
    OutcomeWords{Outcome::Failed, "failed", QT_TRANSLATE_NOOP("outbox::Outcome", "failed")},
    OutcomeWords{Outcome::Cancelled, "cancelled",
                 QT_TRANSLATE_NOOP("outbox::Outcome", "cancelled before its turn")},
};

const OutcomeWords &wordsOf(Outcome outcome)
{
    return wordsOfOutcomes.at(static_cast<std::size_t>(outcome));
}

} // namespace

QString word(Outcome outcome)
{
    return QString::fromLatin1(wordsOf(outcome).word);
}

QString label(Outcome outcome)
{
    return QCoreApplication::translate("outbox::Outcome", wordsOf(outcome).label);
}

std::optional<Outcome> outcomeFromWord(QStringView text)
{
    for (const OutcomeWords &one : wordsOfOutcomes) {
        if (text == QLatin1StringView(one.word))
            return one.outcome;
    }
    return std::nullopt;
}

QList<Outcome> allOutcomes()
{
    QList<Outcome> outcomes;
    for (const OutcomeWords &one : wordsOfOutcomes)
        outcomes += one.outcome;
    return outcomes;
}

} // namespace outbox
