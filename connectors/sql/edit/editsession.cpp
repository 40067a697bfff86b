// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/edit/editsession.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/knowntimes.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/probe/shapecheck.h"

#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Key and version of each line.
QList<RowGuard> guardsIn(const SqlRows &rows)
{
    QList<RowGuard> guards;
    for (qsizetype row = 0; row < rows.size(); ++row)
        guards += RowGuard{{rows.text(row, 0)}, rows.text(row, 1)};
    return guards;
}

QString holderText(const SqlRows &holder)
{
    QString who = holder.text(0, 2).isEmpty() ? u"another session"_s : holder.text(0, 2);
    if (!holder.isNull(0, 1))
        who += u" (process %1)"_s.arg(holder.text(0, 1));
    return u"row %1 is held by %2"_s.arg(holder.text(0, 0), who);
}

} // namespace

Result<void> EditSession::prepare()
{
    const DatabaseUrl::Dialect dialect = session.dialect();
    const auto catalog = TRY(readTables(*session, dialect, tablesOf(shape), {parkedTableName()}));
    const auto table = TRY(checkShape(shape, catalog, dialect));
    if (shape.keyColumn.isEmpty()) {
        return fail(Error::Kind::Unsupported, u"preparing to write to "_s + shape.table.text(),
                    u"no single column is the key of its rows"_s);
    }
    if (const QString why = whyOnlyLook(shape, table, dialect); !why.isEmpty()) {
        return fail(Error::Kind::Unsupported, u"preparing to write to "_s + shape.table.text(),
                    why);
    }
    const OutboxShape known = withKnownTimes(shape, table, dialect);
    look = makeDialect(dialect, known, table);
    edit = makeEditDialect(dialect, known, table);
    status.forget();
    return parked.find(*session, dialect, catalog, shape);
}

Result<void> EditSession::readyToWrite(const QString &doing) const
{
    TRY(session.ready(doing));
    if (!inTransaction)
        return fail(Error::Kind::Conflict, doing, u"no transaction is open"_s);
    return {};
}

QList<RowGuard> EditSession::possible(const QList<RowGuard> &rows) const
{
    QList<RowGuard> fitting;
    for (const RowGuard &row : rows) {
        if (look->isKeyText(row.id.text))
            fitting += row;
    }
    return fitting;
}

Result<QList<RowGuard>> EditSession::asSeen(const QList<RowGuard> &rows, const QString &doing,
                                            IfHeld held)
{
    TRY(readyToWrite(doing));
    const QList<RowGuard> wanted = possible(rows);
    if (edit->comparesVersions() || wanted.isEmpty())
        return wanted;
    const auto now = session->query(edit->hold(wanted, held == IfHeld::LeaveOut), doing);
    if (!now)
        return rolledBack(now.error(), wanted);
    const QList<RowGuard> found = guardsIn(*now);
    const QSet<RowGuard> standing(found.begin(), found.end());
    QList<RowGuard> same;
    for (const RowGuard &row : wanted) {
        if (standing.contains(row))
            same += row;
    }
    return same;
}

Result<SqlRows> EditSession::write(RowWrite kind, const QString &what, const QList<RowGuard> &rows,
                                   const std::function<SqlText(const QList<RowGuard> &)> &build)
{
    const QString doing
        = u"%1 %2 rows of %3"_s.arg(what, QString::number(rows.size()), shape.table.text());
    const auto wanted = TRY(asSeen(rows, doing, IfHeld::Wait));
    if (wanted.isEmpty())
        return SqlRows();
    std::optional<SqlRows> keys;
    if (const auto asked = edit->toBeWritten(kind, wanted)) {
        auto answer = session->query(*asked, doing);
        if (!answer)
            return rolledBack(answer.error(), wanted);
        keys = std::move(*answer);
        if (keys->size() == 0)
            return *keys;
    }
    auto done = session->query(build(wanted), doing);
    if (!done)
        return rolledBack(done.error(), wanted);
    if (!keys)
        return done;
    if (done->affected != keys->size()) {
        return rolledBack(
            {Error::Kind::Conflict,
             doing,
             u"%1 rows were to be written and %2 were"_s.arg(keys->size()).arg(done->affected),
             {},
             {}},
            {});
    }
    return *keys;
}

Result<SqlRows> EditSession::insertNew(const QList<WholeRow> &rows, const QString &doing)
{
    auto done = session->query(edit->insert(rows), doing);
    const QString repeated = session.database().repeatedKeyCode;
    if (repeated.isEmpty())
        return done ? std::move(done) : Result<SqlRows>(rolledBack(done.error(), {}));
    SqlRows keys;
    keys.columns = 1;
    if (done) {
        for (const WholeRow &row : rows)
            keys.cells += row.id.text.toUtf8();
        return keys;
    }
    if (done.error().code != repeated)
        return rolledBack(done.error(), {});
    if (rows.size() == 1)
        return keys;
    for (const WholeRow &row : rows) { // the statement alone was undone: one by one then
        const auto one = TRY(insertNew({row}, doing));
        keys.cells += one.cells;
    }
    return keys;
}

Result<QList<RowWritten>> EditSession::writtenIn(const SqlRows &answer)
{
    if (edit->comparesVersions() || answer.size() == 0)
        return guardsIn(answer);
    QList<RowWritten> written;
    for (qsizetype row = 0; row < answer.size(); ++row)
        written += RowWritten{{answer.text(row, 0)}, {}};
    // Not by RETURNING, which answers before triggers have had their say.
    const auto now = session->query(edit->hold(written, false),
                                    u"reading %1 rows after the write"_s.arg(written.size()));
    if (!now)
        return rolledBack(now.error(), written);
    return guardsIn(*now);
}

Failure EditSession::cannot(const QString &what, const QString &why)
{
    return rolledBack({Error::Kind::Unsupported,
                       QString(what + u" rows of "_s + shape.table.text()),
                       why,
                       {},
                       {}},
                      {});
}

Failure EditSession::rolledBack(Error error, const QList<RowGuard> &rows)
{
    inTransaction = false;
    if (!session)
        return Failure(error);
    if (const auto back = session->rollback(error.doing); !back)
        session->close(); // which rolls back as well
    error = session->explained(std::move(error));
    error.effect = Error::Effect::None;
    if (error.code != lockNotAvailable || !session->isUp())
        return Failure(error);
    QList<MessageId> ids;
    for (const RowGuard &row : rows)
        ids += row.id;
    if (const auto asked = edit->holderOf(look->keyTexts(ids))) {
        const auto held = session->query(*asked, error.doing);
        if (held && held->size() > 0)
            error.text = holderText(*held);
    }
    return Failure(error);
}

Result<RowRights> EditSession::askRights()
{
    const QString doing = u"asking for the rights on "_s + shape.table.text();
    TRY(session.ready(doing));
    const auto rows = session->query(edit->rights(), doing);
    if (!rows) {
        if (inTransaction)
            return rolledBack(rows.error(), {});
        return passOn(rows);
    }
    if (rows->size() != 1)
        return fail(Error::Kind::Protocol, doing, u"the answer is not one line"_s);
    using namespace RightColumn;
    const auto may = [&rows](int column) { return rows->bytes(0, column) == "true"; };
    RowRights found{may(Lock),   may(Reopen),  may(Remove),
                    may(Insert), may(Release), may(RightColumn::Audit)};
    if (const auto attempt = edit->tryRemove()) {
        const auto allowed = session->query(*attempt, doing);
        if (!allowed && allowed.error().kind != Error::Kind::Refused)
            return inTransaction ? Result<RowRights>(rolledBack(allowed.error(), {}))
                                 : Result<RowRights>(passOn(allowed));
        found.remove = allowed.has_value();
    }
    rights = found;
    audit.reset();
    closedAudit.reset();
    if (const QString name = rows->text(0, RightColumn::AuditTable); !name.isEmpty())
        (found.audit ? audit : closedAudit) = TableName{rows->text(0, AuditSchema), name};
    return found;
}

} // namespace outbox
