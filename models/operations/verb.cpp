// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/verb.h"

#include <QCoreApplication>

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct VerbWords
{
    Verb verb;
    const char *word;
    const char *label;
    bool onRows;
};

constexpr std::array wordsOfVerbs{
    VerbWords{Verb::Replay, "replay", QT_TRANSLATE_NOOP("outbox::Verb", "Replay"), true},
    VerbWords{Verb::Purge, "purge", QT_TRANSLATE_NOOP("outbox::Verb", "Purge"), true},
    VerbWords{Verb::Release, "release", QT_TRANSLATE_NOOP("outbox::Verb", "Release"), true},
    VerbWords{Verb::Import, "import", QT_TRANSLATE_NOOP("outbox::Verb", "Import"), true},
    VerbWords{Verb::Run, "run", QT_TRANSLATE_NOOP("outbox::Verb", "Run"), false},
    VerbWords{Verb::Archive, "archive", QT_TRANSLATE_NOOP("outbox::Verb", "Archive"), false},
    VerbWords{Verb::Delete, "delete", QT_TRANSLATE_NOOP("outbox::Verb", "Delete"), false},
    VerbWords{Verb::Replace, "replace", QT_TRANSLATE_NOOP("outbox::Verb", "Replace"), false},
    VerbWords{Verb::Cancel, "cancel", QT_TRANSLATE_NOOP("outbox::Verb", "Cancel"), false},
    VerbWords{Verb::Pause, "pause", QT_TRANSLATE_NOOP("outbox::Verb", "Pause"), false},
    VerbWords{Verb::Unpause, "unpause", QT_TRANSLATE_NOOP("outbox::Verb", "Unpause"), false},
    VerbWords{Verb::Reconcile, "reconcile", QT_TRANSLATE_NOOP("outbox::Verb", "Reconcile"), true},
    VerbWords{Verb::Enqueue, "enqueue", QT_TRANSLATE_NOOP("outbox::Verb", "Enqueue"), false},
    VerbWords{Verb::Unreplay, "unreplay", QT_TRANSLATE_NOOP("outbox::Verb", "Undo replay"), true},
    VerbWords{Verb::Park, "park", QT_TRANSLATE_NOOP("outbox::Verb", "Park"), true},
    VerbWords{Verb::Unpark, "unpark", QT_TRANSLATE_NOOP("outbox::Verb", "Unpark"), true},
};

const VerbWords &wordsOf(Verb verb)
{
    return wordsOfVerbs.at(static_cast<std::size_t>(verb));
}

} // namespace

QString word(Verb verb)
{
    return QString::fromLatin1(wordsOf(verb).word);
}

QString label(Verb verb)
{
    return QCoreApplication::translate("outbox::Verb", wordsOf(verb).label);
}

std::optional<Verb> verbFromWord(QStringView text)
{
    for (const VerbWords &one : wordsOfVerbs) {
        if (text == QLatin1StringView(one.word))
            return one.verb;
    }
    return std::nullopt;
}

QList<Verb> allVerbs()
{
    QList<Verb> verbs;
    for (const VerbWords &one : wordsOfVerbs)
        verbs += one.verb;
    return verbs;
}

bool actsOnRows(Verb verb)
{
    return wordsOf(verb).onRows;
}

} // namespace outbox
