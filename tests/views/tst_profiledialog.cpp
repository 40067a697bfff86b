// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The connection manager edits a copy, and no password stays in an address.
#include "models/profile/profilepasswords.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/connections/profiledialog.h"
#include "views/frame/welcomeview.h"
#include "views/widgets/noticebar.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

namespace tst_profiledialog {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestProfileDialog : public QObject
{
    Q_OBJECT

    std::unique_ptr<ProfileDialog> m_dialog;
    QList<Profile> m_saved;

    QLineEdit *line(const QString &name) { return m_dialog->findChild<QLineEdit *>(name); }
    void press(const QString &name)
    {
        QTest::mouseClick(m_dialog->findChild<QPushButton *>(name), Qt::LeftButton);
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void init()
    {
        Profile one;
        one.name = u"orders"_s;
        one.environment = Environment::Production;
        one.databaseUrl = u"postgresql://app@pg-1/orders"_s;
        one.shape = OutboxShape();
        Profile two;
        two.name = u"local"_s;
        two.retentionSeconds = 90;
        m_saved = {one, two};
        m_dialog = std::make_unique<ProfileDialog>();
        m_dialog->setProfiles(m_saved);
        m_dialog->open();
    }

    void changesNothingByLooking()
    {
        QSignalSpy saved(m_dialog.get(), &ProfileDialog::profilesSaved);
        auto *list = m_dialog->findChild<QListWidget *>(u"profileList"_s);
        list->setCurrentRow(1);
        list->setCurrentRow(0);
        press(u"profileSave"_s);
        QCOMPARE(saved.last().first().value<QList<Profile>>(), m_saved);
    }

    void safetyIsKept()
    {
        const auto *most = m_dialog->findChild<QSpinBox *>(u"profileMostItems"_s);
        QCOMPARE(most->value(), 1'000'000);
        for (const auto &[name, text] : {std::pair(u"profileActingUser"_s, u"outbox_operator"_s),
                                         std::pair(u"profileActingRedisUser"_s, u"operator"_s),
                                         std::pair(u"profileStatusTable"_s, u"mail.status"_s)})
            QTest::keyClicks(line(name), text);
        const auto *save = m_dialog->findChild<QPushButton *>(u"profileSave"_s);
        QVERIFY(!save->isEnabled()); // a status table without its columns cannot be read
        QTest::keyClicks(line(u"profileStatusId"_s), u"outbox_id"_s);
        QTest::keyClicks(line(u"profileStatusColumn"_s), u"state"_s);
        QVERIFY(save->isEnabled());
        const Profile edited = m_dialog->currentProfile();
        QCOMPARE(edited.actingUser, u"outbox_operator"_s);
        QCOMPARE(edited.actingRedisUser, u"operator"_s);
        QVERIFY(edited.readOnly);
        const StatusTable wanted{{u"mail"_s, u"status"_s}, u"outbox_id"_s, u"state"_s, u"sent"_s};
        QCOMPARE(edited.status, std::optional(wanted));
        // And out again: another profile has none of it.
        m_dialog->findChild<QListWidget *>(u"profileList"_s)->setCurrentRow(1);
        QVERIFY(line(u"profileStatusTable"_s)->text().isEmpty());
        QVERIFY(!m_dialog->currentProfile().status);
    }

    void masksAreKeptOrTheFaultIsShownUnderIt()
    {
        auto *paths = m_dialog->findChild<QPlainTextEdit *>(u"profileMasks"_s);
        auto *fault = m_dialog->findChild<QLabel *>(u"profileMasksFault"_s);
        const auto *save = m_dialog->findChild<QPushButton *>(u"profileSave"_s);
        auto *list = m_dialog->findChild<QListWidget *>(u"profileList"_s);
        paths->setPlainText(u"*.password\n\n  $.card.number"_s);
        QVERIFY(save->isEnabled() && fault->isHidden());
        const QStringList wanted{u"*.password"_s, u"$.card.number"_s};
        QCOMPARE(m_dialog->currentProfile().masks.texts(), wanted);
        paths->setPlainText(u"*.password\n$.card[x]"_s);
        QVERIFY(!fault->isHidden());
        QCOMPARE(fault->text().section(u'\n', 0, 1), u"$.card[x]\n       ^"_s);
        QVERIFY(!save->isEnabled());
        QVERIFY(!list->isEnabled()); // another profile would drop what is typed
        QCOMPARE(m_dialog->currentProfile().masks.texts(), wanted); // never none by accident
        paths->setPlainText(u"$.card"_s);
        QVERIFY(save->isEnabled() && list->isEnabled());
        list->setCurrentRow(1);
        QVERIFY(paths->toPlainText().isEmpty());
        QVERIFY(m_dialog->currentProfile().masks.isEmpty());
    }

    void theGroupIsKept()
    {
        QTest::keyClicks(line(u"profileGroup"_s), u"payments"_s);
        QCOMPARE(m_dialog->currentProfile().group, u"payments"_s);
        auto *list = m_dialog->findChild<QListWidget *>(u"profileList"_s);
        list->setCurrentRow(1);
        QVERIFY(line(u"profileGroup"_s)->text().isEmpty());
        list->setCurrentRow(0);
        QCOMPARE(line(u"profileGroup"_s)->text(), u"payments"_s);
        line(u"profileGroup"_s)->clear();
        QCOMPARE(m_dialog->currentProfile(), m_saved.first());
    }

    void editsACopyOnly()
    {
        QSignalSpy saved(m_dialog.get(), &ProfileDialog::profilesSaved);
        line(u"profileName"_s)->selectAll();
        QTest::keyClicks(line(u"profileName"_s), u"renamed"_s);
        QCOMPARE(m_dialog->currentProfile().name, u"renamed"_s);
        QCOMPARE(m_saved.first().name, u"orders"_s);
        press(u"profileCancel"_s);
        QCOMPARE(saved.count(), 0);
        QVERIFY(!m_dialog->isVisible());
        m_dialog->setProfiles(m_saved);
        QCOMPARE(m_dialog->profiles(), m_saved);
        QCOMPARE(line(u"profileName"_s)->text(), u"orders"_s);
    }

    void takesAPasswordOutOfAPastedAddress()
    {
        QSignalSpy tested(m_dialog.get(), &ProfileDialog::testAsked);
        line(u"profileDatabase"_s)->setText(u"postgresql://app:s%40cret@pg-1:5432/orders?a=b"_s);
        line(u"profileRedis"_s)->setText(u"redis://:hush@redis-1:6379/0"_s);
        QCOMPARE(line(u"profileDatabase"_s)->text(), u"postgresql://app@pg-1:5432/orders?a=b"_s);
        QCOMPARE(line(u"profileDatabasePassword"_s)->text(), u"s@cret"_s);
        QCOMPARE(line(u"profileDatabasePassword"_s)->echoMode(), QLineEdit::Password);
        QCOMPARE(line(u"profileRedis"_s)->text(), u"redis://redis-1:6379/0"_s);
        press(u"profileTest"_s);
        const auto passwords = tested.last().at(1).value<ProfilePasswords>();
        QCOMPARE(passwords.database, u"s@cret"_s);
        QCOMPARE(passwords.redis, u"hush"_s);
        QVERIFY(!m_dialog->profiles().first().databaseUrl.contains(u"cret"_s));
        m_dialog->setProfiles(m_saved);
        QVERIFY(line(u"profileDatabasePassword"_s)->text().isEmpty());
    }

    void splitsAddresses_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("password");
        QTest::newRow("none") << u"postgresql://u@h/d"_s << u"postgresql://u@h/d"_s << QString();
        QTest::newRow("port only") << u"redis://h:6379/0"_s << u"redis://h:6379/0"_s << QString();
        QTest::newRow("at sign in the password")
            << u"postgresql://u:p@ss@h/d"_s << u"postgresql://u@h/d"_s << u"p@ss"_s;
        QTest::newRow("colon in the password")
            << u"redis://u:a:b@h"_s << u"redis://u@h"_s << u"a:b"_s;
        QTest::newRow("as an option") << u"postgresql:///d?password=x%26y&host=/run"_s
                                      << u"postgresql:///d?host=/run"_s << u"x&y"_s;
        QTest::newRow("at sign in the path")
            << u"sqlite:///home/a:b@c/x.db"_s << u"sqlite:///home/a:b@c/x.db"_s << QString();
        QTest::newRow("several hosts")
            << u"postgresql://u:p@a:1,b:2/d"_s << u"postgresql://u@a:1,b:2/d"_s << u"p"_s;
        QTest::newRow("no address") << u"hello"_s << u"hello"_s << QString();
        QTest::newRow("nothing behind") << u"redis://"_s << u"redis://"_s << QString();
    }

    void splitsAddresses()
    {
        QFETCH(QString, url);
        QFETCH(QString, address);
        QFETCH(QString, password);
        QCOMPARE(passwordTakenFrom(url), password);
        QCOMPARE(url, address);
    }

    void duplicatesDeletesAndTakesItBack()
    {
        press(u"profileDuplicate"_s);
        QCOMPARE(m_dialog->profiles().size(), 3);
        QCOMPARE(m_dialog->profiles().last().name, u"orders 2"_s);
        QVERIFY(m_dialog->profiles().last().shape.has_value());
        press(u"profileDelete"_s);
        QCOMPARE(m_dialog->profiles(), m_saved);
        auto *notice = m_dialog->findChild<NoticeBar *>(u"profileNotice"_s);
        QVERIFY(notice->isVisible());
        press(u"profileNoticeAction"_s);
        QCOMPARE(m_dialog->profiles().size(), 3);
        QVERIFY(!notice->isVisible());
    }

    void deletingSaysWhatGoes()
    {
        QStringList asked;
        m_dialog->setGoing([&asked](const QString &name) {
            asked += name;
            return u"This goes with it: <b>3 alerts."_s;
        });
        auto *notice = m_dialog->findChild<NoticeBar *>(u"profileNotice"_s);
        press(u"profileDuplicate"_s);
        press(u"profileDelete"_s); // it was never saved: nothing is kept of it
        QCOMPARE(asked, QStringList());
        m_dialog->chooseProfile(u"orders"_s);
        line(u"profileName"_s)->setText(u"another name"_s);
        press(u"profileDelete"_s);
        QCOMPARE(asked, QStringList{u"orders"_s}); // what is kept has the saved name still
        QVERIFY2(notice->text().contains(u"This goes with it"_s), qPrintable(notice->text()));
        m_dialog->setGoing({});
    }

    void refusesNamesThatCannotBeToldApart()
    {
        auto *save = m_dialog->findChild<QPushButton *>(u"profileSave"_s);
        QVERIFY(save->isEnabled());
        line(u"profileName"_s)->selectAll();
        QTest::keyClicks(line(u"profileName"_s), u"local"_s);
        QVERIFY(!save->isEnabled());
        QTest::keyClicks(line(u"profileName"_s), u"2"_s);
        QVERIFY(save->isEnabled());
    }

    void explainsTheFirstFailureOnly()
    {
        using State = ConnectionStep::State;
        m_dialog->setTestSteps({{u"connect"_s, State::Ok, 0.8, u"fine"_s},
                                {u"log in"_s, State::Failed, 3, u"Wrong password."_s},
                                {u"table"_s, State::Failed, 0, u"No connection."_s},
                                {u"clock"_s, State::Skipped, 0, u"No connection."_s}});
        QStringList texts;
        for (const QLabel *one : m_dialog->findChildren<QLabel *>())
            texts.append(one->text());
        QVERIFY(texts.contains(u"Wrong password."_s));
        QVERIFY(!texts.contains(u"No connection."_s));
    }

    /// What a database does not answer says nothing about Redis.
    void explainsAFailureAtEachServer()
    {
        using State = ConnectionStep::State;
        m_dialog->setTestSteps({{u"log in"_s, State::Failed, 3, u"Wrong password."_s},
                                {u"table"_s, State::Skipped, 0, {}},
                                {u"rows"_s, State::Skipped, 0, {}},
                                {u"log in"_s, State::Failed, 1, u"Redis says no."_s, true},
                                {u"queue"_s, State::Skipped, 0, {}, true}});
        QStringList texts;
        for (const QLabel *one : m_dialog->findChildren<QLabel *>())
            texts.append(one->text());
        QVERIFY(texts.contains(u"Wrong password."_s));
        QVERIFY(texts.contains(u"Redis says no."_s));
        QVERIFY(!texts.contains(u"rows"_s) && !texts.contains(u"queue"_s));
    }

    void importsAnAddress()
    {
        WelcomeView welcome;
        QSignalSpy asked(&welcome, &WelcomeView::importAsked);
        auto *url = welcome.findChild<QLineEdit *>(u"welcomeUrl"_s);
        auto *import = welcome.findChild<QPushButton *>(u"welcomeImport"_s);
        QVERIFY(!import->isEnabled());
        QTest::keyClicks(url, u"postgresql://app:x@pg/orders"_s);
        QTest::keyClick(url, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        m_dialog->importUrl(asked.first().first().toString());
        QCOMPARE(m_dialog->currentProfile().databaseUrl, u"postgresql://app@pg/orders"_s);
        QCOMPARE(line(u"profileDatabasePassword"_s)->text(), u"x"_s);
        QCOMPARE(m_dialog->profiles().size(), 3);
        // Both at once make one system; a blank in a path is no border between two.
        m_dialog->importUrl(u" sqlite:///srv/my shop.db\n redis://:y@cache:6379/2 "_s);
        QCOMPARE(m_dialog->currentProfile().databaseUrl, u"sqlite:///srv/my shop.db"_s);
        QCOMPARE(m_dialog->currentProfile().redisUrl, u"redis://cache:6379/2"_s);
        QCOMPARE(line(u"profileRedisPassword"_s)->text(), u"y"_s);
        QCOMPARE(m_dialog->profiles().size(), 4);
    }

    /// In asynq's spelling it is the sentinels' own; the Redis would refuse it.
    void thePasswordOfSentinelsIsNotThatOfRedis()
    {
        const QString address = u"redis-sentinel://:hush@h1,h2?master=m"_s;
        const QString open = u"redis-sentinel://h1,h2?master=m"_s;
        QSignalSpy tested(m_dialog.get(), &ProfileDialog::testAsked);
        const auto passwords = [&] {
            press(u"profileTest"_s);
            return tested.last().at(1).value<ProfilePasswords>();
        };
        QVERIFY(line(u"profileSentinelPassword"_s)->isHidden()); // who has none is not asked
        line(u"profileRedis"_s)->setText(address);
        QVERIFY(!line(u"profileSentinelPassword"_s)->isHidden());
        QCOMPARE(line(u"profileRedis"_s)->text(), open);
        QCOMPARE(line(u"profileSentinelPassword"_s)->echoMode(), QLineEdit::Password);
        QCOMPARE(passwords(), (ProfilePasswords{QString(), QString(), u"hush"_s}));
        m_dialog->setProfiles(m_saved);
        QCOMPARE(passwords(), ProfilePasswords());
        m_dialog->importUrl(address);
        QCOMPARE(m_dialog->currentProfile().redisUrl, open);
        QCOMPARE(passwords(), (ProfilePasswords{QString(), QString(), u"hush"_s}));
    }
};

} // namespace tst_profiledialog

OUTBOX_TEST(tst_profiledialog::TestProfileDialog)
#include "tst_profiledialog.moc"
