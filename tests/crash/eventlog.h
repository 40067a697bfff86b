// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay's diary: one line a moment, written so that it survives the death of the process.
#pragma once

#include "app/relay/relayobserver.h"

#include <QByteArray>
#include <QFile>

#include <optional>

namespace outbox::crash {

/// The word of a moment in the diary; `momentFrom` reads it back.
[[nodiscard]] QByteArray word(RelayStage moment);
[[nodiscard]] std::optional<RelayStage> momentFrom(const QByteArray &word);
/// Names a batch by its rows, so that they need to be listed once only.
[[nodiscard]] QByteArray batchName(const QList<MessageId> &ids);

/// Lines of four fields between tabs: nanoseconds of the monotonic clock, moment, name of the batch
/// ("-" for none), and for Claimed the ids with blanks between them.
class EventLog
{
public:
    /// Appends to `path`; a moment that cannot be written ends the process, since a diary with a
    /// hole proves nothing.
    explicit EventLog(const QString &path);
    void at(RelayStage moment, const QList<MessageId> &ids);

private:
    QFile m_file;
};

} // namespace outbox::crash
