// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that keeps its processed rows, and an operator's session on it, for tests of the editor.
#pragma once

#include "connectors/sql/edit/outboxeditor.h"
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"

#include <algorithm>

namespace outbox {

/// `rows` rows of which those with an even id are processed.
inline void makeKeptTable(SideSession &side, const DatabaseUrl &url, int rows)
{
    const TestWords &words = testWords(url.dialect);
    side.run(
        classicTable(QStringLiteral(", created_at %1 NOT NULL, completed_at %1, attempts integer")
                         .arg(words.timeType)));
    const QString moment = words.moment.arg(QStringLiteral("2026-01-02 03:04:05.678"));
    side.run(numbered(rows,
                      QStringLiteral("n, 'mail', 'payload ' || n, %1, CASE WHEN n % 2 = 0 THEN %1"
                                     " END, 0")
                          .arg(moment),
                      QStringLiteral("outbox")));
}

inline OutboxShape keptShape()
{
    OutboxShape shape = classicShape();
    shape.createdColumn = QStringLiteral("created_at");
    shape.attemptsColumn = QStringLiteral("attempts");
    shape.processedHow = OutboxShape::ProcessedHow::Time;
    shape.processedColumn = QStringLiteral("completed_at");
    return shape;
}

inline StoreSettings actSettings(const DatabaseUrl &url)
{
    StoreSettings settings = settingsFor(url, StoreAccess::Act);
    settings.applicationName = QStringLiteral("act");
    return settings;
}

/// What a plan would have frozen of the rows, in the order of their keys.
inline QList<RowGuard> seenRows(const DatabaseUrl &url, const OutboxShape &shape,
                                const QStringList &ids = {})
{
    OutboxStore store;
    StoreSettings settings = settingsFor(url, StoreAccess::ReadOnly);
    settings.statementTimeoutMs = patient(settings.statementTimeoutMs); // some payloads are huge
    if (!store.open(settings) || !store.use(shape))
        qFatal("the rows cannot be looked at");
    PageRequest request;
    for (const QString &id : ids)
        request.ids += MessageId{id};
    request.newestFirst = false;
    request.limit = 10'000;
    request.withVersions = true;
    const auto page = store.page(request);
    if (!page)
        qFatal("%s", qPrintable(oneLine(page.error())));
    QList<RowGuard> rows;
    for (const Message &row : page->rows)
        rows += RowGuard{row.id, row.version};
    return rows;
}

inline QStringList idsOf(const QList<MessageId> &keys)
{
    QStringList ids;
    for (const MessageId &key : keys)
        ids += key.text;
    std::sort(ids.begin(), ids.end());
    return ids;
}

inline QStringList idsOf(const QList<RowGuard> &rows)
{
    QList<MessageId> keys;
    for (const RowGuard &row : rows)
        keys += row.id;
    return idsOf(keys);
}

} // namespace outbox
