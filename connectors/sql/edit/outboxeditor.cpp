// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/edit/outboxeditor.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/knowntimes.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlitewriter.h"
#include "connectors/sql/edit/audittable.h"
#include "connectors/sql/outbox/childrows.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "connectors/sql/outbox/statustable.h"
#include "connectors/sql/outbox/wholerows.h"
#include "connectors/sql/probe/shapecheck.h"
#include "connectors/sql/session/databasesession.h"
#include "connectors/sql/session/neededrights.h"

#include <QHash>
#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QList<MessageId> keysFrom(const SqlRows &rows)
{
    QList<MessageId> keys;
    for (qsizetype row = 0; row < rows.size(); ++row)
        keys += MessageId{rows.text(row, 0)};
    return keys;
}

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

/// What an OutboxEditor has open, what its session may do, and the one way to write, which rolls
/// back on every error.
/// Errors: those of `OutboxEditor`.
struct EditSession
{
    DatabaseSession session;
    OutboxShape shape;
    std::unique_ptr<Dialect> look;
    std::unique_ptr<EditDialect> edit;
    StatusTableAccess status;
    ParkedTableAccess parked;
    std::optional<RowRights> rights; ///< as last asked for
    std::optional<TableName> audit; ///< where records go
    std::optional<TableName> closedAudit; ///< there, but not for this role
    bool inTransaction = false;

    /// Checks the shape against the catalog of a session that was just opened.
    [[nodiscard]] Result<void> prepare()
    {
        const DatabaseUrl::Dialect dialect = session.dialect();
        const auto catalog
            = TRY(readTables(*session, dialect, tablesOf(shape), {parkedTableName()}));
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
    [[nodiscard]] Result<void> readyToWrite(const QString &doing) const
    {
        TRY(session.ready(doing));
        if (!inTransaction)
            return fail(Error::Kind::Conflict, doing, u"no transaction is open"_s);
        return {};
    }
    /// Those rows whose id can be a key of the table at all.
    [[nodiscard]] QList<RowGuard> possible(const QList<RowGuard> &rows) const
    {
        QList<RowGuard> fitting;
        for (const RowGuard &row : rows) {
            if (look->isKeyText(row.id.text))
                fitting += row;
        }
        return fitting;
    }
    /// Those that the database does not have as they were seen are left out, where it is not the
    /// statements themselves that compare; then the open transaction keeps the others as they are.
    /// Rows that others hold are waited for, or left out as well.
    enum class IfHeld { Wait, LeaveOut };
    [[nodiscard]] Result<QList<RowGuard>> asSeen(const QList<RowGuard> &rows, const QString &doing,
                                                 IfHeld held = IfHeld::Wait)
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
    /// "reopening 2 rows of public.outbox".
    [[nodiscard]] QString sentence(const QString &what, const QList<RowGuard> &rows) const
    {
        return u"%1 %2 rows of %3"_s.arg(what, QString::number(rows.size()), shape.table.text());
    }
    /// Runs `statement`, which makes `change` to the rows that `asSeen` left.
    [[nodiscard]] Result<SqlRows> write(RowChange change, const QList<RowGuard> &wanted,
                                        const SqlText &statement, const QString &doing)
    {
        if (wanted.isEmpty())
            return SqlRows();
        std::optional<SqlRows> keys;
        if (const auto asked = edit->toBeWritten(change, wanted)) {
            auto answer = session->query(*asked, doing);
            if (!answer)
                return rolledBack(answer.error(), wanted);
            keys = std::move(*answer);
            if (keys->size() == 0)
                return *keys;
        }
        auto done = session->query(statement, doing);
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
    /// Inserts the rows, and answers the keys of those whose key was not there.
    [[nodiscard]] Result<SqlRows> insertNew(const QList<WholeRow> &rows, const QString &doing)
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
    /// Key and version of the rows in the answer of a write.
    [[nodiscard]] Result<QList<RowWritten>> writtenIn(const SqlRows &answer)
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
    [[nodiscard]] Failure cannot(const QString &what, const QString &why)
    {
        return rolledBack({Error::Kind::Unsupported,
                           QString(what + u" rows of "_s + shape.table.text()),
                           why,
                           {},
                           {}},
                          {});
    }
    /// Rolls back; says who holds the row where a lock was waited for in vain.
    [[nodiscard]] Failure rolledBack(Error error, const QList<RowGuard> &rows)
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
    [[nodiscard]] Result<RowRights> askRights()
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
        RowRights found{may(Lock),
                        may(Reopen),
                        may(Remove),
                        may(Insert),
                        may(Release),
                        may(Edit),
                        may(RightColumn::Audit)};
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
};

OutboxEditor::OutboxEditor() : d(std::make_unique<EditSession>())
{ }

OutboxEditor::~OutboxEditor() = default;

Result<void> OutboxEditor::open(const StoreSettings &settings, const OutboxShape &shape)
{
    d->session.setSettings(settings);
    d->shape = shape;
    return ensureOpen();
}

Result<void> OutboxEditor::ensureOpen()
{
    if (isOpen())
        return {};
    close();
    return d->session.ensureOpen([this] { return d->prepare(); });
}

void OutboxEditor::close()
{
    d->session.close();
    d->rights.reset();
    d->audit.reset();
    d->inTransaction = false;
}

bool OutboxEditor::isOpen() const
{
    return d->session.isUp();
}

const OutboxShape &OutboxEditor::shape() const
{
    return d->shape;
}

Result<RowRights> OutboxEditor::rights()
{
    return d->askRights();
}

QString OutboxEditor::grantFor(RowRight right) const
{
    const auto columnsOf = [](const QStringList &names) {
        QStringList known = names;
        known.removeAll(QString());
        return known;
    };
    const OutboxShape &shape = d->shape;
    NeededRight need{shape.table, u"UPDATE"_s, {}, false};
    switch (right) {
    case RowRight::Lock:
        need.columns = columnsOf({shape.keyColumn});
        break;
    case RowRight::Reopen:
        need.columns = columnsOf({shape.processedColumn, shape.processedTimeColumn});
        break;
    case RowRight::Release:
        need.columns = columnsOf({shape.leaseColumn, shape.ownerColumn});
        break;
    case RowRight::Edit:
        if (d->edit)
            need.columns = editableColumns(shape, d->edit->table());
        break;
    case RowRight::Remove:
        need.right = u"DELETE"_s;
        break;
    case RowRight::Insert:
        need.right = u"INSERT"_s;
        break;
    }
    if (!d->session.hasSettings() || d->session.database().isFile())
        return {};
    return grantHint({need}, d->session.settings().url.user, d->session.dialect());
}

Result<QList<WholeRow>> OutboxEditor::whole(const QList<MessageId> &ids)
{
    const QString doing
        = u"reading %1 whole rows of %2"_s.arg(ids.size()).arg(d->shape.table.text());
    TRY(d->session.ready(doing));
    const QStringList keys = d->look->keyTexts(ids);
    if (keys.isEmpty())
        return QList<WholeRow>();
    const QStringList columns = d->edit->wholeColumns();
    if (!d->session.database().canName(columns.join(QString()))) {
        return fail(Error::Kind::Unsupported, doing,
                    u"a column name with a question mark cannot be used with "_s
                        + d->session.database().name);
    }
    const auto rows = d->session->query(d->edit->whole(keys), doing);
    if (!rows) {
        if (d->inTransaction)
            return d->rolledBack(rows.error(), {});
        return passOn(rows);
    }
    return wholeRowsFrom(*rows, columns);
}

Result<void> OutboxEditor::begin()
{
    const QString doing = u"beginning to write to "_s + d->shape.table.text();
    TRY(d->session.ready(doing));
    if (d->inTransaction)
        return fail(Error::Kind::Conflict, doing, u"the last transaction is still open"_s);
    if (!d->edit->table().transactional)
        return tl::unexpected(notTransactional(doing, d->session.database()));
    auto begun = d->session->begin(doing);
    if (!begun && d->session.database().isFile() && begun.error().kind == Error::Kind::Conflict) {
        // The file stayed busy until the deadline.
        return withoutEffect(Error{Error::Kind::Timeout, doing, begun.error().text,
                                   begun.error().code,
                                   sqliteWriterNote(d->session.settings().url.database)});
    }
    d->inTransaction = begun.has_value();
    return begun;
}

Result<void> OutboxEditor::commit()
{
    const QString doing = u"committing to "_s + d->shape.table.text();
    TRY(d->readyToWrite(doing));
    d->inTransaction = false;
    return d->session->commit(doing);
}

Result<void> OutboxEditor::rollback()
{
    d->inTransaction = false;
    if (!isOpen())
        return {}; // the server rolled back when the session ended
    return d->session->rollback(u"rolling back what was written to "_s + d->shape.table.text());
}

Result<QList<MessageId>> OutboxEditor::hold(const QList<RowGuard> &rows)
{
    if (!d->rights) {
        TRY(d->askRights());
    }
    const QString what = u"holding"_s;
    if (!d->edit->comparesVersions()) { // the open transaction holds all there is
        const auto same = TRY(d->asSeen(rows, what, EditSession::IfHeld::LeaveOut));
        QList<MessageId> keys;
        for (const RowGuard &row : same)
            keys += row.id;
        return keys;
    }
    const QString doing = d->sentence(what, rows);
    const auto wanted = TRY(d->asSeen(rows, doing));
    const auto held
        = TRY(d->write(RowChange::Hold, wanted, d->edit->hold(wanted, d->rights->lock), doing));
    return keysFrom(held);
}

Result<QList<RowWritten>> OutboxEditor::reopen(const QList<RowGuard> &rows)
{
    const QString what = u"reopening"_s;
    if (!d->shape.canMark())
        return d->cannot(what, u"the shape has no column that we may mark as processed"_s);
    const QString doing = d->sentence(what, rows);
    const auto wanted = TRY(d->asSeen(rows, doing));
    const auto done = TRY(d->write(RowChange::Reopen, wanted, d->edit->reopen(wanted), doing));
    return d->writtenIn(done);
}

Result<QList<RowWritten>> OutboxEditor::markProcessed(const QList<RowGuard> &rows,
                                                      const QStringList &processed)
{
    const QString what = u"marking"_s;
    if (!d->shape.canMark())
        return d->cannot(what, u"the shape has no column that we may mark as processed"_s);
    QHash<MessageId, QString> times;
    for (qsizetype i = 0; i < qMin(rows.size(), processed.size()); ++i)
        times[rows.at(i).id] = processed.at(i);
    for (const RowGuard &row : rows) {
        if (d->edit && !d->edit->isProcessedText(times.value(row.id)))
            return d->cannot(what, u"row %1 has no time to be marked with"_s.arg(row.id.text));
    }
    const QString doing = d->sentence(what, rows);
    const auto wanted = TRY(d->asSeen(rows, doing));
    QStringList wantedTimes;
    for (const RowGuard &row : wanted)
        wantedTimes += times.value(row.id);
    const auto done = TRY(d->write(RowChange::MarkProcessed, wanted,
                                   d->edit->markProcessed(wanted, wantedTimes), doing));
    return d->writtenIn(done);
}

Result<QList<ChildRows>> OutboxEditor::childrenOf(const QList<MessageId> &ids)
{
    TRY(d->readyToWrite(u"looking for rows that refer to "_s + d->shape.table.text()));
    auto found = outbox::childrenOf(
        {*d->session, d->session.dialect(), d->edit->table(), d->shape.keyColumn},
        d->look->keyTexts(ids));
    return found ? std::move(found) : Result<QList<ChildRows>>(d->rolledBack(found.error(), {}));
}

Result<QList<MessageId>> OutboxEditor::remove(const QList<RowGuard> &rows)
{
    const QString doing = d->sentence(u"deleting"_s, rows);
    const auto wanted = TRY(d->asSeen(rows, doing));
    const auto done = TRY(d->write(RowChange::Remove, wanted, d->edit->remove(wanted), doing));
    return keysFrom(done);
}

Result<QList<RowWritten>> OutboxEditor::release(const QList<RowGuard> &rows)
{
    const QString what = u"releasing"_s;
    if (d->shape.lockedHow != OutboxShape::LockedHow::Until)
        return d->cannot(what, u"the shape has no column that holds a lease"_s);
    const QString doing = d->sentence(what, rows);
    const auto wanted = TRY(d->asSeen(rows, doing));
    const auto done = TRY(d->write(RowChange::Release, wanted, d->edit->release(wanted), doing));
    return d->writtenIn(done);
}

Result<QList<RowWritten>> OutboxEditor::edit(const RowGuard &row, const QList<EditedCell> &cells)
{
    const QString what = u"editing"_s;
    bool isChange = false;
    for (const EditedCell &cell : cells) {
        isChange = isChange || cell.changes();
        const CatalogColumn *column = d->edit ? d->edit->table().column(cell.column) : nullptr;
        if (!column || column->generated)
            return d->cannot(what, u"no column \"%1\" can be written"_s.arg(cell.column));
    }
    if (!isChange)
        return d->cannot(what, u"nothing of them is to hold anything else"_s);
    const QString doing = d->sentence(what, {row});
    const auto wanted = TRY(d->asSeen({row}, doing));
    if (wanted.isEmpty())
        return QList<RowWritten>();
    const auto done
        = TRY(d->write(RowChange::Edit, wanted, d->edit->edit(wanted.first(), cells), doing));
    return d->writtenIn(done);
}

Result<QList<MessageId>> OutboxEditor::insert(const QList<WholeRow> &rows)
{
    const QString doing
        = u"inserting %1 rows into %2"_s.arg(rows.size()).arg(d->shape.table.text());
    TRY(d->readyToWrite(doing));
    for (const WholeRow &row : rows) {
        if (auto checked
            = checkWholeRow(row, d->edit->table(), d->shape.keyColumn, d->session.dialect(), doing);
            !checked)
            return d->rolledBack(checked.error(), {});
    }
    QList<MessageId> inserted;
    for (qsizetype first = 0; first < rows.size();) {
        const qsizetype count = rowsOfOneInsert(rows, first);
        const auto done = TRY(d->insertNew(rows.mid(first, count), doing));
        inserted += keysFrom(done);
        first += count;
    }
    return inserted;
}

Result<void> OutboxEditor::record(const QList<AuditRow> &rows)
{
    const QString doing = u"writing %1 records to %2"_s.arg(rows.size()).arg(auditTableName());
    TRY(d->readyToWrite(doing));
    if (!d->rights) {
        TRY(d->askRights());
    }
    const std::optional<TableName> &audit = d->audit ? d->audit : d->closedAudit;
    if (!audit) {
        return d->rolledBack({Error::Kind::Refused, doing, u"there is no such table"_s, {}, {}},
                             {});
    }
    if (rows.isEmpty())
        return {};
    // Where it is closed, the server says what is missing.
    if (const auto done = d->session->query(d->edit->record(*audit, rows), doing); !done)
        return d->rolledBack(done.error(), {});
    return {};
}

const ParkedTableAccess &OutboxEditor::parkedTable() const
{
    return d->parked;
}

Result<void> OutboxEditor::park(const QList<ParkedRow> &rows)
{
    TRY(d->readyToWrite(u"parking rows of "_s + d->shape.table.text()));
    auto done = d->parked.put(*d->session, rows, d->session.settings().applicationName);
    return done ? done : Result<void>(d->rolledBack(done.error(), {}));
}

Result<void> OutboxEditor::unpark(const QList<MessageId> &ids)
{
    TRY(d->readyToWrite(u"releasing rows of "_s + d->shape.table.text()));
    auto done = d->parked.release(*d->session, ids);
    return done ? done : Result<void>(d->rolledBack(done.error(), {}));
}

Result<bool> OutboxEditor::setStatus(const StatusTable &table, const MessageId &id,
                                     const QString &expected, const QString &status)
{
    TRY(d->readyToWrite(u"setting the status of "_s + id.text));
    auto done = d->status.write(*d->session, d->session.dialect(), table, id, expected, status);
    if (!done)
        return d->rolledBack(done.error(), {});
    return done;
}

QStringList OutboxEditor::statementsOf(Verb verb) const
{
    return d->edit ? d->edit->statementsOf(verb, d->audit) : QStringList();
}

void OutboxEditor::interrupt() noexcept
{
    d->session.interrupt();
}

} // namespace outbox
