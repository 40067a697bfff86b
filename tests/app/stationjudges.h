// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with a window for somebody who does not see it, or has no mouse.
#pragma once

#include <QAbstractAnimation>
#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QHash>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QStringList>
#include <QStyle>
#include <QTabWidget>
#include <QWidget>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace outbox::station {

using namespace Qt::Literals::StringLiterals;

inline QString nameOf(const QWidget *widget)
{
    return u"%1 \"%2\""_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                              widget->objectName());
}

/// Whether a person comes to it by the keys, and not to another one that stands for it.
inline bool takesKeys(const QWidget *widget)
{
    const auto *label = qobject_cast<const QLabel *>(widget);
    return widget->isVisible() && widget->isEnabled() && !widget->isWindow()
        && widget->focusProxy() == nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0
        && (label == nullptr || !label->text().isEmpty());
}

/// Puts down what a screen reader would not know, or would read with markup. Lives in the GUI
/// thread.
class SpokenJudge
{
public:
    /// `wrong` must outlive this one.
    explicit SpokenJudge(QStringList &wrong) : m_wrong(wrong) { }

    /// `shown` is a window, a dialog or a menu.
    void look(const QString &place, QWidget *shown)
    {
        if (const auto *menu = qobject_cast<const QMenu *>(shown))
            lookAtMenu(place, *menu, shown);
        else if (shown->windowTitle().isEmpty() && shown->accessibleName().isEmpty())
            m_wrong += u"%1: %2 has no title"_s.arg(place, nameOf(shown));
        for (QWidget *widget : shown->findChildren<QWidget *>()) {
            QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(widget);
            if (!widget->isVisible() || spoken == nullptr)
                continue;
            const QString what = u"%1: %2"_s.arg(place, nameOf(widget));
            if (takesKeys(widget) && spoken->text(QAccessible::Name).trimmed().isEmpty())
                m_wrong += u"%1 has no name"_s.arg(what);
            checkTexts(what, spoken);
            if (qobject_cast<QAbstractItemView *>(widget) == nullptr)
                continue;
            for (int item = 0; item < std::min(40, spoken->childCount()); ++item) {
                if (QAccessibleInterface *cell = spoken->child(item))
                    checkTexts(u"%1, an item"_s.arg(what), cell);
            }
        }
    }

    /// How many texts were read.
    [[nodiscard]] int told() const { return m_told; }

private:
    void lookAtMenu(const QString &place, const QMenu &menu, QWidget *shown)
    {
        if (menu.isEmpty())
            m_wrong += u"%1: the menu is empty"_s.arg(place);
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(shown);
        for (int item = 0; spoken != nullptr && item < spoken->childCount(); ++item) {
            QAccessibleInterface *entry = spoken->child(item);
            if (entry == nullptr || entry->role() == QAccessible::Separator
                || entry->state().invisible)
                continue;
            const QString what = u"%1, entry %2"_s.arg(place, QString::number(item));
            if (entry->text(QAccessible::Name).trimmed().isEmpty())
                m_wrong += u"%1 has no name"_s.arg(what);
            checkTexts(what, entry);
        }
    }
    void checkTexts(const QString &what, QAccessibleInterface *spoken)
    {
        static const QRegularExpression markup(
            u"</?(?:span|b|i|u|p|br|html|body|qt|div|a|table)\\b"_s);
        static const QRegularExpression ampersand(u"&(?:[A-Za-z]|#\\d)"_s);
        for (const auto &[kind, name] : {std::pair(QAccessible::Name, u"name"_s),
                                         std::pair(QAccessible::Description, u"description"_s),
                                         std::pair(QAccessible::Help, u"help"_s)}) {
            const QString text = spoken->text(kind);
            m_told += text.isEmpty() ? 0 : 1;
            // A label says what it shows, such as an address: "?sslmode=verify-full&sslrootcert=…".
            const bool isShown
                = kind == QAccessible::Name && spoken->role() == QAccessible::StaticText;
            if (markup.match(text).hasMatch() || (!isShown && ampersand.match(text).hasMatch()))
                m_wrong += u"%1: its %2 is %3"_s.arg(what, name, text.left(120));
        }
    }

    QStringList &m_wrong;
    int m_told = 0;
};

/// Puts down where the Tab key does not go as the eye does: from the left to the right, row by row,
/// and through one part of a window before the next. Beside each other columns may be read one by
/// one. Lives in the GUI thread.
class OrderJudge
{
public:
    /// `wrong` must outlive this one.
    explicit OrderJudge(QStringList &wrong) : m_wrong(wrong) { }

    void look(const QString &place, QWidget *shown)
    {
        m_met.clear();
        for (QWidget *one = shown->nextInFocusChain(); one != shown;
             one = one->nextInFocusChain()) {
            if (!takesKeys(one) || !shown->isAncestorOf(one))
                continue;
            ++m_stops;
            m_stop = one;
            for (const QWidget *part = one; part != shown; part = part->parentWidget())
                come(place, part);
        }
    }

    /// How many places of the Tab key were looked at.
    [[nodiscard]] int stops() const { return m_stops; }

private:
    /// Parts with an order of their own, and why.
    [[nodiscard]] static bool isExcepted(const QWidget *part)
    {
        // It lies over the page, comes with the focus and goes with it.
        const bool liesOver = part->inherits("outbox::Locator");
        // Its links stand in the corner beside the tabs, and are reached after their page.
        const auto *tabs = qobject_cast<const QTabWidget *>(part->parentWidget());
        const bool isLink = tabs != nullptr && tabs->objectName() == u"messagePanel"_s
            && tabs->cornerWidget() == part;
        return liesOver || isLink;
    }
    [[nodiscard]] static bool isSeenBefore(const QRect &one, const QRect &other)
    {
        const int apart = std::abs(one.center().y() - other.center().y());
        if (2 * apart < std::min(one.height(), other.height())) // in one row
            return one.right() < other.left();
        return one.bottom() < other.top() && one.left() <= other.right();
    }
    /// The Tab key comes to `part`, or to something in it.
    void come(const QString &place, const QWidget *part)
    {
        if (isExcepted(part))
            return;
        QList<const QWidget *> &before = m_met[part->parentWidget()];
        if (!before.isEmpty() && before.constLast() == part)
            return;
        if (before.removeOne(part)) {
            m_wrong += u"%1: the Tab key comes back to %2, for %3 after %4"_s.arg(
                place, nameOf(part), nameOf(m_stop), nameOf(before.constLast()));
        } else if (!before.isEmpty()
                   && isSeenBefore(part->geometry(), before.constLast()->geometry())) {
            m_wrong += u"%1: the Tab key comes to %2 after %3, which is seen later"_s.arg(
                place, nameOf(part), nameOf(before.constLast()));
        }
        before += part;
    }

    QStringList &m_wrong;
    QHash<const QWidget *, QList<const QWidget *>> m_met; ///< parts by what they are in
    const QWidget *m_stop = nullptr; ///< where the key is
    int m_stops = 0;
};

/// Puts down what moves by itself: it may not, whatever a desktop asks for. Lives in the GUI
/// thread.
class MotionJudge
{
public:
    /// `wrong` must outlive this one.
    explicit MotionJudge(QStringList &wrong) : m_wrong(wrong) { }

    void look(const QString &place, const QWidget *shown)
    {
        const QList<QAbstractAnimation *> all = shown->findChildren<QAbstractAnimation *>()
            + QApplication::style()->findChildren<QAbstractAnimation *>();
        for (const QAbstractAnimation *one : all) {
            // Of a line that clears itself: it answers a letter that was typed, for a moment.
            const bool isOfQt
                = one->parent() != nullptr && one->parent()->inherits("QLineEditIconButton");
            if (one->state() == QAbstractAnimation::Running && !isOfQt)
                m_wrong += u"%1: %2 moves"_s.arg(
                    place, QString::fromLatin1(one->metaObject()->className()));
        }
    }

private:
    QStringList &m_wrong;
};

} // namespace outbox::station
