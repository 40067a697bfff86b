// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/transfer/csvwriter.h"

#include "app/operations/transfer/exportfile.h"
#include "app/settings/privatefile.h"
#include "models/payload/celltext.h"
#include "models/payload/guess.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/utctext.h"

#include <QFile>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype csvBlockSize = qsizetype{64} * 1024;

QByteArray csvText(const QString &text)
{
    return csvCell(plainText(text));
}

QByteArray csvMoment(const std::optional<QDateTime> &at)
{
    return at ? utcText(*at).toUtf8() : QByteArray();
}

/// What a person may see of it; bytes that are no text as hex. Empty where it is empty.
QString csvPayload(const ShownPayload &payload)
{
    if (!payload.why().isEmpty() || payload.storedBytes() < 0)
        return payloadPreview(payload); // why there is none
    const QByteArray &bytes = payload.bytes();
    const bool isCut = payload.isClear() && bytes.size() < payload.storedBytes();
    QString text;
    if (guessPayload(bytes) == PayloadKind::Binary) {
        text = u"0x"_s + QString::fromLatin1(bytes.toHex());
    } else {
        text = QString::fromUtf8(bytes);
        while (isCut && text.endsWith(QChar::ReplacementCharacter))
            text.chop(1); // a character that was cut in two
    }
    return isCut ? text + u"\u2026  "_s + bytesText(payload.storedBytes()) : text;
}

} // namespace

struct CsvWriter::Private
{
    PrivateFile partial;
    QString file; ///< its name when it is finished
    PayloadMasks masks;
    QByteArray block;
    bool finished = false;

    ~Private()
    {
        if (!finished)
            QFile::remove(partial.path());
    }
    [[nodiscard]] Result<void> flush()
    {
        auto written = partial.write(block);
        block.resize(0);
        return written;
    }
};

CsvWriter::CsvWriter(std::unique_ptr<Private> parts) : d(std::move(parts))
{ }
CsvWriter::~CsvWriter() = default;
CsvWriter::CsvWriter(CsvWriter &&) noexcept = default;
CsvWriter &CsvWriter::operator=(CsvWriter &&) noexcept = default;

Result<CsvWriter> CsvWriter::create(const QString &file, const PayloadMasks &masks)
{
    auto partial = TRY(PrivateFile::open(partialName(file), PrivateFile::Mode::Replace));
    CsvWriter writer(std::unique_ptr<Private>(
        new Private{std::move(partial), file, masks,
                    "id,state,type,queue,task,created,processed,attempts,error,payload_bytes,"
                    "payload\n"}));
    TRY(writer.d->flush());
    return writer;
}

Result<void> CsvWriter::add(const Message &row)
{
    const QByteArrayList cells{csvText(row.id.text),
                               word(row.state).toUtf8(),
                               csvText(row.type),
                               csvText(row.queue),
                               csvText(row.task.text),
                               csvMoment(row.created),
                               csvMoment(row.processed),
                               row.attempts ? QByteArray::number(*row.attempts) : QByteArray(),
                               csvText(row.error),
                               row.payloadBytes >= 0 ? QByteArray::number(row.payloadBytes)
                                                     : QByteArray(),
                               csvText(csvPayload(d->masks.shown(row.payload, row.payloadBytes)))};
    d->block += cells.join(',');
    d->block += '\n';
    return d->block.size() >= csvBlockSize ? d->flush() : Result<void>();
}

Result<void> CsvWriter::finish()
{
    TRY(d->flush());
    TRY(d->partial.sync());
    auto renamed = d->partial.renameTo(d->file);
    d->finished = d->partial.path() == d->file; // also where its folder was not synced
    if (!renamed && d->finished) // what had the name is gone: this is all that is left
        return withUnknownEffect(renamed.error());
    return renamed;
}

} // namespace outbox
