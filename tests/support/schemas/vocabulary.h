// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How teams name tables, columns and states: words of several languages, and ways to write them.
#pragma once

#include "tests/support/schemas/dice.h"

#include <QMap>
#include <QSet>
#include <QStringList>

namespace outbox {

/// Names by what they name ("created: created at | occurred at"), as words in lower case.
struct Vocabulary
{
    QString name;
    int weight = 1; ///< how often it is drawn
    bool isForeign = false; ///< not English: a rule cannot know its words, only rows can tell
    QMap<QString, QStringList> words;
    /// What most teams write: drawn now and then, for no table is strange in every column.
    QMap<QString, QStringList> usual;

    /// One of the names of `what`; empty where it has none.
    [[nodiscard]] QString one(const QString &what, Dice &dice) const;
};

/// What one corpus is made of: vocabularies, then ordinary tables.
struct Corpus
{
    QString name;
    QList<Vocabulary> vocabularies; ///< the first is English: it names what others do not
    QStringList ordinary; ///< "orders | buy orders: id=key, total=money …"
    bool isHeldOut = false;
    bool isDesigned = false; ///< its outboxes are those of relays and job queues

    [[nodiscard]] const Vocabulary &draw(Dice &dice) const;
};

/// Anybody may look at it and make rules from it.
[[nodiscard]] const Corpus &trainingCorpus();
/// The same in words that mean nothing, beside usual ones: rules are made from it, too.
[[nodiscard]] const Corpus &strangeCorpus();
/// Designs of relays and job queues, in words that mean nothing but are said to be English: what
/// nobody can know there counts as wrong. Rules are made from it.
[[nodiscard]] const Corpus &designedCorpus();
/// Words of several meanings. Rules are made from it.
[[nodiscard]] const Corpus &tangledCorpus();
/// Nobody makes rules from it: it says whether they hold for what nobody has seen.
[[nodiscard]] const Corpus &heldOutCorpus();

/// Reads "[english] 6", then lines of "what: name | name"; "[italian] 2 foreign".
[[nodiscard]] QList<Vocabulary> vocabulariesIn(const char *text);
/// One line each, without empty ones.
[[nodiscard]] QStringList linesIn(const char *text);

/// What a name is of: some styles write that before it.
enum class NameOf { Table, Time, Flag, Number, Words, Key };

/// One way to write all names of one schema.
class NamingStyle
{
public:
    NamingStyle() = default;
    NamingStyle(Dice &dice, bool isHeldOut);

    /// `words` as this style writes them.
    [[nodiscard]] QString written(const QString &words, NameOf of) const;
    [[nodiscard]] QString name() const;

private:
    enum class Way { Snake, Camel, Pascal, Upper, Flat, PrefixedSnake, PrefixedCamel };
    [[nodiscard]] QString prefix(NameOf of) const;

    Way m_way = Way::Snake;
    bool m_isHeldOut = false;
    QString m_beforeTables; ///< "tbl"
    QString m_beforeColumns; ///< "obx"
};

} // namespace outbox
