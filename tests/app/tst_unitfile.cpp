// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The systemd unit as it is installed: systemd-analyze finds nothing to say about it, and every
// option it gives is one that outboxctl knows.
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace tst_unitfile {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestUnitFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_unit = m_folder.filePath(u"outboxdeck-relay@orders.service"_s);

    struct Verdict
    {
        int exitCode = -1;
        QByteArray words;
    };
    /// What systemd-analyze says of `unit`.
    [[nodiscard]] static Verdict verify(const QString &unit)
    {
        QProcess analyze;
        analyze.setProcessChannelMode(QProcess::MergedChannels);
        analyze.start(u"systemd-analyze"_s, {u"verify"_s, u"--man=no"_s, unit});
        if (!analyze.waitForFinished())
            return {};
        return {analyze.exitCode(), analyze.readAll()};
    }

private slots:
    void initTestCase()
    {
        QVERIFY2(!QStandardPaths::findExecutable(u"systemd-analyze"_s).isEmpty(),
                 "systemd-analyze is missing: apt-get install systemd");
        QVERIFY(QFile::copy(QStringLiteral(UNITFILE), m_unit));
    }

    void systemdHasNothingToSay()
    {
        const Verdict verdict = verify(m_unit);
        QCOMPARE(verdict.words, QByteArray());
        QCOMPARE(verdict.exitCode, 0);
    }

    void systemdWouldHaveSaidIt()
    {
        const QString broken = m_folder.filePath(u"outboxdeck-relay@broken.service"_s);
        QVERIFY(writeFile(broken, fileBytes(m_unit).replace("WatchdogSec=60", "WatchdogSec=soon")));
        QVERIFY(verify(broken).words.contains("soon"));
    }

    void theProgramKnowsEveryOptionOfTheUnit()
    {
        const QString text = QString::fromUtf8(fileBytes(m_unit));
        const QString start = text.section(u"ExecStart="_s, 1).section(u'\n', 0, 0);
        const QString help = QString::fromUtf8(runCtl({u"relay"_s, u"--help"_s}).out);
        static const QRegularExpression option(u"--[a-z-]+"_s);
        auto options = option.globalMatch(start);
        QVERIFY(options.hasNext());
        while (options.hasNext()) {
            const QString name = options.next().captured();
            QVERIFY2(help.contains(name + u' '), qPrintable(name));
        }
        for (const auto *word : {"SIGUSR1", "SIGUSR2"})
            QVERIFY(text.contains(QLatin1StringView(word))
                    && help.contains(QLatin1StringView(word)));
    }
};

} // namespace tst_unitfile

OUTBOX_TEST(tst_unitfile::TestUnitFile)
#include "tst_unitfile.moc"
