// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/exportfile.h"
#include "app/operations/transfer/exportlines.h"

#include <QCryptographicHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

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
    const auto size = file.size();
    if (!size)
        return passOn(size);
    const auto beginning = file.readAt(0, magic.size() + 2);
    if (!beginning)
        return passOn(beginning);
    if (!beginning->startsWith(magic))
        return outbox::faulty(file.path(), 1, u"this is no export of Outbox Deck"_s);
    if (beginning->size() == magic.size() + 2 && !beginning->endsWith("1,")) {
        return fail(Error::Kind::Unsupported, u"reading the export "_s + file.path(),
                    u"another version of Outbox Deck wrote it"_s, {}, u"use that version"_s);
    }
    const qint64 from = qMax(qint64{0}, *size - longestEnd);
    const auto tail = file.readAt(from, *size - from);
    if (!tail)
        return passOn(tail);
    const qsizetype lineAt = QByteArrayView(*tail).chopped(1).lastIndexOf('\n') + 1;
    endOffset = from + lineAt;
    JsonStreamReader last(file, endOffset, *size, longestEnd);
    if (!takeExportEnd(last, end))
        return cutOff(*size);
    return {};
}

/// Calls `take` for the bytes of the file from the beginning to `to`.
template <typename Take>
Result<void> ExportReader::Private::eachBlock(qint64 to, const Take &take) const
{
    for (qint64 at = 0; at < to;) {
        const auto bytes = file.readAt(at, qMin(hashedAtOnce, to - at));
        if (!bytes)
            return passOn(bytes);
        if (bytes->isEmpty())
            break;
        take(*bytes);
        at += bytes->size();
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
    if (auto read = readHead(); !read)
        return passOn(read);
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
    auto opened = PrivateFile::open(file, PrivateFile::Mode::Read);
    if (!opened)
        return passOn(opened);
    auto parts = std::make_unique<Private>(*std::move(opened));
    if (auto found = parts->findEnd(); !found)
        return passOn(found);
    if (auto same = parts->compareChecksum(); !same)
        return passOn(same);
    if (auto read = parts->readHead(); !read)
        return passOn(read);
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
    const auto before = d->file.readAt(place.offset - 1, 1);
    if (!before)
        return passOn(before);
    if (place.line < 2 || place.offset > d->endOffset || *before != "\n")
        return faulty(d->file.path(), place.line, u"no line begins at byte %1"_s.arg(place.offset));
    d->startAt(place);
    return {};
}

} // namespace outbox
