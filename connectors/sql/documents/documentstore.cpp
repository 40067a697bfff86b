// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/documents/documentstore.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/databasesession.h"
#include "models/designs/outboxstate.h"
#include "models/elapsed.h"

#include <QElapsedTimer>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostOfPage = 1000;

/// One column of the shape, and what is needed of its type.
struct Needed
{
    QString name;
    QList<TypeClass> types;
    QString purpose;
};

QList<Needed> neededBy(const DocumentShape &shape)
{
    using enum TypeClass;
    QList<Needed> needed{{shape.idColumn, {Integer, Uuid, Text}, u"ids are ordered by it"_s},
                         {shape.versionColumn, {Integer, Uuid, Text}, u"versions are compared"_s},
                         {shape.documentColumn, {Json, Text, Bytes}, u"it has the document"_s}};
    if (!shape.changedColumn.isEmpty())
        needed += Needed{shape.changedColumn, {Time, Integer, Text, Other}, u"it has a time"_s};
    return needed;
}

Result<CatalogTable> checked(const Catalog &catalog, DatabaseUrl::Dialect dialect,
                             const DocumentShape &shape)
{
    const QString doing = u"checking the table of documents \"%1\""_s.arg(shape.table.text());
    const CatalogTable *table = catalog.find(shape.table);
    if (!table) {
        QStringList names;
        for (const CatalogTable &one : catalog.tables)
            names += one.name.table;
        const QString nearest = nearestName(shape.table.table, names);
        return fail(Error::Kind::Invalid, doing, u"there is no such table, or we may not see it"_s,
                    {}, nearest.isEmpty() ? QString() : u"Did you mean \"%1\"?"_s.arg(nearest));
    }
    const SqlDatabase &database = databaseOf(dialect);
    for (const Needed &needed : neededBy(shape)) {
        const CatalogColumn *column = table->column(needed.name);
        if (!column || !database.canName(needed.name)) {
            QStringList names;
            for (const CatalogColumn &one : table->columns)
                names += one.name;
            const QString nearest = nearestName(needed.name, names);
            return fail(Error::Kind::Invalid, doing,
                        u"it has no usable column \"%1\""_s.arg(needed.name), {},
                        nearest.isEmpty() ? QString() : u"Did you mean \"%1\"?"_s.arg(nearest));
        }
        const bool isBytes = column->typeClass == TypeClass::Bytes && !database.isLoose;
        if (isBytes || !needed.types.contains(column->typeClass)) {
            return fail(Error::Kind::Unsupported, doing,
                        u"column \"%1\" is of type %2, but %3"_s.arg(needed.name, column->type,
                                                                     needed.purpose));
        }
    }
    for (const QString &name :
         shape.mapPath + QStringList{shape.messagesMember, shape.timeMember}) {
        if (name.contains(u'"') || name.contains(QChar(u'\0')))
            return fail(Error::Kind::Invalid, doing, u"no member can be named %1"_s.arg(name));
    }
    if (shape.mapPath.isEmpty() || shape.mapPath.contains(QString()))
        return fail(Error::Kind::Invalid, doing, u"the path of the map is empty"_s);
    return *table;
}

std::optional<double> secondsSince(const std::optional<qint64> &thenUs, qint64 nowUs)
{
    if (!thenUs)
        return std::nullopt;
    return double(nowUs - *thenUs) / 1e6;
}

std::optional<double> ageOf(const QString &text, qint64 nowUs)
{
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    const std::optional<QDateTime> time
        = isNumber ? timeOfNumber(number) : QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time || !time->isValid())
        return std::nullopt;
    return double(nowUs - time->toMSecsSinceEpoch() * 1000) / 1e6;
}

void older(std::optional<double> &age, const std::optional<double> &other)
{
    if (other && (!age || *age < *other))
        age = other;
}

/// Counts what the database could not take apart.
void countEntries(const QByteArray &json, const DocumentShape &shape, qint64 nowUs,
                  DocumentFacts &facts)
{
    const auto state = OutboxState::read(json, shape);
    if (!state) {
        facts.problem = state.error().text;
        return;
    }
    qint64 undispatched = 0;
    qint64 dispatched = 0;
    qint64 malformed = 0;
    for (const OutboxEntry &entry : state->entries()) {
        std::optional<double> age;
        if (entry.made)
            age = double(nowUs - entry.made->toMSecsSinceEpoch() * 1000) / 1e6;
        switch (entry.state) {
        case OutboxEntry::State::Undispatched:
            ++undispatched;
            older(facts.oldestUndispatchedSeconds, age);
            break;
        case OutboxEntry::State::Dispatched:
            ++dispatched;
            older(facts.oldestDispatchedSeconds, age);
            break;
        case OutboxEntry::State::Malformed:
            ++malformed;
            break;
        }
    }
    facts.undispatched = undispatched;
    facts.dispatched = dispatched;
    facts.malformed = malformed;
}

DocumentFacts factsOf(const SqlRows &rows, qsizetype row, const DocumentShape &shape)
{
    DocumentFacts facts;
    facts.id = rows.text(row, DocumentColumn::Id);
    facts.version = rows.text(row, DocumentColumn::Version);
    facts.bytes = rows.integer(row, DocumentColumn::Bytes).value_or(0);
    const qint64 nowUs = rows.integer(row, DocumentColumn::NowUs).value_or(0);
    facts.changedSeconds = secondsSince(rows.integer(row, DocumentColumn::ChangedUs), nowUs);
    if (!rows.isNull(row, DocumentColumn::Document)) {
        countEntries(rows.bytes(row, DocumentColumn::Document), shape, nowUs, facts);
        return facts;
    }
    const QString kind = rows.text(row, DocumentColumn::Kind);
    if (kind == u"object") {
        facts.undispatched = rows.integer(row, DocumentColumn::Undispatched);
        facts.dispatched = rows.integer(row, DocumentColumn::Dispatched);
        facts.malformed = rows.integer(row, DocumentColumn::Malformed);
        facts.oldestUndispatchedSeconds
            = ageOf(rows.text(row, DocumentColumn::OldestUndispatched), nowUs);
        facts.oldestDispatchedSeconds
            = ageOf(rows.text(row, DocumentColumn::OldestDispatched), nowUs);
    } else if (kind.isEmpty()) { // no map: no message was handled yet
        facts.undispatched = facts.dispatched = facts.malformed = 0;
    } else {
        facts.problem = kind == u"invalid"
            ? u"the document is no JSON"_s
            : u"\"%1\" is no object, but %2"_s.arg(shape.mapPath.join(u'.'), kind);
    }
    return facts;
}

} // namespace

struct DocumentStore::Private
{
    DatabaseSession session;
    std::unique_ptr<DocumentDialect> dialect;
    DocumentShape shape;

    [[nodiscard]] Result<void> prepare(const DocumentShape &wanted)
    {
        const StoreSettings &settings = session.settings();
        const auto catalog = TRY(readCatalog(*session, settings.url.dialect));
        const auto table = TRY(checked(catalog, settings.url.dialect, wanted));
        if (settings.access != StoreAccess::ReadOnly && !table.transactional)
            return tl::unexpected(notTransactional(u"opening the documents"_s, session.database()));
        dialect = makeDocumentDialect(settings.url.dialect, wanted, table);
        if (!dialect) {
            return fail(Error::Kind::Unsupported, u"opening the documents"_s,
                        session.database().lacks(u"reading documents"_s));
        }
        shape = wanted;
        return {};
    }
    [[nodiscard]] Result<void> ready(const QString &doing, bool writes) const
    {
        TRY(session.ready(doing));
        if (writes && session.settings().access == StoreAccess::ReadOnly)
            return fail(Error::Kind::Refused, doing, u"this session only looks"_s);
        return {};
    }
    [[nodiscard]] Result<bool> affectsOne(const SqlText &sql, const QString &doing)
    {
        const auto done = TRY(session->query(sql, doing));
        if (done.affected > 1) // the id is no key
            return fail(Error::Kind::Conflict, doing, u"%1 rows have this id"_s.arg(done.affected));
        return done.affected == 1;
    }
};

DocumentStore::DocumentStore() : d(std::make_unique<Private>())
{ }

DocumentStore::~DocumentStore() = default;

Result<void> DocumentStore::open(const StoreSettings &settings, const DocumentShape &shape)
{
    close();
    return d->session.open(settings, [&] { return d->prepare(shape); });
}

void DocumentStore::close()
{
    d->session.close();
    d->dialect.reset();
}

bool DocumentStore::isOpen() const
{
    return d->session.isUp();
}

const DocumentShape &DocumentStore::shape() const
{
    return d->shape;
}

Result<DocumentPage> DocumentStore::page(const QString &after, int limit, bool onlyUndispatched)
{
    const QString doing = u"listing the documents of "_s + d->shape.table.text();
    TRY(d->ready(doing, false));
    const int most = std::clamp(limit, 1, mostOfPage);
    if (!after.isEmpty() && !d->dialect->isId(after))
        return fail(Error::Kind::Invalid, doing, u"the cursor is no id of this table"_s);
    QElapsedTimer clock;
    clock.start();
    const SqlText sql = d->dialect->page(after, most);
    const auto rows = TRY(d->session->query(sql, doing));
    DocumentPage page;
    page.statements = {sql.text};
    const qsizetype looked = std::min<qsizetype>(rows.size(), most);
    for (qsizetype row = 0; row < looked; ++row) {
        const DocumentFacts facts = factsOf(rows, row, d->shape);
        if (!onlyUndispatched || facts.undispatched.value_or(1) > 0
            || facts.malformed.value_or(1) > 0)
            page.documents += facts;
    }
    if (rows.size() > looked)
        page.next = rows.text(looked - 1, DocumentColumn::Id);
    page.tookMs = millisecondsOf(clock);
    return page;
}

Result<std::optional<StoredDocument>> DocumentStore::find(const QString &id)
{
    const QString doing = u"reading document "_s + id;
    TRY(d->ready(doing, false));
    if (!d->dialect->isId(id))
        return std::nullopt;
    const auto rows = TRY(d->session->query(d->dialect->find(id), doing));
    if (rows.size() > 1)
        return fail(Error::Kind::Conflict, doing, u"%1 rows have this id"_s.arg(rows.size()));
    if (rows.size() == 0)
        return std::nullopt;
    if (rows.isNull(0, 1)) { // before anything of it is sent: it could never be cleaned up
        return fail(Error::Kind::Invalid, doing, u"it has no version"_s, {},
                    u"A document without a version cannot be written safely: give it one"_s);
    }
    const qint64 nowUs = rows.integer(0, 3).value_or(0);
    return StoredDocument{rows.text(0, 0), rows.text(0, 1), rows.bytes(0, 2),
                          QDateTime::fromMSecsSinceEpoch(nowUs / 1000, Qt::UTC)};
}

Result<bool> DocumentStore::write(const StoredDocument &seen, const QByteArray &json)
{
    const QString doing = u"writing document %1 as of version %2"_s.arg(seen.id, seen.version);
    TRY(d->ready(doing, true));
    return d->affectsOne(d->dialect->write(seen.id, seen.version, json), doing);
}

Result<bool> DocumentStore::insert(const QString &id, const QByteArray &json)
{
    const QString doing = u"making document "_s + id;
    TRY(d->ready(doing, true));
    if (!d->dialect->isId(id))
        return fail(Error::Kind::Invalid, doing, u"this can be no id of the table"_s);
    auto made = d->affectsOne(d->dialect->insert(id, json), doing);
    if (made || made.error().code.isEmpty()
        || made.error().code != d->session.database().repeatedKeyCode)
        return made;
    const auto there = TRY(find(id));
    if (!there) // ids that the key takes for one and the same, or another key's
        return made;
    return false;
}

Result<void> DocumentStore::makeDurable()
{
    const QString doing = u"waiting until the documents are on the server's disk"_s;
    TRY(d->ready(doing, true));
    return d->session.database().hasBarrier() ? d->session.passBarrier(doing) : Result<void>();
}

void DocumentStore::interrupt() noexcept
{
    d->session.interrupt();
}

} // namespace outbox
