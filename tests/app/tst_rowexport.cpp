// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of a filter go into a file in the background: byte for byte as an import takes them, or
// masked for people; cancelled or failed nothing is left, and memory does not grow with the rows.
#include "app/operations/transfer/csvwriter.h"
#include "app/operations/transfer/exportfile.h"
#include "app/system/jobs/rowexport.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/everybyte.h"
#include "tests/support/filebytes.h"
#include "tests/support/patience.h"
#include "tests/support/peakmemory.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QSignalSpy>

#include <csignal>
#include <sys/resource.h>

namespace tst_rowexport {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Phase = RowExportState::Phase;

/// What this process may have no more of until the end.
template <auto Resource> class ProcessLimit
{
public:
    explicit ProcessLimit(rlim_t most)
    {
        getrlimit(Resource, &m_before);
        const rlimit limit{most, m_before.rlim_max};
        m_isSet = setrlimit(Resource, &limit) == 0;
    }
    ~ProcessLimit() { setrlimit(Resource, &m_before); }
    Q_DISABLE_COPY_MOVE(ProcessLimit)
    [[nodiscard]] bool isSet() const { return m_isSet; }

private:
    rlimit m_before{};
    bool m_isSet = false;
};
using FileSizeLimit = ProcessLimit<RLIMIT_FSIZE>;
using OpenFilesLimit = ProcessLimit<RLIMIT_NOFILE>;

/// Ends a writer when its folder cannot be opened any more, to be synced behind the new name.
template <typename Writer> Result<void> finishedWithoutFolder(Writer writer)
{
    const OpenFilesLimit limit(0); // those that are open go on
    return limit.isSet() ? writer.finish() : Result<void>();
}

} // namespace

class TestRowExport : public QObject
{
    Q_OBJECT

    Databases m_databases;
    std::unique_ptr<QTemporaryDir> m_folder;

    static QString bytesTable()
    {
        return u"CREATE TABLE outbox (id integer PRIMARY KEY, type text NOT NULL, payload %1 NOT NULL)"_s
            .arg(testWords().bytesType);
    }
    /// Rows whose payloads hold every byte.
    DatabaseUrl filled(int rows)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(bytesTable());
        const QString bytes
            = QString(testWords().bytes).arg(QString::fromLatin1(everyByte().toHex()));
        side.run(numbered(rows, u"n, 'mail ' || n, "_s + bytes, u"outbox"_s));
        return url;
    }
    [[nodiscard]] Target targetOf(const DatabaseUrl &url) const
    {
        Profile profile = classicProfile(m_databases, url);
        profile.shape = bytesShape();
        return {profile, {}, m_folder->path()};
    }
    [[nodiscard]] QString path(const QString &name = u"rows.jsonl"_s) const
    {
        return m_folder->filePath(u"out/"_s + name);
    }
    [[nodiscard]] RowExportOrder orderOf(const QString &filter = {},
                                         RowExportForm form = RowExportForm::JsonLines) const
    {
        RowExportOrder order;
        order.rows.filter = filterOf(filter);
        order.form = form;
        order.file = path();
        return order;
    }
    [[nodiscard]] QStringList left() const
    {
        return QDir(m_folder->filePath(u"out"_s)).entryList(QDir::Files | QDir::Hidden);
    }
    static bool ends(const RowExport &job)
    {
        return QTest::qWaitFor([&job] { return !job.isRunning(); }, patient(240'000));
    }
    /// All rows of a file, into a table; their number.
    static Result<int> putBack(const QString &file, const DatabaseUrl &url)
    {
        auto reader = ExportReader::open(file);
        if (!reader)
            return passOn(reader);
        OutboxEditor editor;
        if (auto opened = editor.open(settingsFor(url, StoreAccess::Act), bytesShape()); !opened)
            return passOn(opened);
        int count = 0;
        for (bool more = true; more;) {
            QList<WholeRow> rows;
            while (more && rows.size() < 500) {
                const auto item = reader->next();
                if (!item)
                    return passOn(item);
                more = item->has_value();
                if (more)
                    rows += std::get<WholeRow>(**item);
            }
            if (auto begun = editor.begin(); !begun)
                return passOn(begun);
            const auto inserted = editor.insert(rows);
            if (!inserted)
                return passOn(inserted);
            if (auto done = editor.commit(); !done)
                return passOn(done);
            count += int(inserted->size());
        }
        return count;
    }
    static QStringList idsIn(const QString &file)
    {
        QStringList ids;
        auto reader = ExportReader::open(file);
        while (reader) {
            const auto item = reader->next();
            if (!item || !*item)
                break;
            ids += std::get<WholeRow>(**item).id.text;
        }
        return ids;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkpath(u"out"_s));
    }

    void aHundredThousandRowsComeBackByteForByteElsewhere()
    {
        const DatabaseUrl url = filled(100'000);
        SideSession side(url);
        side.all({u"UPDATE outbox SET type = '=cmd|'' /C calc''!A0' WHERE id = 7"_s,
                  u"UPDATE outbox SET type = '\"a\",\n\t''b'' <b>' WHERE id = 50000"_s,
                  u"UPDATE outbox SET type = '' WHERE id = 99999"_s});
        RowExport job(targetOf(url));
        QSignalSpy told(&job, &RowExport::progressed);
        job.start(bytesShape(), orderOf());
        QVERIFY(ends(job));
        QVERIFY2(job.state().phase == Phase::Done,
                 qPrintable(oneLine(job.state().error.value_or(Error()))));
        QCOMPARE(job.state().written, 100'000);
        QVERIFY(told.size() > 100); // it was told on its way
        QCOMPARE(left(), QStringList{u"rows.jsonl"_s});
        QVERIFY(!(QFile::permissions(path()) & (QFile::ReadGroup | QFile::ReadOther)));
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"100000"_s); // it only reads

        const DatabaseUrl other = m_databases.fresh(dialect());
        SideSession(other).run(bytesTable());
        const auto count = putBack(path(), other);
        QVERIFY_RESULT(count);
        QCOMPARE(*count, 100'000);
        RowExport again(targetOf(other));
        RowExportOrder order = orderOf();
        order.file = path(u"again.jsonl"_s);
        again.start(bytesShape(), order);
        QVERIFY(ends(again));
        QCOMPARE(again.state().phase, Phase::Done);
        auto first = ExportReader::open(path());
        auto second = ExportReader::open(order.file);
        QVERIFY_RESULT(first);
        QVERIFY_RESULT(second);
        QCOMPARE(second->count(), first->count());
        for (qint64 row = 0; row < first->count(); ++row) {
            const auto a = first->next();
            const auto b = second->next();
            QVERIFY(a && *a && b && *b);
            const WholeRow one = std::get<WholeRow>(**a);
            const WholeRow two = std::get<WholeRow>(**b);
            QVERIFY2(one.id == two.id && one.task == two.task && one.columns == two.columns
                         && one.cells == two.cells,
                     qPrintable(one.id.text));
        }
    }

    void whatTheFilterMeansIsInTheFile()
    {
        const DatabaseUrl url = filled(3'000);
        SideSession side(url);
        side.run(u"UPDATE outbox SET type = 'rare' WHERE id % 100 = 0"_s);
        RowExport job(targetOf(url));
        job.start(bytesShape(), orderOf(u"type:rare"_s));
        QVERIFY(ends(job));
        QCOMPARE(job.state().phase, Phase::Done);
        const QStringList ids = idsIn(path());
        QCOMPARE(ids.size(), 30);
        QCOMPARE(ids.constFirst(), u"3000"_s); // the newest first
        QCOMPARE(ids.constLast(), u"100"_s);

        RowExportOrder chosen = orderOf();
        chosen.rows.ids = QList<MessageId>{{u"5"_s}, {u"17"_s}, {u"777777"_s}};
        job.start(bytesShape(), chosen);
        QVERIFY(ends(job));
        QCOMPARE(job.state().written, 2);
        QCOMPARE(job.state().gone, 1);
        const QStringList two = idsIn(path()); // what had the name is replaced
        QCOMPARE(QSet<QString>(two.begin(), two.end()), (QSet<QString>{u"5"_s, u"17"_s}));
    }

    void aFilterWithNothingMakesNoFile()
    {
        const DatabaseUrl url = filled(10);
        for (const RowExportForm form : {RowExportForm::JsonLines, RowExportForm::Csv}) {
            RowExport job(targetOf(url));
            job.start(bytesShape(), orderOf(u"type:nothing"_s, form));
            QVERIFY(ends(job));
            QCOMPARE(job.state().phase, Phase::Nothing);
            QVERIFY(left().isEmpty());
        }
    }

    void aFilterThatAsksAQueueThatIsNotNamedSaysSo()
    {
        RowExport job(targetOf(filled(10)));
        job.start(bytesShape(), orderOf(u"task:retry"_s));
        QVERIFY(ends(job));
        QCOMPARE(job.state().phase, Phase::Failed);
        QVERIFY(job.state().error->text.contains(u"Redis"_s));
        QTRY_VERIFY(left().isEmpty());
    }

    void cancelledAtAnySliceItLeavesNothing()
    {
        const DatabaseUrl url = filled(6'000);
        QFile there(path());
        QVERIFY(there.open(QIODevice::WriteOnly));
        there.write("mine");
        there.close();
        QRandomGenerator random(18);
        for (int round = 0; round < 12; ++round) {
            const int slices = random.bounded(10); // of twelve or more
            RowExport job(targetOf(url));
            int told = 0;
            connect(&job, &RowExport::progressed, &job, [&](const RowExportState &state) {
                if (state.phase == Phase::Running && told++ == slices)
                    job.cancel();
            });
            job.start(bytesShape(),
                      orderOf({}, round % 2 == 0 ? RowExportForm::JsonLines : RowExportForm::Csv));
            QVERIFY(ends(job));
            QCOMPARE(job.state().phase, Phase::Cancelled);
            QTRY_COMPARE(left(), QStringList{u"rows.jsonl"_s}); // that of before
            QCOMPARE(fileBytes(path()), QByteArray("mine"));
        }
    }

    void goneWithItsOwnerItLeavesNothing()
    {
        const DatabaseUrl url = filled(6'000);
        auto job = std::make_unique<RowExport>(targetOf(url));
        job->start(bytesShape(), orderOf());
        QVERIFY(QTest::qWaitFor([&job] { return job->state().written > 0; }, patient(60'000)));
        QVERIFY(job->isRunning());
        job.reset();
        QVERIFY(left().isEmpty());
    }

    void aFullDiskIsToldAndNothingHalfStays()
    {
        const DatabaseUrl url = filled(6'000);
        for (const RowExportForm form : {RowExportForm::JsonLines, RowExportForm::Csv}) {
            RowExport job(targetOf(url));
            {
                std::signal(SIGXFSZ, SIG_IGN);
                const FileSizeLimit limit(200'000);
                QVERIFY(limit.isSet());
                job.start(bytesShape(), orderOf({}, form));
                QVERIFY(ends(job));
            }
            QCOMPARE(job.state().phase, Phase::Failed);
            QCOMPARE(job.state().error->kind, Error::Kind::Refused);
            QVERIFY(!job.state().error->hint.isEmpty());
            QTRY_VERIFY(left().isEmpty());
        }
    }

    /// Removed as half a file, that of before and the new one would both be gone.
    void aFileThatHasItsNameStaysWhereTheFolderCannotBeSynced()
    {
        const auto writeMine = [this] {
            QFile there(path());
            return there.open(QIODevice::WriteOnly) && there.write("mine") == 4;
        };
        QVERIFY(writeMine());
        ExportHead head;
        head.operation = u"0b0f6a1e-0000-4000-8000-000000000001"_s;
        head.at = QDateTime::currentDateTimeUtc();
        head.columns = QStringList{u"id"_s};
        WholeRow row;
        row.id = MessageId{u"1"_s};
        row.columns = head.columns;
        row.cells = {Cell{Cell::Kind::Integer, "1"}};
        auto whole = ExportWriter::create(path(), head, ExportWriter::IfThere::Replace);
        QVERIFY_RESULT(whole);
        QVERIFY_RESULT(whole->add(row));
        const auto wholeEnded = finishedWithoutFolder(std::move(*whole));
        QVERIFY(!wholeEnded.has_value());
        QVERIFY(wholeEnded.error().effect == Error::Effect::Unknown);
        QCOMPARE(left(), QStringList{u"rows.jsonl"_s});
        QCOMPARE(idsIn(path()), QStringList{u"1"_s});

        QVERIFY(writeMine());
        auto csv = CsvWriter::create(path(), PayloadMasks::none());
        QVERIFY_RESULT(csv);
        const auto csvEnded = finishedWithoutFolder(std::move(*csv));
        QVERIFY(!csvEnded.has_value());
        QVERIFY(csvEnded.error().effect == Error::Effect::Unknown);
        QCOMPARE(left(), QStringList{u"rows.jsonl"_s});
        QVERIFY(fileBytes(path()).startsWith("id,"));
    }

    void aFolderThatVanishesIsTold()
    {
        const DatabaseUrl url = filled(6'000);
        RowExport job(targetOf(url));
        connect(&job, &RowExport::progressed, &job, [&](const RowExportState &state) {
            if (state.written > 0)
                QDir(m_folder->filePath(u"out"_s)).removeRecursively();
        });
        job.start(bytesShape(), orderOf());
        QVERIFY(ends(job));
        QCOMPARE(job.state().phase, Phase::Failed);
        job.start(bytesShape(), orderOf()); // and where it never was
        QVERIFY(ends(job));
        QCOMPARE(job.state().phase, Phase::Failed);
        QVERIFY(!QFile::exists(m_folder->filePath(u"out"_s))); // nobody makes it
    }

    void rowsThatComeAndGoMeanwhileChangeNothingForTheOthers()
    {
        const DatabaseUrl url = filled(6'000);
        SideSession side(url);
        RowExport job(targetOf(url));
        int changes = 0;
        const QString bytes = QString(testWords().bytes).arg(u"00"_s);
        connect(&job, &RowExport::progressed, &job, [&](const RowExportState &state) {
            if (state.phase != Phase::Running || state.written == 0 || changes == 5)
                return;
            ++changes;
            side.run(
                u"INSERT INTO outbox VALUES (%1, 'new', %2)"_s.arg(10'000 + changes).arg(bytes));
            side.run(u"DELETE FROM outbox WHERE id = %1"_s.arg(changes));
        });
        job.start(bytesShape(), orderOf());
        QVERIFY(ends(job));
        QCOMPARE(job.state().phase, Phase::Done);
        QCOMPARE(changes, 5);
        const QStringList ids = idsIn(path());
        const QSet<QString> once(ids.begin(), ids.end());
        QCOMPARE(once.size(), ids.size());
        for (int id = 6; id <= 6'000; ++id) // these stood all the time
            QVERIFY2(once.contains(QString::number(id)), qPrintable(QString::number(id)));
        QVERIFY(!once.contains(u"10001"_s));
    }

    void masksHoldForPeopleAndNotForImport()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(bytesTable());
        const QByteArray json = R"({"to":"ana","password":"Pl4nted-Secret"})";
        const QString bytes = QString(testWords().bytes);
        side.run(u"INSERT INTO outbox VALUES (1, '=1+1', %1)"_s.arg(
            bytes.arg(QString::fromLatin1(json.toHex()))));
        side.run(u"INSERT INTO outbox VALUES (2, 'text', %1)"_s.arg(
            bytes.arg(QString::fromLatin1(QByteArray("password Pl4nted-Secret").toHex()))));
        Target target = targetOf(url);
        const auto masks = PayloadMasks::fromTexts({u"*.password"_s});
        QVERIFY_RESULT(masks);
        target.profile.masks = *masks;
        RowExport job(target);
        job.start(bytesShape(), orderOf({}, RowExportForm::Csv));
        QVERIFY(ends(job));
        QCOMPARE(job.state().phase, Phase::Done);
        const QByteArray csv = fileBytes(path());
        QVERIFY2(!csv.contains("Pl4nted"), csv.constData());
        QVERIFY2(csv.contains(maskedValue().toUtf8()) && csv.contains("ana"), csv.constData());
        QVERIFY2(csv.contains("'=1+1"), csv.constData()); // no formula
        QCOMPARE(csv.count('\n'), 3);
        job.start(bytesShape(), orderOf());
        QVERIFY(ends(job));
        QCOMPARE(fileBytes(path()).count("Pl4nted-Secret"), 2);
    }

    /// No index answers, and the database cannot tell in time: the table is gone through by its
    /// key.
    void whatTakesTooLongIsGoneThroughInSmallerSlices()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("only there an operator can be made slow");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable().replace(u"payload text"_s, u"payload jsonb"_s));
        side.run(numbered(3'200, u"n, 'mail', jsonb_build_object('n', n)"_s, u"outbox"_s));
        makeDocumentsSlow(side, url); // over six seconds for all of them
        Target target = targetOf(url);
        OutboxShape shape = classicShape();
        shape.payloadForm = OutboxShape::PayloadForm::Json;
        target.profile.shape = shape;
        RowExport job(target);
        job.start(shape, orderOf(u"payload.n:2 or col.type:x"_s)); // no page comes in time
        QVERIFY(ends(job));
        QVERIFY2(job.state().phase == Phase::Done,
                 qPrintable(oneLine(job.state().error.value_or(Error()))));
        QCOMPARE(job.state().searched, 3'200);
        QCOMPARE(idsIn(path()), QStringList{u"2"_s});
    }

    void memoryDoesNotGrowWithTheRows()
    {
        if (dialect() != DatabaseUrl::Dialect::Sqlite)
            QSKIP("the other databases are read alike");
        if (qEnvironmentVariableIsSet("OUTBOX_SLOWNESS"))
            QSKIP("a sanitizer keeps memory that was freed");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(bytesTable());
        side.run(numbered(3'000, u"n, 'mail', randomblob(65536)"_s, u"outbox"_s));
        for (const RowExportForm form : {RowExportForm::JsonLines, RowExportForm::Csv}) {
            RowExport job(targetOf(url));
            const qint64 before = peakMemory(true);
            job.start(bytesShape(), orderOf({}, form));
            QVERIFY(ends(job));
            QCOMPARE(job.state().written, 3'000);
            const qint64 grown = peakMemory() - before;
            QVERIFY2(grown < qint64(100) * 1024 * 1024, qPrintable(QString::number(grown)));
            QVERIFY(QFileInfo(path()).size() > qint64(190) * 1024 * 1024);
        }
    }
};

} // namespace tst_rowexport

OUTBOX_TEST(tst_rowexport::TestRowExport)
#include "tst_rowexport.moc"
