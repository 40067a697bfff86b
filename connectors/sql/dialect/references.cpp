// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/references.h"

#include "connectors/sql/driver/sqlnames.h"
#include "models/mapping/meaning.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ReferenceReader::ReferenceReader(const OutboxShape &shape, const Catalog &catalog)
{
    const CatalogTable *home = catalog.find(shape.table);
    for (const QString &entry : shape.referenceTables) {
        const CatalogTable *table = catalog.find(TableName::fromText(entry));
        if (!table)
            continue;
        m_byName[entry] = *table;
        m_byName[table->name.text()] = *table;
        const bool near = table->name.schema == catalog.defaultSchema
            || (home && table->name.schema == home->name.schema);
        if (near && !m_byName.contains(table->name.table))
            m_byName[table->name.table] = *table;
    }
}

const CatalogTable *ReferenceReader::tableFor(const QString &name) const
{
    const auto found = m_byName.constFind(name);
    return found == m_byName.cend() ? nullptr : &found.value();
}

Result<QList<Referenced>> ReferenceReader::read(SqlSession &session, const Dialect &dialect,
                                                const QList<Reference> &references,
                                                qint64 payloadLimit) const
{
    QList<Referenced> answers(references.size());
    QHash<QString, QHash<QString, QList<qsizetype>>> wanted; // table → key → places in `answers`
    for (qsizetype i = 0; i < references.size(); ++i) {
        const Reference &reference = references.at(i);
        const CatalogTable *table = tableFor(reference.table);
        Referenced &answer = answers[i];
        if (!table) {
            answer.problem = u"the table \"%1\" is not listed in the shape"_s.arg(reference.table);
        } else if (table->primaryKey.size() != 1) {
            answer.problem = u"the table \"%1\" has no key of one column"_s.arg(reference.table);
        } else {
            answer.problem = u"%1/%2 does not exist"_s.arg(reference.table, reference.id);
            const CatalogColumn &key = *table->column(table->primaryKey.constFirst());
            if (fitsType(reference.id, key))
                wanted[reference.table][asWritten(reference.id, key)] += i;
        }
    }
    for (auto table = wanted.cbegin(); table != wanted.cend(); ++table) {
        const auto rows = TRY(session.query(
            dialect.references(*tableFor(table.key()), table.value().keys(), payloadLimit),
            u"reading referenced rows of "_s + table.key()));
        for (qsizetype row = 0; row < rows.size(); ++row) {
            const auto places = table.value().value(rows.text(row, ReferenceColumn::Key));
            for (const qsizetype place : places) {
                if (rows.isNull(row, ReferenceColumn::Bytes)) { // larger than a packet
                    answers[place].problem = u"%1/%2 cannot be written as JSON"_s.arg(
                        table.key(), references.at(place).id);
                    continue;
                }
                answers[place] = {rows.bytes(row, ReferenceColumn::Json),
                                  rows.integer(row, ReferenceColumn::Bytes).value_or(0),
                                  {}};
            }
        }
    }
    return answers;
}

} // namespace outbox
