// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The audit file, and each of its lines.
#include "app/audit/auditline.h"
#include "app/audit/audittrail.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/inputfile.h"

using namespace outbox;

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const fuzz::InputFile input;
    const QByteArray bytes = fuzz::bytesOf(data, size);
    for (const QByteArray &line : bytes.split('\n')) {
        static_cast<void>(previousIn(line));
        const QString operation = operationIn(line);
        fuzz::demand(hashIn(line).isEmpty() || isWhole(line));
        auto entry = entryOf(line);
        if (!entry)
            continue;
        const QByteArray again = sealed(*entry);
        const auto read = entryOf(again);
        fuzz::demand(read.has_value() && isIntact(again));
        fuzz::demand(operation.isEmpty() || !operation.contains(QLatin1Char('\n')));
    }
    input.set(bytes);
    const AuditTrail trail(input.path());
    const auto entries = trail.read();
    fuzz::demand(!entries || entries->size() <= bytes.count('\n') + 1);
    const auto chain = trail.verify();
    fuzz::demand(!chain || !chain->text.isEmpty());
    if (entries && !entries->isEmpty())
        static_cast<void>(trail.readWithUndo(entries->constFirst().operation));
    return 0;
}
