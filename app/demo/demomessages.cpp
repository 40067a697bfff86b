// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demomessages.h"

#include <QByteArray>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr quint16 largestCounter = 0x0fff;
constexpr int roomToCount = 0x0400; ///< a fresh millisecond starts below it

const QStringList &people()
{
    static const QStringList names{u"Ada Brandt"_s,    u"Bruno Keller"_s, u"Chloé Martin"_s,
                                   u"Dmitri Orlov"_s,  u"Esra Yılmaz"_s,  u"Feng Li"_s,
                                   u"Greta Nielsen"_s, u"Hugo Sánchez"_s, u"Ines Duarte"_s,
                                   u"Jonas Weber"_s,   u"Kaori Tanaka"_s, u"Liam O’Brien"_s};
    return names;
}

const QStringList &goods()
{
    static const QStringList names{u"Desk lamp"_s,    u"Espresso cups"_s, u"Notebook A5"_s,
                                   u"Wool blanket"_s, u"Fountain pen"_s,  u"Bicycle bell"_s};
    return names;
}

QString addressOf(const QString &person, qint64 order)
{
    QString local = person.section(u' ', 0, 0).toLower().normalized(QString::NormalizationForm_D);
    local.removeIf([](QChar c) { return c.unicode() > 127 || !c.isLetter(); });
    return u"%1.%2@example.org"_s.arg(local).arg(order % 1000);
}

QByteArray compact(const QJsonObject &json)
{
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

} // namespace

QUuid UuidSource::next()
{
    const auto now = static_cast<quint64>(QDateTime::currentMSecsSinceEpoch());
    if (now > m_milliseconds) {
        m_milliseconds = now;
        m_counter = static_cast<quint16>(m_random.bounded(roomToCount));
    } else if (++m_counter > largestCounter) {
        ++m_milliseconds; // borrows from the future rather than give an id twice
        m_counter = 0;
    }
    const quint64 tail = m_random.generate64();
    QByteArray bytes(16, '\0');
    for (int i = 0; i < 6; ++i)
        bytes[i] = static_cast<char>(m_milliseconds >> (40 - 8 * i));
    bytes[6] = static_cast<char>(0x70 | (m_counter >> 8));
    bytes[7] = static_cast<char>(m_counter & 0xff);
    for (int i = 0; i < 8; ++i)
        bytes[8 + i] = static_cast<char>(tail >> (8 * i));
    bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
    return QUuid::fromRfc4122(bytes);
}

DemoMessage DemoMessages::next()
{
    DemoMessage message;
    message.id = m_ids.next().toString(QUuid::WithoutBraces);
    const qint64 order = ++m_order;
    const QString person = people().at(m_random.bounded(static_cast<int>(people().size())));
    const QString thing = goods().at(m_random.bounded(static_cast<int>(goods().size())));
    const QString address = addressOf(person, order);
    message.cents = 500 + m_random.bounded(20'000);
    message.recipient = address;

    const int dice = m_random.bounded(100);
    if (dice < 60) {
        message.type = u"email:deliver"_s;
        message.subject = u"Your order %1: %2"_s.arg(order).arg(thing);
        message.payload = compact({{u"to"_s, address},
                                   {u"name"_s, person},
                                   {u"subject"_s, message.subject},
                                   {u"template"_s, u"order-confirmed"_s},
                                   {u"order"_s, order}});
    } else if (dice < 80) {
        message.type = u"webhook:call"_s;
        message.payload = compact({{u"url"_s, u"https://hooks.example.org/orders"_s},
                                   {u"event"_s, u"order.paid"_s},
                                   {u"order"_s, order},
                                   {u"attempt_after_s"_s, QJsonArray{15, 60, 300}}});
    } else if (dice < 92) {
        message.type = u"invoice:issue"_s;
        const QJsonObject line{{u"text"_s, thing}, {u"count"_s, 1}, {u"cents"_s, message.cents}};
        message.payload = compact({{u"order"_s, order},
                                   {u"customer"_s, person},
                                   {u"lines"_s, QJsonArray{line}},
                                   {u"total_cents"_s, message.cents},
                                   {u"currency"_s, u"EUR"_s}});
    } else {
        message.type = u"sms:send"_s;
        message.payload
            = compact({{u"to"_s, u"+49155500%1"_s.arg(order % 100'000, 5, 10, QChar(u'0'))},
                       {u"text"_s, u"Order %1 is on its way."_s.arg(order)}});
    }
    return message;
}

} // namespace outbox
