// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/content/rowcontent.h"

#include "models/enumtext.h"
#include "models/payload/jsontokens.h"
#include "models/translation.h"

#include <QCryptographicHash>
#include <QSet>
#include <QStringDecoder>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using PayloadForm = OutboxShape::PayloadForm;

constexpr Translation contentText("outbox::RowContent");

constexpr auto rowParts = enumTexts<RowPart>({
    {RowPart::Id, u"id", "Id"},
    {RowPart::Created, u"created", "Created"},
    {RowPart::Headers, u"headers", "Headers"},
    {RowPart::Type, u"type", "Type"},
    {RowPart::Queue, u"queue", "Queue"},
    {RowPart::Due, u"due", "Due"},
    {RowPart::Payload, u"payload", "Payload"},
});

void addTested(QSet<QString> &columns, const QList<ShapeTest> &tests)
{
    for (const ShapeTest &test : tests)
        columns += test.column;
}

void addJoined(QSet<QString> &columns, const QMap<QString, QString> &on)
{
    for (const QString &own : on)
        columns += own;
}

/// Columns that say more than what is sent: the state of a row, its place, its holder.
QSet<QString> tellingColumns(const OutboxShape &shape)
{
    QSet<QString> columns{
        shape.createdColumn,        shape.headersColumn,     shape.attemptsColumn,
        shape.startedColumn,        shape.errorColumn,       shape.maxAttemptsColumn,
        shape.processedColumn,      shape.leaseColumn,       shape.processedTimeColumn,
        shape.ownerColumn,          shape.lockTimeColumn,    shape.lockedColumn,
        shape.failedColumn,         shape.waitingColumn,     shape.pendingColumn,
        shape.referenceTableColumn, shape.referenceIdColumn, shape.queueShards.byColumn};
    for (const QString &key : shape.keyColumns())
        columns += key;
    for (const QList<ShapeTest> &tests : {shape.where, shape.processedAnd, shape.dueOnlyIn})
        addTested(columns, tests);
    for (const RelatedTable &related : {shape.typeIn, shape.processedIn, shape.lockedIn,
                                        shape.failedIn, shape.waitingIn, shape.pendingIn})
        addJoined(columns, related.on);
    addJoined(columns, shape.positions.on);
    columns.remove(QString());
    return columns;
}

bool holdsMoments(const CatalogColumn &column)
{
    return column.type.startsWith(u"timestamp"_s, Qt::CaseInsensitive)
        || column.type.startsWith(u"datetime"_s, Qt::CaseInsensitive);
}

/// A value of it is a text, or bytes.
bool takesText(const CatalogColumn &column)
{
    switch (column.typeClass) {
    case TypeClass::Json:
    case TypeClass::Bytes:
    case TypeClass::Text:
    case TypeClass::Named:
    case TypeClass::Other:
        return true;
    case TypeClass::Integer:
    case TypeClass::Flag:
    case TypeClass::Uuid:
    case TypeClass::Time:
    case TypeClass::List:
        break;
    }
    return false;
}

PartForm partFormOf(const OutboxShape &shape, const CatalogColumn &column)
{
    switch (column.typeClass) {
    case TypeClass::Json:
        return PartForm::Json;
    case TypeClass::Bytes:
        return PartForm::Bytes;
    default:
        return shape.payloadForm == PayloadForm::Json ? PartForm::JsonText : PartForm::Text;
    }
}

QString whyNoPayload(const OutboxShape &shape, const CatalogColumn &column)
{
    switch (shape.payloadForm) {
    case PayloadForm::Json:
    case PayloadForm::Text:
    case PayloadForm::Bytes:
        break;
    case PayloadForm::Many:
        return contentText("Several messages stand in one row");
    case PayloadForm::Opaque:
        return contentText("Its bytes are of a serializer that is not known here");
    case PayloadForm::Reference:
    case PayloadForm::None:
        return contentText("The payload does not stand in the row");
    }
    return takesText(column)
        ? QString()
        : contentText("A column of the type %1 is not edited here").arg(column.type);
}

QString whyNoText(const CatalogColumn &column)
{
    const bool isText = takesText(column) && column.typeClass != TypeClass::Json
        && column.typeClass != TypeClass::Bytes;
    return isText ? QString()
                  : contentText("A column of the type %1 is not edited here").arg(column.type);
}

QString whyNoDue(const CatalogColumn &column)
{
    const bool isTime = column.typeClass == TypeClass::Integer
        || column.typeClass == TypeClass::Text || column.type.isEmpty()
        || (column.typeClass == TypeClass::Time && holdsMoments(column));
    return isTime ? QString()
                  : contentText("Times of the type %1 are not edited here").arg(column.type);
}

/// Why a part is never changed, whatever the table is.
QString whyNever(RowPart part)
{
    switch (part) {
    case RowPart::Id:
        return contentText("The queue tells messages apart by it");
    case RowPart::Created:
        return contentText("It says when the message was written");
    case RowPart::Headers:
        return contentText("Receivers trust them as they were written");
    case RowPart::Type:
    case RowPart::Queue:
    case RowPart::Due:
    case RowPart::Payload:
        break;
    }
    return {};
}

QString whyLocked(RowPart part, const OutboxShape &shape, const CatalogColumn &column,
                  const QSet<QString> &telling)
{
    if (const QString never = whyNever(part); !never.isEmpty())
        return never;
    if (column.generated)
        return contentText("The database computes it");
    if (part == RowPart::Type && !shape.typeIn.isEmpty())
        return contentText("It is a number that another table gives a name");
    if (telling.contains(column.name))
        return contentText("The state or the place of the row hangs on it");
    switch (part) {
    case RowPart::Payload:
        return whyNoPayload(shape, column);
    case RowPart::Due:
        return whyNoDue(column);
    default:
        return whyNoText(column);
    }
}

/// In the order of the enum; a part that the shape lacks has no name.
QList<std::pair<RowPart, QString>> namesOf(const OutboxShape &shape)
{
    return {{RowPart::Id, shape.keyColumn},          {RowPart::Created, shape.createdColumn},
            {RowPart::Headers, shape.headersColumn}, {RowPart::Type, shape.typeColumn},
            {RowPart::Queue, shape.queueColumn},     {RowPart::Due, shape.dueColumn},
            {RowPart::Payload, shape.payloadColumn}};
}

std::optional<qsizetype> charactersIn(const QByteArray &utf8)
{
    QStringDecoder decode(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decode.decode(utf8);
    if (decode.hasError())
        return std::nullopt;
    return std::count_if(text.begin(), text.end(), [](QChar c) { return !c.isLowSurrogate(); });
}

QString whyNotJson(const QByteArray &value)
{
    const auto read = readJson(value);
    // What is too large or too deep to be taken apart here is left to the database.
    return read || read.error().kind == Error::Kind::Unsupported
        ? QString()
        : contentText("It is no JSON: %1").arg(read.error().text);
}

class ContentDigest
{
public:
    void add(const QString &column, const Cell &cell)
    {
        const QByteArray name = column.toUtf8();
        const QByteArray sizes = QByteArray::number(name.size()) + ' '
            + QByteArray::number(static_cast<int>(cell.kind)) + ' '
            + QByteArray::number(cell.bytes.size()) + ' ';
        m_hash.addData(sizes);
        m_hash.addData(name);
        m_hash.addData(cell.bytes);
    }
    [[nodiscard]] QString text() const
    {
        return QString::fromLatin1(m_hash.result().toHex().first(32));
    }

private:
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

} // namespace

QString word(RowPart part)
{
    return rowParts.word(part);
}

QString label(RowPart part)
{
    return rowParts.label(part, "outbox::RowPart");
}

Cell::Kind RowPartContent::kindToWrite() const
{
    if (cell.kind == Cell::Kind::Text || cell.kind == Cell::Kind::Bytes)
        return cell.kind;
    return form == PartForm::Bytes ? Cell::Kind::Bytes : Cell::Kind::Text;
}

const RowPartContent *RowContent::part(RowPart wanted) const
{
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [wanted](const auto &one) { return one.part == wanted; });
    return found == parts.end() ? nullptr : &*found;
}

bool RowContent::mayChange() const
{
    return std::any_of(parts.begin(), parts.end(),
                       [](const RowPartContent &one) { return one.mayChange(); });
}

std::optional<RowPart> RowContent::firstOther(const RowContent &other) const
{
    for (const RowPartContent &own : parts) {
        const RowPartContent *its = other.part(own.part);
        if (!its || its->column != own.column || its->cell != own.cell)
            return own.part;
    }
    return std::nullopt;
}

QList<RowPartContent> partsOf(const OutboxShape &shape, const CatalogTable &table)
{
    const QSet<QString> telling = tellingColumns(shape);
    QSet<QString> taken;
    QList<RowPartContent> parts;
    for (const auto &[part, name] : namesOf(shape)) {
        const CatalogColumn *column = table.column(name);
        if (name.isEmpty() || !column)
            continue;
        RowPartContent one;
        one.part = part;
        one.column = name;
        one.type = column->type;
        one.labels = column->labels;
        one.locked = taken.contains(name)
            ? contentText("Another part of the row stands in this column")
            : whyLocked(part, shape, *column, telling);
        if (part == RowPart::Payload || part == RowPart::Headers)
            one.form = partFormOf(shape, *column);
        else if (part == RowPart::Due || part == RowPart::Created)
            one.form = PartForm::Time;
        one.isRewritten = column->type == u"jsonb"_s;
        taken += name;
        parts += one;
    }
    return parts;
}

QStringList editableColumns(const OutboxShape &shape, const CatalogTable &table)
{
    QStringList columns;
    for (const RowPartContent &one : partsOf(shape, table)) {
        if (one.mayChange())
            columns += one.column;
    }
    return columns;
}

QString whyNotHeld(const RowPartContent &part, const QByteArray &value)
{
    if (part.mostBytes >= 0 && value.size() > part.mostBytes) {
        return contentText("%1 bytes are more than the column takes (%2)")
            .arg(value.size())
            .arg(part.mostBytes);
    }
    if (part.form == PartForm::Bytes)
        return {};
    const auto characters = charactersIn(value);
    if (!characters)
        return contentText("It is no text in UTF-8");
    if (part.mostCharacters >= 0 && *characters > part.mostCharacters) {
        return contentText("%1 characters are more than the column takes (%2)")
            .arg(*characters)
            .arg(part.mostCharacters);
    }
    if (!part.labels.isEmpty() && !part.labels.contains(QString::fromUtf8(value)))
        return contentText("The column takes only %1").arg(part.labels.join(u", "_s));
    return part.form == PartForm::Json ? whyNotJson(value) : QString();
}

QString whyNotSent(const RowPartContent &part, const QByteArray &value)
{
    if (part.part == RowPart::Type && value.trimmed().isEmpty())
        return contentText("A relay parks a row without a type");
    return part.form == PartForm::JsonText ? whyNotJson(value) : QString();
}

QString hexText(const QByteArray &bytes)
{
    constexpr qsizetype perLine = 16;
    QStringList lines;
    for (qsizetype at = 0; at < bytes.size(); at += perLine)
        lines += QString::fromLatin1(bytes.mid(at, perLine).toHex(' '));
    return lines.join(u'\n');
}

Result<QByteArray> bytesOfHex(const QString &text)
{
    const auto refuse = [](qsizetype line, qsizetype column, const QString &expected) {
        return fail(Error::Kind::Invalid, u"reading hex"_s,
                    contentText("line %1, column %2: expected %3")
                        .arg(QString::number(line), QString::number(column), expected));
    };
    QByteArray digits;
    qsizetype line = 1;
    qsizetype column = 0;
    for (const QChar c : text) {
        ++column;
        if (c == u'\n') {
            ++line;
            column = 0;
        } else if (!c.isSpace()) {
            const char digit = c.toLatin1();
            if (!QByteArrayView("0123456789abcdefABCDEF").contains(digit))
                return refuse(line, column, contentText("a hex digit"));
            digits += digit;
        }
    }
    if (digits.size() % 2 != 0)
        return refuse(line, column + 1, contentText("the second digit of a byte"));
    return QByteArray::fromHex(digits);
}

QString digestOf(const QList<EditedCell> &cells)
{
    ContentDigest digest;
    for (const EditedCell &cell : cells)
        digest.add(cell.column, cell.now.value_or(cell.seen));
    return digest.text();
}

QString digestOf(const RowContent &content)
{
    ContentDigest digest;
    for (const RowPartContent &one : content.parts) {
        if (one.mayChange())
            digest.add(one.column, one.cell);
    }
    return digest.text();
}

} // namespace outbox
