// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page about roles, as far as tests read it: the rights that it gives, and its tables.
#pragma once

#include <QFile>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <QTest>

namespace outbox {

/// One line of a table: what is done, and for each role whether it may.
struct RoleLine
{
    QString act;
    QList<bool> allowed; ///< in the order of `RolesPage::roles`
};

struct RolesPage
{
    QStringList roles;
    QStringList statements; ///< without a semicolon
    QList<RoleLine> lines;

    /// Fails the test unless the acts of the page are just `acts`, which are sorted, each with a
    /// cell for every role.
    void expectActs(const QStringList &acts) const
    {
        QStringList told;
        for (const RoleLine &line : lines) {
            told += line.act;
            QCOMPARE(line.allowed.size(), roles.size());
        }
        told.sort();
        QCOMPARE(told, acts);
    }
    /// A row of test data for each cell: "act", "role", "allowed".
    void addCells() const
    {
        QTest::addColumn<QString>("act");
        QTest::addColumn<QString>("role");
        QTest::addColumn<bool>("allowed");
        for (const RoleLine &line : lines) {
            for (qsizetype i = 0; i < roles.size(); ++i) {
                const QString &role = roles.at(i);
                QTest::addRow("%s: %s", qPrintable(role), qPrintable(line.act))
                    << line.act << role << line.allowed.at(i);
            }
        }
    }

    /// The part under the heading; empty where the page has none. Statements begin with one of
    /// `words`.
    static RolesPage read(const QString &path, const QString &heading, const QStringList &words)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QString part = QString::fromUtf8(file.readAll())
                                 .section(QStringLiteral("\n## %1\n").arg(heading), 1)
                                 .section(QStringLiteral("\n## "), 0, 0);
        RolesPage page;
        for (const QString &line : part.split(u'\n')) {
            for (const QString &word : words) {
                if (line.startsWith(word))
                    page.statements += line.section(u';', 0, 0).trimmed();
            }
            if (!line.startsWith(u"| ") && !line.startsWith(u"|-"))
                continue;
            QStringList cells = line.split(u'|').mid(1);
            cells.removeLast();
            for (QString &cell : cells)
                cell = cell.trimmed();
            if (page.roles.isEmpty()) {
                page.roles = cells.mid(1);
            } else if (!line.startsWith(u"|-")) {
                RoleLine one{cells.takeFirst(), {}};
                for (const QString &cell : std::as_const(cells))
                    one.allowed += cell == QStringLiteral("ok");
                page.lines += one;
            }
        }
        return page;
    }
};

} // namespace outbox
