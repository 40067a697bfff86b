// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/tablefacts.h"

#include "connectors/sql/namehints.h"
#include "connectors/sql/schemawords.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostOfShortText = 255;

bool isWideText(const CatalogColumn &column)
{
    static const QRegularExpression length(u"\\((\\d+)\\)"_s);
    const auto match = length.match(column.type);
    return column.labels.isEmpty()
        && (!match.hasMatch() || match.captured(1).toInt() > mostOfShortText);
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

qint64 timeOf(const QString &value)
{
    if (value.size() < 9)
        return noTime;
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
        int unit = 100;
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
    QString epochType; // how this table keeps times that are numbers
    for (const CatalogColumn &column : table.columns) {
        ColumnFacts facts;
        facts.column = &column;
        facts.words = wordsOf(column.name);
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
            facts.isTime = kind == TypeClass::Time || (times > 0 && times == facts.set);
            if (facts.isTime && kind == TypeClass::Integer)
                epochType = column.type;
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
        facts.isTime |= isLikeOthers || isByName; // nothing happened yet
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
    if (values.size() != m_rows || m_rows < 2)
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

double TableFacts::olderBy(const RowMask &mask) const
{
    const qsizetype inside = countOf(mask);
    if (m_age.empty() || inside == 0 || inside == m_rows)
        return 0;
    double in = 0;
    double out = 0;
    for (std::size_t row = 0; row < mask.size(); ++row)
        (mask[row] ? in : out) += m_age[row];
    return out / double(m_rows - inside) - in / double(inside);
}

bool TableFacts::isOlder(const RowMask &mask) const
{
    const double inside = double(countOf(mask));
    const double outside = double(m_rows) - inside;
    const double older = olderBy(mask);
    if (inside < 1 || outside < 1)
        return false;
    constexpr double spread = 0.29; // of chance
    constexpr double beyondChance = 3;
    const double chance = spread * std::sqrt(1 / inside + 1 / outside);
    return older > 0.12 && (m_rows < 12 ? older > 0.4 : older > beyondChance * chance);
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
