// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/openmetrics.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray number(double value)
{
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return QByteArray::number(static_cast<qint64>(value));
    return QByteArray::number(value, 'g', 12);
}

/// Bounds are label values, and read as text: one spelling for each.
QString bound(double value)
{
    QString text = QString::fromLatin1(number(value));
    return text.contains(u'.') || std::isinf(value) ? text : QString(text + u".0"_s);
}

QByteArray escaped(QString text)
{
    text.replace(u'\\', u"\\\\"_s).replace(u'\n', u"\\n"_s).replace(u'"', u"\\\""_s);
    return text.toUtf8();
}

} // namespace

void Histogram::add(double value)
{
    const auto place = std::lower_bound(m_bounds.begin(), m_bounds.end(), value);
    ++m_counts[static_cast<size_t>(place - m_bounds.begin())];
    m_sum += value;
}

qint64 Histogram::countUpTo(size_t index) const
{
    qint64 count = 0;
    for (size_t i = 0; i <= index; ++i)
        count += m_counts[i];
    return count;
}

void MetricsPage::begin(const QByteArray &name, const QByteArray &type, const QByteArray &help,
                        const QByteArray &unit)
{
    m_text += "# TYPE " + name + ' ' + type + '\n';
    if (!unit.isEmpty())
        m_text += "# UNIT " + name + ' ' + unit + '\n';
    m_text += "# HELP " + name + ' ' + help + '\n';
    m_sampleName = name;
}

void MetricsPage::line(const QByteArray &name, const Labels &labels, double value)
{
    m_text += name;
    char before = '{';
    for (const auto &[label, text] : labels) {
        m_text += before + label + "=\"" + escaped(text) + '"';
        before = ',';
    }
    m_text += (labels.isEmpty() ? " " : "} ") + number(value) + '\n';
}

void MetricsPage::gauge(const QByteArray &name, const QByteArray &help, const QByteArray &unit)
{
    begin(name, "gauge", help, unit);
}

void MetricsPage::counter(const QByteArray &name, const QByteArray &help)
{
    begin(name, "counter", help, {});
    m_sampleName = name + "_total";
}

void MetricsPage::stateSet(const QByteArray &name, const QByteArray &help,
                           const QStringList &states, const QString &current)
{
    begin(name, "stateset", help, {});
    for (const QString &state : states)
        sample({{name, state}}, state == current ? 1 : 0);
}

void MetricsPage::histogram(const QByteArray &name, const QByteArray &help, const QByteArray &unit,
                            const Histogram &values)
{
    begin(name, "histogram", help, unit);
    const size_t last = values.bounds().size();
    for (size_t i = 0; i < last; ++i) {
        line(name + "_bucket", {{"le", bound(values.bounds()[i])}},
             static_cast<double>(values.countUpTo(i)));
    }
    const auto all = static_cast<double>(values.countUpTo(last));
    line(name + "_bucket", {{"le", u"+Inf"_s}}, all);
    line(name + "_count", {}, all);
    line(name + "_sum", {}, values.sum());
}

void MetricsPage::sample(const Labels &labels, std::optional<double> value)
{
    if (value)
        line(m_sampleName, labels, *value);
}

QByteArray MetricsPage::finish()
{
    return m_text + "# EOF\n";
}

} // namespace outbox
