// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/exportfile.h"
#include "app/operations/transfer/jsonstreamreader.h"
#include "app/settings/privatefile.h"
#include "models/result.h"
#include "models/utctext.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QString>
#include <QUuid>

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Errors stick: nothing is written after the first one, and `flush` says it.
class JsonPush
{
public:
    explicit JsonPush(PrivateFile file);

    /// Punctuation and numbers, as they stand.
    void raw(QByteArrayView text);
    /// `utf8` must be valid; `"`, `\` and control characters are escaped, nothing else.
    void string(QByteArrayView utf8);
    void text(const QString &text) { string(text.toUtf8()); }
    void base64(QByteArrayView bytes);

    /// Whether everything so far could be written; a block may still be on its way.
    [[nodiscard]] Result<void> error() const;
    /// Hex SHA-256 of all that was written so far.
    [[nodiscard]] QByteArray checksum();
    [[nodiscard]] Result<void> flush();
    [[nodiscard]] PrivateFile &file() { return m_file; }

private:
    void flushIfFull();

    PrivateFile m_file;
    QByteArray m_block;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    std::optional<Error> m_error;
};

constexpr qsizetype blockSize = qsizetype{64} * 1024;
namespace {

constexpr qsizetype encodedAtOnce = qsizetype{48} * 1024; // a multiple of 3: no padding in between

bool needsEscape(char c)
{
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void appendEscaped(QByteArray &block, char c)
{
    switch (c) {
    case '"':
    case '\\':
        block.append('\\').append(c);
        return;
    case '\n':
        block.append("\\n");
        return;
    case '\r':
        block.append("\\r");
        return;
    case '\t':
        block.append("\\t");
        return;
    default:
        block.append("\\u").append(QByteArray::number(c, 16).rightJustified(4, '0'));
    }
}

} // namespace

JsonPush::JsonPush(PrivateFile file) : m_file(std::move(file))
{
    m_block.reserve(2 * blockSize);
}

void JsonPush::raw(QByteArrayView text)
{
    while (!text.isEmpty() && !m_error) {
        const qsizetype count = std::min(text.size(), blockSize);
        m_block.append(text.first(count));
        text = text.sliced(count);
        flushIfFull();
    }
}

void JsonPush::string(QByteArrayView utf8)
{
    raw("\"");
    const char *at = utf8.data();
    const char *const end = at + utf8.size();
    while (at != end && !m_error) {
        const char *const special = std::find_if(at, end, needsEscape);
        raw(QByteArrayView(at, special));
        at = special;
        // JSON in a text is full of quotes: what is special goes straight into the block.
        for (; at != end && needsEscape(*at) && m_block.size() < blockSize; ++at)
            appendEscaped(m_block, *at);
        flushIfFull();
    }
    raw("\"");
}

void JsonPush::base64(QByteArrayView bytes)
{
    raw("\"");
    while (!bytes.isEmpty() && !m_error) {
        const qsizetype count = std::min(bytes.size(), encodedAtOnce);
        raw(QByteArray::fromRawData(bytes.data(), count).toBase64());
        bytes = bytes.sliced(count);
    }
    raw("\"");
}

QByteArray JsonPush::checksum()
{
    // What is still in the block counts too; an error comes out of the next flush.
    static_cast<void>(flush());
    return m_hash.result().toHex();
}

Result<void> JsonPush::error() const
{
    return m_error ? Result<void>(Failure(*m_error)) : Result<void>();
}

void JsonPush::flushIfFull()
{
    if (m_block.size() >= blockSize)
        static_cast<void>(flush()); // an error is kept, and said by the next flush
}

Result<void> JsonPush::flush()
{
    if (m_error)
        return error();
    m_hash.addData(m_block);
    auto written = m_file.write(m_block);
    m_block.resize(0);
    if (!written)
        m_error = written.error();
    return written;
}

constexpr qsizetype longestNumberWritten = 1000;

namespace {

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
    putMember(json, "at", utcText(head.at));
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
    IfThere ifThere = IfThere::Refuse;
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

QString partialName(const QString &file)
{
    constexpr qsizetype letters = 12;
    const QString random = QUuid::createUuid().toString(QUuid::Id128).first(letters);
    return file + u'.' + random + u".partial"_s;
}

Result<ExportWriter> ExportWriter::create(const QString &file, const ExportHead &head,
                                          IfThere ifThere)
{
    const bool replaces = ifThere == IfThere::Replace;
    if (!replaces && QFileInfo::exists(file)) {
        return fail(Error::Kind::Conflict, u"writing the export %1"_s.arg(file),
                    u"there is a file of that name"_s);
    }
    TRY(replaces ? Result<void>() : ensurePrivateFolder(QFileInfo(file).absolutePath()));
    auto partial = TRY(PrivateFile::open(
        replaces ? partialName(file) : QString(file + u".partial"_s), PrivateFile::Mode::Replace));
    ExportWriter writer(std::unique_ptr<Private>(
        new Private{JsonPush(std::move(partial)), file, head.columns, ifThere}));
    putHead(writer.d->json, head);
    TRY(writer.d->json.flush());
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
    TRY(json.flush());
    TRY(json.file().sync());
    auto renamed = json.file().renameTo(d->file);
    const bool isNamed = json.file().path() == d->file; // also where its folder was not synced
    d->finished = renamed || (isNamed && d->ifThere == IfThere::Replace);
    if (!renamed && d->finished) // what had the name is gone: this is all that is left
        return withUnknownEffect(renamed.error());
    return renamed;
}

} // namespace outbox
