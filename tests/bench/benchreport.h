// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a benchmark says of a figure that it took in several rounds, and how it writes its files.
#pragma once

#include "models/result.h"

#include <QFile>
#include <QJsonObject>
#include <QList>

#include <algorithm>

namespace outbox {

/// One figure of several rounds.
struct Spread
{
    double median = 0;
    double least = 0;
    double most = 0;

    /// `values` holds one at least.
    [[nodiscard]] static Spread of(QList<double> values)
    {
        std::sort(values.begin(), values.end());
        const qsizetype middle = values.size() / 2;
        const double median = values.size() % 2 == 1
            ? values.at(middle)
            : (values.at(middle - 1) + values.at(middle)) / 2;
        return {median, values.first(), values.last()};
    }
    [[nodiscard]] QString text(int decimals) const
    {
        return QStringLiteral("%1 (%2 - %3)")
            .arg(median, 0, 'f', decimals)
            .arg(least, 0, 'f', decimals)
            .arg(most, 0, 'f', decimals);
    }
    [[nodiscard]] QJsonObject json() const
    {
        return {{QStringLiteral("median"), median},
                {QStringLiteral("min"), least},
                {QStringLiteral("max"), most}};
    }
};

/// Nothing where no file is asked for. Errors: Invalid where it cannot be written.
[[nodiscard]] inline Result<void> writeTo(const QString &name, const QByteArray &bytes)
{
    QFile file(name);
    if (name.isEmpty() || (file.open(QIODevice::WriteOnly) && file.write(bytes) >= 0))
        return {};
    return fail(Error::Kind::Invalid, QStringLiteral("writing ") + name, file.errorString());
}

} // namespace outbox
