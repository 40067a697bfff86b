// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/healthbanner.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QPainter>

namespace outbox {

namespace {

constexpr int bannerMargin = 16;
constexpr int stripe = 5;
constexpr int bannerGlyphSide = 28;

} // namespace

HealthBanner::HealthBanner(QWidget *parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setReport(HealthLevel::Unknown, tr("Nothing was read yet."));
}

void HealthBanner::setReport(HealthLevel level, const QString &sentence)
{
    m_level = level;
    m_sentence = shownText(sentence);
    setAccessibleName(tr("Health: %1").arg(theme::appearance(level).word));
    setAccessibleDescription(m_sentence);
    updateGeometry();
    update();
}

QFont HealthBanner::wordFont() const
{
    return theme::scaledFont(font(), 2.0, QFont::Bold);
}

QFont HealthBanner::sentenceFont() const
{
    return theme::scaledFont(font(), 1.3);
}

QRect HealthBanner::sentenceRect(int width) const
{
    const int word = QFontMetrics(wordFont()).horizontalAdvance(theme::appearance(m_level).word);
    const int left = stripe + bannerMargin + bannerGlyphSide + 12 + word + 20;
    return {left, 0, std::max(80, width - left - bannerMargin), 0};
}

int HealthBanner::heightForWidth(int width) const
{
    const QRect bounds = QFontMetrics(sentenceFont())
                             .boundingRect(QRect(0, 0, sentenceRect(width).width(), 1'000),
                                           Qt::TextWordWrap, m_sentence);
    return std::max(QFontMetrics(wordFont()).height(), bounds.height()) + 24;
}

QSize HealthBanner::sizeHint() const
{
    return {600, heightForWidth(600)};
}

void HealthBanner::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    const Appearance appearance = theme::appearance(m_level);
    QPainter painter(this);
    QColor wash = appearance.color;
    wash.setAlpha(m_level == HealthLevel::Ok || m_level == HealthLevel::Unknown ? 0 : 18);
    Card::paintPanel(&painter, rect(), ink.base, ink.border);
    Card::paintPanel(&painter, rect(), wash, ink.border);
    painter.save();
    painter.setClipRect(0, 0, stripe, height());
    Card::paintPanel(&painter, rect().adjusted(0, 0, 0, 0), appearance.color, appearance.color);
    painter.restore();

    const int middle = height() / 2;
    painter.drawPixmap(
        QPoint(stripe + bannerMargin, middle - bannerGlyphSide / 2),
        theme::glyph(appearance.glyph, appearance.color, bannerGlyphSide, devicePixelRatioF()));
    painter.setFont(wordFont());
    painter.setPen(appearance.color);
    QRect words = sentenceRect(width());
    painter.drawText(QRect(stripe + bannerMargin + bannerGlyphSide + 12, 0, words.left(), height()),
                     Qt::AlignVCenter | Qt::AlignLeft, appearance.word);
    words.setHeight(height());
    painter.setFont(sentenceFont());
    painter.setPen(ink.text);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, m_sentence);
}

} // namespace outbox
