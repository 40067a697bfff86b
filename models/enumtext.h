// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words and labels of an enum, as one table.
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>

#include <algorithm>
#include <array>
#include <optional>

namespace outbox {

template <typename Enum> struct EnumText
{
    Enum value;
    QStringView word; ///< a literal; for files, JSON and the command line
    const char *label = nullptr; ///< for people; English, before it is translated
};

/// One row for each value. A value that has no row takes the texts of the last one.
template <typename Enum, std::size_t count> struct EnumTexts
{
    std::array<EnumText<Enum>, count> rows;

    [[nodiscard]] constexpr const EnumText<Enum> &of(Enum value) const
    {
        const auto found = std::find_if(rows.begin(), rows.end(),
                                        [value](const auto &row) { return row.value == value; });
        return found == rows.end() ? rows.back() : *found;
    }
    [[nodiscard]] QString word(Enum value) const
    {
        const QStringView word = of(value).word;
        return QString::fromRawData(word.data(), word.size());
    }
    /// `context` is that of the translation.
    [[nodiscard]] QString label(Enum value, const char *context) const
    {
        return QCoreApplication::translate(context, of(value).label);
    }
    [[nodiscard]] std::optional<Enum>
    fromWord(QStringView word, Qt::CaseSensitivity letters = Qt::CaseSensitive) const
    {
        for (const EnumText<Enum> &row : rows) {
            if (word.compare(row.word, letters) == 0)
                return row.value;
        }
        return std::nullopt;
    }
    [[nodiscard]] QList<Enum> all() const
    {
        QList<Enum> values;
        for (const EnumText<Enum> &row : rows)
            values += row.value;
        return values;
    }
};

/// `rows` stand in the order in which people read them.
template <typename Enum, std::size_t count>
constexpr EnumTexts<Enum, count> enumTexts(const EnumText<Enum> (&rows)[count])
{
    return {std::to_array(rows)};
}

} // namespace outbox
