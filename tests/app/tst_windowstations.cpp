// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each page, menu and dialog of a demo, for every hand and eye: what takes the keys has a name, and
// nothing is read with markup; the Tab key goes as the eye does; texts and edges can be seen in
// both themes; nothing moves by itself. No dialog of the sources is left out.
#include "tests/app/contrastjudge.h"
#include "tests/app/demotour.h"
#include "tests/app/stationjudges.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/theme/spokentips.h"
#include "views/theme/theme.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVariantAnimation>

#include <cmath>
#include <optional>

namespace tst_windowstations {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// What of a file the tour met: object names, or the class, of its windows without a class of their
/// own.
const QHash<QString, QStringList> &stationsOfFiles()
{
    static const QHash<QString, QStringList> all{
        {u"views/filter/savedfilterbutton.cpp"_s, {u"QInputDialog"_s}},
        {u"views/frame/helpmenu.cpp"_s, {u"aboutSheet"_s}},
        {u"views/frame/shortcutsheet.cpp"_s, {u"shortcutSheet"_s}},
        {u"views/frame/sourcedetails.cpp"_s, {u"databaseDetails"_s, u"queueDetails"_s}},
        {u"views/outbox/rowspane.cpp"_s, {u"goToTime"_s, u"goToId"_s}},
        // Files are chosen in the dialog of the desktop.
        {u"app/desktop/filterpresenter.cpp"_s, {}},
        {u"app/desktop/mappingpresenter.cpp"_s, {}},
        {u"app/desktop/savefile.cpp"_s, {}},
        {u"views/connections/payloadform.cpp"_s, {}}};
    return all;
}

/// The windows in the text of a file that are on no tour; `met` are classes and object names.
QStringList leftOut(const QString &file, const QString &text, const QSet<QString> &met)
{
    static const QRegularExpression own(
        u"\\bclass\\s+(\\w+)\\s*(?:final\\s*)?:\\s*public\\s+Q(?:\\w*Dialog|Wizard|MessageBox)\\b"_s);
    static const QRegularExpression plain(
        u"(?:\\bnew\\s+|\\bmake_unique<)Q(?:\\w*Dialog|Wizard|MessageBox|SplashScreen|ErrorMessage)"
        u"\\b"
        u"|\\bQ(?:\\w*Dialog|Wizard|MessageBox)\\s+\\w+\\s*[({;]"
        u"|\\bQ(?:\\w+Dialog|MessageBox)::(?:get|about|critical|information|question|warning)"
        u"|\\bQt::(?:Popup|Tool|Sheet|Drawer|SplashScreen|Dialog)\\b"_s);
    QStringList missing;
    for (auto found = own.globalMatch(text); found.hasNext();) {
        const QString name = found.next().captured(1);
        if (!met.contains(u"outbox::"_s + name))
            missing += u"%1: %2"_s.arg(file, name);
    }
    if (!plain.match(text).hasMatch())
        return missing;
    const auto stations = stationsOfFiles().constFind(file);
    if (stations == stationsOfFiles().cend()) {
        missing += u"%1 opens a window: name it in stationsOfFiles()"_s.arg(file);
        return missing;
    }
    for (const QString &name : *stations) {
        if (!met.contains(name))
            missing += u"%1: %2"_s.arg(file, name);
    }
    return missing;
}

} // namespace

class TestWindowStations : public QObject
{
    Q_OBJECT

    DemoTour m_tour;
    QStringList m_wrong;
    station::SpokenJudge m_spoken{m_wrong};
    station::OrderJudge m_order{m_wrong};
    station::MotionJudge m_motion{m_wrong};
    std::optional<station::ContrastJudge> m_contrast;
    int m_visits = 0;

    /// All look at the same station: to bring one up takes longer than to look at it.
    DemoTour::Visitor judges()
    {
        return [this](const QString &name, QWidget *shown) {
            m_spoken.look(name, shown);
            m_order.look(name, shown);
            m_motion.look(name, shown);
            m_contrast->look(name, shown);
        };
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
        OUTBOX_OPEN_TOUR(m_tour);
        m_contrast.emplace(m_tour.window(), m_wrong);
    }
    void cleanupTestCase()
    {
        if (m_contrast)
            qInfo("%d texts and %d edges were measured, %d were read, %d places of the Tab key",
                  m_contrast->texts(), m_contrast->edges(), m_spoken.told(), m_order.stops());
        m_contrast.reset();
        m_tour.close();
    }
    void cleanup()
    {
        const QByteArray faults = takeFaults(m_wrong);
        QVERIFY2(faults.isEmpty(), faults.constData());
    }

    void pagesAreForAll()
    {
        m_tour.visitPages(judges());
        ++m_visits;
        QVERIFY(m_contrast->texts() > 400 && m_contrast->edges() > 40);
        QVERIFY(m_spoken.told() > 100 && m_order.stops() > 100);
    }
    void menusAreForAll()
    {
        const int before = m_contrast->texts();
        const int told = m_spoken.told();
        m_tour.visitMenus(judges());
        ++m_visits;
        QVERIFY(m_contrast->texts() > before + 100 && m_spoken.told() > told + 100);
        QVERIFY(m_tour.met().contains(u"rowMenu"_s) && m_tour.met().contains(u"columnsMenu"_s));
    }
    void dialogsAreForAll()
    {
        const int before = m_contrast->texts();
        const int told = m_spoken.told();
        m_tour.visitDialogs(judges());
        ++m_visits;
        QVERIFY(m_contrast->texts() > before + 100 && m_spoken.told() > told + 100);
    }
    void aPlanIsForAll()
    {
        const int before = m_contrast->texts();
        const int told = m_spoken.told();
        m_tour.visitPlan(judges());
        ++m_visits;
        QVERIFY(m_contrast->texts() > before + 50 && m_spoken.told() > told + 100);
    }
    /// Of views and of the desktop, found in the sources: a new dialog is red here until the tour
    /// comes to it.
    void noDialogIsLeftOut()
    {
        if (m_visits < 4)
            QSKIP("after all visits");
        int files = 0;
        for (const QString &folder : {u"views"_s, u"app"_s}) {
            const QDir root(QStringLiteral(SOURCE_ROOT));
            QDirIterator walk(root.filePath(folder), {u"*.h"_s, u"*.cpp"_s}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                QFile file(walk.next());
                QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
                m_wrong += leftOut(root.relativeFilePath(file.fileName()),
                                   QString::fromUtf8(file.readAll()), m_tour.met());
                ++files;
            }
        }
        QVERIFY(files > 200);
    }

    void aDialogThatIsLeftOutIsFound()
    {
        const QSet<QString> met{u"outbox::PlanDialog"_s, u"goToTime"_s};
        QVERIFY(leftOut(u"views/a.h"_s, u"class PlanDialog : public QDialog"_s, met).isEmpty());
        QCOMPARE(leftOut(u"views/a.h"_s, u"class Other final : public QDialog"_s, met).size(), 1);
        QCOMPARE(leftOut(u"views/a.cpp"_s, u"auto *a = new QDialog(this);"_s, met).size(), 1);
        QCOMPARE(leftOut(u"views/a.cpp"_s, u"QMessageBox box(this);"_s, met).size(), 1);
        QCOMPARE(leftOut(u"views/a.cpp"_s, u"QMessageBox::question(this"_s, met).size(), 1);
        QCOMPARE(leftOut(u"views/a.cpp"_s, u"QFrame(parent, Qt::Popup)"_s, met).size(), 1);
        QVERIFY(leftOut(u"views/a.cpp"_s, u"setFocus(Qt::PopupFocusReason)"_s, met).isEmpty());
        QCOMPARE(leftOut(u"views/outbox/rowspane.cpp"_s, u"new QDialog(parent)"_s, met),
                 QStringList(u"views/outbox/rowspane.cpp: goToId"_s));
    }
    void aControlWithoutANameIsFound()
    {
        QWidget window;
        window.setWindowTitle(u"Window"_s);
        auto *column = new QVBoxLayout(&window);
        auto *button = new QPushButton;
        column->addWidget(button);
        window.show();
        QStringList wrong;
        station::SpokenJudge judge(wrong);
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong.size(), 1);
        button->setAccessibleName(u"Go"_s);
        wrong.clear();
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong, QStringList());
    }
    void anOrderThatJumpsIsFound()
    {
        QWidget window;
        auto *columns = new QHBoxLayout(&window);
        QList<QPushButton *> buttons;
        for (int side = 0; side < 2; ++side) {
            auto *column = new QVBoxLayout;
            columns->addLayout(column);
            for (int row = 0; row < 3; ++row) {
                buttons += new QPushButton(QString::number(buttons.size()));
                column->addWidget(buttons.constLast());
            }
        }
        window.show();
        QStringList wrong;
        station::OrderJudge judge(wrong);
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong, QStringList()); // one column after the other
        QCOMPARE(judge.stops(), 6);
        QWidget::setTabOrder(buttons.at(2), buttons.at(1));
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong.size(), 1);
    }
    void aPartThatIsLeftAndComeBackToIsFound()
    {
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *part = new QWidget;
        column->addWidget(part);
        auto *row = new QHBoxLayout(part);
        row->addWidget(new QPushButton(u"first"_s));
        column->addWidget(new QPushButton(u"below"_s));
        row->addWidget(new QPushButton(u"late"_s));
        window.show();
        QStringList wrong;
        station::OrderJudge judge(wrong);
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong.size(), 1);
    }
    void whatMovesIsFound()
    {
        QWidget window;
        QVariantAnimation animation(&window);
        animation.setStartValue(0);
        animation.setEndValue(1);
        animation.setLoopCount(-1);
        QStringList wrong;
        station::MotionJudge judge(wrong);
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong, QStringList());
        animation.start();
        judge.look(u"here"_s, &window);
        QCOMPARE(wrong.size(), 1);
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
    }
    /// The measure itself: grey on white is found.
    void whatIsFaintIsFound()
    {
        QLabel label(u"Pale words"_s);
        QPalette palette;
        palette.setColor(QPalette::Window, Qt::white);
        palette.setColor(QPalette::WindowText, QColor(0x999999U));
        label.setPalette(palette);
        label.setAutoFillBackground(true);
        label.resize(label.sizeHint());
        const auto marks = PaintedWindow(&label).marksIn(label.rect());
        QVERIFY(marks.has_value());
        QCOMPARE(marks->ground, QColor(Qt::white));
        QVERIFY2(std::abs(marks->contrast - 2.85) < 0.1,
                 qPrintable(QString::number(marks->contrast)));
    }
};

} // namespace tst_windowstations

OUTBOX_TEST(tst_windowstations::TestWindowStations)
#include "tst_windowstations.moc"
