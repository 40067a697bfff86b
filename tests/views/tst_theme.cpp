// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every meaning is readable on every background, has a glyph that draws and a word.
#include "models/system/systemhistory.h"
#include "tests/support/contrast.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/charts/gauge.h"
#include "views/charts/timeseriesview.h"
#include "views/overview/overviewview.h"
#include "views/tables/statedelegate.h"
#include "views/theme/deckstyle.h"
#include "views/theme/theme.h"

#include <QAbstractAnimation>
#include <QComboBox>
#include <QFontMetrics>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QTest>

#include <memory>

namespace tst_theme {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QList<Appearance> allAppearances(Tone tone)
{
    QList<Appearance> appearances;
    for (const MessageState state : allMessageStates())
        appearances.append(theme::appearance(state, tone));
    for (int state = 0; state <= static_cast<int>(TaskState::WrongType); ++state)
        appearances.append(theme::appearance(static_cast<TaskState>(state), tone));
    for (int level = 0; level <= static_cast<int>(HealthLevel::Broken); ++level)
        appearances.append(theme::appearance(static_cast<HealthLevel>(level), tone));
    for (int state = 0; state <= static_cast<int>(RelayState::Failed); ++state)
        appearances.append(theme::appearance(static_cast<RelayState>(state), tone));
    return appearances;
}

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void readableEverywhere();
    void bandsCarryWhiteText();
    void edgesStandOutOnEachGround();
    void linesOfAChartAreToldApart();
    void aBarWithoutAnEndStandsStill();
    void glyphsDraw();
    void unknownIsNeverGreen();
    void digitsAreOfOneWidth();
    void longWordsOnAButtonHaveRoom();
    void controlsShowTheirEdge_data();
    void controlsShowTheirEdge();
    void textStandsOffTheEdgeOfItsField_data();
    void textStandsOffTheEdgeOfItsField();
    void nothingThatWaitsIsNoDelay();
    void delegateKnowsStates();
};

void TestTheme::readableEverywhere()
{
    for (const Tone tone : {Tone::Light, Tone::Dark}) {
        const Inks &ink = theme::inks(tone);
        QList<Appearance> appearances = allAppearances(tone);
        appearances.append({ink.text, {}, u"text"_s});
        appearances.append({ink.secondary, {}, u"secondary"_s});
        appearances.append({ink.accent, {}, u"accent"_s});
        for (const Appearance &appearance : std::as_const(appearances)) {
            for (const QColor &ground : {ink.base, ink.alternate, ink.selected, ink.window}) {
                const double found = contrast(appearance.color, ground);
                QVERIFY2(
                    found >= 4.5,
                    qPrintable(u"%1 on %2: %3"_s.arg(appearance.word, ground.name()).arg(found)));
            }
        }
    }
}

void TestTheme::bandsCarryWhiteText()
{
    for (int i = 0; i <= static_cast<int>(Environment::Demo); ++i)
        QVERIFY(contrast(theme::band(static_cast<Environment>(i)), Qt::white) >= 4.5);
}

/// What is touched has an edge that is seen (WCAG 1.4.11).
void TestTheme::edgesStandOutOnEachGround()
{
    for (const Tone tone : {Tone::Light, Tone::Dark}) {
        const Inks &ink = theme::inks(tone);
        for (const QColor &edge : {ink.outline, ink.accent}) {
            for (const QColor &ground :
                 {ink.base, ink.alternate, ink.selected, ink.window, ink.hover})
                QVERIFY2(contrast(edge, ground) >= 3,
                         qPrintable(u"%1 on %2"_s.arg(edge.name(), ground.name())));
        }
    }
}

/// By their colours, or, for somebody to whom these look alike, by their strokes.
void TestTheme::linesOfAChartAreToldApart()
{
    constexpr double farEnough = 25;
    const SystemHistory history;
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        theme::apply(choice);
        OverviewView page(&history);
        int pairs = 0;
        for (const TimeSeriesView *chart : page.findChildren<TimeSeriesView *>()) {
            const QList<LineStyle> styles = chart->styles();
            for (qsizetype one = 0; one < styles.size(); ++one) {
                QVERIFY(contrast(styles.at(one).color, theme::inks().base) >= 3);
                for (qsizetype other = one + 1; other < styles.size(); ++other) {
                    const LineStyle &a = styles.at(one);
                    const LineStyle &b = styles.at(other);
                    ++pairs;
                    const QString told
                        = chart->objectName() + u": "_s + a.color.name() + u' ' + b.color.name();
                    QVERIFY2(distance(a.color, b.color, Vision::Usual) >= farEnough,
                             qPrintable(told));
                    for (const Vision vision : {Vision::NoRed, Vision::NoGreen})
                        QVERIFY2(distance(a.color, b.color, vision) >= farEnough
                                     || a.dashes != b.dashes,
                                 qPrintable(told));
                    QVERIFY2(theme::pen(a, 2).dashPattern() != theme::pen(b, 2).dashPattern(),
                             qPrintable(told));
                }
            }
        }
        QVERIFY(pairs >= 8);
        QVERIFY(theme::lineStyle(TaskState::Retry).color
                != theme::lineStyle(theme::Series::Lag).color);
        QVERIFY(theme::lineStyle(TaskState::Retry).color
                != theme::lineStyle(TaskState::Archived).color);
    }
    theme::apply(ThemeChoice::System);
}

/// Nothing moves by itself, also where a desktop asks for no less motion.
void TestTheme::aBarWithoutAnEndStandsStill()
{
    QProgressBar bar;
    DeckStyle style;
    bar.setStyle(&style);
    bar.setRange(0, 0);
    bar.resize(200, 20);
    QVERIFY(!bar.grab().isNull());
    QVERIFY(bar.findChildren<QAbstractAnimation *>().isEmpty());
    QVERIFY(style.findChildren<QAbstractAnimation *>().isEmpty());
}

void TestTheme::glyphsDraw()
{
    const QList<Appearance> appearances = allAppearances(Tone::Light);
    for (const Appearance &appearance : appearances) {
        QVERIFY(!appearance.word.isEmpty());
        const QImage image = theme::glyph(appearance.glyph, appearance.color, 16, 2.0).toImage();
        QCOMPARE(image.size(), QSize(32, 32));
        int ink = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                ink += qAlpha(image.pixel(x, y)) > 200 ? 1 : 0;
        }
        QVERIFY2(ink > 10, qPrintable(appearance.glyph));
    }
}

void TestTheme::unknownIsNeverGreen()
{
    for (const Tone tone : {Tone::Light, Tone::Dark}) {
        const QColor grey = theme::appearance(HealthLevel::Unknown, tone).color;
        QVERIFY(grey.saturationF() < 0.1F);
        QVERIFY(grey != theme::appearance(HealthLevel::Ok, tone).color);
        QCOMPARE(grey, theme::appearance(MessageState::Unknown, tone).color);
    }
}

void TestTheme::digitsAreOfOneWidth()
{
    const QFontMetrics metrics(theme::numberFont(QApplication::font()));
    QCOMPARE(metrics.horizontalAdvance(u"1111"_s), metrics.horizontalAdvance(u"0000"_s));
    QVERIFY(theme::rowHeight(metrics) >= 22);
}

void TestTheme::longWordsOnAButtonHaveRoom()
{
    QPushButton button(u"Reconcile 100,000 findings"_s);
    DeckStyle style;
    button.setStyle(&style);
    const int words = button.fontMetrics().horizontalAdvance(button.text());
    QVERIFY(button.sizeHint().width() >= words + 20);
}

void TestTheme::controlsShowTheirEdge_data()
{
    QTest::addColumn<bool>("isDark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestTheme::controlsShowTheirEdge()
{
    QFETCH(bool, isDark);
    theme::apply(isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    QRadioButton radio;
    QComboBox combo;
    combo.setEditable(true);
    for (QWidget *control : QList<QWidget *>{&radio, &combo}) {
        control->resize(control->sizeHint());
        QImage picture(control->size(), QImage::Format_ARGB32);
        picture.fill(theme::inks().window);
        control->render(&picture, {}, {}, QWidget::DrawChildren);
        double most = 1;
        for (int x = 0; x < picture.width(); ++x) // the edge crosses the middle line
            most = std::max(
                most, contrast(picture.pixelColor(x, picture.height() / 2), theme::inks().window));
        QVERIFY2(most >= 3, control->metaObject()->className());
    }
    theme::apply(ThemeChoice::System);
}

void TestTheme::textStandsOffTheEdgeOfItsField_data()
{
    QTest::addColumn<QString>("kind");
    for (const char *kind : {"line", "spin", "choice", "open choice", "text"})
        QTest::newRow(kind) << QString::fromLatin1(kind);
}

/// In a usual field by 8 pixels, measured at the ink; there is room for all of it.
void TestTheme::textStandsOffTheEdgeOfItsField()
{
    QFETCH(QString, kind);
    theme::apply(ThemeChoice::Light);
    std::unique_ptr<QWidget> field;
    if (kind == u"line"_s) {
        field = std::make_unique<QLineEdit>(u"HHHH"_s);
    } else if (kind == u"spin"_s) {
        auto spin = std::make_unique<QSpinBox>();
        spin->setRange(0, 4444);
        spin->setValue(4444);
        field = std::move(spin);
    } else if (kind == u"text"_s) {
        field = std::make_unique<QPlainTextEdit>(u"HHHH"_s);
    } else {
        auto combo = std::make_unique<QComboBox>();
        combo->setEditable(kind == u"open choice"_s);
        combo->addItem(u"HHHH"_s);
        field = std::move(combo);
    }
    field->resize(field->sizeHint());
    QImage picture(field->size(), QImage::Format_ARGB32);
    picture.fill(theme::inks().window);
    field->render(&picture, {}, {}, QWidget::DrawChildren);
    // The widest value there is stands in its field as a whole.
    if (const auto *inner = field->findChild<QLineEdit *>())
        QVERIFY(inner->width() >= inner->fontMetrics().horizontalAdvance(inner->text()) + 4);
    const int from = kind == u"text"_s ? 4 : picture.height() / 4;
    const int to = kind == u"text"_s ? 24 : 3 * picture.height() / 4;
    const auto hasInk = [&](int x) {
        for (int y = from; y < to; ++y) {
            if (contrast(picture.pixelColor(x, y), theme::inks().base) >= 4.5)
                return true;
        }
        return false;
    };
    int x = 3; // behind the edge itself
    while (x < picture.width() && !hasInk(x))
        ++x;
    // A letter begins a little behind the place that it is given.
    QVERIFY2(x >= 8 && x <= 11, qPrintable(u"%1 stands %2 pixels off"_s.arg(kind).arg(x)));
    theme::apply(ThemeChoice::System);
}

void TestTheme::nothingThatWaitsIsNoDelay()
{
    QVERIFY(dedupMargin(86'400, {}, 0).sentence.contains(u"not known yet"_s));
    QVERIFY(dedupMargin(86'400, {}, 60).sentence.contains(u"times the worst relay delay"_s));
    QCOMPARE(dedupMargin(86'400, 60, 0).bars.at(2).seconds, 0);
    // A console that has just started saw next to no delay: that is no margin of thousands.
    const QDateTime noon(QDate::currentDate(), QTime(12, 0));
    for (const double worst : {0.0, 0.02, 0.9}) {
        const DedupMargin margin = dedupMargin(86'400, worst, 0, noon);
        QVERIFY(!margin.sentence.contains(u"1,000"_s));
        QVERIFY(margin.sentence.contains(u"since 12:00"_s));
    }
    QCOMPARE(dedupMargin(86'400, 6180, 0).sentence,
             u"The 24 h window is 14 times the worst relay delay (103 min)."_s);
    QVERIFY(
        dedupMargin(86'400, 6180, 0, noon).sentence.endsWith(u"(103 min, seen since 12:00)."_s));
}

void TestTheme::delegateKnowsStates()
{
    QCOMPARE(StateDelegate::appearanceOf(QVariant::fromValue(MessageState::Locked))->glyph,
             u"lock"_s);
    QCOMPARE(StateDelegate::appearanceOf(QVariant::fromValue(TaskState::Archived))->word,
             u"Dead"_s);
    QVERIFY(!StateDelegate::appearanceOf(u"pending"_s));
}

} // namespace tst_theme

OUTBOX_TEST(tst_theme::TestTheme)
#include "tst_theme.moc"
