// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a row holds, for an editor, and what an edit would make of it. Looks only.
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "connectors/sql/outbox/wholerows.h"
#include "models/localtime.h"
#include "models/mapping/meaning.h"

#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What stands in brackets behind the name of a type; nullopt where nothing does.
std::optional<qint64> sizeIn(const QString &type)
{
    static const QRegularExpression form(u"^[a-z ]+\\((\\d+)\\)"_s);
    const auto found = form.match(type);
    return found.hasMatch() ? std::optional(found.captured(1).toLongLong()) : std::nullopt;
}

void addLimits(RowPartContent &part, const SqlDatabase &database)
{
    if (database.isLoose)
        return;
    part.mostBytes = database.mostBytes.value(part.type, -1);
    const auto size = sizeIn(part.type);
    if (!size)
        return;
    if (part.type.startsWith("char"_L1) || part.type.startsWith("varchar"_L1))
        part.mostCharacters = *size;
    else if (part.type.startsWith("binary"_L1) || part.type.startsWith("varbinary"_L1))
        part.mostBytes = *size;
}

/// A column of a loose table may hold bytes or text, whatever its type is.
PartForm formOf(const RowPartContent &part)
{
    const bool isText = part.form == PartForm::Text || part.form == PartForm::JsonText;
    if (part.cell.kind == Cell::Kind::Bytes && isText)
        return PartForm::Bytes;
    return part.cell.kind == Cell::Kind::Text && part.form == PartForm::Bytes ? PartForm::Text
                                                                              : part.form;
}

/// How many of its units a number counts in a second; 0: neither the mapping nor the number that
/// stands there tells.
qint64 unitsOf(const QString &form, const Cell &seen)
{
    if (form == u"epoch-s")
        return 1;
    if (form == u"epoch-ms")
        return 1000;
    if (form == u"epoch-us")
        return usPerSecond;
    if (form == u"epoch-ns")
        return 1000 * usPerSecond;
    const qint64 number = seen.bytes.toLongLong();
    if (number <= 0)
        return 0;
    return number < 100'000'000'000        ? 1
        : number < 100'000'000'000'000     ? 1000
        : number < 100'000'000'000'000'000 ? usPerSecond
                                           : 1000 * usPerSecond;
}

/// Milliseconds since 1970 in that unit.
qint64 inUnits(qint64 ms, qint64 units)
{
    return units >= 1000 ? ms * (units / 1000) : ms / 1000;
}

/// Digits of a second that a column is given: as its type says, or 3 where there is something to
/// write, and where the text that stands there has some.
int digitsOf(const RowPartContent &due, bool isLoose, qint64 ms)
{
    if (isLoose) {
        const bool isWhole
            = ms % 1000 == 0 && due.cell.kind == Cell::Kind::Text && !due.cell.bytes.contains('.');
        return isWhole ? 0 : 3;
    }
    const qint64 fallback = due.type == u"datetime" || due.type == u"timestamp" ? 0 : 3;
    return static_cast<int>(std::min<qint64>(sizeIn(due.type).value_or(fallback), 6));
}

/// "2026-01-31 10:00:00.500000", of microseconds that are counted as if the zone were UTC.
QByteArray timeText(qint64 us, QChar between, int digits)
{
    const QDateTime seconds = QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC);
    QString text = seconds.toString(u"yyyy-MM-dd"_s) + between + seconds.toString(u"hh:mm:ss"_s);
    if (digits > 0) {
        const QString fraction = QString::number(us % usPerSecond).rightJustified(6, u'0');
        text += u'.' + fraction.first(digits);
    }
    return text.toLatin1();
}

/// A text of a loose table that says its zone.
bool endsWithZone(const QByteArray &text)
{
    static const QRegularExpression form(u"([zZ]|[-+]\\d\\d:\\d\\d)$"_s);
    return form.match(QString::fromLatin1(text)).hasMatch();
}

/// A moment as a column holds its times.
/// Errors: Refused, Unsupported.
Result<Cell> dueCell(const QDateTime &at, const RowPartContent &due, const OutboxShape &shape,
                     const CatalogColumn &column, bool isLoose)
{
    const QString doing = u"writing a due time"_s;
    const qint64 ms = at.toMSecsSinceEpoch();
    const QString form = shape.times.value(column.name, shape.times.value(u"*"_s));
    if (ms < 0)
        return fail(Error::Kind::Unsupported, doing, u"it is before 1970"_s);
    if (due.cell.kind == Cell::Kind::Real)
        return fail(Error::Kind::Unsupported, doing, u"it is kept as a fraction of a number"_s);
    if (column.typeClass == TypeClass::Integer || due.cell.kind == Cell::Kind::Integer) {
        const qint64 units = unitsOf(form, due.cell);
        if (units == 0) {
            return fail(Error::Kind::Unsupported, doing, u"the unit of its numbers is not known"_s,
                        {}, u"Say it in the mapping: epoch-s, epoch-ms, epoch-us or epoch-ns"_s);
        }
        const auto kind = isLoose ? Cell::Kind::Integer : Cell::Kind::Text;
        return Cell{kind, QByteArray::number(inUnits(ms, units))};
    }
    const bool isLocal = needsZone(column, isLoose)
        && !(isLoose && (form == u"timestamptz" || endsWithZone(due.cell.bytes)));
    const QString zone = isLocal ? shape.zoneOf(column.name) : u"UTC"_s;
    if (zone.isEmpty())
        return fail(Error::Kind::Refused, doing, u"nobody said the zone of its times"_s, {},
                    timeZoneHint);
    const QChar between = isLoose && due.cell.bytes.contains('T') ? u'T' : u' ';
    QByteArray text = timeText(localOf(ms * 1000, zone), between, digitsOf(due, isLoose, ms));
    if (isLoose && !isLocal)
        text += 'Z';
    else if (column.type.contains("with time zone"_L1))
        text += "+00";
    return Cell{Cell::Kind::Text, text};
}

/// A loose column whose type does not say text or bytes keeps such a text as a number, in a double
/// where it has many digits. As SQLite derives the affinity of a column from the name of its type.
bool becomesNumber(const Cell &cell, const CatalogColumn &column)
{
    static const QRegularExpression kept(u"char|clob|text|blob|^$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression number(u"^\\s*[-+]?(\\d+\\.?\\d*|\\.\\d+)(e[-+]?\\d+)?\\s*$"_s,
                                           QRegularExpression::CaseInsensitiveOption);
    const bool isKept = !column.type.contains(u"int"_s, Qt::CaseInsensitive)
        && kept.match(column.type).hasMatch();
    return cell.kind == Cell::Kind::Text && !isKept
        && number.match(QString::fromUtf8(cell.bytes)).hasMatch();
}

QString changeOf(const RowContent &seen)
{
    return u"checking an edit of "_s + seen.id.text;
}

/// What is asked for of a part but the due time.
std::optional<QByteArray> wantedOf(RowPart part, const RowEdit &edit)
{
    const auto utf8 = [](const std::optional<QString> &text) {
        return text ? std::optional(text->toUtf8()) : std::nullopt;
    };
    std::optional<QByteArray> wanted;
    if (part == RowPart::Payload)
        wanted = edit.payload;
    else if (part == RowPart::Type)
        wanted = utf8(edit.type);
    else if (part == RowPart::Queue)
        wanted = utf8(edit.queue);
    if (wanted && wanted->isNull())
        wanted = QByteArray(""); // empty is not NULL
    return wanted;
}

/// Fails with Invalid where something is asked for of a part that is not there, or is locked.
Result<void> checkParts(const RowContent &seen, const RowEdit &edit)
{
    for (const RowPart part : {RowPart::Payload, RowPart::Type, RowPart::Queue, RowPart::Due}) {
        const bool isAsked
            = part == RowPart::Due ? edit.due.has_value() : wantedOf(part, edit).has_value();
        if (!isAsked)
            continue;
        const RowPartContent *content = seen.part(part);
        if (!content) {
            return fail(Error::Kind::Invalid, changeOf(seen),
                        u"the mapping names no column for the %1 of a row"_s.arg(word(part)));
        }
        if (!content->mayChange()) {
            return fail(Error::Kind::Invalid, changeOf(seen),
                        u"the %1 is locked. %2"_s.arg(word(part), content->locked));
        }
    }
    return {};
}

bool isOfTheServer(const Error &error)
{
    return error.kind != Error::Kind::Unreachable && error.kind != Error::Kind::Timeout
        && error.kind != Error::Kind::Cancelled;
}

/// One part of a row and its column, with the session that asks about it.
struct PartEditor
{
    DatabaseSession &session;
    const EditDialect &edits;
    const OutboxShape &shape;
    const RowPartContent &part;
    QString doing;

    /// What the edit makes of it; nullopt: it stays.
    [[nodiscard]] Result<std::optional<Cell>> wanted(const RowEdit &edit)
    {
        const CatalogColumn &column = *edits.table().column(part.column);
        if (part.part == RowPart::Due && edit.due) {
            const auto due
                = TRY(dueCell(*edit.due, part, shape, column, session.database().isLoose));
            return kept(due, column);
        }
        const auto bytes = wantedOf(part.part, edit);
        if (!bytes)
            return std::optional<Cell>();
        if (const QString why = whyNotHeld(part, *bytes); !why.isEmpty())
            return refused(why);
        const Cell cell{part.kindToWrite(), *bytes};
        if (!flavorOf(session.dialect()).takes(cell, column))
            return refused(u"the column takes no such bytes"_s);
        if (session.database().isLoose && becomesNumber(cell, column))
            return refused(u"the column would keep it as a number, and not digit by digit"_s);
        return kept(cell, column);
    }

private:
    [[nodiscard]] Failure refused(const QString &why) const
    {
        return fail(Error::Kind::Invalid, doing, word(part.part) + u": "_s + why);
    }
    /// The cell as the database would keep it.
    [[nodiscard]] Result<std::optional<Cell>> kept(const Cell &cell, const CatalogColumn &column)
    {
        const auto asked = edits.asStored(cell, column);
        if (!asked)
            return std::optional(cell);
        const auto rows = session->query(*asked, doing);
        if (!rows)
            return isOfTheServer(rows.error()) ? refused(rows.error().text) : passOn(rows);
        if (rows->size() != 1)
            return fail(Error::Kind::Protocol, doing, u"the answer is not one line"_s);
        return std::optional(Cell{cell.kind, rows->bytes(0, 0)});
    }
};

} // namespace

Result<std::optional<RowContent>> OutboxStore::contentOf(const MessageId &id)
{
    const QString doing = u"reading what row %1 holds"_s.arg(id.text);
    TRY(d->ready(doing));
    const CatalogTable &table = d->dialect->table();
    const auto edits = makeEditDialect(d->session.dialect(), d->shape, table);
    if (!edits || d->shape.keyColumn.isEmpty())
        return fail(Error::Kind::Unsupported, doing, u"no single column is the key of its rows"_s);
    const QStringList columns = edits->wholeColumns();
    if (!d->session.database().canName(columns.join(QString()))) {
        return fail(Error::Kind::Unsupported, doing,
                    u"a column name with a question mark cannot be used with "_s
                        + d->session.database().name);
    }
    if (!d->dialect->isKeyText(id.text))
        return std::optional<RowContent>();
    const auto rows = TRY(d->session->query(edits->whole(d->dialect->keyTexts({id})), doing));
    const QList<WholeRow> whole = wholeRowsFrom(rows, columns);
    if (whole.isEmpty())
        return std::optional<RowContent>();
    const WholeRow &row = whole.constFirst();
    RowContent content{row.id, row.version, partsOf(d->shape, table)};
    for (RowPartContent &part : content.parts) {
        addLimits(part, d->session.database());
        if (const qsizetype place = columns.indexOf(part.column); place >= 0)
            part.cell = row.cells.at(place);
        part.form = formOf(part);
    }
    return std::optional(content);
}

Result<QList<EditedCell>> OutboxStore::cellsOf(const RowContent &seen, const RowEdit &edit)
{
    TRY(d->ready(changeOf(seen)));
    TRY(checkParts(seen, edit));
    const auto edits = makeEditDialect(d->session.dialect(), d->shape, d->dialect->table());
    QList<EditedCell> cells;
    for (const RowPartContent &part : seen.parts) {
        if (!part.mayChange())
            continue;
        if (!edits || !edits->table().column(part.column)) {
            return fail(Error::Kind::Invalid, changeOf(seen),
                        u"there is no column \"%1\""_s.arg(part.column));
        }
        const auto now
            = TRY(PartEditor{d->session, *edits, d->shape, part, changeOf(seen)}.wanted(edit));
        cells += EditedCell{part.part, part.column, part.cell, now};
    }
    return cells;
}

QStringList OutboxStore::statementsOf(const QList<EditedCell> &cells) const
{
    if (!d->dialect)
        return {};
    const auto edits = makeEditDialect(d->session.dialect(), d->shape, d->dialect->table());
    return edits ? edits->statementsOf(cells, d->audit) : QStringList();
}

} // namespace outbox
