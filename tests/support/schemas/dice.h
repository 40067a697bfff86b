// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chance that is the same for one seed on every machine: what it makes can be made again.
#pragma once

#include <QList>
#include <QString>

#include <initializer_list>
#include <numeric>

namespace outbox {

class Dice
{
public:
    explicit Dice(quint64 seed) : m_state(seed)
    {
        m_state = next() ^ (seed << 32); // neighbours have nothing in common
    }

    quint64 next()
    {
        quint64 mixed = m_state += 0x9e3779b97f4a7c15ULL;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31);
    }
    /// 0 to `count` - 1.
    int below(int count) { return static_cast<int>(next() % static_cast<quint64>(count)); }
    int from(int least, int most) { return least + below(most - least + 1); }
    bool chance(int percent) { return below(100) < percent; }
    template <typename T> const T &of(const QList<T> &things)
    {
        return things.at(below(static_cast<int>(things.size())));
    }
    /// The place of one of these weights.
    int weighted(std::initializer_list<int> weights)
    {
        int rest = below(std::accumulate(weights.begin(), weights.end(), 0));
        int place = 0;
        for (const int weight : weights) {
            if (rest < weight)
                return place;
            rest -= weight;
            ++place;
        }
        return place - 1;
    }
    QString hex(int digits)
    {
        QString text;
        while (text.size() < digits)
            text += QString::number(next(), 16).rightJustified(16, u'0');
        return text.left(digits);
    }
    QString uuid()
    {
        const QString all = hex(32);
        return QStringLiteral("%1-%2-4%3-a%4-%5")
            .arg(all.left(8), all.mid(8, 4), all.mid(13, 3), all.mid(17, 3), all.mid(20));
    }

private:
    quint64 m_state;
};

} // namespace outbox
