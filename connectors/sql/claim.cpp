// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/claim.h"

#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Result<void> fillReferences(SqlSession &session, const Dialect &dialect,
                            const ReferenceReader &references, const SqlRows &rows,
                            QList<ClaimedMessage> &messages)
{
    QList<Reference> wanted;
    for (qsizetype row = 0; row < rows.size(); ++row)
        wanted += {rows.text(row, ClaimColumn::RefTable), rows.text(row, ClaimColumn::RefId)};
    constexpr qint64 whole = 1 << 30;
    const auto found = references.read(session, dialect, wanted, whole);
    if (!found)
        return passOn(found);
    for (qsizetype row = 0; row < messages.size(); ++row) {
        messages[row].payload = found->at(row).json;
        if (messages.at(row).problem.isEmpty())
            messages[row].problem = found->at(row).problem;
    }
    return {};
}

/// The catalog said that the key is unique when the shape was chosen; it may have changed since.
Result<void> checkDistinct(const SqlRows &taken, int rows, const QString &doing)
{
    QSet<QByteArray> keys;
    for (qsizetype row = 0; row < taken.size(); ++row)
        keys += taken.bytes(row, ClaimColumn::Key);
    if (taken.size() > rows || keys.size() < taken.size()) {
        return fail(Error::Kind::Conflict, doing,
                    u"%1 rows with %2 different keys were taken, at most %3 were asked for"_s
                        .arg(taken.size())
                        .arg(keys.size())
                        .arg(rows),
                    {}, u"The key is not unique."_s);
    }
    return {};
}

} // namespace

Result<QList<ClaimedMessage>> takeRows(SqlSession &session, const Dialect &dialect,
                                       const ReferenceReader &references, int rows,
                                       const QStringList &parked, const QString &doing)
{
    const OutboxShape &shape = dialect.shape();
    const auto taken = session.query(dialect.claim(rows, parked), doing);
    if (!taken)
        return passOn(taken);
    if (const auto take = dialect.take(rows, parked); take && taken->size() > 0) {
        const auto done = session.query(*take, doing);
        if (!done)
            return passOn(done);
        if (done->affected != taken->size()) {
            return fail(Error::Kind::Conflict, doing,
                        u"%1 rows were read and %2 taken"_s.arg(taken->size()).arg(done->affected),
                        {}, u"The key is not unique."_s);
        }
    }
    if (auto distinct = checkDistinct(*taken, rows, doing); !distinct)
        return passOn(distinct);
    QList<ClaimedMessage> messages;
    messages.reserve(taken->size());
    for (qsizetype row = 0; row < taken->size(); ++row) {
        ClaimedMessage message;
        message.id.text = taken->text(row, ClaimColumn::Key);
        message.type
            = shape.typeColumn.isEmpty() ? shape.fixedType : taken->text(row, ClaimColumn::Type);
        message.payload = taken->bytes(row, ClaimColumn::Payload);
        message.queue = taken->text(row, ClaimColumn::Queue);
        if (message.type.isEmpty())
            message.problem = u"the row has no type"_s;
        messages += message;
    }
    if (shape.payloadForm == OutboxShape::PayloadForm::Reference && !messages.isEmpty()) {
        if (auto filled = fillReferences(session, dialect, references, *taken, messages); !filled)
            return passOn(filled);
    }
    return messages;
}

} // namespace outbox
