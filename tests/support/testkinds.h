// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of data for tests that are run on a `TestOutbox` of each database.
#pragma once

#include "tests/support/testoutbox.h"
#include "tests/support/testpostgres.h"

#include <QTest>

#include <utility>

namespace outbox {

/// PostgreSQL alone behind a pooler.
inline const QList<std::pair<const char *, TestOutbox::Kind>> &allKinds()
{
    using Kind = TestOutbox::Kind;
    static const QList<std::pair<const char *, Kind>> kinds{
        {"PostgreSQL", Kind::Postgres}, {"SQLite", Kind::Sqlite}, {"MariaDB", Kind::MariaDb}};
    static const QList<std::pair<const char *, Kind>> pooled{kinds.constFirst()};
    return isDatabasePooled() ? pooled : kinds;
}

/// In the column "kind".
inline void addKinds()
{
    QTest::addColumn<TestOutbox::Kind>("kind");
    for (const auto &[name, kind] : allKinds())
        QTest::newRow(name) << kind;
}

/// Each with each of these shapes, in the columns "kind" and "shape".
inline void addKindsAndShapes(const QList<BenchShape> &shapes)
{
    QTest::addColumn<TestOutbox::Kind>("kind");
    QTest::addColumn<BenchShape>("shape");
    for (const BenchShape shape : shapes) {
        for (const auto &[name, kind] : allKinds())
            QTest::addRow("%s, %s", name, qPrintable(word(shape))) << kind << shape;
    }
}

} // namespace outbox
