// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that the demo can break, in the real window: within three looks the sentence, its
// cause and the page that it leads to are right, and all is well again when it was healed.
#include "app/desktop/desktop.h"
#include "tests/support/ctl.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/temporaryplace.h"
#include "tests/support/testprogram.h"
#include "views/frame/messagebar.h"
#include "views/overview/overviewview.h"

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

namespace tst_breakages {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// What is to be said of one breakage, and how it is healed.
struct Expected
{
    HealthLevel level;
    QString sentence; ///< a regular expression
    QString link; ///< what the cause is shown with; empty: it stays on Overview
    int page;
    int slack; ///< looks that go by before there is anything to see
    enum class Heals { ByItself, ByMenu, ByVerbs } heals;
    QList<QStringList> verbs;
};

using Heals = Expected::Heals;

const QString parkedRow = u"{parked}"_s; ///< stands for the id of the one that is parked

const QMap<QString, Expected> &expectations()
{
    static const QMap<QString, Expected> all{
        {breakage::stopRelay,
         {HealthLevel::Watch,
          u"^The relay here was stopped at \\d\\d:\\d\\d:\\d\\d, and nothing has been delivered "
          u"since: .*row"_s,
          u"relay"_s,
          Pages::Relay,
          0,
          Heals::ByMenu,
          {}}},
        // It dies in its next batch.
        {breakage::killRelay,
         {HealthLevel::Broken,
          u"^The relay here failed: it was killed in mid-batch"_s,
          u"relay"_s,
          Pages::Relay,
          2,
          Heals::ByMenu,
          {}}},
        {breakage::loseAnswer, // counted, and over before anybody could do anything
         {HealthLevel::Ok, u"wait"_s, {}, Pages::Overview, 0, Heals::ByItself, {}}},
        {breakage::shrinkRetention,
         {HealthLevel::Watch,
          u"^Ids are kept for 10 s only, and a relay may send a batch again"_s,
          u"dedup"_s,
          Pages::Dedup,
          0,
          Heals::ByMenu,
          {}}},
        {breakage::killRedis,
         {HealthLevel::Unknown,
          u"^Unknown since .*: Redis does not answer"_s,
          {},
          Pages::Overview,
          1,
          Heals::ByItself,
          {}}},
        {breakage::freezeRedis,
         {HealthLevel::Unknown,
          u"^Unknown since .*: Redis does not answer"_s,
          {},
          Pages::Overview,
          1,
          Heals::ByItself,
          {}}},
        // A task runs for a moment before it fails, and ten attempts are no share yet.
        {breakage::failType,
         {HealthLevel::Watch,
          u"^Tasks fail: \\d+ of the last \\d+ attempts"_s,
          u"task:retry"_s,
          Pages::Queue,
          4,
          Heals::ByVerbs,
          {{u"run"_s, u"--filter"_s, u"state:archived"_s, u"--yes"_s}}}},
        // The relay has to meet such a row and to put it aside.
        {breakage::poisonRow,
         {HealthLevel::Watch,
          u"^One row is parked \\(.*no type.*\\): see to that"_s,
          u"state:parked"_s,
          Pages::Outbox,
          1,
          Heals::ByVerbs,
          {{u"purge"_s, parkedRow, u"--yes"_s}}}},
        {breakage::damageTask,
         {HealthLevel::Watch,
          u"^One row is parked \\(a task without a message blocks this id.*\\): see to that"_s,
          u"state:parked"_s,
          Pages::Outbox,
          1,
          Heals::ByMenu,
          {}}},
        {breakage::sameIds,
         {HealthLevel::Watch,
          u"^One row is parked \\(another message owns this task id.*\\): see to that"_s,
          u"state:parked"_s,
          Pages::Outbox,
          1,
          Heals::ByMenu,
          {}}},
        // Ten thousand tasks are written first.
        {breakage::fillArchive,
         {HealthLevel::Watch,
          u"^The archive of queue \"default\" is full \\(9,999 dead tasks\\)"_s,
          u"reconcile"_s,
          Pages::Reconcile,
          3,
          Heals::ByMenu,
          {}}},
        {breakage::holdTransaction,
         {HealthLevel::Watch,
          u"^demo report.* \\(process \\d+\\) holds rows in a transaction open"_s,
          u"state:locked"_s,
          Pages::Outbox,
          1,
          Heals::ByMenu,
          {}}},
        // Its rows are to be written before anybody can see them, which takes what the disk needs.
        {breakage::burst,
         {HealthLevel::Ok, u"wait.*\\d,\\d{3}/s"_s, {}, Pages::Overview, 15, Heals::ByItself, {}}},
    };
    return all;
}

} // namespace

class TestBreakages : public QObject
{
    Q_OBJECT

    TemporaryPlace m_temporary;
    QTemporaryDir m_folder;
    std::unique_ptr<Desktop> m_desktop;
    HealthReport m_report;
    int m_looks = 0;
    bool m_wasWell = false;
    QStringList m_table;

    void open(Demo::Kind kind)
    {
        m_desktop = std::make_unique<Desktop>(Folders{m_folder.path(), m_folder.path()});
        m_desktop->begin();
        QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
        m_desktop->openDemo(kind);
        QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 1, 60'000);
        if (!m_desktop->system())
            return;
        m_desktop->window().resize(1280, 800);
        m_desktop->window().show();
        m_report = {};
        connect(m_desktop->system(), &System::healthTaken, this,
                [this](const HealthReport &report) {
                    m_report = report;
                    m_wasWell = m_wasWell || report.level == HealthLevel::Ok;
                });
        connect(&m_desktop->system()->messages(), &MessageSource::taken, this,
                [this] { ++m_looks; });
    }
    [[nodiscard]] QAction *entry(const QString &id) const
    {
        return m_desktop->window().findChild<QMenu *>(u"breakMenu"_s)->findChild<QAction *>(id);
    }
    [[nodiscard]] bool isSaid(const Expected &expected) const
    {
        return m_report.level == expected.level
            && QRegularExpression(expected.sentence).match(m_report.sentence).hasMatch();
    }
    /// The button beside the cause, as a person would press it; the page that it opened.
    [[nodiscard]] int pageBehindSentence() const
    {
        MainWindow &window = m_desktop->window();
        window.showPage(Pages::Overview);
        for (auto *button : window.findChildren<QToolButton *>(u"showCause"_s)) {
            if (button->accessibleName().endsWith(m_report.sentence))
                button->click();
        }
        const int page = window.currentPage();
        window.showPage(Pages::Overview);
        return page;
    }
    [[nodiscard]] QStringList ofDemo() const
    {
        const Profile profile = m_desktop->system()->profile();
        return {u"--database"_s,  profile.databaseUrl,
                u"--redis"_s,     profile.redisUrl,
                u"--table"_s,     profile.table,
                u"--state-dir"_s, m_desktop->operations()->settings().stateFolder};
    }
    void picture(const QString &name) const
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        if (!folder.isEmpty())
            m_desktop->window().grab().save(folder + u'/' + name + u".png"_s);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        m_temporary.use();
    }

    void cleanupTestCase()
    {
        m_desktop.reset();
        QCOMPARE(m_temporary.leftovers(), QStringList());
        qInfo("\n%s", qPrintable(m_table.join(u'\n')));
    }

    void eachIsToldAndHeals_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("id");
        for (const auto &[kind, name] : {std::pair(Demo::Kind::Postgres, "PostgreSQL"),
                                         std::pair(Demo::Kind::Sqlite, "SQLite")}) {
            for (const Breakage &one :
                 breakages(DemoDesign::RedisRelay, kind == Demo::Kind::Postgres)) {
                QTest::addRow("%s, %s", name, qPrintable(one.id)) << int(kind) << one.id;
            }
        }
    }

    void eachIsToldAndHeals()
    {
        QFETCH(int, kind);
        QFETCH(QString, id);
        QVERIFY(expectations().contains(id));
        const Expected expected = expectations().value(id);
        const auto wanted = static_cast<Demo::Kind>(kind);
        const QString database = wanted == Demo::Kind::Postgres ? u"PostgreSQL"_s : u"SQLite"_s;
        if (!m_desktop || !m_desktop->profile()
            || m_desktop->profile()->name.contains(u"PostgreSQL"_s)
                != (wanted == Demo::Kind::Postgres))
            open(wanted);
        if (!m_desktop->system())
            QSKIP("no private server could be started: apt-get install redis-server postgresql");
        MainWindow &window = m_desktop->window();
        window.showPage(Pages::Overview);
        const auto isWell = [this] { return m_report.level == HealthLevel::Ok; };
        QTRY_VERIFY2_WITH_TIMEOUT(isWell(), qPrintable(m_report.sentence), 60'000);
        QTRY_VERIFY(m_desktop->relay()->driver().state() == RelayState::Running);
        QVERIFY(!entry(id)->isChecked());
        const RelayTotals before = m_desktop->relay()->driver().totals();

        m_looks = 0;
        const QSignalSpy toggled(entry(id), &QAction::toggled);
        emit window.breakAsked(id);
        QTRY_VERIFY(toggled.count() > 0);
        QTRY_VERIFY2_WITH_TIMEOUT(isSaid(expected), qPrintable(m_report.sentence), 60'000);
        const int looks = std::max(0, m_looks - 1); // the first one had begun before
        const QString sentence = m_report.sentence;
        if (!expected.link.isEmpty()) {
            QCOMPARE(m_report.causes.first().filter, expected.link);
            QCOMPARE(pageBehindSentence(), expected.page);
        }
        picture(database + u'-' + id);
        m_table += u"%1 %2 looks %3  %4  -> %5: %6"_s.arg(database, -10)
                       .arg(id, -17)
                       .arg(looks)
                       .arg(word(expected.level), -7)
                       .arg(expected.link.isEmpty() ? u"(here)"_s : expected.link, sentence);
        QVERIFY2(looks <= 3 + expected.slack, qPrintable(m_table.last()));

        if (id == breakage::killRedis) { // it stays said while Redis is dead
            m_wasWell = false;
            m_looks = 0;
            QTRY_VERIFY(m_looks > 3);
            QVERIFY(!m_wasWell);
            QVERIFY(entry(id)->isChecked());
        }
        if (id == breakage::failType) { // until tasks have been given up
            const auto areDead = [this] {
                return std::any_of(m_report.causes.cbegin(), m_report.causes.cend(),
                                   [](const HealthCause &cause) {
                                       return cause.text.contains(u"dead in queue"_s);
                                   });
            };
            QTRY_VERIFY_WITH_TIMEOUT(areDead(), 60'000);
        }
        if (expected.heals != Heals::ByItself)
            QVERIFY(entry(id)->isChecked()); // it is broken as long as nobody heals it
        if (expected.heals == Heals::ByMenu || id == breakage::failType) {
            auto *cure = window.messages()->findChild<QPushButton *>(u"cure"_s);
            QVERIFY(cure);
            cure->click();
        }
        for (QStringList verb : expected.verbs) {
            if (verb.contains(parkedRow)) {
                const QStringList list{u"list"_s, u"--state"_s, u"parked"_s, u"--json"_s};
                const auto rows = runCtl(list + ofDemo()).objects();
                verb.replaceInStrings(parkedRow, rows.value(0).value("id"_L1).toString());
            }
            const CtlRun run = runCtl(verb + ofDemo());
            QVERIFY2(run.exitCode == 0, QByteArray(run.out + run.err).constData());
        }
        QTRY_VERIFY_WITH_TIMEOUT(!entry(id)->isChecked(), 60'000);
        QCOMPARE(window.messages()->count(), 0); // what it said is over
        QTRY_VERIFY2_WITH_TIMEOUT(isWell(), qPrintable(m_report.sentence), 60'000);
        const RelayTotals after = m_desktop->relay()->driver().totals();
        if (id == breakage::loseAnswer) {
            QCOMPARE(after.rollbacks, before.rollbacks + 1);
            QVERIFY(after.delivered() > before.delivered());
        }
    }
};

} // namespace tst_breakages

OUTBOX_TEST(tst_breakages::TestBreakages)
#include "tst_breakages.moc"
