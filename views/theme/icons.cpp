// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The icon half of the theme: our SVG outlines, rendered once a size and colour and tinted.
#include "views/theme/theme.h"

#include <QApplication>
#include <QIconEngine>
#include <QImageReader>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>

// Resources of a static library are linked in only where they are asked for, outside any namespace.
static void loadIcons()
{
    Q_INIT_RESOURCE(resources);
}

namespace outbox::theme {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Draws a glyph in the palette's colour of the moment, so that a change of theme needs no new
/// icon.
class TintedIcon : public QIconEngine
{
public:
    explicit TintedIcon(QString name) : m_name(std::move(name)) { }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode,
               QIcon::State /*state*/) override
    {
        const int side = qMin(rect.width(), rect.height());
        const qreal ratio = painter->device()->devicePixelRatioF();
        const QRect square(rect.x() + (rect.width() - side) / 2,
                           rect.y() + (rect.height() - side) / 2, side, side);
        painter->drawPixmap(square, glyph(m_name, color(mode), side, ratio));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State /*state*/,
                         qreal /*scale*/) override
    {
        // Qt asks in device pixels here and sets the ratio itself.
        return glyph(m_name, color(mode), qMin(size.width(), size.height()), 1.0);
    }

    [[nodiscard]] QIconEngine *clone() const override { return new TintedIcon(m_name); }
    [[nodiscard]] QString key() const override { return u"outbox-tinted"_s; }

private:
    [[nodiscard]] static QColor color(QIcon::Mode mode)
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        return QApplication::palette().color(group, QPalette::WindowText);
    }

    QString m_name;
};

} // namespace

QIcon icon(const QString &name)
{
    return QIcon(new TintedIcon(name));
}

QPixmap glyph(const QString &name, const QColor &color, int side, qreal pixelRatio)
{
    const int pixels = qMax(1, qRound(side * pixelRatio));
    const QString key = u"outbox-glyph/%1/%2/%3/%4"_s.arg(name, color.name(QColor::HexArgb))
                            .arg(pixels)
                            .arg(pixelRatio);
    QPixmap found;
    if (QPixmapCache::find(key, &found))
        return found;
    loadIcons();
    QImageReader reader(u":/icons/%1.svg"_s.arg(name));
    reader.setScaledSize({pixels, pixels});
    QImage image = reader.read().convertToFormat(QImage::Format_ARGB32_Premultiplied);
    if (!image.isNull()) {
        QPainter painter(&image);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(image.rect(), color);
    }
    found = QPixmap::fromImage(image);
    found.setDevicePixelRatio(pixelRatio);
    QPixmapCache::insert(key, found);
    return found;
}

} // namespace outbox::theme
