// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/documents/deduptable.h"

#include "connectors/sql/driver/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> DedupTable::open(const StoreSettings &settings, const DoneTable &table)
{
    return m_table.open(settings, table);
}

Result<QSet<QString>> DedupTable::have(const QStringList &ids)
{
    return m_table.have(ids, u"asking the dedup store for %1 ids"_s.arg(ids.size()));
}

Result<void> DedupTable::add(const QString &id)
{
    const QString doing = u"adding %1 to the dedup store"_s.arg(id);
    if (!m_table.isId(id))
        return fail(Error::Kind::Invalid, doing, u"this can be no id of the table"_s);
    const DoneTable &names = m_table.names();
    const bool hasTime = !names.timeColumn.isEmpty();
    const auto done = m_table.write(
        SqlFragment::filled(u"INSERT INTO %1 (%2%3) VALUES (%4%5)%6"_s,
                            {m_table.tableName(), quotedName(names.idColumn),
                             hasTime ? QString(u", "_s + quotedName(names.timeColumn)) : QString(),
                             m_table.bound(id, names.idColumn),
                             hasTime ? QString(u", "_s + m_table.now()) : QString(),
                             m_table.flavor().unlessThere()}),
        doing);
    if (done)
        return {};
    if (done.error().code.isEmpty()
        || done.error().code != m_table.flavor().database().repeatedKeyCode)
        return passOn(done);
    // A key may take another id for this one: then this one is not in the store.
    const auto found = TRY(have({id}));
    return found.contains(id) ? Result<void>() : Result<void>(passOn(done));
}

} // namespace outbox
