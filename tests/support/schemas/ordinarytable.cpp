// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ordinary tables from lines of text, and their rows.
#include "tests/support/schemas/generatedschema.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

struct OrdinaryColumn
{
    QString words;
    QString kind;
    QStringList values; ///< of a status or type
    bool isOptional = false;
};

QList<OrdinaryColumn> columnsOf(const QString &text)
{
    static const QRegularExpression form(u"^(.+)=(\\w+)(?:\\((.+)\\))?(\\?)?$"_s);
    QList<OrdinaryColumn> columns;
    for (const QString &part : text.split(u", "_s)) {
        const auto match = form.match(part.trimmed());
        if (!match.hasMatch())
            qFatal("not a column: %s", qPrintable(part));
        columns
            += {match.captured(1), match.captured(2),
                match.captured(3).split(u'/', Qt::SkipEmptyParts), !match.captured(4).isEmpty()};
    }
    return columns;
}

NameOf nameOf(const QString &kind)
{
    if (kind == u"when" || kind == u"maybe" || kind == u"created")
        return NameOf::Time;
    if (kind == u"flag")
        return NameOf::Flag;
    if (kind == u"int" || kind == u"small" || kind == u"money")
        return NameOf::Number;
    return kind == u"id" || kind == u"uuid" || kind == u"fk" ? NameOf::Key : NameOf::Words;
}

ColumnKind kindOf(const QString &kind, bool hasUuids)
{
    static const QMap<QString, ColumnKind> kinds{
        {u"int"_s, ColumnKind::Integer},  {u"small"_s, ColumnKind::Small},
        {u"money"_s, ColumnKind::Money},  {u"flag"_s, ColumnKind::Flag},
        {u"when"_s, ColumnKind::Time},    {u"maybe"_s, ColumnKind::Time},
        {u"created"_s, ColumnKind::Time}, {u"long"_s, ColumnKind::Long},
        {u"json"_s, ColumnKind::Json},    {u"bytes"_s, ColumnKind::Bytes},
        {u"uuid"_s, ColumnKind::Uuid}};
    if (kind == u"id")
        return hasUuids ? ColumnKind::Uuid : ColumnKind::Counted;
    if (kind == u"fk")
        return hasUuids ? ColumnKind::Uuid : ColumnKind::Big;
    return kinds.value(kind, ColumnKind::Short);
}

QString cellOf(const OrdinaryColumn &column, ColumnKind kind, int row, const QDateTime &created,
               const SqlForm &form, Dice &dice)
{
    if (!column.values.isEmpty()) {
        // the first values are rare: most of what there is has ended
        const int last = static_cast<int>(column.values.size()) - 1;
        return SqlForm::text(column.values.at(qMin(last, dice.below(last + 3))));
    }
    if (column.kind == u"maybe")
        return dice.chance(60) ? form.time(created.addSecs(dice.from(5, 4000))) : u"NULL"_s;
    switch (kind) {
    case ColumnKind::Counted:
        return QString::number(row + 1);
    case ColumnKind::Uuid:
        return SqlForm::text(dice.uuid());
    case ColumnKind::Time:
        return form.time(created);
    case ColumnKind::Flag:
        return form.flag(dice.chance(55));
    case ColumnKind::Integer:
    case ColumnKind::Big:
        return QString::number(dice.below(5000));
    case ColumnKind::Small:
        return QString::number(dice.below(5));
    case ColumnKind::Money:
        return QString::number(dice.below(100'000) / 100.0, 'f', 2);
    case ColumnKind::Json:
        return SqlForm::text(u"{\"n\":%1,\"by\":\"%2\"}"_s.arg(dice.below(900)).arg(dice.hex(5)));
    case ColumnKind::Bytes:
        return form.bytes(dice.hex(20));
    case ColumnKind::Long:
    case ColumnKind::Short:
    case ColumnKind::Letter:
        break;
    }
    return SqlForm::text(column.kind == u"title" || column.kind == u"long"
                             ? u"Text of %1 words %2"_s.arg(dice.below(90)).arg(dice.hex(6))
                             : column.kind.left(2) + dice.hex(6) + QString::number(row));
}

} // namespace

TableDraft ordinaryTable(const QString &line, const NamingStyle &style, const SqlForm &form,
                         Dice &dice)
{
    QStringList names;
    for (const QString &name : line.section(u':', 0, 0).split(u'|'))
        names += name.trimmed();
    TableDraft table;
    table.name = style.written(dice.of(names), NameOf::Table);
    const bool hasUuids = dice.chance(35);
    const bool isEnum = dice.chance(15);
    QList<OrdinaryColumn> kept;
    QList<ColumnKind> kinds;
    for (const OrdinaryColumn &column : columnsOf(line.section(u':', 1))) {
        if (column.isOptional && dice.chance(35))
            continue;
        ColumnDraft draft;
        draft.kind = kindOf(column.kind, hasUuids);
        draft.name = style.written(column.words, nameOf(column.kind));
        draft.nullable = column.kind == u"maybe" || column.isOptional;
        if (column.kind == u"created" && dice.chance(60))
            draft.defaultSql = form.clock();
        if (column.kind == u"status") {
            if (dice.chance(40))
                draft.defaultSql = SqlForm::text(column.values.constFirst());
            if (isEnum) {
                draft.labels = column.values;
                draft.isEnum = true;
            }
        }
        if (!table.add(draft))
            continue;
        if (kept.isEmpty())
            table.key = {draft.name};
        kept += column;
        kinds += draft.kind;
    }
    const int rows = dice.chance(12) ? 0 : dice.from(3, 70);
    QDateTime created = form.now.addDays(-dice.from(1, 90));
    const qint64 step = qMax<qint64>(1, created.secsTo(form.now) / (rows + 2));
    for (int row = 0; row < rows; ++row) {
        created = created.addSecs(step);
        QStringList cells;
        for (qsizetype place = 0; place < kept.size(); ++place) {
            const OrdinaryColumn &column = kept.at(place);
            const bool isKey = place == 0;
            cells += isKey && kinds.at(place) != ColumnKind::Uuid
                    && kinds.at(place) != ColumnKind::Counted
                ? (kinds.at(place) == ColumnKind::Short ? SqlForm::text(u"k%1"_s.arg(row))
                                                        : QString::number(row + 1))
                : cellOf(column, kinds.at(place), row, created, form, dice);
        }
        table.rows += cells;
    }
    return table;
}

GeneratedSchema generatedOrdinary(const Corpus &corpus, quint64 number,
                                  DatabaseUrl::Dialect dialect, const QDateTime &now)
{
    Dice dice(number * 2 + (corpus.isHeldOut ? 7'000'001 : 1));
    GeneratedSchema schema;
    schema.number = number;
    schema.dialect = dialect;
    const NamingStyle style(dice, corpus.isHeldOut);
    const SqlForm form{dialect, static_cast<TimeForm>(dice.weighted({45, 40, 7, 8})), now};
    schema.family = u"ordinary, "_s + style.name();
    QStringList lines = corpus.ordinary;
    while (schema.tables.size() < 3) {
        const QString line = lines.takeAt(dice.below(static_cast<int>(lines.size())));
        const TableDraft table = ordinaryTable(line, style, form, dice);
        schema.tables += table.name;
        schema.statements += table.statements(form);
    }
    return schema;
}

} // namespace outbox
