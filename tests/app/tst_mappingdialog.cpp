// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table of 40 columns without telling names is mapped by accessible names and actions alone; what
// comes out is counted against the table, saved, and delivered. With OUTBOX_PICTURES=<folder> the
// editor is drawn for looking at.
#include "app/desktop/desktop.h"
#include "app/desktop/mappingpresenter.h"
#include "app/settings/profilestore.h"
#include "app/system/sources/target.h"
#include "connectors/redis/connection.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/filebytes.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/connections/profiledialog.h"
#include "views/mapping/mappingdialog.h"
#include "views/relay/relaystartdialog.h"
#include "views/relay/relayview.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/formfields.h"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QPointer>
#include <QSet>
#include <QSignalSpy>
#include <QUuid>

namespace tst_mappingdialog {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = DatabaseUrl::Dialect;

/// Thirteen columns mean something; the others are of the same types.
const QString table
    = u"CREATE TABLE xq7 (c01 bigint, c02 text, c03 text NOT NULL, c04 timestamptz, c05 bytea,"
      " c06 integer, c07 uuid PRIMARY KEY, c08 uuid, c09 bigint NOT NULL, c10 text,"
      " c11 bigint NOT NULL, c12 timestamptz NOT NULL, c13 timestamptz NOT NULL, c14 boolean,"
      " c15 integer NOT NULL, c16 integer NOT NULL, c17 text, c18 text, c19 bytea NOT NULL,"
      " c20 bytea, c21 uuid, c22 bigint NOT NULL UNIQUE, c23 text, c24 text, c25 timestamptz,"
      " c26 timestamptz, c27 boolean, c28 text NOT NULL, c29 text NOT NULL, c30 timestamptz,"
      " c31 timestamptz, c32 text, c33 text, c34 text, c35 integer, c36 bigint, c37 bytea,"
      " c38 timestamptz, c39 boolean, c40 text)"_s;

QString at(qint64 seconds)
{
    const QDateTime moment = QDateTime::currentDateTimeUtc().addSecs(seconds);
    return u'\'' + moment.toString(u"yyyy-MM-dd hh:mm:ss"_s) + u'\'';
}

template <typename Widget> Widget *shown()
{
    for (QWidget *one : QApplication::topLevelWidgets()) {
        if (auto *found = qobject_cast<Widget *>(one); found && found->isVisible())
            return found;
    }
    return nullptr;
}

} // namespace

class TestMappingDialog : public QObject
{
    Q_OBJECT

    Databases m_databases;
    PrivateRedis m_redis;
    QTemporaryDir m_folder;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;
    QStringList m_pending;
    int m_rows = 0;

    void insert(const QString &status, const QString &due, const QString &lease, int count)
    {
        for (int i = 0; i < count; ++i) {
            const QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
            const QString number = QString::number(++m_rows);
            m_side->run(
                u"INSERT INTO xq7 (c02, c03, c07, c09, c11, c12, c13, c15, c16, c19, c22, c25,"
                " c28, c29, c30, c31, c32, c33) VALUES ('x', 'order.made', '%1', 7, %2, %3, %3,"
                " 0, 0, 'payload %2', 1000 + %2, %4, 'N', '%5', %6, %7, %8, 'mail')"_s
                    .arg(id, number, at(-600 + m_rows), due, status,
                         status == u"P" ? at(-60) : u"NULL"_s, lease)
                    .arg(lease == u"NULL" ? u"NULL"_s : u"'worker-1'"_s));
            if (status == u"N" && due == u"NULL" && (lease == u"NULL" || lease < at(0)))
                m_pending += id;
        }
    }

    void fill(Kind dialect)
    {
        m_url = m_databases.fresh(dialect);
        m_side = std::make_unique<SideSession>(m_url);
        m_side->run(table);
        if (dialect == Kind::PostgreSql)
            m_side->run(u"SET TIME ZONE 'UTC'"_s);
        m_pending.clear();
        m_rows = 0;
        RedisConnection redis;
        QVERIFY(redis.open(*RedisEndpoint::fromUrl(m_redis.url()), RedisConnection::Access::Act,
                           u"test"_s));
        QVERIFY(redis.command({"FLUSHALL"}, u"emptying Redis"_s));
        insert(u"P"_s, u"NULL"_s, u"NULL"_s, 5);
        insert(u"X"_s, u"NULL"_s, u"NULL"_s, 2);
        insert(u"N"_s, u"NULL"_s, at(3600), 3); // held
        insert(u"N"_s, at(3600), u"NULL"_s, 2); // due later
        insert(u"Z"_s, u"NULL"_s, u"NULL"_s, 1); // nobody says what that means
        insert(u"N"_s, u"NULL"_s, at(-60), 1); // its lease is over
        insert(u"N"_s, u"NULL"_s, u"NULL"_s, 4);
        QCOMPARE(m_pending.size(), 5);
    }

    [[nodiscard]] QString urlText() const { return m_databases.addressOf(m_url); }

    static void picture(QWidget *widget, const QString &name)
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        if (folder.isEmpty())
            return;
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            QCoreApplication::processEvents();
            const QString tone = choice == ThemeChoice::Light ? u"light"_s : u"dark"_s;
            QVERIFY(widget->grab().save(QDir(folder).filePath(name + u'-' + tone + u".png"_s)));
        }
        theme::apply(ThemeChoice::Light);
    }

    [[nodiscard]] QStringList queued(const QString &queue)
    {
        RedisConnection redis;
        if (!redis.open(*RedisEndpoint::fromUrl(m_redis.url()), RedisConnection::Access::ReadOnly,
                        u"test"_s))
            return {u"no Redis"_s};
        const auto reply = redis.command(
            {"LRANGE", QString(u"asynq:{%1}:pending"_s.arg(queue)).toUtf8(), "0", "-1"},
            u"reading the pending list"_s);
        if (!reply)
            return {oneLine(reply.error())};
        QStringList ids;
        for (const RedisReply &one : reply->elements)
            ids += QString::fromUtf8(one.bytes);
        return ids;
    }

    void counts(QWidget *dialog, const QString &state, const QString &wanted)
    {
        QTRY_COMPARE(walk::description(dialog, QAccessible::CheckBox, u"State "_s + state), wanted);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_DATABASES(m_databases);
        OUTBOX_START_SERVER(m_redis);
        theme::apply(ThemeChoice::Light);
    }

    void cleanup() { m_side.reset(); }

    void aTableWithoutTellingNamesIsMappedByAccessibleNames_data()
    {
        QTest::addColumn<DatabaseUrl::Dialect>("dialect");
        for (const TestWords &words : allTestWords())
            QTest::newRow(words.name) << words.dialect;
    }

    void aTableWithoutTellingNamesIsMappedByAccessibleNames()
    {
        QFETCH(DatabaseUrl::Dialect, dialect);
        fill(dialect);
        const QString folder = m_folder.filePath(QString::fromLatin1(QTest::currentDataTag()));
        const Folders folders{folder, folder};
        Desktop desktop(folders);
        desktop.begin();
        desktop.window().show();
        desktop.openConnections();

        // The profile; the first one is begun by itself.
        QWidget *profiles = shown<ProfileDialog>();
        QVERIFY(walk::write(profiles, u"Name"_s, u"xq"_s));
        QVERIFY(walk::write(profiles, u"Database address"_s, urlText()));
        QVERIFY(walk::write(profiles, u"Redis address"_s, m_redis.url()));
        QVERIFY(walk::press(profiles, QAccessible::PageTab, u"Outbox"_s));
        QVERIFY(walk::press(profiles, u"Probe and map the columns"_s));
        QTRY_VERIFY(shown<MappingDialog>() != nullptr);
        QWidget *dialog = shown<MappingDialog>();

        // The table: nothing in it says outbox.
        const QString schema = dialect == Kind::Sqlite ? u"main"_s
            : dialect == Kind::MariaDb                 ? m_url.database
                                                       : u"public"_s;
        const QString name = schema + u".xq7"_s;
        QTRY_VERIFY(walk::tryWrite(dialog, u"Any other table"_s, name)
                    && walk::isEnabled(dialog, QAccessible::EditableText, u"Column for Key"_s));

        // The columns.
        const QList<std::pair<QString, QString>> fields{
            {u"Column for Key"_s, u"c07"_s},
            {u"Column for Type"_s, u"c03"_s},
            {u"Payload is"_s, u"Bytes, sent as they are"_s},
            {u"Column for Payload"_s, u"c19"_s},
            {u"Column for Headers"_s, u"(none)"_s},
            {u"Column for Queue"_s, u"c33"_s},
            {u"Column for Created"_s, u"c12"_s},
            {u"Column for Order"_s, u"c11"_s},
            {u"Column for Due time"_s, u"c25"_s},
            {u"Column for Attempts"_s, u"c15"_s},
            {u"Column for Last error"_s, u"c18"_s},
            {u"Processed how"_s, u"A status says so"_s},
            {u"Column for Processed"_s, u"c29"_s},
            {u"Column for Processed at"_s, u"c30"_s},
            {u"Locked how"_s, u"Until the time in a column"_s},
            {u"Column for Held until"_s, u"c31"_s},
            {u"Column for Held by"_s, u"c32"_s}};
        for (const auto &[field, value] : fields)
            QVERIFY2(walk::write(dialog, field, value), qPrintable(field));
        if (dialect != Kind::PostgreSql) // there the columns say their zone
            QVERIFY(walk::write(dialog, u"Time zone of times without one"_s, u"UTC"_s));
        // What its values mean is asked as soon as they were seen.
        QVERIFY(!walk::isEnabled(dialog, QAccessible::Button, u"Use this mapping"_s));
        for (const auto &[value, state] :
             {std::pair(u"N"_s, u"Pending"_s), std::pair(u"P"_s, u"Processed"_s),
              std::pair(u"X"_s, u"Failed"_s)})
            QVERIFY(walk::write(dialog, u"State of value "_s + value, state));
        QVERIFY(
            walk::press(dialog, QAccessible::CheckBox, u"Deliver its rows from here (relay)"_s));

        // What it makes of the rows, against the table.
        counts(dialog, u"Pending"_s, u"5"_s);
        counts(dialog, u"Waiting"_s, u"2"_s);
        counts(dialog, u"Locked"_s, u"3"_s);
        counts(dialog, u"Processed"_s, u"5"_s);
        counts(dialog, u"Failed"_s, u"2"_s);
        counts(dialog, u"Unknown"_s, u"1"_s);
        QVERIFY(walk::press(dialog, QAccessible::CheckBox, u"State Failed"_s));
        const auto rowsShown = [dialog] { // Qt 6.4 keeps accessible cells of rows that are gone
            const auto *rows = dialog->findChild<LiveTable *>(u"mappingRows"_s);
            QStringList states;
            for (int row = 0; row < rows->model()->rowCount(); ++row)
                states += rows->model()->index(row, 0).data().toString();
            return states;
        };
        QTRY_COMPARE(rowsShown(), QStringList({u"Failed"_s, u"Failed"_s}));
        QVERIFY(walk::press(dialog, QAccessible::CheckBox, u"State Failed"_s));
        QTRY_COMPARE(rowsShown().size(), 5);
        picture(dialog, u"mapping-"_s + QString::fromLatin1(QTest::currentDataTag()));

        QVERIFY(walk::press(dialog, u"Use this mapping"_s));
        QTRY_VERIFY(shown<MappingDialog>() == nullptr);
        QVERIFY(walk::press(profiles, QAccessible::PageTab, u"Safety"_s));
        QVERIFY(walk::press(profiles, QAccessible::CheckBox, u"Open read-only"_s));
        QVERIFY(walk::press(profiles, u"Save"_s));
        QTRY_VERIFY(shown<ProfileDialog>() == nullptr);

        // What was saved.
        ProfileStore store(folders.profilesFile());
        QVERIFY(store.load().has_value());
        const auto profile = store.find(u"xq"_s);
        QVERIFY(profile && profile->shape);
        const OutboxShape &shape = *profile->shape;
        QCOMPARE(shape.table.text(), name);
        QCOMPARE(profile->table, name);
        QCOMPARE(shape.keyColumn, u"c07"_s);
        QCOMPARE(shape.keyForm, OutboxShape::KeyForm::Uuid);
        QCOMPARE(shape.typeColumn, u"c03"_s);
        QCOMPARE(shape.payloadColumn, u"c19"_s);
        QCOMPARE(shape.payloadForm, OutboxShape::PayloadForm::Bytes);
        QCOMPARE(shape.queueColumn, u"c33"_s);
        QCOMPARE(shape.order, QStringList({u"c11"_s, u"c07"_s}));
        QCOMPARE(shape.createdColumn, u"c12"_s);
        QCOMPARE(shape.dueColumn, u"c25"_s);
        QCOMPARE(shape.attemptsColumn, u"c15"_s);
        QCOMPARE(shape.errorColumn, u"c18"_s);
        QCOMPARE(shape.processedHow, OutboxShape::ProcessedHow::Status);
        QCOMPARE(shape.processedColumn, u"c29"_s);
        QCOMPARE(shape.processedTimeColumn, u"c30"_s);
        QCOMPARE(shape.processedValues, QStringList{u"P"_s});
        QCOMPARE(shape.pendingValues, QStringList{u"N"_s});
        QCOMPARE(shape.failedValues, QStringList{u"X"_s});
        QCOMPARE(shape.leaseColumn, u"c31"_s);
        QCOMPARE(shape.ownerColumn, u"c32"_s);
        QVERIFY(!shape.confirmed.isEmpty());
        QVERIFY(shape.canRelay());

        // And delivered.
        desktop.openProfile(*profile, {});
        desktop.window().showPage(Pages::Relay);
        desktop.pages().relay->openStartSheet();
        QTRY_VERIFY(shown<RelayStartDialog>() != nullptr);
        QVERIFY(walk::press(shown<RelayStartDialog>(), u"Start relay"_s));
        QTRY_COMPARE(m_side->one(u"SELECT count(*) FROM xq7 WHERE c29 = 'P'"_s), u"10"_s);
        QCOMPARE(m_side->one(u"SELECT count(*) FROM xq7 WHERE c29 = 'N'"_s), u"5"_s);
        QStringList delivered = queued(u"mail"_s);
        delivered.sort();
        m_pending.sort();
        QCOMPARE(delivered, m_pending);
        desktop.relay()->driver().abandon();
        QTRY_VERIFY(!desktop.relay()->isRunning());
    }

    /// What the probe finds is there at once, with its reasons; Cancel takes none of it.
    void aGuessIsOfferedWithItsReasonsAndCancelLeavesEverything()
    {
        m_url = m_databases.fresh(Kind::Sqlite);
        m_side = std::make_unique<SideSession>(m_url);
        m_side->all(
            {u"CREATE TABLE outbox (id uuid PRIMARY KEY, type text NOT NULL,"
             " payload blob NOT NULL, processed_at timestamptz)"_s,
             u"CREATE TABLE orders_outbox (id integer PRIMARY KEY, event_type text NOT NULL,"
             " payload text NOT NULL, status text NOT NULL DEFAULT 'pending')"_s});
        Profile profile;
        profile.databaseUrl = urlText();
        QWidget parent;
        auto *person = new MappingPresenter(profile, {}, &parent);
        MappingDialog *dialog = person->dialog();
        QSignalSpy confirmed(person, &MappingPresenter::confirmed);
        QTRY_VERIFY(walk::isEnabled(dialog, QAccessible::EditableText, u"Column for Key"_s));
        walk::Accessible *tables
            = walk::find(dialog, QAccessible::List, u"Tables that look like an outbox"_s);
        QVERIFY(tables != nullptr);
        QCOMPARE(tables->childCount(), 2);
        QVERIFY(walk::write(dialog, u"Any other table"_s, u"main.outbox"_s));
        QTRY_COMPARE(dialog->shape().table.text(), u"main.outbox"_s);
        QCOMPARE(dialog->shape().processedColumn, u"processed_at"_s);
        QVERIFY(walk::description(dialog, QAccessible::EditableText, u"Column for Processed"_s)
                    .contains(u"its name says so"_s));
        QTRY_VERIFY(walk::isEnabled(dialog, QAccessible::Button, u"Use this mapping"_s));
        // A change the database refuses is told in place, and cannot be confirmed.
        m_side->run(u"ALTER TABLE outbox DROP COLUMN processed_at"_s);
        QVERIFY(walk::write(dialog, u"Column for Order"_s, u"type"_s));
        QTRY_VERIFY(
            walk::first(
                QAccessible::queryAccessibleInterface(dialog),
                [](walk::Accessible *one) {
                    return one->text(QAccessible::Name).contains(u"no column \"processed_at\""_s);
                })
            != nullptr);
        QVERIFY(!walk::isEnabled(dialog, QAccessible::Button, u"Use this mapping"_s));
        QPointer<MappingDialog> gone(dialog);
        QVERIFY(walk::press(dialog, u"Cancel"_s));
        QTRY_VERIFY(gone.isNull());
        QCOMPARE(confirmed.count(), 0);
    }

    void aMappingIsKeptInAFileThatTheCommandLineReads()
    {
        OutboxShape shape = classicShape(u"main.outbox"_s);
        const QString path = m_folder.filePath(u"shape.json"_s);
        QVERIFY(writeFile(path, shapeFileText(shape)));
        const auto read = readShapeFile(path);
        QVERIFY(read.has_value());
        shape.name = read->name;
        QCOMPARE(*read, shape);
        QVERIFY(!readShapeFile(m_folder.filePath(u"nothing.json"_s)).has_value());
        // Opened for a table, it is what the editor shows.
        m_url = m_databases.fresh(Kind::Sqlite);
        m_side = std::make_unique<SideSession>(m_url);
        m_side->run(classicTable());
        Profile profile;
        profile.databaseUrl = urlText();
        profile.shape = shape;
        QWidget parent;
        auto *person = new MappingPresenter(profile, {}, &parent);
        QTRY_VERIFY(walk::isEnabled(person->dialog(), QAccessible::Button, u"Use this mapping"_s));
        QTRY_COMPARE(person->dialog()->shape(), shape); // the given one comes last
    }

    void anAnswerThatIsOvertakenIsDropped()
    {
        m_url = m_databases.fresh(Kind::Sqlite);
        m_side = std::make_unique<SideSession>(m_url);
        m_side->all({classicTable(u", status text NOT NULL DEFAULT 'new'"_s),
                     u"INSERT INTO outbox (id, type, payload) VALUES (1, 't', 'p')"_s});
        Profile profile;
        profile.databaseUrl = urlText();
        MappingProbe look(profile, {});
        QSignalSpy taken(&look, &MappingProbe::previewTaken);
        QSignalSpy surveyed(&look, &MappingProbe::surveyed);
        look.survey({{}, u"nothing"_s});
        look.survey({{}, u"outbox"_s});
        look.preview(classicShape(u"missing"_s), {});
        look.preview(classicShape(), u"status"_s);
        QTRY_COMPARE(taken.size(), 1);
        const auto preview = taken.first().first().value<MappingPreview>();
        QCOMPARE(preview.problem, QString());
        QCOMPARE(preview.values, QList<ValueCount>({{u"new"_s, 1}}));
        QCOMPARE(preview.counts.pending, std::optional<qint64>(1));
        QCOMPARE(surveyed.size(), 1);
        QCOMPARE(surveyed.first().first().value<TableSurvey>().samples.value(u"payload"_s),
                 QStringList{u"p"_s});
        // What nobody wants any more is not told.
        look.preview(classicShape(u"missing"_s), {});
        look.forgetPreview();
        look.preview(classicShape(), {});
        QTRY_COMPARE(taken.size(), 2);
        QCOMPARE(taken.last().first().value<MappingPreview>().problem, QString());
        // A database that cannot be opened is an answer, too.
        profile.databaseUrl = u"sqlite://"_s + m_folder.filePath(u"missing.db"_s);
        MappingProbe nowhere(profile, {});
        QSignalSpy failed(&nowhere, &MappingProbe::failed);
        nowhere.findTables();
        QTRY_COMPARE(failed.size(), 1);
    }

    /// Each field is reached by Tab, and Enter in one confirms nothing.
    void everyFieldIsReachedByTheKeyboard()
    {
        m_url = m_databases.fresh(Kind::Sqlite);
        m_side = std::make_unique<SideSession>(m_url);
        m_side->run(classicTable(u", made timestamptz NOT NULL, n integer"_s));
        Profile profile;
        profile.databaseUrl = urlText();
        QWidget parent;
        auto *person = new MappingPresenter(profile, {}, &parent);
        MappingDialog *dialog = person->dialog();
        QSignalSpy confirmed(person, &MappingPresenter::confirmed);
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QTRY_VERIFY(walk::isEnabled(dialog, QAccessible::Button, u"Use this mapping"_s));
        QSet<QWidget *> left;
        for (ChoiceField *field : dialog->findChildren<ChoiceField *>()) {
            if (field->isVisible())
                left.insert(field);
        }
        QVERIFY(left.size() >= 12);
        for (int presses = 0; presses < 80 && !left.isEmpty(); ++presses) {
            QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
            left.remove(dialog->focusWidget());
            left.remove(dialog->focusWidget()->parentWidget()); // of the line in it
        }
        QVERIFY2(left.isEmpty(),
                 qPrintable(left.isEmpty() ? QString() : (*left.begin())->objectName()));
        auto *created = dialog->findChild<ChoiceField *>(u"column-Created"_s);
        created->setFocus();
        created->lineEdit()->selectAll();
        QTest::keyClicks(created->lineEdit(), u"made"_s); // any part of a name finds it
        QTest::keyClick(created->lineEdit(), Qt::Key_Return);
        QCOMPARE(dialog->shape().createdColumn, u"made"_s);
        created->lineEdit()->selectAll();
        QTest::keyClicks(created->lineEdit(), u"no such column"_s);
        QTest::keyClick(created->lineEdit(), Qt::Key_Return);
        QCOMPARE(created->currentText(), u"made"_s);
        QCOMPARE(dialog->shape().createdColumn, u"made"_s);
        QCOMPARE(confirmed.count(), 0);
        QVERIFY(dialog->isVisible());
    }
};

} // namespace tst_mappingdialog

OUTBOX_TEST(tst_mappingdialog::TestMappingDialog)
#include "tst_mappingdialog.moc"
