// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/environmentband.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAbstractButton>
#include <QPainter>
#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int bandHeight = 26;

QString place(const QString &address)
{
    const QUrl url(address);
    if (!url.isValid()) // several hosts, of which QUrl knows nothing; an option may hold an @
        return address.section(u"://"_s, 1).section(u'?', 0, 0).section(u'@', -1);
    const QString file = url.path().section(u'/', -1);
    if (url.host().isEmpty())
        return file.isEmpty() ? url.scheme() : file;
    return file.isEmpty() ? url.host() : url.host() + u'/' + file;
}

/// White on the colour of the band, whatever the theme.
class BandButton : public QAbstractButton
{
public:
    explicit BandButton(QWidget *parent) : QAbstractButton(parent)
    {
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        return {fontMetrics().size(Qt::TextShowMnemonic, text()).width() + 20,
                fontMetrics().height() + 4};
    }

protected:
    void paintEvent(QPaintEvent * /*event*/) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Qt::white, hasFocus() ? 2 : 1));
        painter.setBrush(QColor(255, 255, 255, isDown() ? 80 : underMouse() ? 50 : 0));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
        painter.drawText(rect(), static_cast<int>(Qt::AlignCenter | Qt::TextShowMnemonic), text());
    }
};

} // namespace

QString targetText(const Profile &profile)
{
    const QString table = profile.shape ? profile.shape->table.text() : profile.table;
    const QueueShards shards = profile.shards();
    const QString queue = shards.isEmpty() ? profile.queue : shards.text();
    return shownText(u"%1 @ %2 \u00b7 %3 \u2192 %4 \u00b7 %5"_s.arg(
        shownText(profile.name), place(profile.databaseUrl), shownText(table),
        place(profile.redisUrl), shownText(queue)));
}

EnvironmentBand::EnvironmentBand(QWidget *parent) : QWidget(parent), m_button(new BandButton(this))
{
    setObjectName(u"environmentBand"_s);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_button->setObjectName(u"bandLock"_s);
    connect(m_button, &QAbstractButton::clicked, this, &EnvironmentBand::toggleLock);
    m_tick.setInterval(500);
    connect(&m_tick, &QTimer::timeout, this, &EnvironmentBand::describe);
    describe();
}

void EnvironmentBand::setProfile(const Profile &profile)
{
    m_profile = profile;
    m_target = targetText(profile);
    m_hasProfile = true;
    setArming({profile.readOnly, {}, {}, {}});
}

void EnvironmentBand::toggleLock()
{
    if (!m_hasProfile || !m_arming.opensLocked)
        return;
    if (m_arming.isArmed(QDateTime::currentDateTimeUtc()))
        emit lockAsked();
    else
        emit unlockAsked();
}

void EnvironmentBand::setArming(const Arming &arming)
{
    m_arming = arming;
    describe();
}

void EnvironmentBand::setRelayRunning(bool running)
{
    m_relayRunning = running;
    describe();
}

void EnvironmentBand::setOnlyTells()
{
    m_onlyTells = true;
    describe();
}

QString EnvironmentBand::lockText() const
{
    if (!m_hasProfile)
        return {};
    return lockWords(m_arming, QDateTime::currentDateTimeUtc());
}

void EnvironmentBand::describe()
{
    QString name = tr("No system is open");
    if (m_hasProfile)
        name = tr("%1, %2, %3").arg(label(m_profile.environment), m_target, lockText());
    if (m_relayRunning)
        name += u", "_s + tr("relay running here");
    setAccessibleName(name);
    if (!m_arming.reason.isEmpty() && m_arming.isArmed(QDateTime::currentDateTimeUtc()))
        name += u'\n' + tr("Unlocked by %1: %2").arg(m_arming.who, m_arming.reason);
    setToolTip(plainTooltip(name));

    const bool counting = m_arming.secondsLeft(QDateTime::currentDateTimeUtc()) > 0;
    if (counting != m_tick.isActive())
        counting ? m_tick.start() : m_tick.stop();
    const QString text = counting ? tr("&Lock") : tr("&Unlock %n min\u2026", nullptr, armedMinutes);
    m_button->setVisible(m_hasProfile && m_arming.opensLocked && !m_onlyTells);
    if (m_button->text() != text) {
        m_button->setText(text);
        m_button->setAccessibleName(spokenWords(text));
        m_button->setToolTip(plainTooltip(
            counting ? tr("Makes this window read-only again, now")
                     : tr("Asks for the acting roles; everything that is done is recorded")));
    }
    placeButton();
    update();
}

void EnvironmentBand::placeButton()
{
    const QSize size = m_button->sizeHint();
    m_button->setGeometry(width() - 14 - size.width(), (height() - size.height()) / 2, size.width(),
                          size.height());
}

void EnvironmentBand::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeButton();
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
    QRect inside = rect().adjusted(14, 0, -14, 0);
    if (!m_button->isHidden())
        inside.setRight(m_button->x() - 12);
    painter.setFont(bold);
    if (!m_hasProfile) {
        painter.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                         tr("NOT CONNECTED"));
        return;
    }
    const QString word = m_profile.environment == Environment::Unsaid
        ? tr("NO ENVIRONMENT")
        : label(m_profile.environment).toUpper();
    painter.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), word);

    QString lock = lockText();
    if (m_relayRunning)
        lock = tr("RELAY RUNNING HERE") + u"  \u00b7  "_s + lock;
    painter.drawText(inside, static_cast<int>(Qt::AlignVCenter | Qt::AlignRight), lock);
    const bool armed = m_arming.isArmed(QDateTime::currentDateTimeUtc());
    const int side = 14;
    const int lockLeft = inside.right() - metrics.horizontalAdvance(lock) - side - 6;
    painter.drawPixmap(
        QPoint(lockLeft, (height() - side) / 2),
        theme::glyph(armed ? u"unlock"_s : u"lock"_s, Qt::white, side, devicePixelRatioF()));

    painter.setFont(font());
    const int left = inside.left() + metrics.horizontalAdvance(word) + 18;
    const QRect target(left, 0, std::max(0, lockLeft - 12 - left), height());
    painter.drawText(target, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                     fontMetrics().elidedText(m_target, Qt::ElideRight, target.width()));
}

QIcon environmentDot(Environment environment)
{
    QPixmap picture(32, 32);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::band(environment));
    painter.drawEllipse(6, 6, 20, 20);
    return QIcon(picture);
}

} // namespace outbox
