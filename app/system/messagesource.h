// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the messages of a system wait: in rows of an outbox, or in documents.
#pragma once

#include "app/system/sourcefeed.h"
#include "models/shape/outboxshape.h"

namespace outbox {

/// What a system needs to know of either.
class MessageSource : public SourceFeed
{
    Q_OBJECT

signals:
    /// It can be read under the names that the profile gives it. Documents tell what they have in
    /// common with rows.
    void shapeKnown(const outbox::OutboxShape &shape);
    /// The figures; of documents, an undispatched entry is a row that waits.
    void taken(const outbox::OutboxSnapshot &snapshot);

protected:
    using SourceFeed::SourceFeed;
};

} // namespace outbox
