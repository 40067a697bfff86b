// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The training corpus in words that no language has: what is read there is read off the rows.
#include "tests/support/schemas/vocabulary.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString strangeWord(Dice &dice)
{
    static const QStringList starts{u"b"_s, u"dr"_s, u"f"_s, u"gl"_s, u"k"_s,
                                    u"m"_s, u"pl"_s, u"r"_s, u"tr"_s, u"z"_s};
    static const QStringList middles{u"a"_s, u"e"_s, u"i"_s, u"o"_s, u"u"_s, u"oo"_s};
    static const QStringList ends{u"bex"_s,  u"cum"_s, u"dral"_s, u"fip"_s,  u"goth"_s,
                                  u"lunk"_s, u"mov"_s, u"pish"_s, u"quor"_s, u"vax"_s};
    return dice.of(starts) + dice.of(middles) + dice.of(ends);
}

/// As many words, none of which means anything.
QString strange(const QString &name, Dice &dice)
{
    QStringList words = name.split(u' ');
    for (QString &word : words)
        word = strangeWord(dice);
    return words.join(u' ');
}

} // namespace

const Corpus &strangeCorpus()
{
    static const Corpus corpus = [] {
        Corpus made = trainingCorpus();
        made.name = u"strange"_s;
        Vocabulary english = made.vocabularies.constFirst();
        const Vocabulary extras = made.vocabularies.constLast();
        QMap<QString, QStringList> all = english.words;
        all.insert(extras.words);
        Dice dice(4711);
        made.vocabularies.clear();
        for (int number = 0; number < 12; ++number) {
            Vocabulary next;
            next.name = u"strange "_s + QString::number(number);
            next.isForeign = true;
            next.usual = all;
            for (auto names = all.cbegin(); names != all.cend(); ++names) {
                const int count = dice.from(2, 4);
                for (int name = 0; name < count; ++name)
                    next.words[names.key()] += strange(dice.of(names.value()), dice);
            }
            made.vocabularies += next;
        }
        english.weight = 0; // it names what is missing
        made.vocabularies.prepend(english);
        made.vocabularies += extras;
        return made;
    }();
    return corpus;
}

const Corpus &designedCorpus()
{
    static const Corpus corpus = [] {
        Corpus made = strangeCorpus();
        made.name = u"designed"_s;
        made.isDesigned = true;
        for (Vocabulary &one : made.vocabularies)
            one.isForeign = false;
        return made;
    }();
    return corpus;
}

} // namespace outbox
