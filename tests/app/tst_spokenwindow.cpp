// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a screen reader is told of each page and each dialog of a demo: everything that takes the
// keys has a name, and nothing is read with markup or with the sign that marks a key.
#include "tests/app/demotour.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/theme/spokentips.h"
#include "views/theme/theme.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QLabel>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace tst_spokenwindow {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QString widgetWords(const QString &place, const QWidget *widget)
{
    return u"%1: %2 \"%3\""_s.arg(place, QString::fromLatin1(widget->metaObject()->className()),
                                  widget->objectName());
}

/// Whether a person comes to it by the keys, and not to another one that stands for it.
bool takesKeys(const QWidget *widget)
{
    const auto *label = qobject_cast<const QLabel *>(widget);
    return widget->isVisible() && widget->isEnabled() && !widget->isWindow()
        && widget->focusProxy() == nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0
        && (label == nullptr || !label->text().isEmpty());
}

} // namespace

class TestSpokenWindow : public QObject
{
    Q_OBJECT

    DemoTour m_tour;
    QStringList m_wrong;
    int m_told = 0;

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
    void read(const QString &place, QWidget *shown)
    {
        for (QWidget *widget : shown->findChildren<QWidget *>()) {
            QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(widget);
            if (!widget->isVisible() || spoken == nullptr)
                continue;
            const QString what = widgetWords(place, widget);
            if (takesKeys(widget) && spoken->text(QAccessible::Name).trimmed().isEmpty())
                m_wrong += what + u" has no name"_s;
            checkTexts(what, spoken);
            if (qobject_cast<QAbstractItemView *>(widget) == nullptr)
                continue;
            for (int item = 0; item < std::min(40, spoken->childCount()); ++item) {
                if (QAccessibleInterface *cell = spoken->child(item))
                    checkTexts(what + u", an item"_s, cell);
            }
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
        OUTBOX_OPEN_TOUR(m_tour);
    }
    void cleanupTestCase() { m_tour.close(); }
    void init() { m_told = 0; }
    void cleanup()
    {
        const QByteArray faults = takeFaults(m_wrong);
        QVERIFY2(faults.isEmpty(), faults.constData());
        QVERIFY(m_told > 100); // else nothing was looked at
    }

    void pagesAreReadAsPlainText()
    {
        m_tour.visitPages([this](const QString &name, QWidget *shown) { read(name, shown); });
    }
    void dialogsAreReadAsPlainText()
    {
        m_tour.visitDialogs([this](const QString &name, QWidget *shown) { read(name, shown); });
    }
    /// A tooltip that comes later is read in the same way, and a description of its own stays.
    void aTipIsReadWithoutItsMarkup()
    {
        QWidget widget;
        const auto told = [&widget] {
            return QAccessible::queryAccessibleInterface(&widget)->text(QAccessible::Description);
        };
        widget.setToolTip(u"<span style=\"white-space:pre-wrap\">a &lt; b &amp; c</span>"_s);
        QCOMPARE(told(), u"a < b & c"_s);
        widget.setToolTip(u"plain"_s);
        QCOMPARE(told(), u"plain"_s);
        widget.setAccessibleDescription(u"its own"_s);
        widget.setToolTip(u"<b>another</b>"_s);
        QCOMPARE(told(), u"its own"_s);
        widget.setToolTip({});
        QCOMPARE(told(), u"its own"_s);
        theme::setSpoken(&widget, {}); // its tip, which says nothing
        QCOMPARE(told(), QString());
        widget.setToolTip(u"<b>last</b>"_s);
        theme::setSpoken(&widget, u"its own again"_s);
        theme::setSpoken(&widget, {});
        QCOMPARE(told(), u"last"_s);
        m_told = 1'000; // this one reads nothing else
    }
};

} // namespace tst_spokenwindow

OUTBOX_TEST(tst_spokenwindow::TestSpokenWindow)
#include "tst_spokenwindow.moc"
