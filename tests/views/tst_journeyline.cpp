// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line of time of a message: readable at every width and size, by eye, by key and by ear.
#include "models/payload/celltext.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/message/journeyline.h"
#include "views/message/messagepanel.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QPixmap>
#include <QTest>

namespace tst_journeyline {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// A row that was marked, and its task that is done: six points, one without a time.
IdVerdict delivered(const QDateTime &now)
{
    IdVerdict verdict = sample::verdict(103);
    Message &row = *verdict.row;
    row.state = MessageState::Processed;
    row.lockedBy.reset();
    row.leaseUntil.reset();
    row.created = now.addSecs(-100);
    row.processed = now.addSecs(-60);
    verdict.task = sample::task(103, TaskState::Completed);
    verdict.task->completedAt = now.addSecs(-58);
    verdict.task->keptUntil = now.addSecs(3600);
    return verdict;
}

QList<QRect> rectsOf(const JourneyLine &line)
{
    QList<QRect> rects;
    for (const JourneyLine::Place &place : line.places()) {
        for (const QRect &one : {place.gap, place.glyph, place.word, place.time}) {
            if (!one.isEmpty())
                rects += one;
        }
    }
    return rects;
}

} // namespace

class TestJourneyLine : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    void noTwoTextsOverlap_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        QTest::newRow("the whole of a small window") << 1024 << 1.0;
        QTest::newRow("beside the pages") << 820 << 1.0;
        QTest::newRow("narrow") << 400 << 1.0;
        QTest::newRow("large letters") << 1024 << 2.0;
    }
    /// Fails where a gap is drawn in the place of its point, or a row of texts is too low.
    void noTwoTextsOverlap()
    {
        QFETCH(int, width);
        QFETCH(double, scale);
        const QDateTime now = sample::now();
        JourneyLine line;
        line.setFont(theme::scaledFont(line.font(), scale));
        line.setLine(timelineOf(delivered(now), now), now);
        line.resize(width, line.sizeHint().height());
        const QList<QRect> rects = rectsOf(line);
        QCOMPARE(rects.size(), 4 * 6 - 1); // the first point has no gap
        for (qsizetype one = 0; one < rects.size(); ++one) {
            QVERIFY(line.rect().contains(rects.at(one)));
            QVERIFY(rects.at(one).height() >= line.fontMetrics().height());
            for (qsizetype other = one + 1; other < rects.size(); ++other)
                QVERIFY(!rects.at(one).intersects(rects.at(other)));
        }
    }

    void wordsAreWholeInASmallWindow()
    {
        const QDateTime now = sample::now();
        const auto points = timelineOf(delivered(now), now);
        JourneyLine line;
        line.setLine(points, now);
        line.resize(1024, line.sizeHint().height());
        const auto places = line.places();
        for (qsizetype at = 0; at < points.size(); ++at) {
            const QString word = label(points.at(at).kind);
            QVERIFY2(line.fontMetrics().horizontalAdvance(word) <= places.at(at).word.width(),
                     qPrintable(word));
        }
    }

    void isReadAloud()
    {
        const QDateTime now = sample::now();
        IdVerdict verdict = delivered(now);
        verdict.traces
            = {{IdTrace::Place::Record, now.addSecs(-30), u"<b>Run</b>\nby \u202eana"_s, {}}};
        JourneyLine line;
        line.setLine(timelineOf(verdict, now), now);
        line.resize(1024, line.sizeHint().height());
        line.show();
        QVERIFY(walk::find(&line, QAccessible::Graphic, u"Line of time"_s) != nullptr);
        const QString text = walk::description(&line, QAccessible::Graphic, u"Line of time"_s);
        QVERIFY2(text.startsWith(u"Written "_s), qPrintable(text));
        QVERIFY2(text.contains(u"In the queue: time not known"_s), qPrintable(text));
        QVERIFY2(text.contains(u"40 s in the outbox"_s), qPrintable(text));
        QVERIFY2(text.contains(u"Refused until about "_s), qPrintable(text));
        QVERIFY(text.contains(u"\\u202e"_s)); // shown as what it is
        QVERIFY(!text.contains(QChar(0x202e)));
        QVERIFY(!text.contains(u'\n'));
    }

    void keysGoFromPointToPoint()
    {
        const QDateTime now = sample::now();
        const auto points = timelineOf(delivered(now), now);
        JourneyLine line;
        line.setLine(points, now);
        QVERIFY(line.focusPolicy() & Qt::TabFocus);
        const QString whole = line.accessibleDescription();
        QTest::keyClick(&line, Qt::Key_Right);
        QCOMPARE(line.chosen(), 0);
        QVERIFY(line.accessibleDescription().startsWith(u"Point 1 of 6: Written "_s));
        QTest::keyClick(&line, Qt::Key_Left);
        QCOMPARE(line.chosen(), 0);
        QTest::keyClick(&line, Qt::Key_Right);
        QVERIFY(line.accessibleDescription().contains(points.at(1).note));
        QTest::keyClick(&line, Qt::Key_End);
        QCOMPARE(line.chosen(), 5);
        QTest::keyClick(&line, Qt::Key_Right);
        QCOMPARE(line.chosen(), 5);
        line.setLine(timelineOf(delivered(now), now.addSecs(1)), now.addSecs(1));
        QCOMPARE(line.chosen(), 5); // a refresh takes no point away
        QTest::keyClick(&line, Qt::Key_Home);
        QCOMPARE(line.chosen(), 0);
        line.setLine(points, now);
        QTest::keyClick(&line, Qt::Key_Escape);
        QCOMPARE(line.chosen(), -1);
        QCOMPARE(line.accessibleDescription(), whole);
    }

    void aPointGivesItsTime()
    {
        const QDateTime now = sample::now();
        const auto points = timelineOf(delivered(now), now);
        JourneyLine line;
        line.setLine(points, now);
        QTest::keyClick(&line, Qt::Key_Right);
        QTest::keyClick(&line, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), exactTime(*points.at(0).at));
        QVERIFY(!points.at(1).at);
        QTest::keyClick(&line, Qt::Key_Right);
        QTest::keyClick(&line, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), exactTime(*points.at(0).at)); // it has none
    }

    void isPaintedInBothTones()
    {
        const QDateTime now = sample::now();
        JourneyLine line;
        line.setLine(timelineOf(delivered(now), now), now);
        line.resize(1024, line.sizeHint().height());
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            const QImage picture = line.grab().toImage();
            const auto place = line.places().last();
            const auto isDrawn = [&](const QRect &where) {
                const QColor ground = picture.pixelColor(picture.width() - 4, 6); // no gap is there
                for (int x = where.left(); x <= where.right(); ++x) {
                    for (int y = where.top(); y <= where.bottom(); ++y) {
                        if (picture.pixelColor(x, y) != ground)
                            return true;
                    }
                }
                return false;
            };
            for (const QRect &where : {place.gap, place.glyph, place.word, place.time})
                QVERIFY(isDrawn(where));
        }
        theme::apply(ThemeChoice::Light);
    }

    void standsAtTheHeadOfItsMessage()
    {
        MessagePanel panel;
        panel.resize(1024, 400);
        panel.show();
        auto *line = panel.findChild<JourneyLine *>(u"journeyLine"_s);
        QVERIFY(line != nullptr);
        QVERIFY(line->isHidden());
        const IdVerdict verdict = delivered(sample::now());
        panel.showRow(*verdict.row);
        QVERIFY(line->isHidden()); // until the answer comes
        panel.setVerdict(verdict);
        QVERIFY(!line->isHidden());
        QCOMPARE(line->places().size(), 6);
        panel.showRow(sample::message(104));
        QVERIFY(line->isHidden());
    }

    /// Fails where the parts of a low panel are pressed together: then the times are cut off.
    void isWholeInALowPanel()
    {
        MessagePanel panel;
        panel.resize(600, 140); // the least that the page of rows leaves it
        panel.show();
        const IdVerdict verdict = delivered(sample::now());
        panel.showRow(*verdict.row);
        panel.setVerdict(verdict);
        const auto *line = panel.findChild<JourneyLine *>(u"journeyLine"_s);
        QVERIFY(line != nullptr);
        QTRY_COMPARE(line->height(), line->sizeHint().height());
        QCOMPARE(panel.height(), 140);
    }
};

} // namespace tst_journeyline

OUTBOX_TEST(tst_journeyline::TestJourneyLine)
#include "tst_journeyline.moc"
