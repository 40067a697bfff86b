// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nearest.h"

#include <QVarLengthArray>

#include <numeric>

namespace outbox {

qsizetype editDistance(QStringView left, QStringView right)
{
    QVarLengthArray<qsizetype, 64> row(right.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < left.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (qsizetype j = 0; j < right.size(); ++j) {
            const bool same = left[i].toCaseFolded() == right[j].toCaseFolded();
            const qsizetype changed = diagonal + (same ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
        }
    }
    return row[right.size()];
}

QString nearestWord(QStringView word, const QStringList &candidates)
{
    QString best;
    qsizetype bestDistance = std::max<qsizetype>(1, word.size() / 3) + 1;
    for (const QString &candidate : candidates) {
        const qsizetype found = editDistance(word.left(64), candidate);
        if (found < bestDistance) {
            bestDistance = found;
            best = candidate;
        }
    }
    return best;
}

} // namespace outbox
