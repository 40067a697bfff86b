// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The databases there are, and what is known of each without asking it. Whoever does something
// different for one of them asks for a fact here, and not for its name.
#pragma once

#include "connectors/sql/driver/databaseurl.h"

#include <QHash>
#include <QString>
#include <QStringList>

namespace outbox {

/// Facts of one kind of database.
struct SqlDatabase
{
    DatabaseUrl::Dialect dialect{};
    QString name{}; ///< as people write it
    QString example{}; ///< a URL of one
    QStringList schemes{}; ///< of its URLs; the first one is shown
    int usualPort = 0; ///< 0: it is a file, and no server
    QString passwordVariable{}; ///< the environment variable that its own client reads
    QString textType{}; ///< what a cast to a text names
    QString timeType{}; ///< of a moment with microseconds; empty: a text
    QString driver{}; ///< the plugin of Qt; empty: it is spoken to without one
    QString driverPackage{}; ///< what has to be installed for that
    /// What is wrong with a URL that its client library would take in silence, or that contradicts
    /// what is done with it. `written` is the URL behind its scheme. Invalid.
    Result<void> (*checkUrl)(const DatabaseUrl &url, const QString &written, const QString &doing)
        = nullptr;
    /// Before and behind the names in statements for people.
    QString quotes = QStringLiteral("\"\"");
    bool isLoose = false; ///< any column may hold any kind of value
    bool takesQuestionMarks = true; ///< in the names of columns
    bool hasPartialIndexes = true;
    bool indexesWholeTexts = true; ///< false: an index of a text column needs a length
    bool ordersUuids = true; ///< as their texts are ordered
    bool tellsRowLocks = false; ///< which rows are held, and by whom
    /// How many bytes a column of such a type holds, where its name says it without a number.
    QHash<QString, qint64> mostBytes{};
    /// Makes all that was committed durable; empty: it cannot be asked for that.
    QString barrier{};
    /// What a statement fails with that meets a key twice; empty where it can say what to do then.
    QString repeatedKeyCode{};
    /// What a note of a failure fails with where somebody holds the row; empty: it passes it over.
    QString heldRowCode{};
    /// What a statement fails with that ran into its deadline; empty: no server ends one.
    QString deadlineCode{};
    /// What any statement, a COMMIT too, fails with where the server has rolled the transaction
    /// back for another one's sake, for sure; empty: it is told in another way.
    QString rolledBackCode{};
    /// Gives a table an engine that can roll back; empty where every table has one.
    QString makeTransactional{};
    /// Stands before an UPDATE or DELETE of one table, so that it goes by a key or is an error.
    QString beforeWrite{};
    /// Take and give back a lock of the session, and answer 1; NUMBER and NAME stand for the lock.
    QString takeLock{};
    QString releaseLock{};

    [[nodiscard]] bool isFile() const { return usualPort == 0; }
    /// "… is not supported with …": why something that is asked for cannot be done.
    [[nodiscard]] QString lacks(const QString &what) const
    {
        return what + QStringLiteral(" is not supported with ") + name;
    }
    [[nodiscard]] bool hasBarrier() const { return !barrier.isEmpty(); }
    /// Whether statements can name this column.
    [[nodiscard]] bool canName(const QString &column) const
    {
        return takesQuestionMarks || !column.contains(u'?');
    }
};

[[nodiscard]] const SqlDatabase &databaseOf(DatabaseUrl::Dialect dialect);
/// nullptr where no database has URLs of this scheme.
[[nodiscard]] const SqlDatabase *databaseOfScheme(const QString &scheme);
/// "postgresql://…, mysql://… or sqlite://…": an example of each.
[[nodiscard]] QString databaseExamples();

} // namespace outbox
