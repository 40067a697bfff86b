// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/exportfile.h"
#include "app/operations/transfer/jsonpush.h"
#include "app/operations/transfer/jsonstreamreader.h"

#include <QFile>
#include <QFileInfo>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype longestNumberWritten = 1000;

/// `{"name":value}`, which says what a plain string or number would leave open.
void named(JsonPush &json, QByteArrayView name, QByteArrayView bytes, bool asText)
{
    json.raw("{\"");
    json.raw(name);
    json.raw("\":");
    if (asText)
        json.string(bytes);
    else
        json.base64(bytes);
    json.raw("}");
}

void putNumber(JsonPush &json, const Cell &cell)
{
    const bool isReal = cell.kind == Cell::Kind::Real;
    const bool looksReal
        = cell.bytes.contains('.') || cell.bytes.contains('e') || cell.bytes.contains('E');
    if (isReal == looksReal && cell.bytes.size() <= longestNumberWritten
        && isJsonNumber(cell.bytes))
        json.raw(cell.bytes);
    else
        named(json, isReal ? "real" : "integer", cell.bytes, cell.bytes.isValidUtf8());
}

void putCell(JsonPush &json, const Cell &cell)
{
    switch (cell.kind) {
    case Cell::Kind::Null:
        json.raw("null");
        return;
    case Cell::Kind::Text:
        if (cell.bytes.isValidUtf8())
            json.string(cell.bytes);
        else
            named(json, "text64", cell.bytes, false);
        return;
    case Cell::Kind::Bytes:
        if (cell.bytes.isValidUtf8()) // most payloads are JSON, and a person may want to read them
            named(json, "bytes", cell.bytes, true);
        else
            named(json, "bytes64", cell.bytes, false);
        return;
    case Cell::Kind::Integer:
    case Cell::Kind::Real:
        putNumber(json, cell);
        return;
    }
}

/// Redis knows bytes only: a string where they are UTF-8.
void putBytes(JsonPush &json, const QByteArray &bytes)
{
    if (bytes.isValidUtf8())
        json.string(bytes);
    else
        named(json, "bytes64", bytes, false);
}

void putMember(JsonPush &json, QByteArrayView name, const QString &text)
{
    json.raw(",\"");
    json.raw(name);
    json.raw("\":");
    json.text(text);
}

void putHead(JsonPush &json, const ExportHead &head)
{
    json.raw("{\"outboxdeck_export\":1");
    putMember(json, "operation", head.operation);
    if (head.verb)
        putMember(json, "verb", word(*head.verb));
    putMember(json, "profile", head.profile);
    putMember(json, "target", head.target);
    putMember(json, "table", head.table);
    putMember(json, "queue", head.queue);
    putMember(json, "at", head.at.toUTC().toString(Qt::ISODateWithMs));
    json.raw(",\"columns\":[");
    for (qsizetype at = 0; at < head.columns.size(); ++at) {
        json.raw(at == 0 ? "{\"name\":" : ",{\"name\":");
        json.text(head.columns.at(at));
        putMember(json, "type", head.types.value(at));
        json.raw("}");
    }
    json.raw("]}\n");
}

} // namespace

struct ExportWriter::Private
{
    JsonPush json;
    QString file; ///< its name when it is finished
    QStringList columns;
    qint64 count = 0;
    QByteArray checksum;
    bool finished = false;

    ~Private()
    {
        if (!finished)
            QFile::remove(json.file().path());
    }
};

ExportWriter::ExportWriter(std::unique_ptr<Private> parts) : d(std::move(parts))
{ }
ExportWriter::~ExportWriter() = default;
ExportWriter::ExportWriter(ExportWriter &&) noexcept = default;
ExportWriter &ExportWriter::operator=(ExportWriter &&) noexcept = default;

Result<ExportWriter> ExportWriter::create(const QString &file, const ExportHead &head)
{
    if (QFileInfo::exists(file)) {
        return fail(Error::Kind::Conflict, u"writing the export %1"_s.arg(file),
                    u"there is a file of that name"_s);
    }
    if (auto made = ensurePrivateFolder(QFileInfo(file).absolutePath()); !made)
        return passOn(made);
    auto partial = PrivateFile::open(file + u".partial"_s, PrivateFile::Mode::Replace);
    if (!partial)
        return passOn(partial);
    ExportWriter writer(
        std::unique_ptr<Private>(new Private{JsonPush(*std::move(partial)), file, head.columns}));
    putHead(writer.d->json, head);
    if (auto flushed = writer.d->json.flush(); !flushed)
        return passOn(flushed);
    return writer;
}

qint64 ExportWriter::count() const
{
    return d->count;
}

const QByteArray &ExportWriter::checksum() const
{
    return d->checksum;
}

Result<void> ExportWriter::add(const WholeRow &row)
{
    if (row.columns != d->columns || row.cells.size() != row.columns.size()) {
        return fail(Error::Kind::Invalid, u"writing the export %1"_s.arg(d->file),
                    u"row %1 has other columns than those before"_s.arg(row.id.text), {},
                    u"the table was changed meanwhile: look again"_s);
    }
    JsonPush &json = d->json;
    json.raw("{\"row\":{\"id\":");
    json.text(row.id.text);
    putMember(json, "version", row.version);
    putMember(json, "task", row.task.text);
    json.raw(",\"cells\":[");
    for (qsizetype at = 0; at < row.cells.size(); ++at) {
        if (at > 0)
            json.raw(",");
        putCell(json, row.cells.at(at));
    }
    json.raw("]}}\n");
    ++d->count;
    return json.error();
}

Result<void> ExportWriter::add(const StoredTask &task)
{
    JsonPush &json = d->json;
    json.raw("{\"task\":{\"id\":");
    json.text(task.id.text);
    putMember(json, "queue", task.queue.text);
    putMember(json, "state", word(task.state));
    json.raw(",\"score\":");
    putBytes(json, task.score);
    if (!task.lockedUntil.isEmpty()) {
        json.raw(",\"locked_until\":");
        putBytes(json, task.lockedUntil);
    }
    json.raw(",\"fields\":[");
    for (qsizetype at = 0; at < task.fields.size(); ++at) {
        json.raw(at == 0 ? "[" : ",[");
        putBytes(json, task.fields.at(at).first);
        json.raw(",");
        putBytes(json, task.fields.at(at).second);
        json.raw("]");
    }
    json.raw("]}}\n");
    ++d->count;
    return json.error();
}

Result<void> ExportWriter::finish()
{
    JsonPush &json = d->json;
    d->checksum = json.checksum();
    json.raw("{\"end\":{\"count\":");
    json.raw(QByteArray::number(d->count));
    json.raw(",\"sha256\":\"");
    json.raw(d->checksum);
    json.raw("\"}}\n");
    if (auto flushed = json.flush(); !flushed)
        return flushed;
    if (auto synced = json.file().sync(); !synced)
        return synced;
    auto renamed = json.file().renameTo(d->file);
    d->finished = renamed.has_value();
    return renamed;
}

} // namespace outbox
