// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/schemas/vocabulary.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString Vocabulary::one(const QString &what, Dice &dice) const
{
    constexpr int usualPerCent = 40;
    const auto often = usual.constFind(what);
    if (often != usual.cend() && dice.chance(usualPerCent))
        return dice.of(*often);
    const auto found = words.constFind(what);
    return found == words.cend() ? QString() : dice.of(*found);
}

const Vocabulary &Corpus::draw(Dice &dice) const
{
    int all = 0;
    for (const Vocabulary &one : vocabularies)
        all += one.weight;
    int rest = dice.below(all);
    for (const Vocabulary &one : vocabularies) {
        if (rest < one.weight)
            return one;
        rest -= one.weight;
    }
    return vocabularies.constFirst();
}

QStringList linesIn(const char *text)
{
    QStringList lines;
    for (const QString &line : QString::fromUtf8(text).split(u'\n')) {
        if (!line.trimmed().isEmpty())
            lines += line.trimmed();
    }
    return lines;
}

QList<Vocabulary> vocabulariesIn(const char *text)
{
    QList<Vocabulary> all;
    for (const QString &line : linesIn(text)) {
        if (line.startsWith(u'[')) {
            const QStringList rest = line.section(u']', 1).split(u' ', Qt::SkipEmptyParts);
            Vocabulary next;
            next.name = line.section(u']', 0, 0).mid(1);
            next.weight = rest.value(0).toInt();
            next.isForeign = rest.contains(u"foreign"_s);
            all += next;
            continue;
        }
        QStringList names;
        for (const QString &name : line.section(u':', 1).split(u'|'))
            names += name.trimmed();
        all.last().words.insert(line.section(u':', 0, 0), names);
    }
    return all;
}

NamingStyle::NamingStyle(Dice &dice, bool isHeldOut) : m_isHeldOut(isHeldOut)
{
    static const QList<Way> ways{Way::Snake,         Way::Camel,         Way::Pascal, Way::Upper,
                                 Way::PrefixedSnake, Way::PrefixedCamel, Way::Flat};
    m_way = ways.at(isHeldOut ? dice.weighted({36, 12, 16, 14, 6, 10, 6})
                              : dice.weighted({40, 14, 16, 12, 14, 0, 4}));
    const bool hasParts
        = m_way != Way::Flat && m_way != Way::PrefixedCamel && m_way != Way::PrefixedSnake;
    static const QStringList tables{u"tbl"_s, u"t"_s, u"app"_s, u"core"_s, u"msg"_s};
    static const QStringList otherTables{u"tb"_s, u"sys"_s, u"x"_s, u"shop"_s, u"svc billing"_s};
    if (hasParts && dice.chance(22))
        m_beforeTables = dice.of(isHeldOut ? otherTables : tables);
    static const QStringList columns{u"ob"_s, u"obx"_s, u"out"_s};
    static const QStringList otherColumns{u"mo"_s, u"evt"_s, u"q"_s};
    const bool isShort = m_way == Way::Snake || m_way == Way::Upper;
    if (isShort && dice.chance(isHeldOut ? 8 : 6))
        m_beforeColumns = dice.of(isHeldOut ? otherColumns : columns);
}

QString NamingStyle::prefix(NameOf of) const
{
    const bool isSnake = m_way == Way::PrefixedSnake;
    switch (of) {
    case NameOf::Time:
        return isSnake ? (m_isHeldOut ? u"ts"_s : u"dt"_s) : u"dtm"_s;
    case NameOf::Flag:
        return isSnake ? (m_isHeldOut ? u"fl"_s : u"is"_s) : u"bln"_s;
    case NameOf::Number:
        return isSnake ? (m_isHeldOut ? u"num"_s : u"nr"_s) : u"int"_s;
    case NameOf::Words:
        return isSnake ? (m_isHeldOut ? u"s"_s : u"tx"_s) : u"str"_s;
    case NameOf::Key:
        return isSnake ? u"id"_s : u"pk"_s;
    case NameOf::Table:
        break;
    }
    return u"tbl"_s;
}

QString NamingStyle::written(const QString &words, NameOf of) const
{
    QStringList parts = words.split(u' ', Qt::SkipEmptyParts);
    if (m_way == Way::PrefixedSnake || m_way == Way::PrefixedCamel) {
        // the letters before it say what it is: the words that say so are left out
        static const QSet<QString> ends{u"at"_s, u"on"_s, u"date"_s, u"time"_s, u"am"_s, u"le"_s};
        if (of == NameOf::Time && parts.size() > 1 && ends.contains(parts.constLast()))
            parts.removeLast();
        if ((of == NameOf::Flag && parts.size() > 1 && parts.constFirst() == u"is"_s))
            parts.removeFirst();
        if (of == NameOf::Key && parts.size() > 1 && parts.constLast() == u"id"_s)
            parts.removeLast();
        if (of == NameOf::Key && parts.constFirst() == u"id"_s && parts.size() == 1
            && m_way == Way::PrefixedSnake)
            parts = {};
        parts.prepend(prefix(of));
    }
    const QString &before = of == NameOf::Table ? m_beforeTables : m_beforeColumns;
    if (!before.isEmpty())
        parts = before.split(u' ') + parts;
    QString text;
    switch (m_way) {
    case Way::Snake:
    case Way::PrefixedSnake:
        return parts.join(u'_');
    case Way::Upper:
        return parts.join(u'_').toUpper();
    case Way::Flat:
        return parts.join(QString());
    case Way::Camel:
    case Way::Pascal:
    case Way::PrefixedCamel:
        for (QString &part : parts)
            part[0] = part.at(0).toUpper();
        text = parts.join(QString());
        if (m_way != Way::Pascal && of != NameOf::Table)
            text[0] = text.at(0).toLower();
        break;
    }
    return text;
}

QString NamingStyle::name() const
{
    static const QStringList names{u"snake"_s, u"camel"_s, u"pascal"_s, u"upper"_s,
                                   u"flat"_s,  u"dt_"_s,   u"dtm"_s};
    return names.at(static_cast<int>(m_way))
        + (m_beforeColumns.isEmpty() ? QString() : u"+"_s + m_beforeColumns);
}

} // namespace outbox
