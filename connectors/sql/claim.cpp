// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/claim.h"

#include <QSet>

#include <utility>

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
Result<void> checkDistinct(const SqlRows &taken, const Dialect &dialect, int rows,
                           const QString &doing)
{
    const qsizetype count = taken.size();
    qsizetype different = count > 0 ? 1 : 0;
    if (dialect.keyComesFirst()) {
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
        }
        return m_text;
    }

private:
    QByteArray m_bytes;
    QString m_text;
};

/// The place of the last row in the order of claims; empty where there is none to go on behind.
QStringList placeOfLast(const SqlRows &rows, const Dialect &dialect)
{
    QStringList place;
    int given = ClaimColumn::FirstOfPlace;
    for (const SortColumn &one : dialect.placeOrder()) {
        const bool isKey = one.name == dialect.shape().keyColumn;
        place += rows.text(rows.size() - 1, isKey ? int(ClaimColumn::Key) : given++);
    }
    return place;
}

Result<Claim> claimFrom(const ClaimTools &tools, const SqlRows &taken, int rows)
{
    if (auto distinct = checkDistinct(taken, tools.dialect, rows, tools.doing); !distinct)
        return passOn(distinct);
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
        message.queue = queue.of(taken.bytes(row, ClaimColumn::Queue));
        if (message.type.trimmed().isEmpty())
            message.problem = u"the row has no type"_s;
    }
    if (shape.payloadForm == OutboxShape::PayloadForm::Reference) {
        if (auto filled
            = fillReferences(tools.session, tools.dialect, tools.references, taken, claim.rows);
            !filled)
            return passOn(filled);
    }
    claim.last = placeOfLast(taken, tools.dialect);
    return claim;
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
Result<void> takeThem(const ClaimTools &tools, const SqlRows &read, std::optional<SqlText> take)
{
    if (!take)
        take = tools.dialect.takeRead(keysOf(read));
    if (!take)
        return {};
    const auto done = tools.session.query(*take, tools.doing);
    if (!done)
        return passOn(done);
    if (done->affected == read.size())
        return {};
    return fail(Error::Kind::Conflict, tools.doing,
                u"%1 rows were read and %2 taken"_s.arg(read.size()).arg(done->affected), {},
                u"The key is not unique."_s);
}

/// The one row of `key` in the open transaction, or none.
Result<Claim> takeOne(const ClaimTools &tools, const QString &key)
{
    const auto read = tools.session.query(tools.dialect.claimOnly(key), tools.doing);
    if (!read)
        return passOn(read);
    if (read->size() == 0)
        return Claim();
    if (auto taken = takeThem(tools, *read, tools.dialect.takeOnly(key)); !taken)
        return passOn(taken);
    return claimFrom(tools, *read, 1);
}

/// Where the database answers each statement at once.
Result<SqlRows> takeAtOnce(const ClaimTools &tools, const ClaimRequest &asked)
{
    const auto &[session, dialect, references, doing] = tools;
    const QStringList parked = dialect.keyTexts(asked.parked);
    if (const auto look = dialect.anyDue()) {
        auto due = session.query(*look, doing);
        if (!due || due->size() == 0)
            return due;
    }
    if (auto begun = session.begin(doing); !begun)
        return passOn(begun);
    auto taken = session.query(dialect.claim(asked.rows, parked, asked.after), doing);
    if (!taken || taken->size() == 0)
        return taken;
    if (auto done = takeThem(tools, *taken, dialect.take(asked.rows, parked, asked.after)); !done)
        return passOn(done);
    return taken;
}

/// The server does not know a statement that was prepared before, or knows another of its name.
bool wasForgotten(const Error &error)
{
    return error.code == u"26000" || error.code == u"42P05";
}

/// What the server itself refused did not happen; without its word, or by its own admission, the
/// outcome is not known.
bool isCertain(const Error &error)
{
    return !error.code.isEmpty() && error.kind != Error::Kind::Unreachable
        && error.code != u"40003";
}

} // namespace

void ClaimSteps::forget()
{
    m_stage = Stage::None;
    m_isCommitting = false;
}

Result<void> ClaimSteps::ask(const ClaimTools &tools) const
{
    if (!tools.session.sendsAhead())
        return {};
    return tools.session.send(
        {{u"BEGIN"_s, {}},
         tools.dialect.claim(m_asked.rows, tools.dialect.keyTexts(m_asked.parked), m_asked.after)},
        tools.doing);
}

Result<void> ClaimSteps::send(const ClaimTools &tools, const ClaimRequest &request)
{
    if (m_stage != Stage::None)
        return fail(Error::Kind::Conflict, tools.doing, u"the last claim is still open"_s);
    m_asked = request;
    auto sent = ask(tools);
    if (sent)
        m_stage = Stage::Sent;
    return sent;
}

Result<Claim> ClaimSteps::answered(const ClaimTools &tools) const
{
    const auto taken = tools.session.sendsAhead() ? tools.session.receive(tools.doing)
                                                  : takeAtOnce(tools, m_asked);
    if (!taken)
        return passOn(taken);
    return claimFrom(tools, *taken, m_asked.rows);
}

Result<Claim> ClaimSteps::take(const ClaimTools &tools)
{
    if (m_stage != Stage::Sent || m_isCommitting) {
        return fail(Error::Kind::Conflict, tools.doing,
                    m_isCommitting ? u"the answer of the commit before comes first"_s
                                   : u"no claim was sent"_s);
    }
    m_stage = Stage::None;
    auto claim = answered(tools);
    if (!claim && wasForgotten(claim.error())) { // the session prepares nothing from now on
        if (auto undone = tools.session.rollback(tools.doing); !undone)
            return passOn(undone);
        if (auto sent = ask(tools); !sent)
            return passOn(sent);
        claim = answered(tools);
    }
    if (!claim || claim->rows.isEmpty()) {
        const auto undone = tools.session.rollback(tools.doing);
        if (claim && !undone)
            return passOn(undone);
        return claim;
    }
    m_stage = Stage::Open;
    return claim;
}

Result<LoneClaim> ClaimSteps::takeAlone(const ClaimTools &tools, const MessageId &id,
                                        const QList<MessageId> &parked)
{
    const auto &[session, dialect, references, doing] = tools;
    if (m_stage != Stage::None || m_isCommitting)
        return fail(Error::Kind::Conflict, doing, u"the last claim is still open"_s);
    if (auto begun = session.begin(doing); !begun)
        return passOn(begun);
    LoneClaim claim{id, {}, {}};
    if (id.isEmpty()) {
        const auto first = session.query(dialect.firstDue(dialect.keyTexts(parked)), doing);
        if (!first) {
            static_cast<void>(session.rollback(doing)); // the first error is the one to tell
            return passOn(first);
        }
        if (first->size() > 0)
            claim.id.text = first->text(0, 0);
    }
    if (!claim.id.isEmpty() && dialect.isKeyText(claim.id.text)) {
        auto taken = takeOne(tools, claim.id.text);
        if (!taken)
            claim.error = taken.error();
        else if (!taken->rows.isEmpty())
            claim.row = std::move(taken->rows.first());
    }
    if (claim.row) {
        m_stage = Stage::Open;
        return claim;
    }
    const auto undone = session.rollback(doing);
    if (!undone && !claim.error)
        return passOn(undone);
    return claim;
}

Result<void> ClaimSteps::sendCommit(SqlSession &session, const QString &doing)
{
    if (m_stage != Stage::Open)
        return fail(Error::Kind::Conflict, doing, u"no claim is open"_s);
    m_stage = Stage::None;
    if (session.sendsAhead()) {
        if (auto sent = session.send({{u"COMMIT"_s, {}}}, doing); !sent)
            return sent;
    }
    m_isCommitting = true;
    return {};
}

Result<void> ClaimSteps::takeCommit(SqlSession &session, const QString &doing)
{
    if (!std::exchange(m_isCommitting, false))
        return fail(Error::Kind::Conflict, doing, u"no commit was sent"_s);
    if (!session.sendsAhead())
        return session.commit(doing);
    const auto done = session.receive(doing);
    if (!done) {
        if (!isCertain(done.error()))
            session.close();
        return passOn(done);
    }
    if (done->command != "COMMIT") // of a failed transaction: no error, but ROLLBACK
        return fail(Error::Kind::Conflict, doing, u"the server rolled the transaction back"_s);
    return {};
}

Result<void> ClaimSteps::rollback(SqlSession &session, const QString &doing)
{
    forget();
    while (session.underWay() > 0) {
        if (const auto late = session.receive(doing); !late && !session.isUp())
            return {}; // the server rolls back when the session ends
    }
    return session.rollback(doing);
}

} // namespace outbox
