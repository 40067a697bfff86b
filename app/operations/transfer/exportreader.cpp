// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/exportfile.h"

#include "app/operations/transfer/jsonstreamreader.h"

#include <QByteArray>
#include <QCryptographicHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The last line, which vouches for all others.
struct ExportEnd
{
    qint64 count = 0; ///< rows and tasks
    QByteArray checksum; ///< hex SHA-256 of all bytes before this line
};

namespace {

constexpr qint64 mostColumns = 10'000;
constexpr qint64 mostFields = 10'000;

/// The object behind a cell that no plain string or number can say.
bool takeNamedCell(JsonStreamReader &json, Cell &cell)
{
    return json.object([&](const QByteArray &name) {
        if (name == "text64" || name == "bytes64") {
            cell.kind = name == "text64" ? Cell::Kind::Text : Cell::Kind::Bytes;
            return json.base64(cell.bytes);
        }
        if (name == "bytes")
            cell.kind = Cell::Kind::Bytes;
        else if (name == "integer")
            cell.kind = Cell::Kind::Integer;
        else if (name == "real")
            cell.kind = Cell::Kind::Real;
        else
            return json.refuseMember(name);
        return json.string(cell.bytes);
    });
}

bool takeCell(JsonStreamReader &json, Cell &cell)
{
    switch (json.peek()) {
    case 'n':
        return json.take("null");
    case '"':
        cell.kind = Cell::Kind::Text;
        return json.string(cell.bytes);
    case '{':
        return takeNamedCell(json, cell);
    default:
        break;
    }
    if (!json.number(cell.bytes))
        return false;
    const bool real
        = cell.bytes.contains('.') || cell.bytes.contains('e') || cell.bytes.contains('E');
    cell.kind = real ? Cell::Kind::Real : Cell::Kind::Integer;
    return true;
}

bool takeBytes(JsonStreamReader &json, QByteArray &bytes)
{
    if (json.peek() != '{')
        return json.string(bytes);
    return json.object([&](const QByteArray &name) {
        return name == "bytes64" ? json.base64(bytes) : json.refuseMember(name);
    });
}

bool takeColumn(JsonStreamReader &json, ExportHead &head)
{
    QString name;
    QString type;
    const bool taken = json.object([&](const QByteArray &member) {
        if (member == "name")
            return json.string(name);
        return member == "type" ? json.string(type) : json.refuseMember(member);
    });
    if (!taken)
        return false;
    if (name.isEmpty() || head.columns.contains(name) || head.columns.size() >= mostColumns)
        return json.refuse(u"the columns have no name, the same name, or are too many"_s);
    head.columns.append(name);
    head.types.append(type);
    return true;
}

bool takeVerb(JsonStreamReader &json, ExportHead &head)
{
    QString name;
    if (!json.string(name))
        return false;
    head.verb = verbFromWord(name);
    return head.verb || json.refuse(u"the verb \"%1\" is not known"_s.arg(name));
}

bool takeTime(JsonStreamReader &json, ExportHead &head)
{
    QString text;
    if (!json.string(text))
        return false;
    head.at = QDateTime::fromString(text, Qt::ISODateWithMs).toUTC();
    return head.at.isValid() || json.refuse(u"\"%1\" is no time"_s.arg(text));
}

bool takeRow(JsonStreamReader &json, const ExportHead &head, WholeRow &row)
{
    const bool taken = json.object([&](const QByteArray &name) {
        if (name == "id")
            return json.string(row.id.text);
        if (name == "version")
            return json.string(row.version);
        if (name == "task")
            return json.string(row.task.text);
        if (name != "cells")
            return json.refuseMember(name);
        return json.array([&] {
            if (row.cells.size() >= head.columns.size())
                return json.refuse(u"the row has more cells than there are columns"_s);
            row.cells.append(Cell());
            return takeCell(json, row.cells.last());
        });
    });
    if (!taken)
        return false;
    if (row.id.isEmpty() || row.cells.size() != head.columns.size())
        return json.refuse(u"the row has no id or too few cells"_s);
    row.columns = head.columns;
    return true;
}

/// Repairs export what they remove, so damaged tasks stand in files too.
std::optional<TaskState> storedState(const QString &name)
{
    for (const TaskState damaged : {TaskState::Stub, TaskState::Orphan}) {
        if (name == word(damaged))
            return damaged;
    }
    return taskStateFromWord(name);
}

bool takeState(JsonStreamReader &json, TaskState &state)
{
    QString name;
    if (!json.string(name))
        return false;
    const auto known = storedState(name);
    state = known.value_or(TaskState::None);
    return known || json.refuse(u"the state \"%1\" is not known"_s.arg(name));
}

bool takeField(JsonStreamReader &json, StoredTask &task)
{
    if (task.fields.size() >= mostFields)
        return json.refuse(u"the task has more than %1 fields"_s.arg(mostFields));
    QPair<QByteArray, QByteArray> field;
    const bool taken = json.take("[") && takeBytes(json, field.first) && json.take(",")
        && takeBytes(json, field.second) && json.take("]");
    task.fields.append(field);
    return taken;
}

bool takeTask(JsonStreamReader &json, StoredTask &task)
{
    const bool taken = json.object([&](const QByteArray &name) {
        if (name == "id")
            return json.string(task.id.text);
        if (name == "queue")
            return json.string(task.queue.text);
        if (name == "state")
            return takeState(json, task.state);
        if (name == "score")
            return takeBytes(json, task.score);
        if (name == "locked_until")
            return takeBytes(json, task.lockedUntil);
        if (name == "fields")
            return json.array([&] { return takeField(json, task); });
        return json.refuseMember(name);
    });
    if (!taken)
        return false;
    return !(task.id.isEmpty() || task.queue.isEmpty())
        || json.refuse(u"the task has no id or no queue"_s);
}

/// Each answers false after a fault, which `json` keeps. Members that are not known are a fault.
bool takeExportHead(JsonStreamReader &json, ExportHead &head)
{
    const bool taken = json.object([&](const QByteArray &name) {
        if (name == "outboxdeck_export")
            return json.take("1");
        if (name == "verb")
            return takeVerb(json, head);
        if (name == "at")
            return takeTime(json, head);
        if (name == "columns")
            return json.array([&] { return takeColumn(json, head); });
        for (auto [member, text] :
             {std::pair("operation", &head.operation), std::pair("profile", &head.profile),
              std::pair("target", &head.target), std::pair("table", &head.table),
              std::pair("queue", &head.queue)}) {
            if (name == member)
                return json.string(*text);
        }
        return json.refuseMember(name);
    });
    return taken && json.nextLine();
}

/// A row or a task; `head` says which columns a row has.
bool takeExportItem(JsonStreamReader &json, const ExportHead &head, ExportItem &item)
{
    bool found = false;
    const bool taken = json.object([&](const QByteArray &name) {
        if (found || (name != "row" && name != "task"))
            return json.refuseMember(name);
        found = true;
        if (name == "row")
            return takeRow(json, head, item.emplace<WholeRow>());
        return takeTask(json, item.emplace<StoredTask>());
    });
    return taken && (found || json.refuse(u"there is neither a row nor a task"_s))
        && json.nextLine();
}

bool takeExportEnd(JsonStreamReader &json, ExportEnd &end)
{
    QByteArray count;
    const bool taken = json.take("{\"end\":{\"count\":") && json.number(count)
        && json.take(",\"sha256\":") && json.string(end.checksum) && json.take("}}\n");
    bool isNumber = false;
    end.count = count.toLongLong(&isNumber);
    return taken && isNumber && json.atEnd();
}

constexpr qint64 longestExportLine = qint64{1} << 30;
constexpr qint64 longestEnd = 256; // bytes of the last line
constexpr qint64 hashedAtOnce = qint64{256} * 1024;

Failure faulty(const QString &file, qint64 line, Error error)
{
    error.doing = u"reading the export "_s + file;
    if (error.kind == Error::Kind::Invalid)
        error.text = u"line %1: %2"_s.arg(line).arg(error.text);
    return Failure(std::move(error));
}

Failure faulty(const QString &file, qint64 line, const QString &text)
{
    return faulty(file, line, Error{Error::Kind::Invalid, {}, text, {}, {}, -1});
}

} // namespace

struct ExportReader::Private
{
    PrivateFile file;
    ExportHead head;
    ExportEnd end;
    qint64 endOffset = 0; ///< of the last line
    Place place;
    std::optional<JsonStreamReader> json;

    explicit Private(PrivateFile opened) : file(std::move(opened)) { }

    /// What stopped `json`, in the line that it stands in.
    [[nodiscard]] Failure faulty() const
    {
        return outbox::faulty(file.path(), place.line, json->fault());
    }
    void startAt(const Place &where)
    {
        place = where;
        json.emplace(file, where.offset, endOffset, longestExportLine);
    }
    template <typename Take>
    [[nodiscard]] Result<void> eachBlock(qint64 to, const Take &take) const;
    [[nodiscard]] Result<void> findEnd();
    [[nodiscard]] Failure cutOff(qint64 size) const;
    [[nodiscard]] Result<void> readHead();
    [[nodiscard]] Result<void> compareChecksum();
    /// The first line that makes no sense, or else the checksum itself.
    [[nodiscard]] Failure findFault(qint64 lastLine);
};

Result<void> ExportReader::Private::findEnd()
{
    constexpr QByteArrayView magic = "{\"outboxdeck_export\":";
    const auto size = TRY(file.size());
    const auto beginning = TRY(file.readAt(0, magic.size() + 2));
    if (!beginning.startsWith(magic))
        return outbox::faulty(file.path(), 1, u"this is no export of Outbox Deck"_s);
    if (beginning.size() == magic.size() + 2 && !beginning.endsWith("1,")) {
        return fail(Error::Kind::Unsupported, u"reading the export "_s + file.path(),
                    u"another version of Outbox Deck wrote it"_s, {}, u"use that version"_s);
    }
    const qint64 from = qMax(qint64{0}, size - longestEnd);
    const auto tail = TRY(file.readAt(from, size - from));
    const qsizetype lineAt = QByteArrayView(tail).chopped(1).lastIndexOf('\n') + 1;
    endOffset = from + lineAt;
    JsonStreamReader last(file, endOffset, size, longestEnd);
    if (!takeExportEnd(last, end))
        return cutOff(size);
    return {};
}

/// Calls `take` for the bytes of the file from the beginning to `to`.
template <typename Take>
Result<void> ExportReader::Private::eachBlock(qint64 to, const Take &take) const
{
    for (qint64 at = 0; at < to;) {
        const auto bytes = TRY(file.readAt(at, qMin(hashedAtOnce, to - at)));
        if (bytes.isEmpty())
            break;
        take(bytes);
        at += bytes.size();
    }
    return {};
}

Failure ExportReader::Private::cutOff(qint64 size) const
{
    qint64 lines = 0;
    bool ended = false;
    const auto read = eachBlock(size, [&](const QByteArray &bytes) {
        lines += bytes.count('\n');
        ended = bytes.endsWith('\n');
    });
    if (!read)
        return passOn(read);
    return outbox::faulty(file.path(), ended ? lines : lines + 1,
                          u"the file ends here without its last line; it was cut off, or not "
                          "finished"_s);
}

Result<void> ExportReader::Private::compareChecksum()
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    qint64 lines = 0;
    const auto read = eachBlock(endOffset, [&](const QByteArray &bytes) {
        hash.addData(bytes);
        lines += bytes.count('\n');
    });
    if (!read)
        return passOn(read);
    if (hash.result().toHex() != end.checksum)
        return findFault(lines + 1);
    if (lines - 1 != end.count) {
        return outbox::faulty(
            file.path(), lines + 1,
            u"there are %1 lines before it, not %2"_s.arg(lines - 1).arg(end.count));
    }
    return {};
}

Failure ExportReader::Private::findFault(qint64 lastLine)
{
    TRY(readHead());
    while (!json->atEnd()) {
        ExportItem item;
        if (!takeExportItem(*json, head, item))
            return faulty();
        ++place.line;
    }
    return outbox::faulty(file.path(), lastLine,
                          u"its checksum is not that of the lines before: one was changed"_s);
}

Result<void> ExportReader::Private::readHead()
{
    startAt({0, 1});
    head = {};
    if (!takeExportHead(*json, head))
        return faulty();
    place = {json->offset(), 2};
    return {};
}

ExportReader::ExportReader(std::unique_ptr<Private> parts) : d(std::move(parts))
{ }
ExportReader::~ExportReader() = default;
ExportReader::ExportReader(ExportReader &&) noexcept = default;
ExportReader &ExportReader::operator=(ExportReader &&) noexcept = default;

Result<ExportReader> ExportReader::open(const QString &file)
{
    auto opened = TRY(PrivateFile::open(file, PrivateFile::Mode::Read));
    auto parts = std::make_unique<Private>(std::move(opened));
    TRY(parts->findEnd());
    TRY(parts->compareChecksum());
    TRY(parts->readHead());
    return ExportReader(std::move(parts));
}

const ExportHead &ExportReader::head() const
{
    return d->head;
}

qint64 ExportReader::count() const
{
    return d->end.count;
}

QByteArray ExportReader::checksum() const
{
    return d->end.checksum;
}

Result<std::optional<ExportItem>> ExportReader::next()
{
    if (d->json->atEnd())
        return std::optional<ExportItem>();
    ExportItem item;
    if (!takeExportItem(*d->json, d->head, item))
        return d->faulty();
    d->place = {d->json->offset(), d->place.line + 1};
    return item;
}

ExportReader::Place ExportReader::place() const
{
    return d->place;
}

Result<void> ExportReader::moveTo(const Place &place)
{
    const auto before = TRY(d->file.readAt(place.offset - 1, 1));
    if (place.line < 2 || place.offset > d->endOffset || before != "\n")
        return faulty(d->file.path(), place.line, u"no line begins at byte %1"_s.arg(place.offset));
    d->startAt(place);
    return {};
}

} // namespace outbox
