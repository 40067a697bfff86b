// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/environmentband.h"

#include "models/plaintext.h"
#include "views/theme.h"

#include <QPainter>
#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int bandHeight = 26;

QString place(const QString &address)
{
    const QUrl url(address);
    const QString file = url.path().section(u'/', -1);
    if (url.host().isEmpty())
        return file.isEmpty() ? url.scheme() : file;
    return file.isEmpty() ? url.host() : url.host() + u'/' + file;
}

} // namespace

QString targetText(const Profile &profile)
{
    const QString table = profile.shape ? profile.shape->table.text() : profile.table;
    return plainText(u"%1 @ %2 \u00b7 %3 \u2192 %4 \u00b7 %5"_s.arg(
        profile.name, place(profile.databaseUrl), table, place(profile.redisUrl), profile.queue));
}

EnvironmentBand::EnvironmentBand(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"environmentBand"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void EnvironmentBand::setProfile(const Profile &profile)
{
    m_profile = profile;
    m_hasProfile = true;
    describe();
}

void EnvironmentBand::setRelayRunning(bool running)
{
    m_relayRunning = running;
    describe();
}

QString EnvironmentBand::lockText() const
{
    if (!m_hasProfile)
        return {};
    return m_profile.readOnly ? tr("READ-ONLY") : tr("RELAY ALLOWED");
}

void EnvironmentBand::describe()
{
    QString name = tr("No system is open");
    if (m_hasProfile)
        name
            = tr("%1, %2, %3").arg(label(m_profile.environment), targetText(m_profile), lockText());
    if (m_relayRunning)
        name += u", "_s + tr("relay running here");
    setAccessibleName(name);
    setToolTip(plainTooltip(name));
    update();
}

QSize EnvironmentBand::sizeHint() const
{
    return {400, std::max(bandHeight, fontMetrics().height() + 8)};
}

void EnvironmentBand::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::band(m_profile.environment));
    painter.setPen(Qt::white);
    const QFont bold = theme::scaledFont(font(), 1.0, QFont::Bold);
    const QFontMetrics metrics(bold);
    const QRect inside = rect().adjusted(14, 0, -14, 0);
    painter.setFont(bold);
    if (!m_hasProfile) {
        painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft, tr("NOT CONNECTED"));
        return;
    }
    const QString word = label(m_profile.environment).toUpper();
    painter.drawText(inside, Qt::AlignVCenter | Qt::AlignLeft, word);

    QString lock = lockText();
    if (m_relayRunning)
        lock = tr("RELAY RUNNING HERE") + u"  \u00b7  "_s + lock;
    painter.drawText(inside, Qt::AlignVCenter | Qt::AlignRight, lock);
    const int side = 14;
    const int lockLeft = inside.right() - metrics.horizontalAdvance(lock) - side - 6;
    painter.drawPixmap(QPoint(lockLeft, (height() - side) / 2),
                       theme::glyph(m_profile.readOnly ? u"lock"_s : u"unlock"_s, Qt::white, side,
                                    devicePixelRatioF()));

    painter.setFont(font());
    const int left = inside.left() + metrics.horizontalAdvance(word) + 18;
    const QRect target(left, 0, std::max(0, lockLeft - 12 - left), height());
    painter.drawText(
        target, Qt::AlignVCenter | Qt::AlignLeft,
        fontMetrics().elidedText(targetText(m_profile), Qt::ElideRight, target.width()));
}

} // namespace outbox
