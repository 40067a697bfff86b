// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A click on a light of the status bar tells what looking costs that source, and goes on telling.
#include "models/phrases.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/frame/livestatus.h"
#include "views/frame/sourcedetails.h"
#include "views/theme/theme.h"

#include <QAbstractButton>
#include <QTest>

namespace tst_sourcedetails {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime start = QDateTime::fromSecsSinceEpoch(1'763'700'000, Qt::UTC);

PollCost cheap()
{
    PollCost cost;
    cost.since = start;
    cost.figures = {start.addSecs(100), 1.94, 1000, 1000, 0};
    cost.list = {start.addSecs(99), 12.4, 2000, 2000, 0};
    cost.looks = 151;
    cost.totalMs = 814;
    cost.traffic = {1302, 5'400'000};
    return cost;
}

QString told(const QList<Fact> &facts)
{
    QStringList lines;
    for (const Fact &fact : facts)
        lines += fact.name + u": "_s + fact.value;
    return lines.join(u'\n');
}

} // namespace

class TestSourceDetails : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        QLocale::setDefault(QLocale::c());
        theme::apply(ThemeChoice::Light);
    }

    void sharesAreOfTheInterval()
    {
        const QDateTime now = start.addSecs(100);
        const QString text = told(costFacts(Source::Database, cheap(), now));
        QVERIFY2(text.contains(u"Counting rows: 1.9 ms of each 1000 ms (0.2 %)"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(u"Rows on screen: 12 ms of each 2000 ms (0.6 %)"_s),
                 qPrintable(text));
        QVERIFY2(text.contains(u"0.8 s in 100 s (0.8 %)"_s), qPrintable(text));
        QVERIFY2(text.contains(u"Statements: 1302"_s), qPrintable(text));
        QVERIFY2(text.contains(u"Looks: 151"_s), qPrintable(text));
        QVERIFY2(text.contains(u"Read: "_s + bytesText(5'400'000)), qPrintable(text));
        QVERIFY(told(costFacts(Source::Queue, cheap(), now)).contains(u"Commands: 1302"_s));
    }

    void aSlowedLookSaysWhy()
    {
        PollCost cost = cheap();
        cost.figures = {start.addSecs(100), 610, 4000, 1000, 603};
        const QList<Fact> facts = costFacts(Source::Database, cost, start.addSecs(101));
        QVERIFY(facts.constFirst().alarming);
        QVERIFY2(facts.constFirst().value.contains(
                     u"Slowed down from 1.0 s to 4.0 s: a look took 603 ms"_s),
                 qPrintable(facts.constFirst().value));
    }

    void whatIsNoLongerAskedIsNotTakenForACost()
    {
        const QDateTime later = start.addSecs(160);
        const QString text = told(costFacts(Source::Database, cheap(), later));
        QVERIFY2(text.contains(u"Rows on screen: 12 ms, last asked at "_s), qPrintable(text));
        QVERIFY(told(costFacts(Source::Database, {}, later)).contains(u"no answer yet"_s));
    }

    void aClickOpensThemAndEachLookIsSeen()
    {
        LiveStatus status;
        status.resize(1200, 30);
        status.setVisible(true);
        status.setAddress(Source::Database, u"postgresql://db1/shop"_s);
        PollCost cost = cheap();
        cost.figures.at = QDateTime::currentDateTimeUtc();
        cost.since = cost.figures.at->addSecs(-100);
        status.setCost(Source::Database, cost);
        auto *details = status.findChild<SourceDetails *>(u"databaseDetails"_s);
        QVERIFY(!details->isVisible());
        status.findChild<QAbstractButton *>(u"databaseStatus"_s)->click();
        QVERIFY(details->isVisible());
        const QString spoken = details->accessibleDescription();
        QVERIFY2(spoken.contains(u"postgresql://db1/shop"_s), qPrintable(spoken));
        QVERIFY2(spoken.contains(u"1.9 ms of each 1000 ms"_s), qPrintable(spoken));
        cost.traffic.statements = 1303;
        status.setCost(Source::Database, cost);
        QVERIFY(details->accessibleDescription().contains(u"Statements: 1303"_s));
        SourceHealth lost;
        lost.state = SourceHealth::State::Failing;
        lost.error = Error{Error::Kind::Unreachable, u"connecting"_s, u"<b>no route</b>"_s, {}, {}};
        status.setSource(Source::Database, lost);
        QVERIFY(details->accessibleDescription().contains(u"<b>no route</b>"_s));
        QTest::keyClick(details, Qt::Key_Escape);
        QVERIFY(!details->isVisible());
    }

    void picture()
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            LiveStatus status;
            status.resize(1200, 30);
            status.setVisible(true);
            status.setAddress(Source::Database, u"postgresql://outbox@db1.example.org/shop"_s);
            PollCost cost = cheap();
            cost.figures = {QDateTime::currentDateTimeUtc(), 610, 4000, 1000, 603};
            cost.since = cost.figures.at->addSecs(-1000);
            status.setCost(Source::Database, cost);
            status.findChild<QAbstractButton *>(u"databaseStatus"_s)->click();
            auto *details = status.findChild<SourceDetails *>(u"databaseDetails"_s);
            QCoreApplication::processEvents(); // the layout
            const QPixmap grabbed = details->grab();
            QVERIFY(!grabbed.isNull());
            if (!folder.isEmpty()) {
                const QString tone = choice == ThemeChoice::Light ? u"light"_s : u"dark"_s;
                QVERIFY(grabbed.save(folder + u"/source-details-%1.png"_s.arg(tone)));
            }
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_sourcedetails

OUTBOX_TEST(tst_sourcedetails::TestSourceDetails)
#include "tst_sourcedetails.moc"
