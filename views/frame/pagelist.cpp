// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/pagelist.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QPainter>
#include <QStyledItemDelegate>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int iconRole = Qt::UserRole;
constexpr int badgeRole = Qt::UserRole + 1;
constexpr int staleRole = Qt::UserRole + 2;
constexpr int nameRole = Qt::UserRole + 3;
constexpr int meaningRole = Qt::UserRole + 4;
constexpr int rowHeight = 36;

class PageDelegate : public QStyledItemDelegate
{
public:
    explicit PageDelegate(PageList *list) : QStyledItemDelegate(list), m_list(list) { }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex & /*index*/) const override
    {
        return {10, std::max(rowHeight, option.fontMetrics.height() + 18)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const Inks &ink = theme::inks();
        const bool chosen = option.state.testFlag(QStyle::State_Selected);
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        const QRect pill = option.rect.adjusted(6, 2, -6, -2);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(chosen && option.state.testFlag(QStyle::State_HasFocus) ? QPen(ink.accent)
                                                                                : QPen(Qt::NoPen));
        painter->setBrush(chosen ? ink.selected : hovered ? ink.hover : QColor(Qt::transparent));
        if (chosen || hovered)
            painter->drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

        const QColor front = chosen ? ink.text : ink.secondary;
        const int side = 18;
        const qreal ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(QPoint(pill.left() + 9, pill.center().y() - side / 2 + 1),
                            theme::glyph(index.data(iconRole).toString(),
                                         chosen ? ink.accent : front, side, ratio));
        const QString badge = index.data(badgeRole).toString();
        const bool stale = index.data(staleRole).toBool();
        if (m_list->isCompact()) {
            if (!badge.isEmpty()) {
                painter->setPen(Qt::NoPen);
                painter->setBrush(stale ? theme::appearance(HealthLevel::Unknown).color
                                        : ink.accent);
                painter->drawEllipse(QPointF(pill.right() - 7, pill.top() + 8), 3, 3);
            }
            painter->restore();
            return;
        }
        QRect text = pill.adjusted(9 + side + 10, 0, -10, 0);
        if (!badge.isEmpty()) {
            painter->setFont(theme::numberFont(option.font));
            painter->setPen(stale ? theme::appearance(HealthLevel::Unknown).color : front);
            painter->drawText(text, static_cast<int>(Qt::AlignVCenter | Qt::AlignRight),
                              stale ? badge + u" ?"_s : badge);
        }
        painter->setFont(chosen ? theme::scaledFont(option.font, 1.0, QFont::DemiBold)
                                : option.font);
        painter->setPen(chosen ? ink.text : front);
        painter->drawText(text, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
                          index.data(nameRole).toString());
        painter->restore();
    }

private:
    PageList *m_list;
};

void describe(QListWidgetItem *item)
{
    QString badge = item->data(badgeRole).toString();
    if (const QString meaning = item->data(meaningRole).toString(); !meaning.isEmpty())
        badge += u' ' + meaning;
    QString told = item->data(nameRole).toString();
    if (!item->data(badgeRole).toString().isEmpty())
        told += item->data(staleRole).toBool() ? PageList::tr(", %1, not up to date").arg(badge)
                                               : u", "_s + badge;
    item->setData(Qt::AccessibleTextRole, told);
}

} // namespace

PageList::PageList(QWidget *parent) : QListWidget(parent)
{
    setNames(this, u"pageList"_s, tr("Pages"));
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new PageDelegate(this));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setViewportMargins(0, 8, 0, 8);
    viewport()->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void PageList::addPage(const QString &icon, const QString &name, const QString &tip)
{
    auto *item = new QListWidgetItem(this);
    item->setText(name);
    item->setData(nameRole, name);
    item->setData(iconRole, icon);
    item->setToolTip(plainTooltip(tip));
    describe(item);
}

void PageList::setName(int page, const QString &name)
{
    QListWidgetItem *one = item(page);
    one->setText(name);
    one->setData(nameRole, name);
    describe(one);
}

void PageList::setShown(int page, bool shown)
{
    item(page)->setHidden(!shown);
}

void PageList::setBadge(int page, const QString &badge, bool stale, const QString &meaning)
{
    QListWidgetItem *one = item(page);
    const QString shown = shownText(badge);
    if (one == nullptr || (one->data(badgeRole) == shown && one->data(staleRole) == stale))
        return;
    one->setData(badgeRole, shown);
    one->setData(staleRole, stale);
    one->setData(meaningRole, meaning);
    describe(one);
}

QString PageList::badge(int page) const
{
    const QListWidgetItem *one = item(page);
    return one == nullptr ? QString() : one->data(badgeRole).toString();
}

bool PageList::isBadgeStale(int page) const
{
    const QListWidgetItem *one = item(page);
    return one != nullptr && one->data(staleRole).toBool();
}

void PageList::setCompact(bool compact)
{
    m_compact = compact;
    updateGeometry();
    viewport()->update();
}

QSize PageList::sizeHint() const
{
    const int words = fontMetrics().horizontalAdvance(u"Overview 00,000 ?"_s);
    return {m_compact ? 50 : std::max(168, words + 72), 300};
}

} // namespace outbox
