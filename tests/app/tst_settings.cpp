// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Profiles and preferences on disk: private, whole, and nothing lost that is not understood.
#include "app/settings/alertstore.h"
#include "app/settings/filterstore.h"
#include "app/settings/folders.h"
#include "app/settings/groupnotes.h"
#include "app/settings/jsonfile.h"
#include "app/settings/keptbyname.h"
#include "app/settings/preferences.h"
#include "app/settings/profilestore.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_settings {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSettings : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"deck/profiles.json"_s); }

    static Profile profile(const QString &name)
    {
        Profile profile;
        profile.name = name;
        profile.environment = Environment::Staging;
        profile.databaseUrl = u"postgresql://ana@db1/orders"_s;
        profile.redisUrl = u"redis://redis1:6379/0"_s;
        return profile;
    }

    static GroupNote noteOf(const QString &name)
    {
        return {u"rows cause"_s, u"note of "_s + name, u"ana"_s,
                QDateTime::fromSecsSinceEpoch(1'795'225'841, Qt::UTC)};
    }

    static Alert alertOf(const QString &name)
    {
        Alert alert;
        alert.name = name;
        alert.rule = AlertRule::fromText(u"lag > 2m"_s).value_or(AlertRule());
        return alert;
    }

    void write(const QByteArray &bytes) const
    {
        QVERIFY(QDir().mkpath(m_folder->filePath(u"deck"_s)));
        QVERIFY(writeFile(path(), bytes));
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void foldersFollowXdg()
    {
        qputenv("XDG_CONFIG_HOME", "/somewhere/config");
        qputenv("XDG_STATE_HOME", "relative");
        const Folders folders = Folders::standard();
        QCOMPARE(folders.config, u"/somewhere/config/outboxdeck"_s);
        QCOMPARE(folders.state, QDir::homePath() + u"/.local/state/outboxdeck"_s);
        QCOMPARE(Folders::standard(u"/mine"_s, u"/own/"_s), (Folders{u"/mine"_s, u"/own"_s}));
        qunsetenv("XDG_CONFIG_HOME");
        qunsetenv("XDG_STATE_HOME");
    }

    void anAbsentFileHoldsNothing()
    {
        ProfileStore store(path());
        QVERIFY_RESULT(store.load());
        QVERIFY(store.profiles().isEmpty());
        QVERIFY(!QFile::exists(path()));
    }

    void readsWhatItSaved()
    {
        ProfileStore store(path());
        Profile shaped = profile(u"orders"_s);
        shaped.shape = OutboxShape();
        shaped.shape->name = u"orders outbox"_s;
        shaped.shape->table.table = u"outbox"_s;
        shaped.shape->keyColumn = u"id"_s;
        shaped.shape->payloadColumn = u"payload"_s;
        QVERIFY_RESULT(store.put(shaped));
        QVERIFY_RESULT(store.put(profile(u"mail"_s)));
        ProfileStore other(path());
        QVERIFY_RESULT(other.load());
        QCOMPARE(other.profiles(), store.profiles());
        QCOMPARE(other.profiles().size(), 2);
        QCOMPARE(other.find(u"orders"_s).value(), shaped);
        QVERIFY(other.problems().isEmpty());
        QCOMPARE(QFile::permissions(path()) & ~(QFile::ReadUser | QFile::WriteUser),
                 QFile::ReadOwner | QFile::WriteOwner);
    }

    /// Of such members the file holds nothing where they say nothing: what stood there must go.
    void whatIsEmptiedIsGone()
    {
        write(R"([{"name":"orders","color":"teal"}])");
        ProfileStore store(path());
        QVERIFY_RESULT(store.load());
        QVERIFY(store.profiles().first().group.isEmpty()); // as an older version wrote it
        Profile full = store.profiles().first();
        full.group = u"payments"_s;
        full.actingUser = u"operator"_s;
        full.timeZone = u"UTC"_s;
        full.status = StatusTable{TableName::fromText(u"mail"_s), u"id"_s, u"state"_s, u"sent"_s};
        QVERIFY_RESULT(store.put(full));
        ProfileStore other(path());
        QVERIFY_RESULT(other.load());
        QCOMPARE(other.profiles().first(), full);
        full.group.clear();
        full.actingUser.clear();
        full.timeZone.clear();
        full.status.reset();
        QVERIFY_RESULT(other.put(full));
        QVERIFY_RESULT(store.load());
        QCOMPARE(store.profiles().first(), full);
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("teal"));
    }

    void renamesReplacesAndRemoves()
    {
        ProfileStore store(path());
        QVERIFY_RESULT(store.put(profile(u"a"_s)));
        QVERIFY_RESULT(store.put(profile(u"b"_s)));
        QVERIFY_RESULT(store.put(profile(u"c"_s), u"a"_s));
        QCOMPARE(store.profiles().size(), 2);
        QCOMPARE(store.profiles().first().name, u"c"_s);
        const auto taken = store.put(profile(u"b"_s), u"c"_s);
        QVERIFY(!taken.has_value());
        QCOMPARE(taken.error().kind, Error::Kind::Conflict);
        QVERIFY_RESULT(store.remove(u"c"_s));
        QVERIFY_RESULT(store.remove(u"never there"_s));
        QCOMPARE(store.profiles().size(), 1);
    }

    void twoWindowsDoNotUndoEachOther()
    {
        ProfileStore one(path());
        ProfileStore other(path());
        QVERIFY_RESULT(one.load());
        QVERIFY_RESULT(other.load());
        QVERIFY_RESULT(one.put(profile(u"a"_s)));
        QVERIFY_RESULT(other.put(profile(u"b"_s)));
        QVERIFY_RESULT(one.load());
        QCOMPARE(one.profiles().size(), 2);
    }

    void keepsWhatItDoesNotUnderstand()
    {
        write(R"([{"name":"a","environment":"staging","color":"teal",
                   "shape":{"shape":1,"name":"n","table":"outbox","key":[{"column":"id","form":"uuid"}],
                            "payload":{"column":"p","form":"json"},"processed":{"how":"deleted"}}},
                  {"name":"later","environment":"moon base"}])");
        ProfileStore store(path());
        QVERIFY_RESULT(store.load());
        QCOMPARE(store.profiles().size(), 1);
        QCOMPARE(store.problems().size(), 1);
        Profile changed = store.profiles().first();
        QVERIFY(changed.shape.has_value());
        changed.shape.reset();
        changed.readOnly = false;
        QVERIFY_RESULT(store.put(changed));
        const auto document = readJsonFile(path());
        QVERIFY_RESULT(document);
        const QJsonArray entries = document->array();
        QCOMPARE(entries.at(0).toObject().value("color"_L1).toString(), u"teal"_s);
        QCOMPARE(entries.at(0).toObject().value("read_only"_L1), QJsonValue(false));
        QVERIFY(!entries.at(0).toObject().contains("shape"_L1));
        QCOMPARE(entries.at(1).toObject().value("environment"_L1).toString(), u"moon base"_s);
    }

    void aDamagedFileIsMovedAside_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("cut") << QByteArray(R"([{"name":"a")");
        QTest::newRow("no list") << QByteArray(R"({"name":"a"})");
    }

    void aDamagedFileIsMovedAside()
    {
        QFETCH(QByteArray, bytes);
        write(bytes);
        ProfileStore store(path());
        const auto loaded = store.load();
        QVERIFY(!loaded.has_value());
        QCOMPARE(loaded.error().kind, Error::Kind::Invalid);
        const QDir folder(m_folder->filePath(u"deck"_s));
        const QStringList kept = folder.entryList({u"profiles.json.damaged-*"_s});
        QCOMPARE(kept.size(), 1);
        QVERIFY2(loaded.error().hint.contains(kept.first()), qPrintable(loaded.error().hint));
        QCOMPARE(fileBytes(folder.filePath(kept.first())), bytes);
        QVERIFY_RESULT(store.put(profile(u"new"_s)));
        QVERIFY_RESULT(store.load());
        QCOMPARE(store.profiles().size(), 1);
    }

    void refusesSecrets_data()
    {
        QTest::addColumn<QString>("database");
        QTest::newRow("in the user part") << u"postgresql://ana:secret@db1/orders"_s;
        QTest::newRow("as an option") << u"postgresql:///orders?host=/run&password=secret"_s;
        QTest::newRow("several hosts") << u"postgresql://ana:secret@db1:5432,db2:5432/orders"_s;
    }

    void refusesSecrets()
    {
        QFETCH(QString, database);
        ProfileStore store(path());
        Profile leaky = profile(u"a"_s);
        leaky.databaseUrl = database;
        const auto put = store.put(leaky);
        QVERIFY(!put.has_value());
        QCOMPARE(put.error().kind, Error::Kind::Refused);
        QVERIFY(!QFile::exists(path()));
    }

    void filtersAreKeptByTwoWindowsAndMadeByHand()
    {
        const QString file = filtersFileIn(m_folder->filePath(u"config"_s));
        QCOMPARE(loadFilters(file), QList<SavedFilter>());
        const SavedFilter mail{u"Mail"_s, u"type:email:*"_s, {}};
        const SavedFilter busy{u"Busy"_s, u"state:locked"_s, Environment::Production};
        QVERIFY_RESULT(saveFilter(file, mail));
        QVERIFY_RESULT(saveFilter(file, busy));
        QCOMPARE(*loadFilters(file), (QList{busy, mail}));
        QVERIFY(!QFile::permissions(file).testAnyFlags(QFile::ReadGroup | QFile::ReadOther));
        QCOMPARE(*removeFilter(file, busy), QList{mail});
        const auto taken
            = takeFilters(file, u"# from a colleague\nMail = type:post\nOld = age>7d\n"_s);
        QVERIFY_RESULT(taken);
        QCOMPARE(taken->size(), 2);
        QCOMPARE(taken->first().text, u"type:post"_s);
        QVERIFY(!takeFilters(file, u"Bad = agee>5m"_s).has_value());
        QCOMPARE(loadFilters(file)->size(), 2);
        QVERIFY(writeFile(file, "what is this\n"));
        QCOMPARE(loadFilters(file).error().kind, Error::Kind::Invalid);
        QVERIFY(
            !saveFilter(file, mail).has_value()); // what a person wrote there is not thrown away
        QCOMPARE(fileBytes(file), QByteArray("what is this\n"));
    }

    void notesOfGroupsSurvive()
    {
        const QString file = m_folder->filePath(u"state/group-notes.json"_s);
        QCOMPARE(loadGroupNotes(file, u"orders"_s)->size(), 0);
        const GroupNote note{u"rows cause 4:mail0:0:"_s, u"INC-12 \"\n"_s, u"ana"_s,
                             QDateTime::fromSecsSinceEpoch(1'795'225'841, Qt::UTC)};
        QVERIFY_RESULT(keepGroupNote(file, u"orders"_s, note));
        GroupNote other = note;
        other.group = u"tasks type 3:sms0:0:"_s;
        const auto both = keepGroupNote(file, u"orders"_s, other);
        QVERIFY_RESULT(both);
        QCOMPARE(*both, (QList<GroupNote>{other, note}));
        QCOMPARE(*loadGroupNotes(file, u"orders"_s), *both);
        QCOMPARE(loadGroupNotes(file, u"another"_s)->size(), 0);
        QVERIFY_RESULT(keepGroupNote(file, u"another"_s, note));
        GroupNote gone = note;
        gone.text.clear();
        gone.who.clear();
        QCOMPARE(keepGroupNote(file, u"orders"_s, gone)->size(), 1);
        QCOMPARE(loadGroupNotes(file, u"another"_s)->size(), 1);
        QCOMPARE(QFile(file).permissions() & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        for (int n = 0; n < mostGroupNotes + 3; ++n) {
            other.group = QString::number(n);
            QVERIFY_RESULT(keepGroupNote(file, u"many"_s, other));
        }
        QCOMPARE(loadGroupNotes(file, u"many"_s)->size(), mostGroupNotes);
        QVERIFY(writeFile(file, "{\"orders\": "));
        QCOMPARE(loadGroupNotes(file, u"orders"_s).error().kind, Error::Kind::Invalid);
        QVERIFY(!keepGroupNote(file, u"orders"_s, note).has_value()); // it is left as it is
        QCOMPARE(fileBytes(file), QByteArray("{\"orders\": "));
    }

    void allThatIsKeptByNameFollowsIt_data()
    {
        QTest::addColumn<quint32>("seed");
        for (quint32 seed = 1; seed <= 60; ++seed)
            QTest::addRow("world %u", seed) << seed;
    }
    /// New names, exchanged ones, chains of them, and names of what is deleted taken by others.
    void allThatIsKeptByNameFollowsIt()
    {
        QFETCH(quint32, seed);
        QRandomGenerator chance(seed);
        const Folders folders{m_folder->filePath(u"config"_s), m_folder->filePath(u"state"_s)};
        const QStringList names{u"a"_s, u"b/../c"_s, u"<i>d"_s, u"Ä 100%"_s, u".e"_s};
        Preferences preferences;
        QHash<QString, bool> hasAlerts;
        QHash<QString, bool> hasNotes;
        for (const QString &name : names) {
            hasAlerts[name] = chance.bounded(2) == 0;
            hasNotes[name] = chance.bounded(2) == 0;
            if (hasAlerts[name])
                QVERIFY_RESULT(
                    keepAlert(alertsFileIn(folders.config, name), {}, alertOf(u"of "_s + name)));
            if (hasNotes[name])
                QVERIFY_RESULT(keepGroupNote(folders.groupNotesFile(), name, noteOf(name)));
            if (chance.bounded(2) == 0)
                preferences.oldestFirst += name;
        }
        preferences.lastProfile = names.at(chance.bounded(static_cast<int>(names.size())));
        const Preferences before = preferences;
        // Each of them is deleted, or gets one of the names there are, or a new one.
        QStringList untaken = names + QStringList{u"new 1"_s, u"new 2"_s};
        QHash<QString, QString> now; // by the name before
        NameChanges changes;
        for (const QString &name : names) {
            if (chance.bounded(4) == 0) {
                changes.deleted += name;
                continue;
            }
            now[name] = untaken.takeAt(chance.bounded(static_cast<int>(untaken.size())));
            if (now[name] != name)
                changes.renamed.insert(name, now[name]);
        }
        const auto [alerts, notes] = followNames(folders, preferences, changes);
        QVERIFY_RESULT(alerts);
        QVERIFY_RESULT(notes);
        QStringList oldestFirst;
        QStringList files;
        for (const QString &name : names) {
            if (!now.contains(name))
                continue;
            const QString &called = now[name];
            const auto keptAlertsNow = keptAlerts(alertsFileIn(folders.config, called));
            const auto keptNotes = loadGroupNotes(folders.groupNotesFile(), called);
            QVERIFY_RESULT(keptAlertsNow);
            QVERIFY_RESULT(keptNotes);
            QCOMPARE(keptAlertsNow->value(0).name, hasAlerts[name] ? u"of "_s + name : QString());
            QCOMPARE(*keptNotes,
                     hasNotes[name] ? QList<GroupNote>{noteOf(name)} : QList<GroupNote>());
            QCOMPARE(keptByName(folders, called),
                     (KeptByName{hasAlerts[name] ? 1 : 0, hasNotes[name] ? 1 : 0}));
            if (hasAlerts[name])
                files += QFileInfo(alertsFileIn(folders.config, called)).fileName();
            if (before.oldestFirst.contains(name))
                oldestFirst += called;
        }
        QCOMPARE(preferences.oldestFirst, oldestFirst);
        QCOMPARE(preferences.lastProfile, now.value(before.lastProfile));
        // Nothing stays of what is deleted.
        files.sort();
        QStringList there = QDir(folders.config + u"/alerts"_s)
                                .entryList(QDir::Files | QDir::Hidden, QDir::NoSort);
        there.sort();
        QCOMPARE(there, files);
        const auto document = readJsonFile(folders.groupNotesFile());
        QVERIFY_RESULT(document);
        const auto expected
            = std::count_if(now.keyBegin(), now.keyEnd(),
                            [&hasNotes](const QString &name) { return hasNotes.value(name); });
        QCOMPARE(document->object().size(), static_cast<qsizetype>(expected));
    }

    void notesThatCannotBeUnderstoodHoldUpNoAlerts()
    {
        const Folders folders{m_folder->filePath(u"config"_s), m_folder->filePath(u"state"_s)};
        const Alert alert = alertOf(u"late"_s);
        QVERIFY_RESULT(keepAlert(alertsFileIn(folders.config, u"a"_s), {}, alert));
        QVERIFY(QDir().mkpath(folders.state));
        QVERIFY(writeFile(folders.groupNotesFile(), "{\"a\": "));
        Preferences preferences;
        NameChanges changes;
        changes.renamed.insert(u"a"_s, u"b"_s);
        const auto [alerts, notes] = followNames(folders, preferences, changes);
        QVERIFY_RESULT(alerts);
        QCOMPARE(notes.error().kind, Error::Kind::Invalid);
        QCOMPARE(fileBytes(folders.groupNotesFile()), QByteArray("{\"a\": "));
        QCOMPARE(keptByName(folders, u"b"_s), (KeptByName{1, 0}));
        QVERIFY(writeFile(alertsFileIn(folders.config, u"b"_s), "no alerts"));
        QCOMPARE(keptByName(folders, u"b"_s).alerts, std::optional<qsizetype>());
    }

    void alertsThatCannotGoHoldUpNoOthers()
    {
        const Folders folders{m_folder->filePath(u"config"_s), m_folder->filePath(u"state"_s)};
        const Alert alert = alertOf(u"late"_s);
        QVERIFY_RESULT(keepAlert(alertsFileIn(folders.config, u"a"_s), {}, alert));
        // Those of a profile that was deleted before this was done.
        QVERIFY_RESULT(keepAlert(alertsFileIn(folders.config, u"left"_s), {}, alert));
        const QString stuck = alertsFileIn(folders.config, u"stuck"_s); // no file, but a folder
        QVERIFY(QDir().mkpath(stuck));
        Preferences preferences;
        NameChanges changes;
        changes.renamed.insert(u"a"_s, u"b"_s);
        changes.renamed.insert(u"without alerts"_s, u"left"_s);
        changes.deleted += u"stuck"_s;
        const auto [alerts, notes] = followNames(folders, preferences, changes);
        QVERIFY(!alerts);
        QVERIFY2(oneLine(alerts.error()).contains(stuck), qPrintable(oneLine(alerts.error())));
        QVERIFY_RESULT(notes);
        QCOMPARE(keptByName(folders, u"b"_s), (KeptByName{1, 0}));
        QCOMPARE(keptByName(folders, u"left"_s), (KeptByName{0, 0}));
    }

    void preferencesSurvive()
    {
        const QString file = m_folder->filePath(u"state/preferences.json"_s);
        const auto fresh = Preferences::load(file);
        QVERIFY_RESULT(fresh);
        QCOMPARE(*fresh, Preferences());
        Preferences changed;
        changed.theme = Preferences::Theme::Dark;
        changed.windowGeometry = QByteArray("\x01\x00\xff", 3);
        changed.refreshMs = 2000;
        changed.lastProfile = u"orders"_s;
        changed.watchesFleet = true;
        changed.metricsPort = 9464;
        changed.tables.insert(u"outbox/outboxTable"_s,
                              QJsonObject{{u"widths"_s, QJsonObject{{u"Type"_s, 180}}},
                                          {u"order"_s, QJsonArray{u"Type"_s, u"State"_s}}});
        changed.earlier = u"week"_s;
        changed.oldestFirst = {u"orders"_s, u"depot"_s};
        changed.others.insert(u"newer"_s, 7);
        QVERIFY_RESULT(changed.save(file));
        const auto again = Preferences::load(file);
        QVERIFY_RESULT(again);
        QCOMPARE(*again, changed);
    }
};

} // namespace tst_settings

OUTBOX_TEST(tst_settings::TestSettings)
#include "tst_settings.moc"
