// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/names/schemawords.h"

#include <QSet>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Words that run together in real schemas: aggregatetype, headerbag, processeddate.
const QSet<QString> &knownWords()
{
    static const QSet<QString> words = [] {
        const QString text
            = u"aggregate at attempt attempted attempts available bag body by class completed "
              u"consumer content "
              "correlation count created creation data date delivered destination dispatched due "
              "enqueued "
              "enqueue error event events expires failed group header headers id job key kind last "
              "lease listener "
              "lock locked max message messages metadata name next occurred offset on outbox owner "
              "partition payload priority processed published queue retries retry scheduled "
              "sequence sent state status subject table time times timestamp topic transaction "
              "type "
              "until "
              "version is done picked taken started reserved claimed lease code reason text try "
              "tries "
              "dead rejected handled picked no by created up raised after not before "
              "process deliver visible send publish processing delivery finished acknowledged "
              "recorded "
              "occurred command poison has was discarded errored gave limit number of attempted"_s;
        const QStringList list = text.split(u' ');
        return QSet<QString>(list.cbegin(), list.cend());
    }();
    return words;
}

/// The fewest known words that make up `word`; the word itself when there are none.
QStringList cut(const QString &word)
{
    if (word.size() < 6 || knownWords().contains(word))
        return {word};
    QList<QStringList> best(word.size() + 1);
    for (qsizetype end = 1; end <= word.size(); ++end) {
        for (qsizetype from = 0; from < end; ++from) {
            if ((from > 0 && best.at(from).isEmpty())
                || !knownWords().contains(word.mid(from, end - from)))
                continue;
            if (best.at(end).isEmpty() || best.at(from).size() + 1 < best.at(end).size())
                best[end] = best.at(from) + QStringList{word.mid(from, end - from)};
        }
    }
    return best.constLast().isEmpty() ? QStringList{word} : best.constLast();
}

} // namespace

QStringList wordsOf(const QString &name)
{
    QStringList words;
    QString word;
    const auto finish = [&] {
        if (!word.isEmpty())
            words += cut(word.toLower());
        word.clear();
    };
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar sign = name.at(i);
        if (!sign.isLetter()) {
            finish();
            continue;
        }
        const bool afterLower = i > 0 && name.at(i - 1).isLower();
        const bool beforeLower = i + 1 < name.size() && name.at(i + 1).isLower();
        if (sign.isUpper() && (afterLower || (beforeLower && i > 0 && name.at(i - 1).isUpper())))
            finish();
        word += sign;
    }
    finish();
    return words;
}

QStringList wordList(const QString &words)
{
    return words.split(u' ');
}

bool hasWord(const QStringList &words, const QString &word)
{
    return std::any_of(words.cbegin(), words.cend(), [&word](const QString &one) {
        return one == word || one == QString(word + u's') || one == QString(word + u"es"_s)
            || (word.endsWith(u'y') && one == QString(word.chopped(1) + u"ies"_s));
    });
}

bool hasAnyWord(const QStringList &words, const QStringList &wanted)
{
    return std::any_of(wanted.cbegin(), wanted.cend(),
                       [&words](const QString &word) { return hasWord(words, word); });
}

} // namespace outbox
