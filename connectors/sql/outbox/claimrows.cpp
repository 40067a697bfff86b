// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/claimrows.h"

#include "connectors/sql/driver/sqlerror.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 wholePayload = 1 << 30;

QString tooLong(qint64 bytes, qint64 most)
{
    return u"the payload has %1 bytes, more than the %2 that may be sent"_s.arg(bytes).arg(most);
}

Result<void> fillReferences(SqlSession &session, const Dialect &dialect,
                            const ReferenceReader &references, const SqlRows &rows, qint64 most,
                            QList<ClaimedMessage> &messages)
{
    QList<Reference> wanted;
    for (qsizetype row = 0; row < rows.size(); ++row)
        wanted += {rows.text(row, ClaimColumn::RefTable), rows.text(row, ClaimColumn::RefId)};
    const qint64 limit = most > 0 ? std::min(most, wholePayload) : wholePayload;
    const auto found = TRY(references.read(session, dialect, wanted, limit));
    for (qsizetype row = 0; row < messages.size(); ++row) {
        messages[row].payload = found.at(row).json;
        if (messages.at(row).problem.isEmpty())
            messages[row].problem = found.at(row).problem;
        if (messages.at(row).problem.isEmpty() && found.at(row).bytes > limit) {
            messages[row].payload.clear();
            messages[row].problem = tooLong(found.at(row).bytes, limit);
        }
    }
    return {};
}

/// The catalog said that the key is unique when the shape was chosen; it may have changed since.
Result<void> checkDistinct(const SqlRows &taken, const Dialect &dialect, const ClaimRequest &asked,
                           const QString &doing)
{
    const int rows = asked.rows;
    const qsizetype count = taken.size();
    qsizetype different = count > 0 ? 1 : 0;
    if (dialect.keyComesFirst() && !dialect.isFilePlace(asked.after)) {
        for (qsizetype row = 1; row < count; ++row) {
            if (taken.bytes(row, ClaimColumn::Key) != taken.bytes(row - 1, ClaimColumn::Key))
                ++different;
        }
    } else {
        QSet<QByteArray> keys;
        keys.reserve(count);
        for (qsizetype row = 0; row < count; ++row)
            keys += taken.bytes(row, ClaimColumn::Key);
        different = keys.size();
    }
    if (count > rows || different < count) {
        return fail(
            Error::Kind::Conflict, doing,
            u"%1 rows with %2 different keys were taken, at most %3 were asked for"_s.arg(count)
                .arg(different)
                .arg(rows),
            {}, u"The key is not unique."_s);
    }
    return {};
}

/// Texts that hardly differ from row to row are shared by the rows.
class RepeatedText
{
public:
    [[nodiscard]] const QString &of(const QByteArray &bytes)
    {
        if (bytes != m_bytes) {
            m_bytes = bytes;
            m_text = QString::fromUtf8(bytes);
            m_isText = bytes.isValidUtf8();
        }
        return m_text;
    }
    /// A database whose texts are bytes (SQL_ASCII) may hold others.
    [[nodiscard]] bool isText() const { return m_isText; }

private:
    QByteArray m_bytes;
    QString m_text;
    bool m_isText = true;
};

/// UUIDs of version 4 say nothing about when they were made.
bool haveRandomKeys(const SqlRows &rows)
{
    constexpr qsizetype versionAt = 14;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        const QByteArray &key = rows.bytes(row, ClaimColumn::Key);
        if (key.size() <= versionAt || key.at(versionAt) != '4')
            return false;
    }
    return true;
}

/// Of two places in the file, such as "(12,3)".
QString laterPlace(const QString &one, const QString &other)
{
    const auto numbers = [](QStringView place) {
        const qsizetype comma = place.indexOf(u',');
        return std::pair(place.mid(1, comma - 1).toLongLong(),
                         place.mid(comma + 1).chopped(1).toLongLong());
    };
    return numbers(one) < numbers(other) ? other : one;
}

/// The place of the last row in the order of claims; empty where there is none to go on behind.
QStringList placeOfLast(const SqlRows &rows, const Dialect &dialect, const ClaimRequest &asked)
{
    if (dialect.isFilePlace(asked.after)) {
        const QString last = rows.text(rows.size() - 1, ClaimColumn::FirstOfPlace);
        return {asked.fromStart ? laterPlace(asked.after.constFirst(), last) : last};
    }
    const bool fromStart = asked.fromStart || asked.after.isEmpty();
    if (fromStart && dialect.prefersFile() && haveRandomKeys(rows)) {
        QString last = dialect.startOfFile(); // behind which all others are, where there are others
        for (qsizetype row = 0; row < rows.size() && rows.size() < asked.rows; ++row)
            last = laterPlace(last, rows.text(row, ClaimColumn::FirstOfPlace));
        return {last};
    }
    QStringList place;
    int given = ClaimColumn::FirstOfPlace;
    for (const SortColumn &one : dialect.placeOrder()) {
        const bool isKey = one.name == dialect.shape().keyColumn;
        place += rows.text(rows.size() - 1, isKey ? int(ClaimColumn::Key) : given++);
    }
    return place;
}

/// What is read as it lies is begun so, too: the index may hold many dead versions.
QStringList startOf(const QStringList &after, const Dialect &dialect)
{
    return dialect.isFilePlace(after) ? QStringList{dialect.startOfFile()} : QStringList();
}

QStringList keysOf(const SqlRows &read)
{
    QStringList keys;
    keys.reserve(read.size());
    for (qsizetype row = 0; row < read.size(); ++row)
        keys += read.text(row, ClaimColumn::Key);
    return keys;
}

/// Writes to the rows that were read, where reading them did not.
Result<void> takeThem(const ClaimContext &tools, const SqlRows &read)
{
    const auto take = tools.dialect.consumeRead(keysOf(read));
    if (!take)
        return {};
    const auto done = TRY(tools.session.query(*take, tools.doing));
    if (done.affected == read.size())
        return {};
    if (done.affected < read.size())
        return tl::unexpected(keptRow(tools.doing));
    return fail(Error::Kind::Conflict, tools.doing,
                u"%1 rows were read and %2 taken"_s.arg(read.size()).arg(done.affected), {},
                u"The key is not unique."_s);
}

/// The answer of a claim that found nothing; rows may be due that it can never find.
Result<Claim> nothingFound(const ClaimContext &tools)
{
    const auto look = tools.dialect.anyWithoutKey();
    const auto keyless = TRY(look ? tools.session.query(*look, tools.doing) : SqlRows());
    Claim claim;
    claim.hasNoKey = keyless.size() > 0;
    return claim;
}

} // namespace

Result<Claim> claimFrom(const ClaimContext &tools, const SqlRows &taken, const ClaimRequest &asked)
{
    TRY(checkDistinct(taken, tools.dialect, asked, tools.doing));
    Claim claim;
    if (taken.size() == 0)
        return claim;
    const OutboxShape &shape = tools.dialect.shape();
    RepeatedText type;
    RepeatedText queue;
    claim.rows.reserve(taken.size());
    for (qsizetype row = 0; row < taken.size(); ++row) {
        ClaimedMessage &message = claim.rows.emplaceBack();
        message.id.text = taken.text(row, ClaimColumn::Key);
        message.type = shape.typeColumn.isEmpty() ? shape.fixedType
                                                  : type.of(taken.bytes(row, ClaimColumn::Type));
        message.payload = taken.bytes(row, ClaimColumn::Payload);
        const auto born = taken.integer(row, ClaimColumn::BornUs);
        message.task = shape.taskIdFor(message.id.text, born);
        message.queue
            = shape.queueFor(message.task, queue.of(taken.bytes(row, ClaimColumn::Queue)));
        message.also = shape.alsoTaskIdsFor(message.id.text, born);
        if (shape.comparesBirths())
            message.bornUs = taken.integer(row, ClaimColumn::BirthUs);
        if (message.task.isEmpty())
            message.problem
                = u"the row does not say when it was created, and its task id needs that"_s;
        if (!taken.bytes(row, ClaimColumn::Key).isValidUtf8()) {
            const bool refers = shape.payloadForm == OutboxShape::PayloadForm::Reference;
            if (!asked.held
                || refers) // it is taken with the others: a careful claim is to hold them first
                return fail(Error::Kind::Invalid, tools.doing,
                            u"the key of a row is no text in UTF8: "_s + message.id.text,
                            u"22021"_s, u"No statement can name such a row: put its key right"_s);
            claim.hasNoKey = true;
            claim.rows.removeLast();
            continue;
        }
        if (!type.isText())
            message.problem = u"the type is no text in UTF8: "_s + message.type;
        if (!queue.isText())
            message.problem = u"the queue is no text in UTF8: "_s
                + queue.of(taken.bytes(row, ClaimColumn::Queue));
        if (message.type.trimmed().isEmpty())
            message.problem = u"the row has no type"_s;
        if (const auto bytes = taken.integer(row, ClaimColumn::BytesTooMany))
            message.problem = tooLong(*bytes, asked.mostPayloadBytes);
    }
    if (shape.payloadForm == OutboxShape::PayloadForm::Reference) {
        TRY(fillReferences(tools.session, tools.dialect, tools.references, taken,
                           asked.mostPayloadBytes, claim.rows));
    }
    claim.last = placeOfLast(taken, tools.dialect, asked);
    return claim;
}

ClaimScope scopeOf(const ClaimRequest &request, const Dialect &dialect)
{
    return {request.rows,
            dialect.keyTexts(request.parked),
            request.fromStart ? startOf(request.after, dialect) : request.after,
            request.mostPayloadBytes,
            request.queues,
            request.upTo};
}

Result<Claim> takeOne(const ClaimContext &tools, const QString &key, qint64 mostPayloadBytes)
{
    const auto read
        = TRY(tools.session.query(tools.dialect.claimOnly(key, mostPayloadBytes), tools.doing));
    if (read.size() == 0)
        return Claim();
    TRY(takeThem(tools, read));
    ClaimRequest asked;
    asked.rows = 1;
    asked.mostPayloadBytes = mostPayloadBytes;
    return claimFrom(tools, read, asked);
}

Result<Claim> takeAtOnce(const ClaimContext &tools, const ClaimRequest &asked)
{
    const auto &[session, dialect, references, doing] = tools;
    const ClaimScope scope = scopeOf(asked, dialect);
    if (const auto look = dialect.anyDue()) {
        const auto due = TRY(session.query(*look, doing));
        if (due.size() == 0)
            return nothingFound(tools);
    }
    TRY(session.begin(doing));
    const auto taken
        = TRY(session.query(asked.held ? dialect.hold(scope) : dialect.claim(scope), doing));
    if (taken.size() == 0)
        return nothingFound(tools);
    if (!asked.held)
        TRY(takeThem(tools, taken));
    return claimFrom(tools, taken, asked);
}

} // namespace outbox
