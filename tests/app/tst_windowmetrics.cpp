// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the window sees is served to a collector on this computer, where a person chose a port; what
// it does not see has no number.
#include "app/settings/preferences.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/connections/metricsdialog.h"
#include "views/frame/messagebar.h"
#include "views/widgets/actions.h"
#include "views/widgets/noticebar.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

namespace tst_windowmetrics {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestWindowMetrics : public QObject, protected ConsoleGround
{
    Q_OBJECT

    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] Profile profile() const { return profileOver(*m_fixture, u"shop"_s); }
    /// Empty where nobody answers.
    [[nodiscard]] static QByteArray pageAt(quint16 port)
    {
        QByteArray answer;
        bool isOver = false;
        QTcpSocket socket; // last: it may tell of its end when it goes
        connect(&socket, &QTcpSocket::connected, &socket,
                [&] { socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"); });
        connect(&socket, &QTcpSocket::readyRead, &socket, [&] { answer += socket.readAll(); });
        connect(&socket, &QTcpSocket::disconnected, &socket, [&] { isOver = true; });
        connect(&socket, &QTcpSocket::errorOccurred, &socket, [&] { isOver = true; });
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        return QTest::qWaitFor([&] { return isOver; }, patient(20'000)) ? answer : QByteArray();
    }
    [[nodiscard]] MetricsDialog *dialog() const
    {
        window().registry()->action(u"serveMetrics"_s)->trigger();
        return window().findChild<MetricsDialog *>();
    }
    static void choose(const MetricsDialog *dialog, bool isServed, quint16 port)
    {
        dialog->findChild<QCheckBox *>(u"metricsServe"_s)->setChecked(isServed);
        dialog->findChild<QSpinBox *>(u"metricsPort"_s)->setValue(port);
        dialog->findChild<QPushButton *>(u"metricsApply"_s)->click();
    }
    [[nodiscard]] static QString notice(const MetricsDialog *dialog)
    {
        return dialog->findChild<NoticeBar *>(u"metricsNotice"_s)->text();
    }
    [[nodiscard]] int keptPort() const
    {
        const auto kept = Preferences::load(folders().preferencesFile());
        return kept ? kept->metricsPort : -1;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        startConsole();
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt,
                                                 nullptr, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(12));
    }
    void cleanup()
    {
        m_desktop.reset();
        m_fixture.reset();
    }

    void whatTheWindowSeesIsServed()
    {
        openWindow(profile());
        const quint16 port = freePort();
        QVERIFY(port != 0);
        QVERIFY(pageAt(port).isEmpty()); // nothing is served before somebody asks for it
        MetricsDialog *asked = dialog();
        QVERIFY(asked != nullptr);
        QCOMPARE(notice(asked), u"Nothing is served."_s);
        choose(asked, true, port);
        QVERIFY2(notice(asked).contains(u"127.0.0.1:%1/metrics"_s.arg(port)),
                 qPrintable(notice(asked)));
        QTRY_VERIFY(pageAt(port).contains("\noutbox_pending_rows 12\n"));
        const QByteArray page = pageAt(port);
        QVERIFY(page.startsWith("HTTP/1.1 200 OK"));
        QVERIFY(page.endsWith("# EOF\n"));
        QVERIFY(page.contains("\noutbox_source_up{source=\"database\"} 1\n"));
        QVERIFY(page.contains("\noutbox_relay_messages_total{result=\"enqueued\"} 0\n"));
        // Nobody looks while it is paused: the last numbers are no numbers of now.
        window().registry()->action(u"pause"_s)->trigger();
        QTRY_VERIFY(!pageAt(port).contains("\noutbox_pending_rows "));
        QVERIFY(!pageAt(port).contains("\noutbox_source_up{"));
        window().registry()->action(u"pause"_s)->trigger();
        QTRY_VERIFY(pageAt(port).contains("\noutbox_pending_rows 12\n"));

        m_desktop.reset(); // which frees the port
        startAgain(); // it is kept
        m_desktop->openProfile(awayProfile(u"away"_s), {});
        QTRY_VERIFY(pageAt(port).contains("\noutbox_source_up{source=\"database\"} 0\n"));
        QVERIFY(!pageAt(port).contains("\noutbox_pending_rows "));
        choose(dialog(), false, port);
        QVERIFY(pageAt(port).isEmpty());
        QCOMPARE(keptPort(), 0);
    }

    void aPortThatIsTakenIsTold()
    {
        openWindow(profile());
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        const quint16 taken = other.serverPort();
        const quint16 port = freePort();
        MetricsDialog *asked = dialog();
        choose(asked, true, port);
        choose(asked, true, taken);
        QVERIFY2(notice(asked).contains(u"Port %1 of this computer cannot be had"_s.arg(taken)),
                 qPrintable(notice(asked)));
        QVERIFY(!pageAt(port).isEmpty()); // the one before goes on
        QCOMPARE(keptPort(), int{port});
        // Another window has it: the second one says so, and works.
        Desktop second(folders());
        QVERIFY(second.window().messages()->findChildren<QLabel *>().size() > 0);
        QStringList texts;
        for (const QLabel *label : second.window().messages()->findChildren<QLabel *>())
            texts += label->text();
        QVERIFY2(texts.join(u'\n').contains(u"Metrics are not served: port %1"_s.arg(port)),
                 qPrintable(texts.join(u'\n')));
    }
};

} // namespace tst_windowmetrics

OUTBOX_TEST(tst_windowmetrics::TestWindowMetrics)
#include "tst_windowmetrics.moc"
