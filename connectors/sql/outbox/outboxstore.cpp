// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/outboxstore.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/catalog/tablesource.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/knowntimes.h"
#include "connectors/sql/dialect/tableholder.h"
#include "connectors/sql/driver/sqlitewriter.h"
#include "connectors/sql/outbox/childrows.h"
#include "connectors/sql/outbox/outboxstoreparts.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "connectors/sql/outbox/rowreader.h"
#include "connectors/sql/outbox/wholerows.h"
#include "connectors/sql/probe/shapecheck.h"
#include "connectors/sql/probe/valuesample.h"
#include "connectors/sql/roles/columnsample.h"
#include "models/phrases.h"

#include <chrono>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Below it no look needs an index.
constexpr qint64 largeTable = 10'000;
constexpr int atOnceMs = 1000; ///< between a probe and taking what it found

qint64 nowMicroseconds()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace

Result<void> OutboxStore::Private::ready(const QString &doing) const
{
    TRY(session.ready(doing));
    if (!dialect)
        return fail(Error::Kind::Invalid, doing, u"no shape was chosen"_s);
    return {};
}

bool isLockInColumns(const OutboxShape &shape)
{
    switch (shape.lockedHow) {
    case OutboxShape::LockedHow::None:
    case OutboxShape::LockedHow::Row:
        return false;
    case OutboxShape::LockedHow::LockRow:
        return !shape.lockedIn.on.isEmpty();
    default:
        return true;
    }
}

namespace {

/// A standby is not told who holds rows on its primary: such rows count as pending there.
void tellStandby(OutboxSnapshot &snapshot, const StandbyState &state, bool isLockTold)
{
    const QString blind = u"a standby is not told which rows are held on its primary"_s;
    const QString lag = state.lagSeconds ? spanText(*state.lagSeconds) + u" behind its primary"_s
                                         : u"behind its primary for a time not known"_s;
    snapshot.standby = state;
    snapshot.holders.clear();
    snapshot.lockVisible = false;
    snapshot.writerNote
        = u"the server is a standby, %1; it is not told which rows are held there"_s.arg(lag);
    snapshot.notes[u"locked"_s] = isLockTold ? u"counted by what the columns say"_s : blind;
    if (!isLockTold) {
        if (snapshot.pending)
            *snapshot.pending += snapshot.locked.value_or(0);
        snapshot.locked = std::nullopt;
        snapshot.notes[u"pending"_s] = u"with those that are held on the primary"_s;
    }
    if (!state.lagSeconds)
        snapshot.notes[u"lag_s"_s] = state.whyNoLag;
}

} // namespace

OutboxStore::OutboxStore() : d(std::make_unique<Private>())
{ }

OutboxStore::OutboxStore(std::shared_ptr<SharedSession> shared)
    : d(std::make_unique<Private>(std::move(shared)))
{ }

OutboxStore::~OutboxStore() = default;

Result<void> OutboxStore::open(const StoreSettings &settings)
{
    d->session.setSettings(settings);
    return ensureOpen();
}

Result<void> OutboxStore::ensureOpen()
{
    if (isOpen() && !d->session.mayFindBetter())
        return {};
    close();
    return d->session.ensureOpen([this] {
        auto resumed = d->dialect ? use(OutboxShape(d->shape)) : Result<void>();
        if (resumed && !d->channel.isEmpty())
            resumed = d->session->listen(d->channel);
        return resumed;
    });
}

void OutboxStore::close()
{
    d->session.close();
    d->probed.reset();
    d->oldSnapshots.forget();
    d->flow.forget();
    d->claim.forget();
    d->job.forget();
}

bool OutboxStore::isOpen() const
{
    return d->session.isUp();
}

Result<Catalog> OutboxStore::catalog()
{
    TRY(d->session.ready(u"reading the catalog"_s));
    return readCatalog(*d->session, d->session.dialect());
}

Result<QList<ProbeFinding>> OutboxStore::probe(const std::optional<TableName> &table)
{
    const auto known = TRY(catalog());
    auto findings = probeTables(*d->session, known, d->session.settings().url, table);
    if (findings && table) {
        d->probed = known;
        d->probedUntil.setRemainingTime(atOnceMs);
    }
    return findings;
}

Result<TableSurvey> OutboxStore::survey(const TableName &table)
{
    const auto known = TRY(catalog());
    const DatabaseUrl::Dialect dialect = d->session.dialect();
    const auto findings = TRY(probeTables(*d->session, known, d->session.settings().url, table));
    const CatalogTable *found = known.find(table);
    if (!found || findings.isEmpty()) {
        return fail(Error::Kind::Invalid, u"looking at "_s + table.text(),
                    u"there is no table \"%1\", or this role may not see it"_s.arg(table.text()));
    }
    TableSurvey survey{*found, findings.constFirst(), {}, d->session.database().isLoose};
    if (auto samples = sampledColumns(*d->session, *found, dialect))
        survey.samples = *samples;
    return survey;
}

Result<QList<ValueCount>> OutboxStore::valuesOf(const QString &column)
{
    const QString doing = u"looking at \"%1\""_s.arg(column);
    TRY(d->ready(doing));
    if (!d->dialect->table().column(column))
        return fail(Error::Kind::Invalid, doing, u"the table has no such column"_s);
    return countedValues(*d->session, d->dialect->table().name, column, d->shape.keyColumns(),
                         d->session.dialect());
}

Result<void> OutboxStore::use(const OutboxShape &shape)
{
    auto probed = std::exchange(d->probed, std::nullopt);
    TRY(d->session.ready(u"reading the catalog"_s));
    const auto known
        = TRY(probed && !d->probedUntil.hasExpired()
                  ? Result<Catalog>(*std::move(probed))
                  : readTables(*d->session, d->session.dialect(), tablesOf(shape),
                               {auditTableName(), parkedTableName(), fenceTableName()}));
    const auto table = TRY(checkShape(shape, known, d->session.dialect()));
    OutboxShape whole = withKnownTimes(shape, table, d->session.dialect());
    if (shape.lacksSource()) {
        whole.source = TRY(tableSource(*d->session, d->session.settings().url, table.name));
    }
    FenceTableAccess fence;
    if (d->session.settings().access == StoreAccess::Relay) {
        TRY(fence.find(*d->session, d->session.dialect(), known, table.name));
    }
    d->fence = fence;
    d->dialect = makeDialect(d->session.dialect(), whole, table);
    d->references.emplace(whole, known);
    const CatalogTable *audit = known.find({table.name.schema, auditTableName()});
    if (!audit)
        audit = known.find({{}, auditTableName()});
    d->audit = audit ? std::optional(audit->name) : std::nullopt;
    d->mayHaveParked
        = std::any_of(known.tables.cbegin(), known.tables.cend(), [](const CatalogTable &one) {
              return one.name.table.compare(parkedTableName(), Qt::CaseInsensitive) == 0;
          });
    d->status.forget();
    d->indexes.forget();
    d->flow.forget();
    d->shape = whole;
    d->isShapeDoubted = false;
    return {};
}

QString OutboxStore::whyIdsReturn() const
{
    return d->dialect ? d->shape.whyIdsReturn(d->dialect->table()) : QString();
}

Result<QString> OutboxStore::nameAmongAll()
{
    TRY(d->session.ready(u"asking the database for its name"_s));
    const TableName &table = d->dialect->table().name;
    QString source = d->shape.source;
    if (source.isEmpty()) {
        source = TRY(tableSource(*d->session, d->session.settings().url, table));
    }
    return QString(table.text() + u' ' + source);
}

const FenceTableAccess &OutboxStore::fence() const
{
    return d->fence;
}

Result<QList<RelayLife>> OutboxStore::keptLives()
{
    TRY(d->ready(u"reading "_s + fenceTableName()));
    return d->fence.lives(*d->session);
}

Result<void> OutboxStore::forgetLives(const QList<RelayLife> &lives)
{
    const QString doing = u"taking lines of relays from "_s + fenceTableName();
    TRY(d->ready(doing));
    if (d->claim.isOpen())
        return fail(Error::Kind::Conflict, doing, u"a claim is open"_s);
    return d->fence.remove(*d->session, lives);
}

std::optional<TableName> OutboxStore::withoutParked() const
{
    return d->dialect && !d->mayHaveParked ? std::optional(d->dialect->table().name) : std::nullopt;
}

const OutboxShape &OutboxStore::shape() const
{
    return d->shape;
}

Result<SqlRows> OutboxStore::Private::countedRows(const CountCaps &caps, const QStringList &parked,
                                                  const QString &doing)
{
    const SqlText counting = dialect->versions(caps, parked);
    if (counting.isEmpty())
        return session->query(dialect->snapshot(caps, parked), doing);
    auto versions = session->query(counting, doing);
    if (!versions)
        return versions;
    // Who holds a row is not bound to a snapshot in either way: locks are told as they are now.
    const auto asking = dialect->holdersOf(*versions);
    if (!asking)
        return session->query(dialect->snapshot(caps, parked), doing);
    return asking->isEmpty() ? versions : session->query(*asking, doing);
}

Result<OutboxSnapshot> OutboxStore::snapshot(const CountCaps &caps, const QList<MessageId> &parked)
{
    const QString doing = u"counting the rows of "_s + d->shape.table.text();
    TRY(d->ready(doing));
    const auto standby = d->session->standby();
    const qint64 before = nowMicroseconds();
    const auto rows = d->countedRows(caps, d->dialect->keyTexts(parked), doing);
    if (!rows)
        return tl::unexpected(withTableHolder(rows.error(), *d->session, d->shape.table));
    if (rows->size() == 0)
        return fail(Error::Kind::Protocol, doing, u"the answer is empty"_s);
    OutboxSnapshot snapshot = snapshotFrom(*rows, d->shape, caps, before, nowMicroseconds());
    // Some databases show no row's lock; what columns say of one they tell.
    const bool isTold = isLockInColumns(d->shape);
    if (d->session.database().isFile()) {
        snapshot.writerNote = sqliteWriterNote(d->session.settings().url.database);
        if (!isTold) {
            snapshot.notes[u"locked"_s]
                = u"rows cannot be locked in "_s + d->session.database().name;
        }
    }
    snapshot.oldSnapshot = d->oldSnapshots.oldest(*d->session, *d->dialect);
    const QString note = d->shape.lockedHow == OutboxShape::LockedHow::Until
        ? QString()
        : catalogOf(d->session.dialect()).lockNote(*d->session);
    if (!note.isEmpty()) {
        snapshot.writerNote = note;
        snapshot.notes[u"locked"_s] = isTold ? u"counted by what the columns say"_s : note;
    }
    if (!isTold && !d->session.database().tellsRowLocks) {
        snapshot.locked = std::nullopt;
        snapshot.lockVisible = false;
    }
    if (standby)
        tellStandby(snapshot, *standby, isTold);
    if (snapshot.rows() >= largeTable) {
        snapshot.missingIndexes
            = d->indexes.missing(*d->session, *d->dialect, d->session.dialect());
    }
    return snapshot;
}

void OutboxStore::addFlow(OutboxSnapshot &snapshot, Arrivals arrivals)
{
    if (!d->session || !d->dialect)
        return;
    const DatabaseUrl::Dialect kind = d->session.dialect();
    d->flow.fillLastMark(snapshot, *d->session, *d->dialect, kind, d->indexes);
    if (arrivals == Arrivals::Asked)
        d->flow.fillArrivals(snapshot, *d->session, *d->dialect, kind, d->indexes);
}

MessageId OutboxStore::idOf(const MessageId &typed) const
{
    return d->dialect ? d->dialect->idOf(typed) : typed;
}

Result<std::optional<Message>> OutboxStore::find(const MessageId &id, qint64 payloadLimit)
{
    const QString doing = u"looking for "_s + id.text;
    TRY(d->ready(doing));
    if (!d->dialect->isKeyText(id.text))
        return std::optional<Message>();
    const auto rows = TRY(d->session->query(d->dialect->find(id.text, payloadLimit), doing));
    if (rows.size() == 0)
        return std::optional<Message>();
    QList<Message> found{messageFrom(rows, 0, d->shape)};
    found[0].payload.truncate(static_cast<qsizetype>(payloadLimit));
    if (d->shape.payloadForm == OutboxShape::PayloadForm::Reference) {
        TRY(d->fillReferences(rows, found, payloadLimit));
    }
    return std::optional(found.constFirst());
}

Result<QHash<MessageId, QString>> OutboxStore::statusOf(const StatusTable &table,
                                                        const QList<MessageId> &ids)
{
    TRY(d->ready(u"reading the status of messages"_s));
    return d->status.read(*d->session, d->session.dialect(), table, ids);
}

Result<void> OutboxStore::check(const WholeRow &row) const
{
    const QString doing = u"checking a row for %1"_s.arg(d->shape.table.text());
    TRY(d->ready(doing));
    return checkWholeRow(row, d->dialect->table(), d->shape.keyColumn, d->session.dialect(), doing);
}

QStringList OutboxStore::statementsOf(Verb verb) const
{
    if (!d->dialect)
        return {};
    const auto edits = makeEditDialect(d->session.dialect(), d->shape, d->dialect->table());
    return edits ? edits->statementsOf(verb, d->audit) : QStringList();
}

Result<QList<ChildRows>> OutboxStore::childrenOf(const QList<MessageId> &ids)
{
    TRY(d->ready(u"looking for rows that refer to "_s + d->shape.table.text()));
    return outbox::childrenOf(
        {*d->session, d->session.dialect(), d->dialect->table(), d->shape.keyColumn},
        d->dialect->keyTexts(ids));
}

Result<QStringList> OutboxStore::deleteTriggers()
{
    TRY(d->ready(u"asking for the triggers of "_s + d->shape.table.text()));
    return deleteTriggersOf(
        {*d->session, d->session.dialect(), d->dialect->table(), d->shape.keyColumn});
}

Result<void> OutboxStore::listen(const QString &channel)
{
    TRY(d->session.ready(u"listening to "_s + channel));
    d->channel = channel;
    return d->session->listen(channel);
}

Result<bool> OutboxStore::waitForChange(int milliseconds)
{
    TRY(d->session.ready(u"waiting for a change"_s));
    return d->session->waitForChange(milliseconds);
}

Result<void> OutboxStore::leaveEarlierPrimary()
{
    TRY(d->session.ready(u"asking for a later primary"_s));
    return d->session->leaveEarlierPrimary(d->session.settings());
}

void OutboxStore::interrupt() noexcept
{
    d->session.interrupt();
}

} // namespace outbox
