// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/jobs/rowexport.h"

#include "app/operations/core/operatorsession.h"
#include "app/operations/transfer/csvwriter.h"
#include "app/operations/transfer/exportfile.h"
#include "app/settings/opening.h"
#include "app/system/sources/outboxsource.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "models/elapsed.h"
#include "models/filter/rowfilter.h"

#include <QHash>
#include <QUuid>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString exportingFace = u"outboxdeck"_s;

constexpr int wholeRowsOfSlice = 500;
constexpr int csvRowsOfSlice = 200; ///< each with the beginning of its payload
/// Rows that are read for one page where the filter is looked for in them.
constexpr int searchedOfPage = 5'000;
/// Whole rows are read in parts of so many bytes, but for a single larger one.
constexpr qint64 mostBytesOfPart = qint64(8) * 1024 * 1024;
constexpr qint64 firstSearchedForExport = 2'000;
constexpr qint64 mostSearchedForExport = 50'000;
/// A slice of a search that takes longer is asked for again with fewer rows.
constexpr int mostMsOfExportSearch = 1'000;
constexpr double wantedMsOfExportSearch = 40;

/// The end of a part of `rows` that begins at `from`.
qsizetype endOfPart(const QList<Message> &rows, qsizetype from)
{
    qint64 bytes = 0;
    qsizetype to = from;
    do {
        bytes += qMax<qint64>(0, rows.at(to++).payloadBytes);
    } while (to < rows.size()
             && bytes + qMax<qint64>(0, rows.at(to).payloadBytes) <= mostBytesOfPart);
    return to;
}

} // namespace

struct RowExport::Session
{
    OutboxSource source;
    OutboxEditor reader; ///< of whole rows
    AsynqInspector tasks;
    std::optional<ExportWriter> jsonLines; ///< made by the first row
    std::optional<CsvWriter> csv; ///< made by the first row

    void interrupt() noexcept
    {
        source.interrupt();
        reader.interrupt();
    }
    /// A file that was not finished is gone with it.
    void close()
    {
        jsonLines.reset();
        csv.reset();
        source.close();
        reader.close();
        tasks.close();
    }
};

struct RowExport::Read
{
    Target target;
    OutboxShape shape;
    StoreSettings settings;
    PageRequest request;
    qint64 searchRows = 0;
    RowExportForm form = RowExportForm::JsonLines;
    QString file;
};

struct RowExport::Slice
{
    qint64 written = 0;
    qint64 gone = 0;
    qint64 undecided = 0;
    qint64 searched = 0;
    QString next; ///< empty behind the last row
    double longestMs = 0; ///< the longest statement of a search
    double tookMs = 0; ///< all of it
    std::optional<Error> slow; ///< the page took too long: nothing was written, it can be less
};

RowExport::RowExport(Target target, QObject *parent)
    : QObject(parent), m_target(std::move(target)), m_job(u"export"_s)
{ }

RowExport::~RowExport() = default;

void RowExport::start(const OutboxShape &shape, const RowExportOrder &order)
{
    m_job.start();
    m_place = {shape, order.rows, 0, 0};
    PageRequest &request = m_place.request;
    request.newestFirst = true;
    request.withVersions = false;
    request.keepsPayload = false;
    request.after.clear();
    request.at = QDateTime::currentDateTime();
    request.searchRows = searchedOfPage;
    const bool isCsv = order.form == RowExportForm::Csv;
    request.limit = isCsv ? csvRowsOfSlice : wholeRowsOfSlice;
    request.payloadPrefixBytes = isCsv ? mostPayloadOfCsv : 0;
    m_state = {};
    m_state.form = order.form;
    m_state.file = order.file;
    m_state.total = order.total;
    m_running.start();
    emit progressed(m_state);
    next();
}

void RowExport::next()
{
    if (!isRunning())
        return; // whoever was told that it begins has ended it
    Read read;
    read.target = m_target;
    read.shape = m_place.shape;
    read.request = m_place.request;
    if (!m_place.request.ids.isEmpty())
        read.request.ids = m_place.request.ids.mid(m_place.id, read.request.limit);
    read.searchRows = m_place.searchRows;
    read.form = m_state.form;
    read.file = m_state.file;
    auto settings
        = storeSettingsOf(m_target.profile, m_target.secrets, StoreAccess::ReadOnly, exportingFace);
    if (!settings)
        return end(Phase::Failed, settings.error());
    if (read.searchRows > 0)
        settings->statementTimeoutMs = mostMsOfExportSearch;
    read.settings = *settings;
    m_job.ask([read](Session &session) { return write(session, read); },
              [this](const Result<Slice> &slice) { take(slice); });
}

Result<RowExport::Slice> RowExport::write(Session &session, const Read &read)
{
    QElapsedTimer clock;
    clock.start();
    TRY(session.source.ready(read.settings, read.target.stateFolder, read.shape));
    auto page = read.searchRows > 0 ? session.source.search(read.request, read.searchRows)
                                    : session.source.page(read.request);
    Slice slice;
    // Only here: behind the first row that is written a slice cannot be asked for again.
    if (!page && page.error().kind == Error::Kind::Timeout) {
        session.source.close(); // the next try has another deadline
        slice.slow = page.error();
        return slice;
    }
    if (!page)
        return passOn(page);
    slice.searched = page->searched;
    slice.undecided = page->undecided;
    slice.next = page->next;
    slice.longestMs = page->longestMs;
    slice.undecided += TRY(keepByTask(session, read, page->rows));
    const qint64 found = page->rows.size();
    if (read.form == RowExportForm::Csv) {
        TRY(writeCsv(session, read, page->rows));
        slice.written = found;
    } else {
        slice.written = TRY(writeWhole(session, read, page->rows));
    }
    const qint64 wanted = read.request.ids.isEmpty() ? found : read.request.ids.size();
    slice.gone = wanted - slice.written;
    slice.tookMs = millisecondsOf(clock);
    return slice;
}

/// Leaves the rows whose tasks are as the filter asks, where it speaks of tasks. Answers of how
/// many that cannot be told: the filter asks for their payloads too, and only the beginnings were
/// read.
Result<qint64> RowExport::keepByTask(Session &session, const Read &read, QList<Message> &rows)
{
    const auto checks = TRY(checksOf(read.request.filter, FilterSubject::Rows, read.request.at));
    const CheckNode asking = queuePart(checks);
    if (asking.isEverything() || rows.isEmpty())
        return 0;
    const auto endpoint = TRY(redisOf(read.target.profile, read.target.secrets));
    TRY(session.tasks.ready(endpoint, sessionName(exportingFace)));
    QHash<QueueName, QList<qsizetype>> places;
    for (qsizetype place = 0; place < rows.size(); ++place) {
        const QString &named = rows.at(place).queue;
        places[QueueName{named.isEmpty() ? read.target.profile.queue : named}] += place;
    }
    QList<std::optional<TaskState>> states(rows.size());
    for (auto queue = places.cbegin(); queue != places.cend(); ++queue) {
        QList<TaskId> ids;
        for (const qsizetype place : queue.value())
            ids += rows.at(place).task;
        const auto seen = TRY(session.tasks.observe(queue.key(), ids));
        for (qsizetype i = 0; i < ids.size(); ++i)
            states[queue.value().at(i)] = seen.at(i).state;
    }
    const bool uuidKeys = read.shape.hasUuidKeys();
    QList<Message> kept;
    qint64 undecided = 0;
    for (qsizetype place = 0; place < rows.size(); ++place) {
        const Truth truth = truthOf(asking, rows.at(place), uuidKeys, states.at(place));
        undecided += truth == Truth::Unknown ? 1 : 0;
        if (truth == Truth::Yes)
            kept += rows.at(place);
    }
    rows = kept;
    return undecided;
}

Result<qint64> RowExport::writeWhole(Session &session, const Read &read, const QList<Message> &rows)
{
    if (!rows.isEmpty() && !session.reader.isOpen()) {
        StoreSettings settings = read.settings;
        settings.statementTimeoutMs = StoreSettings().statementTimeoutMs; // large rows take time
        TRY(session.reader.open(settings, read.shape));
    }
    qint64 written = 0;
    for (qsizetype from = 0; from < rows.size();) {
        const qsizetype to = endOfPart(rows, from);
        QList<MessageId> ids;
        QHash<MessageId, TaskId> tasks;
        for (; from < to; ++from) {
            ids += rows.at(from).id;
            tasks.insert(rows.at(from).id, rows.at(from).task);
        }
        auto whole = TRY(session.reader.whole(ids));
        for (WholeRow &row : whole) {
            row.task = tasks.value(row.id);
            if (!session.jsonLines) {
                ExportHead head;
                head.operation = QUuid::createUuid().toString(QUuid::WithoutBraces);
                head.profile = read.target.profile.name;
                head.target = recordTarget(read.target.profile, read.shape);
                head.table = read.shape.table.text();
                head.at = QDateTime::currentDateTimeUtc();
                head.columns = row.columns;
                auto writer
                    = TRY(ExportWriter::create(read.file, head, ExportWriter::IfThere::Replace));
                session.jsonLines.emplace(std::move(writer));
            }
            TRY(session.jsonLines->add(row));
            ++written;
        }
    }
    return written;
}

Result<void> RowExport::writeCsv(Session &session, const Read &read, const QList<Message> &rows)
{
    if (!session.csv && !rows.isEmpty()) {
        auto writer = TRY(CsvWriter::create(read.file, read.target.profile.masks));
        session.csv.emplace(std::move(writer));
    }
    for (const Message &row : rows) {
        TRY(session.csv->add(row));
    }
    return {};
}

void RowExport::take(const Result<Slice> &slice)
{
    m_state.runMs = double(m_running.elapsed());
    if (!slice)
        return end(Phase::Failed, slice.error());
    if (slice->slow && tryLess())
        return;
    if (slice->slow)
        return end(Phase::Failed, slice->slow);
    m_state.written += slice->written;
    m_state.gone += slice->gone;
    m_state.undecided += slice->undecided;
    m_state.searched += slice->searched;
    m_place.request.after = slice->next;
    if (m_place.searchRows > 0) {
        const double rows
            = double(m_place.searchRows) * wantedMsOfExportSearch / qMax(slice->longestMs, 0.1);
        m_place.searchRows = qBound(qint64(1), qint64(qMin(rows, double(m_place.searchRows) * 2)),
                                    mostSearchedForExport);
    }
    bool isLast = slice->next.isEmpty();
    if (const qsizetype ids = m_place.request.ids.size(); ids > 0) {
        m_place.id += m_place.request.limit;
        m_place.request.after.clear();
        isLast = m_place.id >= ids;
    }
    if (isLast)
        return finish();
    m_job.rest(qMax(1, qRound(slice->tookMs)), [this] { next(); });
    emit progressed(m_state);
}

bool RowExport::tryLess()
{
    if (m_place.searchRows == 1 || !m_place.request.ids.isEmpty())
        return false;
    m_place.searchRows = m_place.searchRows == 0 ? firstSearchedForExport
                                                 : qMax<qint64>(1, m_place.searchRows / 16);
    m_job.rest(mostMsOfExportSearch, [this] { next(); });
    return true;
}

void RowExport::finish()
{
    if (m_state.written == 0)
        return end(Phase::Nothing);
    m_state.phase = Phase::Finishing;
    m_job.ask(
        [](Session &session) {
            auto finished = session.jsonLines ? session.jsonLines->finish() : session.csv->finish();
            session.close();
            return finished;
        },
        [this](const Result<void> &finished) {
            m_state.runMs = double(m_running.elapsed());
            finished ? end(Phase::Done) : end(Phase::Failed, finished.error());
        });
    emit progressed(m_state);
}

void RowExport::cancel()
{
    if (!isRunning() || m_state.phase == Phase::Finishing)
        return;
    m_state.runMs = double(m_running.elapsed());
    end(Phase::Cancelled);
}

void RowExport::end(Phase phase, const std::optional<Error> &error)
{
    m_job.stop();
    m_state.phase = phase;
    m_state.error = error;
    emit progressed(m_state);
}

} // namespace outbox
