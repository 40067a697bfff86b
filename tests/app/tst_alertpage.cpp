// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page Alerts of the console on a real outbox, worked as an assistive technology works it: a
// rule written there is raised once by a backlog, told, and over, also where it is removed before;
// a wrong one is not saved; what is saved is there after a restart and under another name of its
// profile; a trial says what the kept history says.
#include "app/settings/alertstore.h"
#include "app/settings/groupnotes.h"
#include "app/settings/preferences.h"
#include "app/settings/privatefile.h"
#include "app/settings/profilestore.h"
#include "app/system/historykeeper.h"
#include "models/system/historybuffer.h"
#include "models/tables/alertmodel.h"
#include "tests/app/consoleground.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/alerts/alertsview.h"
#include "views/connections/profiledialog.h"
#include "views/frame/pagelist.h"
#include "views/tables/livetable.h"
#include "views/widgets/noticebar.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include <memory>

namespace tst_alertpage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestAlertPage : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_outbox;

    [[nodiscard]] Profile profile() const { return profileOver(*m_outbox, u"shop"_s); }
    [[nodiscard]] Profile away() const { return awayProfile(u"away"_s); }
    void begin(const Profile &opened)
    {
        m_desktop.reset();
        startAgain();
        openWindow(opened);
        window().showPage(Pages::Alerts);
    }
    [[nodiscard]] AlertsView *view() const { return m_desktop->pages().alerts; }
    [[nodiscard]] PageList *pageList() const { return window().findChild<PageList *>(); }
    [[nodiscard]] QAbstractItemModel *model() const
    {
        return view()->findChild<LiveTable *>(u"alertTable"_s)->model();
    }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return model()->index(row, column).data().toString();
    }
    [[nodiscard]] QString label(const QString &name) const
    {
        const auto *found = view()->findChild<QLabel *>(name);
        return found && !found->isHidden() ? found->text() : QString();
    }
    [[nodiscard]] static GroupNote note()
    {
        return {u"rows cause"_s, u"INC-12"_s, u"ana"_s,
                QDateTime::fromSecsSinceEpoch(1'795'225'841, Qt::UTC)};
    }
    /// The files of alerts in the folder of settings.
    [[nodiscard]] QStringList files() const
    {
        const QDir folder(m_folder->filePath(u"alerts"_s));
        QStringList paths;
        for (const QString &name : folder.entryList(QDir::Files))
            paths += folder.filePath(name);
        return paths;
    }
    void write(const QString &name, const QString &rule)
    {
        QVERIFY(walk::press(view(), u"Add an alert"_s));
        QVERIFY(walk::write(view(), u"Name of the alert"_s, name));
        QVERIFY(walk::write(view(), u"Rule"_s, rule));
    }
    /// A button that is pressed acts a moment later: waits until it did.
    void save()
    {
        QVERIFY(walk::press(view(), u"Save the alert"_s));
        QTRY_VERIFY(!view()->findChild<QPushButton *>(u"alertSave"_s)->isDown());
    }
    /// An alert for rows that wait, whose command writes into the file `path`.
    void saveBacklogAlert(const QString &path)
    {
        write(u"backlog"_s, u"pending > 0 for 1s"_s);
        QVERIFY(walk::write(view(), u"Command"_s, u"/bin/sh\n-c\ncat >> \"$0\"\n"_s + path));
        save();
        QTRY_COMPARE(model()->rowCount(), 1);
    }
    [[nodiscard]] static QList<QJsonObject> told(const QString &path)
    {
        QList<QJsonObject> events;
        for (const QByteArray &line : fileBytes(path).trimmed().split('\n'))
            events += QJsonDocument::fromJson(line).object();
        return events;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_outbox = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres, BenchShape::Payload,
                                                &m_postgres, m_redis);
        QVERIFY(m_outbox->setUp());
    }
    void cleanup()
    {
        m_desktop.reset();
        m_outbox.reset();
    }

    void aRuleIsRaisedOnceToldAndOver()
    {
        begin(profile());
        const QString heard = m_folder->filePath(u"told"_s);
        saveBacklogAlert(heard);
        QTRY_COMPARE(cell(0, AlertModel::State), u"Quiet"_s);
        QCOMPARE(pageList()->badge(Pages::Alerts), QString());

        QVERIFY(m_outbox->insertRows(20));
        QTRY_COMPARE(cell(0, AlertModel::State), u"Raised"_s);
        QCOMPARE(cell(0, AlertModel::Value), u"20"_s);
        QCOMPARE(cell(0, AlertModel::Limit), u"> 0"_s);
        QCOMPARE(pageList()->badge(Pages::Alerts), u"1"_s);
        QTRY_COMPARE(fileBytes(heard).count('\n'), 1);

        window().showPage(Pages::Overview);
        walk::Accessible *shown = nullptr;
        const auto findShow = [&] {
            shown = walk::first(
                QAccessible::queryAccessibleInterface(&window()), [](walk::Accessible *one) {
                    return one->role() == QAccessible::Button
                        && one->text(QAccessible::Name)
                               .startsWith(u"Show: backlog is raised: pending > 0 for 1s"_s);
                });
            return shown != nullptr;
        };
        QTRY_VERIFY(findShow());
        shown->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QTRY_COMPARE(window().currentPage(), int(Pages::Alerts));

        QVERIFY(m_outbox->exec(u"DELETE FROM "_s + m_outbox->table()));
        QTRY_COMPARE(cell(0, AlertModel::State), u"Quiet"_s);
        QCOMPARE(pageList()->badge(Pages::Alerts), QString());
        QTRY_COMPARE(fileBytes(heard).count('\n'), 2);
        const QList<QJsonObject> events = told(heard);
        QCOMPARE(events.at(0).value("event"_L1).toString(), u"raised"_s);
        QCOMPARE(events.at(1).value("event"_L1).toString(), u"over"_s);
        QCOMPARE(events.at(1).value("value"_L1).toDouble(-1), 0.0);
    }

    /// It fails where a rule on a filter is quiet though nobody can count, or says nothing of it.
    void aRuleOnAFilterIsCountedOrSaysWhyNot()
    {
        begin(profile());
        QVERIFY(m_outbox->insertRows(20));
        write(u"many"_s, u"rows \"state:pending\" > 5"_s);
        QTRY_VERIFY2(label(u"alertTrial"_s).startsWith(u"There is no history of this filter yet"_s),
                     qPrintable(label(u"alertTrial"_s)));
        save();
        QTRY_COMPARE(cell(0, AlertModel::State), u"Raised"_s);
        QCOMPARE(cell(0, AlertModel::Value), u"at least 6"_s);
        QCOMPARE(label(u"alertsUnjudged"_s), QString());
        write(u"blind"_s, u"rows \"cause:x\" > 5"_s);
        save();
        QTRY_VERIFY(label(u"alertsUnjudged"_s).startsWith(u"blind cannot be judged: "_s));
        QCOMPARE(cell(1, AlertModel::State), u"Not known"_s);
        QVERIFY(label(u"alertsNote"_s).contains(u"`outboxctl watch --alerts`"_s));
        // What is wrong in the filter stands under its character in the rule.
        write(u"wrong"_s, u"rows \"tipe:x\" > 5"_s);
        QTRY_VERIFY(label(u"alertRuleFault"_s).contains(u"at character 7"_s));
    }

    void mutingIsOnRecord()
    {
        begin(profile());
        write(u"late"_s, u"lag > 2m"_s);
        save();
        QTRY_COMPARE(model()->rowCount(), 1);
        const auto told = [this] {
            QStringList lines;
            for (const AuditEntry &entry : record()) {
                if (entry.kind == AuditEntry::Kind::Settings && !entry.who.isEmpty()
                    && entry.profile == u"shop"_s)
                    lines += entry.what;
            }
            return lines;
        };
        QCOMPARE(told(), QStringList());
        view()->findChild<LiveTable *>(u"alertTable"_s)->selectRow(0);
        const QMenu *menu = view()->findChild<QPushButton *>(u"alertMute"_s)->menu();
        menu->actions().constFirst()->trigger(); // for one hour
        QTRY_COMPARE(told().size(), 1);
        QVERIFY2(told().at(0).startsWith(u"Alert late: muted for "_s), qPrintable(told().at(0)));
        QVERIFY(told().at(0).contains(u", until "_s));
        view()->findChild<LiveTable *>(u"alertTable"_s)->selectRow(0);
        menu->actions().constLast()->trigger();
        QTRY_COMPARE(told().size(), 2);
        QCOMPARE(told().at(1), u"Alert late: not muted any more"_s);
    }

    /// Who was told that it is raised waits for its end.
    void aRaisedOneThatIsRemovedIsOver()
    {
        begin(profile());
        QVERIFY(m_outbox->insertRows(1));
        const QString heard = m_folder->filePath(u"told"_s);
        saveBacklogAlert(heard);
        QTRY_COMPARE(fileBytes(heard).count('\n'), 1);
        view()->findChild<LiveTable *>(u"alertTable"_s)->selectRow(0);
        QVERIFY(walk::press(view(), u"Remove the alert"_s));
        QTRY_COMPARE(fileBytes(heard).count('\n'), 2);
        const QJsonObject end = told(heard).at(1);
        QCOMPARE(end.value("event"_L1).toString(), u"over"_s);
        QVERIFY(end.value("value"_L1).isNull());
        QVERIFY(end.value("text"_L1).toString().contains(u"it was removed or changed"_s));
        QCOMPARE(pageList()->badge(Pages::Alerts), QString());
    }

    void anotherNameOfTheProfileKeepsTheRules()
    {
        ProfileStore store(folders().profilesFile());
        QVERIFY_RESULT(store.put(away()));
        begin(away());
        write(u"late"_s, u"lag > 2m"_s);
        save();
        QTRY_COMPARE(model()->rowCount(), 1);
        QVERIFY_RESULT(keepGroupNote(folders().groupNotesFile(), away().name, note()));
        m_desktop->openConnections();
        auto *dialog = window().findChild<ProfileDialog *>();
        QVERIFY(dialog != nullptr);
        dialog->findChild<QLineEdit *>(u"profileName"_s)->setText(u"moved"_s);
        dialog->findChild<QPushButton *>(u"profileSave"_s)->click();
        QCOMPARE(files(), QStringList{alertsFileIn(folders().config, u"moved"_s)});
        QCOMPARE(loadGroupNotes(folders().groupNotesFile(), u"moved"_s)->size(), 1);
        QCOMPARE(loadGroupNotes(folders().groupNotesFile(), away().name)->size(), 0);
        const auto preferences = Preferences::load(folders().preferencesFile());
        QVERIFY_RESULT(preferences);
        QCOMPARE(preferences->lastProfile, u"moved"_s);
        // What is open goes on with them, and so does who opens it by its new name.
        window().showPage(Pages::Overview);
        window().showPage(Pages::Alerts);
        QCOMPARE(model()->rowCount(), 1);
        Profile moved = away();
        moved.name = u"moved"_s;
        begin(moved);
        QCOMPARE(model()->rowCount(), 1);
        QCOMPARE(cell(0, AlertModel::Name), u"late"_s);
    }

    void whatIsDeletedSaysWhatGoesAndTakesIt()
    {
        ProfileStore store(folders().profilesFile());
        QVERIFY_RESULT(store.put(away()));
        QVERIFY_RESULT(store.put(awayProfile(u"stays"_s)));
        begin(away());
        write(u"late"_s, u"lag > 2m"_s);
        save();
        QTRY_COMPARE(model()->rowCount(), 1);
        QVERIFY_RESULT(keepGroupNote(folders().groupNotesFile(), away().name, note()));
        m_desktop->openConnections(away().name);
        auto *dialog = window().findChild<ProfileDialog *>();
        QVERIFY(dialog != nullptr);
        dialog->findChild<QPushButton *>(u"profileDelete"_s)->click();
        const QString words = dialog->findChild<NoticeBar *>(u"profileNotice"_s)->text();
        QVERIFY2(words.contains(u"This goes with it: 1 alert and 1 note."_s), qPrintable(words));
        QCOMPARE(files().size(), 1); // it is not saved yet
        dialog->findChild<QPushButton *>(u"profileSave"_s)->click();
        QCOMPARE(files(), QStringList());
        QCOMPARE(loadGroupNotes(folders().groupNotesFile(), away().name)->size(), 0);
        QCOMPARE(model()->rowCount(), 0);
    }

    void exchangedNamesExchangeTheRules()
    {
        const QString a = alertsFileIn(folders().config, u"a"_s);
        const QString b = alertsFileIn(folders().config, u"b"_s);
        Alert alert;
        alert.name = u"of a"_s;
        alert.rule = AlertRule::fromText(u"lag > 2m"_s).value_or(AlertRule());
        QVERIFY_RESULT(keepAlert(a, {}, alert));
        alert.name = u"of b"_s;
        QVERIFY_RESULT(keepAlert(b, {}, alert));
        QVERIFY_RESULT(moveAlerts(folders().config, {{u"a"_s, u"b"_s}, {u"b"_s, u"a"_s}}));
        QCOMPARE(keptAlerts(b).value_or(QList<Alert>()).value(0).name, u"of a"_s);
        QCOMPARE(keptAlerts(a).value_or(QList<Alert>()).value(0).name, u"of b"_s);
        QCOMPARE(files().size(), 2);
    }

    void aWrongRuleIsToldInPlaceAndNotSaved()
    {
        begin(profile());
        write(u"late"_s, u"lagg > 2m"_s);
        save();
        const QString fault = u"There is no figure `lagg`, at character 1: did you mean `lag`?"_s;
        QCOMPARE(label(u"alertRuleFault"_s), fault);
        QCOMPARE(walk::description(view(), QAccessible::EditableText, u"Rule"_s), fault);
        QCOMPARE(model()->rowCount(), 0);
        QCOMPARE(files(), QStringList());
        // The same form saves it as soon as it is right.
        QVERIFY(walk::write(view(), u"Rule"_s, u"lag > 2m"_s));
        QCOMPARE(label(u"alertRuleFault"_s), QString());
        save();
        QTRY_COMPARE(model()->rowCount(), 1);
        // Another with its name would take its place.
        write(u"late"_s, u"dead > 0"_s);
        save();
        QVERIFY(view()
                    ->findChild<NoticeBar *>(u"alertProblem"_s)
                    ->text()
                    .contains(u"another alert has this name"_s));
        QCOMPARE(model()->rowCount(), 1);
        QCOMPARE(cell(0, AlertModel::Rule), u"lag > 2m"_s);
    }

    void whatIsSavedIsThereAfterARestart()
    {
        begin(profile());
        write(u"late"_s, u"lag > 2m for 1m"_s);
        QVERIFY(walk::write(view(), u"Webhook"_s, u"https://host/secret"_s));
        save();
        // On disk at once: a window that is killed now has lost nothing.
        QTRY_COMPARE(files().size(), 1);
        const auto kept = loadAlerts(files().constFirst());
        QVERIFY_RESULT(kept);
        QCOMPARE(kept->size(), 1);
        QCOMPARE(kept->constFirst().webhook, QUrl(u"https://host/secret"_s));
        QCOMPARE(QFileInfo(files().constFirst()).permissions() & QFile::ReadOther,
                 QFile::Permissions());
        begin(profile());
        QCOMPARE(model()->rowCount(), 1);
        QCOMPARE(cell(0, AlertModel::Name), u"late"_s);
        QVERIFY(!cell(0, AlertModel::Told).contains(u"secret"_s));
        // Of another system there is none.
        begin(away());
        QCOMPARE(model()->rowCount(), 0);

        begin(profile());
        view()->findChild<LiveTable *>(u"alertTable"_s)->selectRow(0);
        QVERIFY(walk::press(view(), u"Remove the alert"_s));
        QTRY_COMPARE(model()->rowCount(), 0);
        QVERIFY(walk::press(view(), u"Put back"_s));
        QTRY_COMPARE(model()->rowCount(), 1);
        QCOMPARE(cell(0, AlertModel::Rule), u"lag > 2m for 1m"_s);
    }

    void aFileThatCannotBeReadIsLeftAsItIs()
    {
        begin(profile());
        write(u"late"_s, u"lag > 2m"_s);
        save();
        QTRY_COMPARE(files().size(), 1);
        const QString file = files().constFirst();
        m_desktop.reset();
        QVERIFY(writeFile(file, "[{\"name\":\"late\",\"rule\":\"lagg > 2m\"}]"));
        begin(profile());
        QCOMPARE(model()->rowCount(), 0);
        QVERIFY(!walk::isEnabled(view(), QAccessible::Button, u"Add an alert"_s));
        QVERIFY(fileBytes(file).contains("lagg"));
    }

    void noNameLeavesTheFolder()
    {
        QStringList paths;
        for (const QString &name : {u"../../etc"_s, u"a/b"_s, u"."_s, u".."_s, u"a"_s, u"A b"_s,
                                    QString(300, u'x'), QString(301, u'x'), QString()}) {
            const QFileInfo file(alertsFileIn(u"/config"_s, name));
            QCOMPARE(file.absolutePath(), u"/config/alerts"_s);
            QVERIFY(file.fileName().size() < 200);
            paths += file.absoluteFilePath();
        }
        QCOMPARE(paths.removeDuplicates(), 0);
    }

    void aTrialSaysWhatTheHistorySays()
    {
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const qint64 first = now - 9'000;
        const qint64 second = now - 4'000;
        HistoryBuffer buffer;
        for (qint64 at = now - 10'000; at < now; ++at) {
            const bool isHigh
                = (at >= first && at < first + 600) || (at >= second && at < second + 300);
            buffer.add(QDateTime::fromSecsSinceEpoch(at, Qt::UTC), Measure::Pending,
                       isHigh ? 7.0 : 0.0);
        }
        const QString file = historyFileOf(away(), m_folder->path());
        QVERIFY_RESULT(ensurePrivateFolder(QFileInfo(file).absolutePath()));
        {
            HistoryStore store;
            QVERIFY_RESULT(store.open(file));
            QVERIFY_RESULT(store.put(buffer.take(), now));
        }
        begin(away());
        write(u"high"_s, u"pending > 5 for 1m"_s);
        const auto clock = [](qint64 at) {
            return QLocale().toString(QDateTime::fromSecsSinceEpoch(at), u"ddd HH:mm"_s);
        };
        const QString expected
            = u"In the last 7 days this would have been raised 2 times: %1 for 9 min, %2 for 4 min."_s
                  .arg(clock(first + 60), clock(second + 60));
        QTRY_VERIFY2(label(u"alertTrial"_s).startsWith(expected),
                     qPrintable(label(u"alertTrial"_s) + u'\n' + expected));
        QVERIFY(label(u"alertTrial"_s).contains(u"Nothing is known of 6 days"_s));
        QVERIFY(walk::write(view(), u"Rule"_s, u"parked > 0"_s));
        QTRY_COMPARE(label(u"alertTrial"_s),
                     u"The history does not keep parked: this cannot be tried."_s);
    }
};

} // namespace tst_alertpage

OUTBOX_TEST(tst_alertpage::TestAlertPage)
#include "tst_alertpage.moc"
