// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Contrast of what a window shows, measured from its pixels: texts (WCAG 2 AA), and the edges of
// what is touched (WCAG 1.4.11), in both themes.
#pragma once

#include "tests/app/stationjudges.h"
#include "tests/support/paintedwindow.h"
#include "views/frame/mainwindow.h"
#include "views/theme/theme.h"
#include "views/widgets/metriccard.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QFontInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QTabBar>

namespace outbox::station {

inline constexpr double leastOfText = 4.5;
inline constexpr double leastOfLargeText = 3;
inline constexpr double leastOfEdge = 3;
inline constexpr int mostCells = 60; ///< of one table: the others are painted alike

/// A text and where it stands in its widget.
struct Written
{
    QString text;
    QRect place;
};

inline double leastFor(const QFont &font)
{
    const double points = QFontInfo(font).pointSizeF();
    return points >= 18 || (points >= 14 && font.bold()) ? leastOfLargeText : leastOfText;
}

inline QList<Written> cellsOf(const QAbstractItemView *view)
{
    QList<Written> found;
    const QAbstractItemModel *model = view->model();
    const int rows = model ? model->rowCount(view->rootIndex()) : 0;
    const int columns = model ? model->columnCount(view->rootIndex()) : 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns && found.size() < mostCells; ++column) {
            const QModelIndex index = model->index(row, column, view->rootIndex());
            const QRect place = view->visualRect(index).intersected(view->viewport()->rect());
            const QString text = index.data().toString();
            if (!text.trimmed().isEmpty() && !place.isEmpty()
                && index.flags().testFlag(Qt::ItemIsEnabled))
                found += Written{
                    text, QRect(view->viewport()->mapTo(view, place.topLeft()), place.size())};
        }
    }
    return found;
}

inline QList<Written> headOf(const QHeaderView *head)
{
    QList<Written> found;
    for (int section = 0; section < head->count(); ++section) {
        const QString text
            = head->model()->headerData(section, head->orientation()).toString().trimmed();
        const QRect place(head->sectionViewportPosition(section), 0, head->sectionSize(section),
                          head->height());
        if (!text.isEmpty() && head->orientation() == Qt::Horizontal
            && !head->isSectionHidden(section))
            found += Written{text, place.intersected(head->rect())};
    }
    return found;
}

/// Texts that a widget paints itself; not of what is disabled, which may be faint.
inline QList<Written> textsOf(const QWidget *widget)
{
    QList<Written> found;
    if (const auto *label = qobject_cast<const QLabel *>(widget)) {
        if (label->pixmap().isNull())
            found += Written{label->text(), label->rect()};
    } else if (const auto *button = qobject_cast<const QAbstractButton *>(widget)) {
        found += Written{button->text(), button->rect()};
    } else if (const auto *line = qobject_cast<const QLineEdit *>(widget)) {
        found += Written{line->text().isEmpty() ? line->placeholderText() : line->text(),
                         line->rect().adjusted(4, 3, -4, -3)};
    } else if (const auto *combo = qobject_cast<const QComboBox *>(widget)) {
        if (!combo->isEditable())
            found += Written{combo->currentText(), combo->rect().adjusted(4, 3, -24, -3)};
    } else if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
        for (int tab = 0; tab < tabs->count(); ++tab) {
            if (tabs->isTabEnabled(tab))
                found += Written{tabs->tabText(tab), tabs->tabRect(tab)};
        }
    } else if (const auto *bar = qobject_cast<const QMenuBar *>(widget)) {
        for (QAction *action : bar->actions()) {
            if (action->isVisible() && action->isEnabled())
                found += Written{action->text(), bar->actionGeometry(action)};
        }
    } else if (const auto *menu = qobject_cast<const QMenu *>(widget)) {
        for (QAction *action : menu->actions()) {
            if (action->isVisible() && action->isEnabled() && !action->isSeparator())
                found += Written{action->text(), menu->actionGeometry(action)};
        }
    } else if (const auto *head = qobject_cast<const QHeaderView *>(widget)) {
        found += headOf(head);
    } else if (const auto *view = qobject_cast<const QAbstractItemView *>(widget)) {
        found += cellsOf(view);
    }
    return found;
}

/// Whether it has an edge that a person looks for: fields, lists to choose from, buttons, chips.
inline bool hasEdge(const QWidget *widget)
{
    if (!widget->isEnabled() || widget->focusPolicy() == Qt::NoFocus)
        return false;
    const QWidget *around = widget->parentWidget();
    if (const auto *line = qobject_cast<const QLineEdit *>(widget))
        return line->hasFrame() && qobject_cast<const QAbstractSpinBox *>(around) == nullptr
            && qobject_cast<const QComboBox *>(around) == nullptr;
    if (const auto *push = qobject_cast<const QPushButton *>(widget))
        return !push->isFlat();
    const bool isChip = around != nullptr && around->inherits("outbox::StateChips");
    return qobject_cast<const QComboBox *>(widget) != nullptr
        || qobject_cast<const QAbstractSpinBox *>(widget) != nullptr
        || qobject_cast<const MetricCard *>(widget) != nullptr
        || (isChip && qobject_cast<const QAbstractButton *>(widget) != nullptr);
}

/// Puts down what is too faint. Lives in the GUI thread and turns its event loop.
class ContrastJudge
{
public:
    /// `window` is the one whose theme is chosen; both must outlive this one.
    ContrastJudge(MainWindow &window, QStringList &wrong) : m_window(window), m_wrong(wrong) { }

    /// Measures what is shown, and its focus, in both themes; the light one stays.
    void look(const QString &name, QWidget *shown)
    {
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            m_window.setThemeChoice(choice);
            for (int round = 0; round < 3; ++round)
                QCoreApplication::processEvents(); // pages paint in the new colours
            const QString place
                = name + (choice == ThemeChoice::Light ? u", light"_s : u", dark"_s);
            const PaintedWindow painted(shown);
            if (qobject_cast<const QMenu *>(shown) != nullptr)
                measureTexts(place, shown, shown, painted);
            for (QWidget *widget : shown->findChildren<QWidget *>()) {
                if (!widget->isVisible() || !widget->isEnabled() || widget->isWindow())
                    continue;
                measureTexts(place, widget, shown, painted);
                if (hasEdge(widget))
                    measureEdge(place, widget, shown, painted);
            }
            measureFocus(place, shown);
        }
        m_window.setThemeChoice(ThemeChoice::Light);
    }

    [[nodiscard]] int texts() const { return m_texts; }
    [[nodiscard]] int edges() const { return m_edges; }

private:
    void measureTexts(const QString &place, const QWidget *widget, const QWidget *window,
                      const PaintedWindow &painted)
    {
        const QRect seen = widget->visibleRegion().boundingRect();
        for (const Written &one : textsOf(widget)) {
            const QRect part = one.place.intersected(seen);
            if (one.text.trimmed().isEmpty() || part.width() < 6 || part.height() < 6)
                continue;
            const auto marks
                = painted.marksIn({widget->mapTo(window, part.topLeft()), part.size()});
            ++m_texts;
            // What has one colour alone is scrolled out of sight, or invisible.
            const bool isWhole = part == one.place;
            const double found = marks ? marks->contrast : isWhole ? 1 : 21;
            const double least = leastFor(widget->font());
            if (found + 0.05 < least)
                m_wrong += u"%1: %2 \"%3\" %4:1, not %5:1 (%6 on %7)"_s.arg(
                    place, nameOf(widget), one.text.left(30), QString::number(found, 'f', 2),
                    QString::number(least), marks ? marks->ink.name() : u"nothing"_s,
                    marks ? marks->ground.name() : u"it"_s);
        }
    }
    void measureEdge(const QString &place, const QWidget *widget, const QWidget *window,
                     const PaintedWindow &painted)
    {
        constexpr int outside = 2;
        constexpr int across = 4; ///< the edge lies within so many pixels
        const QPoint corner = widget->mapTo(window, QPoint(0, 0));
        const int middle = corner.y() + widget->height() / 2;
        const bool isWhole
            = widget->visibleRegion().boundingRect() == widget->rect() && corner.x() >= outside;
        if (!isWhole)
            return;
        ++m_edges;
        const double found
            = painted.edgeAgainst({corner.x() - outside, middle}, corner.x(), across, middle);
        if (found + 0.02 < leastOfEdge)
            m_wrong += u"%1: the edge of %2 %3:1, not 3:1"_s.arg(place, nameOf(widget),
                                                                 QString::number(found, 'f', 2));
    }
    void measureFocus(const QString &place, QWidget *shown)
    {
        QSet<QString> kinds;
        for (QWidget *widget : shown->findChildren<QWidget *>()) {
            const QString kind = QString::fromLatin1(widget->metaObject()->className());
            if (!widget->isVisible() || !hasEdge(widget) || kinds.contains(kind)
                || widget->visibleRegion().boundingRect() != widget->rect())
                continue;
            const QWidget *before = shown->focusWidget();
            if (before == widget)
                continue;
            const QRect around(widget->mapTo(shown, QPoint(-4, -4)), widget->size() + QSize(8, 8));
            const QImage without = PaintedWindow(shown, around).image();
            widget->setFocus(Qt::TabFocusReason);
            if (!widget->hasFocus())
                continue; // the window is not active here
            kinds.insert(kind);
            const QImage with = PaintedWindow(shown, around).image();
            int changed = 0;
            for (int y = 0; y < with.height(); ++y) {
                for (int x = 0; x < with.width(); ++x) {
                    const QColor now(with.pixel(x, y));
                    changed += now != QColor(without.pixel(x, y))
                            && contrast(now, theme::inks().base) >= leastOfEdge
                        ? 1
                        : 0;
                }
            }
            if (changed < 2 * widget->width())
                m_wrong += u"%1: the focus of %2 is not seen"_s.arg(place, nameOf(widget));
        }
    }

    MainWindow &m_window;
    QStringList &m_wrong;
    int m_texts = 0;
    int m_edges = 0;
};

} // namespace outbox::station
