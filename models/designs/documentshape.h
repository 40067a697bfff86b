// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where business documents with a map of outgoing messages are, and what their parts are called.
#pragma once

#include "models/shape/outboxshape.h"

#include <QString>
#include <QStringList>

namespace outbox {

/// A table with one JSON document a row. Inside each document a map has one entry for each incoming
/// message: its outgoing messages, or null once they were dispatched.
struct DocumentShape
{
    TableName table;
    QString idColumn = QStringLiteral("id");
    QString versionColumn = QStringLiteral("version"); ///< changes with every write of a document
    QString documentColumn = QStringLiteral("document");
    QString changedColumn; ///< when a document was written last; empty: nobody knows
    QStringList mapPath{QStringLiteral("OutboxState")}; ///< names of members, outermost first
    QString messagesMember = QStringLiteral("OutgoingMessages"); ///< of an entry that is an object
    QString timeMember; ///< of such an entry: when it was made; empty: nobody knows
    QString idMember = QStringLiteral("id"); ///< of an outgoing message, as those below
    QString typeMember = QStringLiteral("type");
    QString payloadMember = QStringLiteral("payload");
    QString queueMember = QStringLiteral("queue"); ///< optional in the message
    QString tokenMember = QStringLiteral("token"); ///< the right to execute it; also of an entry:
                                                   ///< that of its incoming message

    bool operator==(const DocumentShape &) const = default;
};

} // namespace outbox
