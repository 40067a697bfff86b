// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Unlocking a system for writing: the dialog that asks why, and the band that counts down.
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/sampleplan.h"
#include "tests/support/testprogram.h"
#include "views/operation/unlockdialog.h"
#include "views/theme/theme.h"
#include "views/widgets/environmentband.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace tst_unlocking {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestUnlocking : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    void unlockingAsksForAReasonInProduction()
    {
        UnlockDialog unlock(sample::production());
        unlock.show();
        QVERIFY(QTest::qWaitForWindowActive(&unlock));
        auto *go = unlock.findChild<QPushButton *>(u"unlockGo"_s);
        QCOMPARE(unlock.findChild<QLineEdit *>(u"unlockDatabaseUser"_s)->text(),
                 u"outbox_operator"_s);
        QVERIFY(!go->isEnabled());
        QSignalSpy asked(&unlock, &UnlockDialog::armAsked);
        QTest::keyClicks(unlock.findChild<QLineEdit *>(u"unlockDatabasePassword"_s), u"secret"_s);
        QVERIFY(!go->isEnabled());
        QTest::keyClicks(unlock.findChild<QLineEdit *>(u"unlockReason"_s), u"INC-4711"_s);
        QVERIFY(go->isEnabled());
        go->setFocus();
        QTest::keyClick(go, Qt::Key_Return);
        const auto said = asked.first().first().value<Unlocking>();
        QCOMPARE(said.passwords.database, u"secret"_s);
        QCOMPARE(said.reason, u"INC-4711"_s);
        QVERIFY(!go->isEnabled()); // until the roles were tried
        unlock.showError({Error::Kind::Refused,
                          u"opening"_s,
                          u"password authentication failed"_s,
                          u"28P01"_s,
                          {}});
        QVERIFY(go->isEnabled());
        Profile staging = sample::production();
        staging.environment = Environment::Staging;
        QVERIFY(UnlockDialog(staging).findChild<QPushButton *>(u"unlockGo"_s)->isEnabled());
    }

    void enterUnlocksOnceThereIsAReason()
    {
        UnlockDialog unlock(sample::production());
        unlock.show();
        QVERIFY(QTest::qWaitForWindowActive(&unlock));
        QSignalSpy asked(&unlock, &UnlockDialog::armAsked);
        auto *reason = unlock.findChild<QLineEdit *>(u"unlockReason"_s);
        reason->setFocus();
        QTest::keyClick(reason, Qt::Key_Return);
        QVERIFY(unlock.isVisible()); // it is no Cancel
        QCOMPARE(asked.count(), 0);
        QTest::keyClicks(reason, u"INC-4711"_s);
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<Unlocking>().reason, u"INC-4711"_s);
        QTest::keyClick(reason, Qt::Key_Return); // the roles are being tried
        QCOMPARE(asked.count(), 1);
        QVERIFY(unlock.isVisible());
    }

    /// Who acts has to see where, also where an address has several hosts.
    void bandNamesAllHosts()
    {
        Profile profile = sample::production();
        profile.redisUrl = u"redis+cluster://ops@r1:7000,r2:7001"_s;
        const QString target = targetText(profile);
        QVERIFY2(target.contains(u"r1:7000,r2:7001"_s), qPrintable(target));
        QVERIFY2(!target.contains(u"ops@"_s), qPrintable(target));
    }

    void bandCountsDown()
    {
        const QDateTime start = QDateTime::fromSecsSinceEpoch(1'763'700'000, Qt::UTC);
        Arming arming{true, start.addSecs(armedMinutes * 60), u"ana@desk"_s, u"INC-4711"_s};
        QCOMPARE(lockWords(arming, start.addMSecs(500)), u"UNLOCKED 15:00"_s);
        QCOMPARE(lockWords(arming, start.addSecs(1)), u"UNLOCKED 14:59"_s);
        QCOMPARE(lockWords(arming, arming.until), u"READ-ONLY"_s);
        QVERIFY(!arming.isArmed(arming.until));
        QCOMPARE(lockWords({false, {}, {}, {}}, start), u"WRITING ALLOWED"_s);

        EnvironmentBand band;
        band.setProfile(sample::production());
        auto *button = band.findChild<QAbstractButton *>(u"bandLock"_s);
        QCOMPARE(button->accessibleName(), u"Unlock 15 min\u2026"_s);
        QVERIFY(band.accessibleName().contains(u"READ-ONLY"_s));
        QSignalSpy lock(&band, &EnvironmentBand::lockAsked);
        QSignalSpy unlock(&band, &EnvironmentBand::unlockAsked);
        button->click();
        band.setArming({true, sample::now().addSecs(60), u"ana@desk"_s, {}});
        QVERIFY(band.accessibleName().contains(u"UNLOCKED"_s));
        QCOMPARE(button->accessibleName(), u"Lock"_s);
        button->click();
        QCOMPARE(lock.count(), 1);
        QCOMPARE(unlock.count(), 1);
        // It ends by itself.
        band.setArming({true, sample::now().addMSecs(700), u"ana@desk"_s, {}});
        QTRY_VERIFY(band.accessibleName().contains(u"READ-ONLY"_s));
    }
};

} // namespace tst_unlocking

OUTBOX_TEST(tst_unlocking::TestUnlocking)
#include "tst_unlocking.moc"
