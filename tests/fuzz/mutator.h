// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes inputs a little, the same way for the same seed.
#pragma once

#include <QByteArray>
#include <QList>

#include <random>

namespace outbox::fuzz {

class Mutator
{
public:
    Mutator(QList<QByteArray> corpus, quint64 seed);

    /// One of the corpus after one to eight changes; at most `mostBytes` long.
    [[nodiscard]] QByteArray next();

    static constexpr qsizetype mostBytes = 4096;

private:
    [[nodiscard]] qsizetype below(qsizetype limit); ///< 0 … limit - 1; 0 for 0
    void changeOnce(QByteArray &bytes);
    void writeNumber(QByteArray &bytes);

    QList<QByteArray> m_corpus;
    QList<QByteArray> m_words; ///< what the corpus is made of
    std::mt19937_64 m_random;
};

} // namespace outbox::fuzz
