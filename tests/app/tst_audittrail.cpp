// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The record of what was done: what was appended is read, nothing can be changed unseen, and what
// cannot be written is an error.
#include "app/audit/auditline.h"
#include "app/audit/audittrail.h"
#include "app/settings/folders.h"
#include "app/settings/privatefile.h"
#include "tests/support/auditsample.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace tst_audittrail {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestAuditTrail : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"state/audit.jsonl"_s); }

    [[nodiscard]] QByteArray bytes() const { return fileBytes(path()); }

    void write(const QByteArray &text) const { QVERIFY(writeFile(path(), text)); }

    void fill(int count) const
    {
        AuditTrail trail(path());
        for (int done = 0; done < count; ++done)
            QVERIFY_RESULT(trail.append(sample::auditEntry(QString::number(done))));
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsWhatItAppended()
    {
        AuditTrail trail(path());
        const auto nothing = trail.read();
        QVERIFY_RESULT(nothing);
        QVERIFY(nothing->isEmpty());
        QVERIFY(!QFile::exists(path()));
        QList<AuditEntry> appended;
        for (const AuditEntry::Kind kind :
             {AuditEntry::Kind::Begin, AuditEntry::Kind::Intent, AuditEntry::Kind::Outcome,
              AuditEntry::Kind::Check, AuditEntry::Kind::End, AuditEntry::Kind::Refusal,
              AuditEntry::Kind::Unlock, AuditEntry::Kind::Lock}) {
            const auto one = trail.append(sample::auditEntry(u"a"_s, kind));
            QVERIFY_RESULT(one);
            appended += *one;
        }
        AuditEntry bare; // nothing but what append fills in
        const auto last = trail.append(bare);
        QVERIFY_RESULT(last);
        appended += *last;
        QCOMPARE(last->sequence, 9);
        QCOMPARE(last->previous, appended.at(7).hash);
        QCOMPARE(appended.first().previous, QByteArray(64, '0'));
        const auto read = trail.read();
        QVERIFY_RESULT(read);
        QCOMPARE(*read, appended);
        const auto newest = trail.read(2);
        QVERIFY_RESULT(newest);
        QCOMPARE(*newest, appended.last(2));
    }

    void belongsToItsOwnerAlone()
    {
        fill(1);
        const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup
            | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
        QVERIFY(!(QFile::permissions(path()) & others));
        QVERIFY(!(QFile::permissions(m_folder->filePath(u"state"_s)) & others));
        QVERIFY(QFile::setPermissions(path(), QFile::ReadOwner | QFile::WriteOwner | others));
        fill(1);
        QVERIFY(!(QFile::permissions(path()) & others));
        const Folders folders{{}, m_folder->filePath(u"state"_s)};
        QCOMPARE(folders.auditFile(), path());
    }

    void findsOneOperationAmongOthers()
    {
        AuditTrail trail(path());
        for (const auto kind :
             {AuditEntry::Kind::Begin, AuditEntry::Kind::Intent, AuditEntry::Kind::End}) {
            for (const QString &operation : {u"a"_s, u"b \"quoted\""_s, u"c"_s})
                QVERIFY_RESULT(trail.append(sample::auditEntry(operation, kind)));
        }
        const auto found = trail.read(u"b \"quoted\""_s);
        QVERIFY_RESULT(found);
        QCOMPARE(found->size(), 3);
        QCOMPARE(found->first().kind, AuditEntry::Kind::Begin);
        QCOMPARE(found->last().kind, AuditEntry::Kind::End);
        // undo_of names it, but is not it
        const auto none = trail.read(u"8e57"_s);
        QVERIFY_RESULT(none);
        QVERIFY(none->isEmpty());
        const auto undo = trail.readWithUndo(u"8e57"_s);
        QVERIFY_RESULT(undo);
        QVERIFY(!undo->isEmpty());
        QCOMPARE(undo->first().undoOf, u"8e57"_s);
    }

    void tellsWhichLinesAreNotAsTheyWereWritten_data()
    {
        QTest::addColumn<int>("damage");
        QTest::addColumn<QList<bool>>("intact"); // of begin, intent, outcome, end as they are read
        QTest::newRow("none") << 0 << QList<bool>{true, true, true, true};
        QTest::newRow("edited") << 1 << QList<bool>{true, true, false, true};
        QTest::newRow("edited and sealed anew") << 2 << QList<bool>{true, true, false, true};
        QTest::newRow("without its hash") << 3 << QList<bool>{true, false, false, true};
        QTest::newRow("no JSON any more") << 4 << QList<bool>{true, true, false, true};
        QTest::newRow("taken out") << 5 << QList<bool>{true, false, true};
        QTest::newRow("cut off in a crash") << 6 << QList<bool>{true, true, true, true};
    }
    void tellsWhichLinesAreNotAsTheyWereWritten()
    {
        QFETCH(int, damage);
        QFETCH(QList<bool>, intact);
        AuditTrail trail(path());
        for (const auto kind : {AuditEntry::Kind::Begin, AuditEntry::Kind::Intent,
                                AuditEntry::Kind::Outcome, AuditEntry::Kind::End}) {
            AuditEntry entry = sample::auditEntry(u"op"_s, kind);
            entry.note = u"untouched"_s;
            QVERIFY_RESULT(trail.append(entry));
        }
        QFile file(path());
        QVERIFY(file.open(QFile::ReadWrite));
        QByteArrayList lines = file.readAll().split('\n');
        QByteArray &line = lines[2];
        const QByteArray whole = line;
        if (damage == 1 || damage == 2)
            line.replace("untouched", "retouched");
        if (damage == 2) {
            auto entry = entryOf(line);
            QVERIFY_RESULT(entry);
            line = sealed(*entry);
            QVERIFY(isIntact(line));
        }
        if (damage == 3)
            line = line.left(line.lastIndexOf(",\"hash\"")) + '}';
        if (damage == 4)
            line.replace("\"note\":", "\"note\" ");
        if (damage == 5)
            lines.removeAt(2);
        if (damage == 6)
            lines.insert(2, whole.left(whole.size() / 2));
        QVERIFY(file.resize(0) && file.seek(0) && file.write(lines.join('\n')) > 0);
        file.close();

        for (const auto &read : {trail.read(), trail.read(u"op"_s), trail.readWithUndo(u"op"_s)}) {
            QVERIFY_RESULT(read);
            QList<bool> found;
            for (const AuditEntry &entry : *read) {
                found += entry.intact;
                QCOMPARE(entry.operation, u"op"_s);
            }
            QCOMPARE(found, intact);
            const QList<Activity> told = activitiesOf(*read);
            QCOMPARE(told.size(), 1);
            QCOMPARE(told.first().state == Activity::State::RecordChanged, intact.contains(false));
        }
    }

    void theHashCanBeCheckedByHand()
    {
        fill(1);
        QProcess shell;
        shell.start(u"/bin/sh"_s,
                    {u"-c"_s,
                     uR"(sed 's/,"hash":"[0-9a-f]*"}$/}/' "$0" | tr -d '\n' | sha256sum)"_s,
                     path()});
        QVERIFY(shell.waitForFinished());
        const auto read = AuditTrail(path()).read();
        QVERIFY_RESULT(read);
        QCOMPARE(shell.readAllStandardOutput().left(64), read->first().hash);
    }

    void aTornLastLineIsClosedOff()
    {
        fill(3);
        const QByteArray whole = bytes();
        const qsizetype lastLine = whole.lastIndexOf('\n', whole.size() - 2) + 1;
        for (qsizetype cut = lastLine + 1; cut < whole.size();
             cut += (cut < whole.size() - 90 ? 37 : 1)) {
            write(whole.left(cut));
            const bool complete = cut == whole.size() - 1; // only the line break is missing
            AuditTrail trail(path());
            const auto before = trail.read();
            QVERIFY_RESULT(before);
            QCOMPARE(before->size(), complete ? 3 : 2);
            const auto torn = trail.verify();
            QVERIFY_RESULT(torn);
            QVERIFY2(!torn->brokenAt, qPrintable(torn->text));
            QCOMPARE(torn->torn, complete ? 0 : 1);
            const auto appended = trail.append(sample::auditEntry(u"after"_s));
            QVERIFY_RESULT(appended);
            QCOMPARE(appended->sequence, complete ? 4 : 3);
            const auto after = trail.verify();
            QVERIFY_RESULT(after);
            QVERIFY2(!after->brokenAt, qPrintable(after->text));
            QCOMPARE(after->torn, complete ? 0 : 1);
            QCOMPARE(after->entries, complete ? 4 : 3);
            QCOMPARE(trail.read()->last().operation, u"after"_s);
        }
    }

    void tamperingIsFound_data()
    {
        QTest::addColumn<int>("how");
        QTest::addColumn<qint64>("brokenAt");
        QTest::newRow("a letter changed") << 0 << qint64{5};
        QTest::newRow("changed and its own hash made anew") << 1 << qint64{6};
        QTest::newRow("line taken out") << 2 << qint64{6};
        QTest::newRow("two lines swapped") << 3 << qint64{6};
        QTest::newRow("line put in twice") << 4 << qint64{5};
        QTest::newRow("line cut short") << 5 << qint64{6};
        QTest::newRow("beginning taken away") << 6 << qint64{5};
        QTest::newRow("sequence changed") << 7 << qint64{5};
        QTest::newRow("hash changed") << 8 << qint64{5};
        QTest::newRow("no JSON any more") << 9 << qint64{5};
        QTest::newRow("last line changed") << 10 << qint64{10};
    }

    void tamperingIsFound()
    {
        QFETCH(int, how);
        QFETCH(qint64, brokenAt);
        fill(10);
        QList<QByteArray> lines = bytes().trimmed().split('\n');
        QByteArray &fifth = lines[4];
        switch (how) {
        case 0:
            fifth.replace("INC-4711", "INC-4712");
            break;
        case 1: {
            auto changed = entryOf(fifth);
            QVERIFY_RESULT(changed);
            changed->note = u"another"_s;
            fifth = sealed(*changed);
            break;
        }
        case 2:
            lines.removeAt(4);
            break;
        case 3:
            lines.swapItemsAt(4, 5);
            break;
        case 4:
            lines.insert(4, fifth);
            break;
        case 5:
            fifth.chop(7);
            break;
        case 6:
            lines.remove(0, 4);
            break;
        case 7:
            fifth.replace("\"sequence\":5", "\"sequence\":9");
            break;
        case 8:
            fifth[fifth.size() - 3] = fifth.at(fifth.size() - 3) == '0' ? '1' : '0';
            break;
        case 9:
            fifth[1] = '?';
            break;
        default:
            lines.last().replace("INC-4711", "INC-4712");
            break;
        }
        write(lines.join('\n') + '\n');
        const auto chain = AuditTrail(path()).verify();
        QVERIFY_RESULT(chain);
        QCOMPARE(chain->brokenAt.value_or(0), brokenAt);
        QVERIFY2(chain->text.contains(QString::number(brokenAt)), qPrintable(chain->text));
        // The record goes on, and what was found stays found.
        QVERIFY_RESULT(AuditTrail(path()).append(sample::auditEntry(u"later"_s)));
        const auto later = AuditTrail(path()).verify();
        QVERIFY_RESULT(later);
        QCOMPARE(later->brokenAt.value_or(0), brokenAt);
    }

    void whatCannotBeWrittenIsAnError()
    {
        QVERIFY(QFile(m_folder->filePath(u"file"_s)).open(QIODevice::WriteOnly));
        const auto noFolder = AuditTrail(m_folder->filePath(u"file/audit.jsonl"_s))
                                  .append(sample::auditEntry(u"a"_s));
        QVERIFY(!noFolder.has_value());
        QCOMPARE(noFolder.error().kind, Error::Kind::Refused);
        const auto device = AuditTrail(u"/dev/full"_s).append(sample::auditEntry(u"a"_s));
        QVERIFY(!device.has_value());
        QCOMPARE(device.error().kind, Error::Kind::Invalid);
        AuditEntry large = sample::auditEntry(u"a"_s);
        large.note = QString(17 * 1024 * 1024, u'x');
        const auto tooLarge = AuditTrail(path()).append(large);
        QVERIFY(!tooLarge.has_value());
        QCOMPARE(tooLarge.error().kind, Error::Kind::Invalid);
        QVERIFY(bytes().isEmpty());
    }

    void whoHoldsTheFileTooLongIsNotWaitedFor()
    {
        fill(1);
        auto holder = PrivateFile::open(path(), PrivateFile::Mode::Append);
        QVERIFY_RESULT(holder);
        QVERIFY_RESULT(holder->lock(PrivateFile::Share::Alone, std::chrono::seconds(1)));
        auto other = PrivateFile::open(path(), PrivateFile::Mode::Read);
        QVERIFY_RESULT(other);
        const auto locked
            = other->lock(PrivateFile::Share::Together, std::chrono::milliseconds(20));
        QVERIFY(!locked.has_value());
        QCOMPARE(locked.error().kind, Error::Kind::Timeout);
    }

    void hundredThousandEntriesAreReadQuickly()
    {
        constexpr int many = 100'000;
        QVERIFY_RESULT(ensurePrivateFolder(m_folder->filePath(u"state"_s)));
        {
            QFile file(path());
            QVERIFY(file.open(QIODevice::WriteOnly));
            QByteArray previous = firstPrevious();
            for (int number = 1; number <= many; ++number) {
                AuditEntry one = sample::auditEntry(QString::number(number));
                one.sequence = number;
                one.at = QDateTime::fromMSecsSinceEpoch(number, Qt::UTC);
                one.previous = previous;
                file.write(sealed(one) + '\n');
                previous = one.hash;
            }
        }
        AuditTrail trail(path());
        QElapsedTimer timer;
        timer.start();
        const auto newest = trail.read(100);
        const qint64 newestMs = timer.restart();
        QVERIFY_RESULT(newest);
        QCOMPARE(newest->first().sequence, many - 99);
        const auto all = trail.read(many);
        const qint64 allMs = timer.restart();
        QVERIFY_RESULT(all);
        QVERIFY(all->size() > many / 2); // the text of 64 MiB is the other bound
        QCOMPARE(all->last().sequence, many);
        const auto chain = trail.verify();
        const qint64 verifyMs = timer.restart();
        QVERIFY_RESULT(chain);
        QVERIFY2(!chain->brokenAt, qPrintable(chain->text));
        QCOMPARE(chain->entries, many);
        QVERIFY_RESULT(trail.append(sample::auditEntry(u"last"_s)));
        qInfo(
            "100,000 entries of %lld bytes: newest 100 in %lld ms, %lld in %lld ms, chain in %lld "
            "ms, append in %lld ms",
            static_cast<long long>(QFileInfo(path()).size() / many),
            static_cast<long long>(newestMs), static_cast<long long>(all->size()),
            static_cast<long long>(allMs), static_cast<long long>(verifyMs),
            static_cast<long long>(timer.elapsed()));
        QVERIFY2(newestMs < 500, "the newest entries must not cost a walk through the file");
    }
};

} // namespace tst_audittrail

OUTBOX_TEST(tst_audittrail::TestAuditTrail)
#include "tst_audittrail.moc"
