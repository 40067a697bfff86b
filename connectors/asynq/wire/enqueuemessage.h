// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bytes of a new task's message, written straight into a command: no copy of a payload between.
#pragma once

#include "models/message/task.h"

#include <QByteArray>
#include <QByteArrayView>

namespace outbox::asynq {

/// Byte for byte what `encode` makes of the same fields (tst_enqueuecalls holds them together), but
/// what repeats from row to row is encoded once.
class EnqueueMessage
{
public:
    /// Takes up a request that is not refused; `id` is its id in UTF-8. Both outlive the writing.
    void set(const EnqueueRequest &request, QByteArrayView id);
    [[nodiscard]] qsizetype bytes() const { return identityBytes() + m_rest.size(); }
    /// So many bytes at the beginning hold type, payload and id.
    [[nodiscard]] qsizetype identityBytes() const { return m_identityBytes; }
    /// Writes `bytes()` bytes.
    void write(char *to) const;

private:
    QString m_typeText; ///< what m_type was made of
    QByteArray m_type; ///< its field
    QByteArrayView m_payload;
    QByteArrayView m_id;
    EnqueueRequest m_options; ///< what m_rest was made of: everything but type, payload and id
    QByteArray m_rest;
    qsizetype m_identityBytes = 0;
};

} // namespace outbox::asynq
