// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/rateplot.h"

#include <QJsonObject>
#include <QLocale>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int width = 880;
constexpr int labelEnd = 300;
constexpr int barsEnd = 670;
constexpr int rowHeight = 26;
constexpr int titleHeight = 44;
constexpr int barHeight = 14;

QString text(int x, int y, const QString &look, const QString &words)
{
    return u"<text x=\"%1\" y=\"%2\" %3>%4</text>\n"_s.arg(QString::number(x), QString::number(y),
                                                           look, words.toHtmlEscaped());
}

/// A leg that comes with several batches names the one it had.
QString labelOf(const QJsonObject &leg)
{
    const QString name = leg["leg"_L1].toString();
    return leg.contains("batch"_L1) ? u"%1, batch %2"_s.arg(name).arg(leg["batch"_L1].toInt())
                                    : name;
}

QString bar(const QJsonObject &leg, int y, double mostOfAll)
{
    const QJsonObject rate = leg["perSecond"_L1].toObject();
    const auto xOf = [mostOfAll](const QJsonValue &value) {
        return labelEnd + (barsEnd - labelEnd) * value.toDouble() / mostOfAll;
    };
    const bool isOurs = leg["isOurs"_L1].toBool();
    const int middle = y + rowHeight / 2;
    QString svg = text(labelEnd - 10, middle + 4, u"text-anchor=\"end\""_s, labelOf(leg));
    svg += u"<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" rx=\"2\" fill=\"%5\"/>\n"_s
               .arg(labelEnd)
               .arg(middle - barHeight / 2)
               .arg(xOf(rate["median"_L1]) - labelEnd, 0, 'f', 1)
               .arg(barHeight)
               .arg(isOurs ? u"#1f6feb"_s : u"#b6bec9"_s);
    svg += u"<path d=\"M%1 %2H%3\" stroke=\"#24292f\" stroke-width=\"1.5\"/>\n"_s
               .arg(xOf(rate["min"_L1]), 0, 'f', 1)
               .arg(middle)
               .arg(xOf(rate["max"_L1]), 0, 'f', 1);
    const QString figures = u"%1/s · %2 µs"_s.arg(
        QLocale(QLocale::English).toString(qRound64(rate["median"_L1].toDouble())),
        QString::number(leg["cpuSum"_L1].toObject()["median"_L1].toDouble(), 'f', 1));
    return svg + text(width - 20, middle + 4, u"text-anchor=\"end\""_s, figures);
}

} // namespace

QByteArray ratePlot(const QJsonArray &drains)
{
    double most = 0;
    int height = 16;
    for (const QJsonValue &drain : drains) {
        const QJsonArray legs = drain["legs"_L1].toArray();
        height += titleHeight + rowHeight * static_cast<int>(legs.size());
        for (const QJsonValue &leg : legs)
            most = std::max(most, leg["perSecond"_L1]["max"_L1].toDouble());
    }
    if (most <= 0)
        return {};
    QString svg = u"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" "
                  u"viewBox=\"0 0 %1 %2\""
                  " font-family=\"sans-serif\" font-size=\"13\" fill=\"#24292f\">\n"
                  "<rect width=\"%1\" height=\"%2\" rx=\"6\" fill=\"#ffffff\"/>\n"_s.arg(width)
                      .arg(height);
    int y = 0;
    for (const QJsonValue &drain : drains) {
        svg += text(20, y + 30, u"font-weight=\"bold\""_s, drain["title"_L1].toString());
        svg += text(width - 20, y + 30, u"text-anchor=\"end\" fill=\"#57606a\""_s,
                    u"messages a second · CPU a message"_s);
        y += titleHeight;
        const QJsonArray legs = drain["legs"_L1].toArray();
        for (const QJsonValue &leg : legs) {
            svg += bar(leg.toObject(), y, most);
            y += rowHeight;
        }
    }
    return (svg + u"</svg>\n"_s).toUtf8();
}

} // namespace outbox
