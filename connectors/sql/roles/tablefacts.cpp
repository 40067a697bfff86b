// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/roles/tablefacts.h"

#include "connectors/sql/names/namehints.h"
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/names/wordmeaning.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostOfShortText = 255;

bool isWideText(const CatalogColumn &column)
{
    return column.labels.isEmpty()
        && lengthOf(column).value_or(mostOfShortText + 1) > mostOfShortText;
}

/// Letters before a name that say of which type a column is: "dtm_created".
bool isOfType(const QString &word)
{
    static const QSet<QString> letters{u"dt"_s,  u"dtm"_s, u"ts"_s,  u"nr"_s,  u"num"_s, u"int"_s,
                                       u"lng"_s, u"bln"_s, u"fl"_s,  u"flg"_s, u"str"_s, u"tx"_s,
                                       u"txt"_s, u"s"_s,   u"n"_s,   u"b"_s,   u"d"_s,   u"v"_s,
                                       u"vc"_s,  u"chr"_s, u"col"_s, u"c"_s,   u"f"_s,   u"i"_s};
    return letters.contains(word);
}

/// Its name says that it holds a text and no time.
bool isOfText(const QStringList &words)
{
    return hasAnyWord(words,
                      {u"error"_s,     u"exception"_s, u"failure"_s, u"reason"_s,   u"cause"_s,
                       u"message"_s,   u"text"_s,      u"header"_s,  u"metadata"_s, u"meta"_s,
                       u"attribute"_s, u"property"_s,  u"payload"_s, u"body"_s,     u"data"_s,
                       u"content"_s,   u"by"_s,        u"id"_s,      u"name"_s,     u"key"_s,
                       u"note"_s,      u"comment"_s,   u"state"_s,   u"status"_s,   u"type"_s,
                       u"context"_s,   u"owner"_s,     u"worker"_s,  u"detail"_s,   u"json"_s});
}

/// The word with which the names of most columns begin; empty: there is none.
QString sharedBeginning(const CatalogTable &table)
{
    QMap<QString, int> counts;
    for (const CatalogColumn &column : table.columns) {
        const QStringList words = wordsOf(column.name);
        if (words.size() > 1)
            ++counts[words.constFirst()];
    }
    for (auto word = counts.cbegin(); word != counts.cend(); ++word) {
        if (word.value() >= 4 && qsizetype{word.value()} * 3 >= table.columns.size() * 2)
            return word.key();
    }
    return {};
}

bool isTruthText(const QString &value)
{
    static const QSet<QString> truths{u"0"_s, u"1"_s,   u"true"_s, u"false"_s, u"t"_s,
                                      u"f"_s, u"yes"_s, u"no"_s,   u"y"_s,     u"n"_s};
    return truths.contains(value.toLower());
}

qint64 fromNumber(double value)
{
    // seconds, milliseconds, microseconds, nanoseconds of the years 2000 to 2100
    for (const double unit : {1e-3, 1.0, 1e3, 1e6}) {
        if (value >= 9.46e11 * unit && value <= 4.11e12 * unit)
            return static_cast<qint64>(value / unit);
    }
    return noTime;
}

} // namespace

std::optional<int> lengthOf(const CatalogColumn &column)
{
    static const QRegularExpression length(u"\\((\\d+)\\)"_s);
    const auto match = length.match(column.type);
    return match.hasMatch() ? std::optional(match.captured(1).toInt()) : std::nullopt;
}

qint64 timeOf(const QString &value)
{
    if (value.size() < 9)
        return noTime;
    constexpr qsizetype dateLength = 10;
    if (value.size() == dateLength && value.at(4) == u'-') {
        const QDate day = QDate::fromString(value, Qt::ISODate);
        return day.isValid() ? day.startOfDay(Qt::UTC).toMSecsSinceEpoch() : noTime;
    }
    if (value.size() < 16 || value.at(4) != u'-') {
        bool isNumber = false;
        const double number = value.toDouble(&isNumber);
        return isNumber ? fromNumber(number) : noTime;
    }
    const auto part = [&value](qsizetype from, qsizetype length) {
        return QStringView(value).mid(from, length).toInt();
    };
    const QDateTime time(QDate(part(0, 4), part(5, 2), part(8, 2)),
                         QTime(part(11, 2), part(14, 2), part(17, 2)), Qt::UTC);
    if (!time.isValid())
        return noTime;
    qint64 at = time.toMSecsSinceEpoch();
    if (value.size() > 20 && value.at(19) == u'.') { // tenths, hundredths, thousandths
        qint64 unit = 100;
        for (qsizetype place = 20; place < value.size() && value.at(place).isDigit(); ++place) {
            at += value.at(place).digitValue() * unit;
            unit /= 10;
        }
    }
    const qsizetype sign = qMax(value.indexOf(u'+', 19), value.indexOf(u'-', 19));
    if (sign > 0) {
        const int minutes = part(sign + 1, 2) * 60
            + (value.size() > sign + 3 ? QStringView(value).right(2).toInt() : 0);
        at -= qint64(value.at(sign) == u'-' ? -minutes : minutes) * 60'000;
    }
    return at;
}

bool isYes(const QString &value)
{
    static const QSet<QString> yes{u"1"_s, u"true"_s, u"t"_s, u"yes"_s, u"y"_s};
    return yes.contains(value.toLower());
}

qsizetype countOf(const RowMask &mask)
{
    return std::count(mask.begin(), mask.end(), true);
}

void addRows(RowMask &all, const RowMask &rows)
{
    std::transform(rows.begin(), rows.end(), all.begin(), all.begin(), std::logical_or<>());
}

RowMask butNot(RowMask mask, const RowMask &except)
{
    for (std::size_t row = 0; row < std::min(mask.size(), except.size()); ++row)
        mask[row] = mask[row] && !except[row];
    return mask;
}

qsizetype bothIn(const RowMask &one, const RowMask &other)
{
    qsizetype both = 0;
    for (std::size_t row = 0; row < one.size(); ++row)
        both += one[row] && other[row] ? 1 : 0;
    return both;
}

bool isWithin(const RowMask &part, const RowMask &whole)
{
    const qsizetype all = countOf(part);
    return (all - bothIn(part, whole)) * 50 <= all;
}

TableFacts::TableFacts(const CatalogTable &table, const RowSample &sample)
    : m_rows(sample.rows), m_now(sample.now)
{
    const QString shared = sharedBeginning(table);
    QString epochType; // how this table keeps times that are numbers
    QString textTimeType; // ... or texts
    for (const CatalogColumn &column : table.columns) {
        ColumnFacts facts;
        facts.column = &column;
        facts.words = meantWords(column.name);
        if (facts.words.size() > 1
            && (facts.words.constFirst() == shared || isOfType(facts.words.constFirst())))
            facts.words.removeFirst();
        facts.place = static_cast<int>(m_columns.size());
        facts.isKey = table.primaryKey.contains(column.name);
        facts.cells = sample.cells.value(column.name);
        if (facts.cells.isEmpty())
            facts.cells = QStringList(sample.rows, QString());
        const TypeClass kind = column.typeClass;
        facts.isWide = kind == TypeClass::Json || kind == TypeClass::Bytes
            || (kind == TypeClass::Text && isWideText(column));
        facts.isNumber = kind == TypeClass::Integer || column.type.startsWith("tinyint"_L1);
        facts.set = std::count_if(facts.cells.cbegin(), facts.cells.cend(),
                                  [](const QString &cell) { return !cell.isNull(); });
        if (kind == TypeClass::Time || kind == TypeClass::Integer || kind == TypeClass::Text) {
            qsizetype times = 0;
            for (const QString &cell : std::as_const(facts.cells)) {
                facts.at += cell.isNull() ? noTime : timeOf(cell);
                times += facts.at.constLast() != noTime ? 1 : 0;
            }
            // A large number may be an id.
            const bool isByValues = times > 0 && times == facts.set
                && !hasAnyWord(facts.words,
                               {u"id"_s, u"key"_s, u"number"_s, u"phone"_s, u"version"_s, u"by"_s});
            facts.isTime = kind == TypeClass::Time || isByValues;
            if (facts.isTime && kind == TypeClass::Integer)
                epochType = column.type;
            if (facts.isTime && kind == TypeClass::Text)
                textTimeType = column.type;
        }
        facts.isTruth = facts.set > 0 && facts.share(isTruthText) >= 1;
        if (!facts.isTime && kind != TypeClass::Json && kind != TypeClass::Bytes) {
            for (const QString &cell : std::as_const(facts.cells)) {
                if (!cell.isNull())
                    ++facts.counts[cell];
            }
        }
        m_columns += facts;
    }
    for (ColumnFacts &facts : m_columns) {
        if (facts.set > 0 || facts.column->hasDefault || facts.isKey)
            continue;
        const bool isLikeOthers = facts.startsEmpty() && facts.column->type == epochType;
        static const QSet<QString> endings{u"at"_s,   u"on"_s,    u"time"_s,
                                           u"date"_s, u"until"_s, u"timestamp"_s};
        const TypeClass kind = facts.column->typeClass;
        const bool mayBeTime = kind == TypeClass::Integer
            || (kind == TypeClass::Text
                && endings.contains(facts.words.value(facts.words.size() - 1)));
        const bool isByName = mayBeTime && timeHint(facts.words) != TimeHint::None
            && !hasAnyWord(facts.words, {u"count"_s, u"max"_s, u"by"_s, u"number"_s, u"id"_s});
        const bool isLikeTexts = facts.startsEmpty() && kind == TypeClass::Text
            && facts.column->type == textTimeType && !isOfText(facts.words);
        facts.isTime |= isLikeOthers || isByName || isLikeTexts; // nothing happened yet
    }
    orderBy(nullptr);
}

const ColumnFacts *TableFacts::column(const QString &name) const
{
    for (const ColumnFacts &one : m_columns) {
        if (one.name() == name)
            return &one;
    }
    return nullptr;
}

void TableFacts::orderBy(const ColumnFacts *created)
{
    QList<qint64> values;
    if (created) {
        values = created->at;
        for (const qint64 at : std::as_const(values))
            m_now = std::max(m_now, at); // naive times may be of a zone that is ahead
    } else {
        for (const ColumnFacts &one : std::as_const(m_columns)) {
            if (!one.isKey || one.column->typeClass != TypeClass::Integer)
                continue;
            values.clear();
            for (const QString &cell : one.cells)
                values += cell.toLongLong();
        }
    }
    m_age.clear();
    if (values.size() != m_rows || m_rows < 2 || values.count(noTime) * 2 > m_rows)
        return;
    std::vector<std::size_t> order(static_cast<std::size_t>(m_rows));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&values](std::size_t a, std::size_t b) {
        return values.at(qsizetype(a)) < values.at(qsizetype(b));
    });
    m_age.resize(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        m_age[order[rank]] = double(rank) / double(order.size() - 1);
}

RowMask TableFacts::setIn(const ColumnFacts &column) const
{
    RowMask mask(static_cast<std::size_t>(m_rows));
    for (std::size_t row = 0; row < mask.size(); ++row)
        mask[row] = !column.cells.at(qsizetype(row)).isNull();
    return mask;
}

RowMask TableFacts::trueIn(const ColumnFacts &column) const
{
    RowMask mask(static_cast<std::size_t>(m_rows));
    for (std::size_t row = 0; row < mask.size(); ++row)
        mask[row] = isYes(column.cells.at(qsizetype(row)));
    return mask;
}

RowMask TableFacts::holding(const ColumnFacts &column, const QString &value) const
{
    RowMask mask(static_cast<std::size_t>(m_rows));
    for (std::size_t row = 0; row < mask.size(); ++row)
        mask[row] = column.cells.at(qsizetype(row)) == value;
    return mask;
}

RowMask TableFacts::future(const ColumnFacts &time) const
{
    constexpr qint64 slack = 5000;
    RowMask mask(static_cast<std::size_t>(m_rows));
    for (std::size_t row = 0; row < mask.size(); ++row)
        mask[row] = row < std::size_t(time.at.size()) && time.at.at(qsizetype(row)) != noTime
            && time.at.at(qsizetype(row)) > m_now + slack;
    return mask;
}

double TableFacts::olderBy(const RowMask &mask, const RowMask &without) const
{
    if (m_age.empty())
        return 0;
    double in = 0;
    double out = 0;
    qsizetype inside = 0;
    qsizetype outside = 0;
    for (std::size_t row = 0; row < mask.size(); ++row) {
        if (!mask[row] && row < without.size() && without[row])
            continue;
        (mask[row] ? in : out) += m_age[row];
        ++(mask[row] ? inside : outside);
    }
    return inside == 0 || outside == 0 ? 0 : out / double(outside) - in / double(inside);
}

bool TableFacts::isOlder(const RowMask &mask, const RowMask &without) const
{
    RowMask others = mask;
    others.flip();
    others = butNot(others, without);
    const double inside = double(countOf(mask));
    const double outside = double(countOf(others));
    const double older = olderBy(mask, without);
    if (inside < 1 || outside < 1)
        return false;
    constexpr qsizetype enoughRows = 12;
    constexpr double enoughOthers = 3;
    if (m_rows >= enoughRows && outside >= enoughOthers && inside >= enoughOthers && older > 0
        && firstAgeOf(others) > lastAgeOf(mask))
        return true; // all of them came after all of these
    constexpr double spread = 0.29; // of chance
    constexpr double beyondChance = 3;
    const double chance = spread * std::sqrt(1 / inside + 1 / outside);
    return older > 0.12 && (m_rows < enoughRows ? older > 0.4 : older > beyondChance * chance);
}

double TableFacts::ageOf(const RowMask &mask) const
{
    double sum = 0;
    for (std::size_t row = 0; row < qMin(mask.size(), m_age.size()); ++row)
        sum += mask[row] ? m_age[row] : 0;
    const qsizetype inside = countOf(mask);
    return inside > 0 ? sum / double(inside) : 0;
}

double TableFacts::firstAgeOf(const RowMask &mask) const
{
    double first = 1;
    for (std::size_t row = 0; row < qMin(mask.size(), m_age.size()); ++row)
        first = mask[row] ? qMin(first, m_age[row]) : first;
    return first;
}

double TableFacts::lastAgeOf(const RowMask &mask) const
{
    double last = 0;
    for (std::size_t row = 0; row < qMin(mask.size(), m_age.size()); ++row)
        last = mask[row] ? qMax(last, m_age[row]) : last;
    return last;
}

} // namespace outbox
