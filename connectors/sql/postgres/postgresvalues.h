// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The values of a statement on their way into libpq, and rows on their way out of it.
#pragma once

#include <QByteArray>
#include <QVariantList>

#include <vector>

struct pg_result;

namespace outbox {

struct SqlRows;

/// The values of a statement as libpq takes them. Text is text either way; bytes and answers go as
/// they are, without hex.
class PostgresValues
{
public:
    explicit PostgresValues(const QVariantList &values);

    /// False where one of them is too large for the protocol.
    [[nodiscard]] bool canBeSent() const { return m_canBeSent; }
    [[nodiscard]] int count() const { return static_cast<int>(m_values.size()); }
    [[nodiscard]] const char *const *values() const { return m_values.data(); }
    [[nodiscard]] const int *lengths() const { return m_lengths.data(); }
    [[nodiscard]] const int *formats() const { return m_formats.data(); }

    static constexpr int binary = 1;

private:
    std::vector<QByteArray> m_bytes;
    std::vector<const char *> m_values;
    std::vector<int> m_lengths;
    std::vector<int> m_formats;
    bool m_canBeSent = true;
};

/// The rows of a result that is no error.
[[nodiscard]] SqlRows postgresRows(pg_result *result);

} // namespace outbox
