// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each page and each dialog of a demo in the smallest window, with usual letters and with letters
// twice as large: no text is cut, and nothing needs more than the screen has.
#include "tests/app/demotour.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/theme/theme.h"
#include "views/widgets/scrolledpage.h"

#include <QAbstractButton>
#include <QLabel>
#include <QScreen>
#include <QTabBar>

namespace tst_windowfits {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QString sizeText(const QSize &size)
{
    return u"%1x%2"_s.arg(size.width()).arg(size.height());
}

/// What a widget needs to show its text; nothing where it has none, or where it is cut on purpose.
QSize neededBy(const QWidget *widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(widget)) {
        if (label->text().isEmpty() || !label->pixmap().isNull())
            return {};
        if (!label->wordWrap())
            return label->sizeHint();
        // A word that is too long for a line is cut; a line too many is not.
        return {0, label->heightForWidth(label->width())};
    }
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    const bool isIcon = widget->inherits("QLineEditIconButton"); // Qt gives it the room of a sign
    return button != nullptr && !isIcon && !button->text().isEmpty() ? button->sizeHint() : QSize();
}

} // namespace

class TestWindowFits : public QObject
{
    Q_OBJECT

    DemoTour m_tour;
    QFont m_usual;
    QStringList m_wrong;
    int m_texts = 0;

    void checkTexts(const QString &place, const QWidget *shown)
    {
        for (const QWidget *widget : shown->findChildren<QWidget *>()) {
            if (!widget->isVisible())
                continue;
            if (const auto *tabs = qobject_cast<const QTabBar *>(widget)) {
                if (tabs->count() > 0 && tabs->sizeHint().width() > tabs->width())
                    m_wrong += u"%1: the tabs %2 have %3 of %4 pixels"_s.arg(
                        place, widget->objectName(), QString::number(tabs->width()),
                        QString::number(tabs->sizeHint().width()));
                continue;
            }
            const QSize needed = neededBy(widget);
            if (needed.isEmpty() && needed.height() <= 0)
                continue;
            ++m_texts;
            // One pixel is the rounding of a layout.
            if (needed.width() > widget->width() + 1 || needed.height() > widget->height() + 1) {
                const auto *label = qobject_cast<const QLabel *>(widget);
                const auto *button = qobject_cast<const QAbstractButton *>(widget);
                const QString text = label ? label->text() : button ? button->text() : QString();
                m_wrong += u"%1: %2 %3 \"%4\" has %5, needs %6"_s.arg(
                    place, QString::fromLatin1(widget->metaObject()->className()),
                    widget->objectName(), text.left(40), sizeText(widget->size()),
                    sizeText(needed));
            }
        }
    }
    void checkMinimum(const QString &place, const QWidget *shown)
    {
        const QSize room = shown->screen()->availableSize();
        const QSize least = shown->minimumSize();
        if (least.width() > room.width() || least.height() > room.height())
            m_wrong += u"%1: its minimum is %2, the screen has %3"_s.arg(place, sizeText(least),
                                                                         sizeText(room));
    }
    static void setSize(QWidget *shown, const QSize &size)
    {
        shown->resize(size);
        DemoTour::settle();
    }
    /// With usual letters and as much room as the window opens with nothing is scrolled.
    void checkIsWhole(const QString &place, const QWidget *shown)
    {
        for (const ScrolledPage *area : shown->findChildren<ScrolledPage *>()) {
            if (area->isVisible() && area->widget()->size() != area->maximumViewportSize())
                m_wrong += u"%1: the page is %2, its room is %3"_s.arg(
                    place, sizeText(area->widget()->size()), sizeText(area->maximumViewportSize()));
        }
    }
    void check(const QString &name, QWidget *shown)
    {
        const QString letters = QString::fromLatin1(QTest::currentDataTag());
        const QString place = name + u", "_s + letters + u" letters"_s;
        if (shown == &m_tour.window()) {
            setSize(shown, {1280, 800});
            if (letters == u"usual"_s)
                checkIsWhole(place, shown);
            setSize(shown, {1024, 640});
        } else {
            setSize(shown, shown->size());
        }
        checkMinimum(place, shown);
        checkTexts(place, shown);
    }
    void addSizes()
    {
        QTest::addColumn<int>("percent");
        QTest::newRow("usual") << 100;
        QTest::newRow("double") << 200;
    }
    void openWithLetters()
    {
        QFETCH(const int, percent);
        QFont font = m_usual;
        font.setPointSizeF(m_usual.pointSizeF() * percent / 100);
        QApplication::setFont(font);
        OUTBOX_OPEN_TOUR(m_tour);
        m_texts = 0;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
        m_usual = QApplication::font();
        QVERIFY(m_usual.pointSizeF() > 0);
    }
    void cleanup()
    {
        m_tour.close();
        QApplication::setFont(m_usual);
        const QByteArray faults = takeFaults(m_wrong);
        QVERIFY2(faults.isEmpty(), faults.constData());
    }

    void pagesFit_data() { addSizes(); }
    void pagesFit()
    {
        openWithLetters();
        if (m_tour.isClosed()) // skipped or failed
            return;
        m_tour.visitPages([this](const QString &name, QWidget *shown) { check(name, shown); });
        QVERIFY(m_texts > 200);
    }

    void dialogsFit_data() { addSizes(); }
    void dialogsFit()
    {
        openWithLetters();
        if (m_tour.isClosed()) // skipped or failed
            return;
        m_tour.visitDialogs([this](const QString &name, QWidget *shown) { check(name, shown); });
        QVERIFY(m_texts > 50);
    }
};

} // namespace tst_windowfits

OUTBOX_TEST(tst_windowfits::TestWindowFits)
#include "tst_windowfits.moc"
