// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An export file as it came, and with a last line that vouches for whatever stands before it:
// without that no change would get behind the checksum.
#include "app/operations/transfer/exportfile.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/inputfile.h"

#include <QCryptographicHash>

using namespace outbox;

namespace {

void readAll(const QString &path)
{
    auto reader = ExportReader::open(path);
    if (!reader) {
        fuzz::demand(!reader.error().text.isEmpty());
        return;
    }
    qint64 items = 0;
    while (true) {
        const ExportReader::Place place = reader->place();
        const auto item = reader->next();
        if (!item || !*item)
            break;
        ++items;
        if (items == 1) { // an import goes back to places that it noted
            fuzz::demand(reader->moveTo(place).has_value());
            const auto again = reader->next();
            fuzz::demand(again.has_value() && again->has_value());
        }
    }
    fuzz::demand(items <= reader->count());
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const fuzz::InputFile input;
    const QByteArray bytes = fuzz::bytesOf(data, size);
    input.set(bytes);
    readAll(input.path());

    const qsizetype end = bytes.lastIndexOf("{\"end\"");
    QByteArray body = end < 0 ? bytes : bytes.left(end);
    if (!body.endsWith('\n'))
        body += '\n';
    const QByteArray hash = QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex();
    input.set(body + "{\"end\":{\"count\":" + QByteArray::number(body.count('\n') - 1)
              + ",\"sha256\":\"" + hash + "\"}}\n");
    readAll(input.path());
    return 0;
}
