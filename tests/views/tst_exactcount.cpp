// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An exact count is offered where a number is none, is watched, ends at will and says its time.
#include "models/phrases.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/outboxview.h"
#include "views/theme/theme.h"

#include <QAbstractButton>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_exactcount {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

ExactCount whole()
{
    ExactCount count;
    count.rows = {{MessageState::Pending, 10'000}, {MessageState::Processed, 9'990'004}};
    count.seen = 10'000'004;
    count.at = QDateTime::currentDateTimeUtc();
    count.started = count.at.addMSecs(-21'000);
    count.tookMs = 9'800;
    count.longestMs = 61;
    count.isComplete = true;
    return count;
}

} // namespace

class TestExactCount : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        theme::apply(ThemeChoice::Light);
    }

    void itIsOfferedWhereNumbersAreEstimates()
    {
        OutboxView view;
        view.resize(1200, 700);
        view.show();
        const auto *button = view.findChild<QAbstractButton *>(u"outboxCountExactly"_s);
        OutboxSnapshot exact = sample::largeCounts();
        exact.exact = true;
        view.setCounts(exact);
        QVERIFY(!button->isVisible());
        view.setCounts(sample::largeCounts());
        QVERIFY(button->isVisible());
    }

    void aChipsMenuBeginsIt()
    {
        OutboxView view;
        view.resize(1200, 700);
        view.show();
        QSignalSpy asked(view.exactCount(), &ExactCountBar::countAsked);
        auto *chip = view.findChild<QAbstractButton *>(u"outboxState-processed"_s);
        QContextMenuEvent click(QContextMenuEvent::Keyboard, chip->rect().center(),
                                chip->mapToGlobal(chip->rect().center()));
        QCoreApplication::sendEvent(chip, &click);
        const QList<QMenu *> menus = view.findChildren<QMenu *>();
        const auto shown = std::find_if(menus.begin(), menus.end(),
                                        [](const QMenu *one) { return one->isVisible(); });
        QVERIFY(shown != menus.end());
        QMenu *menu = *shown;
        menu->actions().constFirst()->trigger();
        menu->close();
        QCOMPARE(asked.count(), 1);
        view.exactCount()->begin(); // one is under way
        QCOMPARE(asked.count(), 1);
    }

    void itIsWatchedEndedAndTold()
    {
        OutboxView view;
        view.resize(1200, 700);
        view.show();
        view.setCounts(sample::largeCounts());
        ExactCountBar *bar = view.exactCount();
        QSignalSpy cancelled(bar, &ExactCountBar::cancelAsked);
        auto *button = bar->findChild<QAbstractButton *>(u"outboxExactCountAction"_s);
        bar->begin();
        ExactCount part = whole();
        part.rows[MessageState::Processed] = 1'230'000;
        part.seen = 1'240'000;
        bar->setProgress(part);
        QVERIFY2(bar->text().contains(u"1,240,000 of about 10,000,000 rows"_s),
                 qPrintable(bar->text()));
        QVERIFY(bar->text().contains(u"1,230,000 processed, 10,000 pending"_s));
        button->click();
        QCOMPARE(cancelled.count(), 1);
        bar->setResult(whole());
        QVERIFY2(bar->text().contains(u"9,990,004 processed, 10,000 pending at "_s),
                 qPrintable(bar->text()));
        QVERIFY(bar->text().contains(u"61 ms"_s));
        view.setCounts(sample::largeCounts());
        const auto *chip = view.findChild<QAbstractButton *>(u"outboxState-processed"_s);
        const QString at = momentText(whole().at, QDateTime::currentDateTimeUtc()).left(3);
        QVERIFY2(chip->toolTip().contains(u"9,990,004 at "_s + at), qPrintable(chip->toolTip()));
        button->click(); // [Close]
        QVERIFY(!bar->isVisible());
        QCOMPARE(cancelled.count(), 1);
    }

    void aFailureIsToldPlain()
    {
        ExactCountBar bar;
        bar.begin();
        bar.setResult(fail(Error::Kind::Unsupported, u"counting"_s, u"<b>no key</b>"_s));
        QVERIFY(bar.text().contains(u"<b>no key</b>"_s));
        QVERIFY(!bar.isRunning());
    }

    void picture()
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            OutboxView view;
            view.resize(1180, 600);
            view.show();
            SourceHealth live;
            live.state = SourceHealth::State::Live;
            live.lastGood = QDateTime::currentDateTimeUtc();
            view.setHealth(live);
            view.setPage(sample::page(view.request(), 0, 60));
            view.setCounts(sample::largeCounts());
            ExactCount part = whole();
            part.rows[MessageState::Processed] = 1'230'000;
            part.seen = 1'240'000;
            view.exactCount()->setProgress(part);
            const QPixmap grabbed = view.grab();
            QVERIFY(!grabbed.isNull());
            if (!folder.isEmpty()) {
                const QString tone = choice == ThemeChoice::Light ? u"light"_s : u"dark"_s;
                QVERIFY(grabbed.save(folder + u"/exact-count-%1.png"_s.arg(tone)));
            }
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_exactcount

OUTBOX_TEST(tst_exactcount::TestExactCount)
#include "tst_exactcount.moc"
