// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each page, menu and dialog of a demo in the smallest window, with usual letters, with letters
// twice as large, and at 200 % on a screen of 1920x1080: no text is cut, and nothing needs more
// than the screen has. With OUTBOX_PICTURES=<folder> all of it is drawn there, light and dark, for
// looking at.
#include "tests/app/demotour.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/theme/theme.h"
#include "views/widgets/scrolledpage.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QRegularExpression>
#include <QScreen>
#include <QTabBar>

namespace tst_windowfits {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QSize smallestWindow(1024, 640);
constexpr QSize firstWindow(1280, 800); ///< as it opens where there is room

/// As much of a size as the screen of the window has.
QSize onItsScreen(const QSize &size, const QWidget *window)
{
    return size.boundedTo(window->screen()->availableSize());
}

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
    const auto *line = qobject_cast<const QLineEdit *>(widget);
    if (line != nullptr && qobject_cast<const QAbstractSpinBox *>(line->parentWidget()) != nullptr)
        return {line->fontMetrics().horizontalAdvance(line->text()), 1};
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
    void checkMenu(const QString &place, const QMenu &menu)
    {
        for (QAction *entry : menu.actions()) {
            const QRect line = menu.actionGeometry(entry); // a high menu is scrolled
            if (entry->isVisible() && (line.left() < 0 || line.right() >= menu.width()))
                m_wrong += u"%1: the entry \"%2\" is cut"_s.arg(place, entry->text());
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
    /// In the folder that was asked for; the light theme stays.
    void keepPictures(const QString &place, QWidget *shown)
    {
        static const QRegularExpression notOfAName(u"[^a-z0-9]+"_s);
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        if (folder.isEmpty())
            return;
        QVERIFY(QDir().mkpath(folder));
        const QString name = place.toLower().replace(notOfAName, u"-"_s);
        for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            m_tour.window().setThemeChoice(choice);
            DemoTour::settle();
            const QString tone = choice == ThemeChoice::Light ? u"-light.png"_s : u"-dark.png"_s;
            QVERIFY(shown->grab().save(QDir(folder).filePath(name + tone)));
        }
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
        const QString place = u"%1, %2 letters, %3x"_s.arg(
            name, letters, QString::number(shown->devicePixelRatioF()));
        if (shown == &m_tour.window()) {
            const QSize first = onItsScreen(firstWindow, shown);
            setSize(shown, first);
            if (letters == u"usual"_s && first == firstWindow)
                checkIsWhole(place, shown);
            setSize(shown, onItsScreen(smallestWindow, shown));
        } else {
            setSize(shown, shown->size());
        }
        checkMinimum(place, shown);
        if (const auto *menu = qobject_cast<const QMenu *>(shown))
            checkMenu(place, *menu);
        checkTexts(place, shown);
        keepPictures(place, shown);
    }
    /// All that the tour comes to, in one demo: to open it takes longer than to look at it.
    void checkAll(int percent)
    {
        QFont font = m_usual;
        font.setPointSizeF(m_usual.pointSizeF() * percent / 100);
        QApplication::setFont(font);
        OUTBOX_OPEN_TOUR(m_tour);
        const auto look = [this](const QString &name, QWidget *shown) { check(name, shown); };
        m_texts = 0;
        m_tour.visitPages(look);
        QVERIFY(m_texts > 200);
        m_tour.visitMenus(look);
        m_texts = 0;
        m_tour.visitDialogs(look);
        QVERIFY(m_texts > 50);
        m_texts = 0;
        m_tour.visitPlan(look);
        QVERIFY(m_texts > 50);
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

    void allOfItFits_data()
    {
        QTest::addColumn<int>("percent");
        QTest::newRow("usual") << 100;
        QTest::newRow("double") << 200;
    }
    void allOfItFits()
    {
        QFETCH(const int, percent);
        checkAll(percent);
    }
    /// The scale is read once, at the start of a program: the test above runs in another one, whose
    /// window has less room than the smallest one needs.
    void alsoOnADenseScreen()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"QT_SCALE_FACTOR"_s, u"2"_s);
        environment.insert(u"QT_QPA_PLATFORM"_s,
                           u"offscreen:configfile="_s + QStringLiteral(DENSE_SCREEN));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(),
                      {u"tst_windowfits"_s, u"allOfItFits:usual"_s});
        const bool hasEnded = process.waitForFinished(patient(600'000));
        const QByteArray said = process.readAll();
        QVERIFY2(hasEnded && process.exitStatus() == QProcess::NormalExit
                     && process.exitCode() == 0,
                 said.constData());
    }
};

} // namespace tst_windowfits

OUTBOX_TEST(tst_windowfits::TestWindowFits)
#include "tst_windowfits.moc"
