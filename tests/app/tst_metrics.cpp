// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The metrics page, letter by letter, and a server that nobody can tie up.
#include "app/service/metricsserver.h"
#include "app/service/relaymetrics.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

namespace tst_metrics {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// What the server at `url` answers to `request`; ends when it closes.
QByteArray ask(const QString &url, const QByteArray &request)
{
    const QUrl address(url);
    QTcpSocket socket;
    QByteArray answer;
    QObject::connect(&socket, &QTcpSocket::readyRead, &socket, [&] { answer += socket.readAll(); });
    const QSignalSpy closed(&socket, &QTcpSocket::disconnected);
    socket.connectToHost(address.host(), static_cast<quint16>(address.port()));
    QObject::connect(&socket, &QTcpSocket::connected, &socket, [&] { socket.write(request); });
    return QTest::qWaitFor([&] { return !closed.isEmpty(); }, 20'000) ? answer : QByteArray();
}

} // namespace

class TestMetrics : public QObject
{
    Q_OBJECT

private slots:
    void thePageIsOpenMetrics()
    {
        RelayTotals totals;
        Histogram batchSeconds({0.5, 1});
        SourceFigures sources;
        totals.enqueued = 7;
        totals.rollbacks = 2;
        batchSeconds.add(0.5);
        batchSeconds.add(0.75);
        batchSeconds.add(3);
        sources.databaseUp = false;
        sources.queueUp = true;
        sources.queue = QueueSnapshot{};
        sources.queue->name.text = u"a\"b\\c\nd"_s;
        sources.queue->pending = 41;
        const QByteArray page = relayMetrics(totals, RelayState::Running, batchSeconds, sources);
        for (const char *line :
             {"# TYPE outbox_relay_messages counter",
              "outbox_relay_messages_total{result=\"enqueued\"} 7",
              "outbox_relay_batches_total{result=\"rolled_back\"} 2",
              "# UNIT outbox_relay_batch_seconds seconds",
              "outbox_relay_batch_seconds_bucket{le=\"0.5\"} 1",
              "outbox_relay_batch_seconds_bucket{le=\"1.0\"} 2",
              "outbox_relay_batch_seconds_bucket{le=\"+Inf\"} 3",
              "outbox_relay_batch_seconds_count 3", "outbox_relay_batch_seconds_sum 4.25",
              "outbox_relay_state{outbox_relay_state=\"running\"} 1",
              "outbox_relay_state{outbox_relay_state=\"paused\"} 0",
              "outbox_source_up{source=\"database\"} 0", "outbox_source_up{source=\"queue\"} 1",
              "outbox_queue_tasks{queue=\"a\\\"b\\\\c\\nd\",state=\"pending\"} 41"})
            QVERIFY2(page.split('\n').contains(line), line);
        QVERIFY(page.endsWith("\n# EOF\n"));
        QVERIFY(!page.contains("outbox_pending_rows")); // not known is not 0
    }

    /// Whoever alarms by these numbers sees on the same page what they are worth.
    void aGuessAndWhatIsNotKnownAreTold()
    {
        SourceFigures sources;
        sources.databaseUp = sources.queueUp = true;
        sources.outbox = OutboxSnapshot{};
        sources.outbox->pending = 176;
        sources.outbox->unknown = 12;
        sources.queue = QueueSnapshot{};
        sources.queue->name.text = u"mail"_s;
        sources.queue->paused = true;
        const auto page = [&sources] {
            return relayMetrics({}, RelayState::Running, batchSecondsHistogram(), sources);
        };
        const auto lines = [&page] { return page().split('\n'); };
        QVERIFY(lines().contains("outbox_mapping_confirmed 1"));
        QVERIFY(lines().contains("outbox_counts_exact 1"));
        QVERIFY(lines().contains("outbox_unnamed_rows 12"));
        QVERIFY(lines().contains("outbox_queue_paused{queue=\"mail\"} 1"));
        // Nobody said whether it is served: that is no number.
        QVERIFY(!page().contains("outbox_queue_servers{"));
        QVERIFY(!page().contains("\noutbox_mapping_confidence_ratio "));

        sources.outbox->guess = MappingGuess{0.5, 2};
        sources.outbox->exact = false;
        sources.queue->servers = 0;
        QVERIFY(lines().contains("outbox_mapping_confirmed 0"));
        QVERIFY(lines().contains("outbox_mapping_confidence_ratio 0.5"));
        QVERIFY(lines().contains("outbox_counts_exact 0"));
        QVERIFY(lines().contains("outbox_queue_servers{queue=\"mail\"} 0"));
    }

    void relaysOfAllHostsAreCounted()
    {
        SourceFigures sources;
        const auto lines = [&sources] {
            return relayMetrics({}, RelayState::Running, batchSecondsHistogram(), sources)
                .split('\n');
        };
        QVERIFY(!lines().contains("# TYPE outbox_relays gauge"));
        sources.queue = QueueSnapshot{};
        sources.queue->name.text = u"mail"_s;
        sources.queue->at = QDateTime::currentDateTimeUtc();
        sources.outbox = OutboxSnapshot{};
        sources.outbox->pending = 5;
        sources.outbox->oldestPendingSeconds = 300;
        for (const qint64 seconds : {2, 3, 120}) {
            const QString name = u"relay%1"_s.arg(seconds);
            sources.queue->relays
                += RelayEntry{name, RelayAbout(), sources.queue->at.addSecs(-seconds)};
        }
        QVERIFY(lines().contains("outbox_relays{state=\"working\"} 2"));
        QVERIFY(lines().contains("outbox_relays{state=\"silent\"} 1"));
        QVERIFY(lines().contains("outbox_relays{state=\"stopped\"} 0"));
        sources.queue->notes.insert(u"relays"_s, u"there are too many to be listed"_s);
        QVERIFY(!lines().contains("# TYPE outbox_relays gauge"));
    }

    void everyLineObeysTheGrammar()
    {
        SourceFigures sources;
        sources.outbox = OutboxSnapshot{};
        sources.outbox->pending = 3;
        sources.outbox->oldestPendingSeconds = 0.125;
        sources.queue = QueueSnapshot{};
        sources.dedup = DedupSnapshot{};
        static const QRegularExpression meta(u"^# (TYPE|UNIT|HELP) ([a-z_]+) (.+)$"_s);
        static const QRegularExpression sample(
            u"^([a-z_]+)(\\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*\\})? ([0-9.e+-]+)$"_s);
        const QStringList lines = QString::fromUtf8(relayMetrics({}, RelayState::BackingOff,
                                                                 batchSecondsHistogram(), sources))
                                      .split(u'\n', Qt::SkipEmptyParts);
        QStringList families;
        QString type;
        for (const QString &line : lines.first(lines.size() - 1)) {
            if (const auto about = meta.match(line); about.hasMatch()) {
                if (about.captured(1) == u"TYPE"_s) {
                    QVERIFY2(!families.contains(about.captured(2)), qPrintable(line));
                    families += about.captured(2);
                    type = about.captured(3);
                }
                if (about.captured(1) == u"UNIT"_s)
                    QVERIFY2(families.last().endsWith(u'_' + about.captured(3)), qPrintable(line));
                QCOMPARE(about.captured(2), families.last());
                continue;
            }
            const auto value = sample.match(line);
            QVERIFY2(value.hasMatch(), qPrintable(line));
            QVERIFY2(value.captured(1).startsWith(families.last()), qPrintable(line));
            if (type == u"counter"_s)
                QVERIFY2(value.captured(1) == families.last() + u"_total"_s, qPrintable(line));
        }
        QVERIFY(families.size() > 8);
        QCOMPARE(lines.last(), u"# EOF"_s);
    }

    void anAddressIsRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host"); // empty: refused
        QTest::addColumn<int>("port");
        QTest::newRow("both") << u"127.0.0.2:9464"_s << u"127.0.0.2"_s << 9464;
        QTest::newRow("loopback") << u":9464"_s << u"127.0.0.1"_s << 9464;
        QTest::newRow("port") << u"0"_s << u"127.0.0.1"_s << 0;
        QTest::newRow("name") << u"localhost:1"_s << u"127.0.0.1"_s << 1;
        QTest::newRow("six") << u"[::1]:9464"_s << u"::1"_s << 9464;
        QTest::newRow("six without brackets") << u"::1:9464"_s << QString() << 0;
        QTest::newRow("other name") << u"example.org:80"_s << QString() << 0;
        QTest::newRow("no port") << u"127.0.0.1"_s << QString() << 0;
        QTest::newRow("port too high") << u":65536"_s << QString() << 0;
        QTest::newRow("nothing") << QString() << QString() << 0;
    }

    void anAddressIsRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, host);
        QFETCH(int, port);
        const auto address = metricsAddress(text);
        QCOMPARE(address.has_value(), !host.isEmpty());
        if (address) {
            QCOMPARE(address->first, QHostAddress(host));
            QCOMPARE(int(address->second), port);
        }
    }

    void onlyGetMetricsIsAnswered_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("status");
        const QByteArray end = " HTTP/1.1\r\nHost: x\r\n\r\n";
        QTest::newRow("page") << QByteArray("GET /metrics" + end) << QByteArray("200");
        QTest::newRow("query") << QByteArray("GET /metrics?x=1" + end) << QByteArray("200");
        QTest::newRow("bare line")
            << QByteArray("GET /metrics HTTP/1.0\r\n\r\n") << QByteArray("200");
        QTest::newRow("root") << QByteArray("GET /" + end) << QByteArray("404");
        QTest::newRow("longer path") << QByteArray("GET /metrics/x" + end) << QByteArray("404");
        QTest::newRow("post") << QByteArray("POST /metrics" + end) << QByteArray("405");
        QTest::newRow("not HTTP") << QByteArray("hello\r\n\r\n") << QByteArray("400");
        QTest::newRow("no end") << QByteArray("GET /metrics HTTP/1.1\r\nX: "
                                              + QByteArray(10'000, 'x'))
                                << QByteArray("431");
    }

    void onlyGetMetricsIsAnswered()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, status);
        MetricsServer server([] { return QByteArray("page\n# EOF\n"); }, openMetricsType);
        QVERIFY_RESULT(server.listen());
        const QByteArray answer = ask(server.url(), request);
        QCOMPARE(answer.split(' ').value(1), status);
        QVERIFY(answer.contains("Connection: close"));
        QCOMPARE(answer.contains("\r\n\r\npage\n# EOF\n"), status == "200");
        QCOMPARE(answer.contains("Content-Type: application/openmetrics-text; version=1.0.0; "
                                 "charset=utf-8"),
                 status == "200");
    }

    void thoseWhoSayNothingAreFewAndAreDropped()
    {
        MetricsServer server([] { return QByteArray("page"); }, "text/plain");
        QVERIFY_RESULT(server.listen());
        const QUrl url(server.url());
        std::vector<std::unique_ptr<QTcpSocket>> idle;
        for (int i = 0; i < 12; ++i) {
            idle.push_back(std::make_unique<QTcpSocket>());
            idle.back()->connectToHost(url.host(), static_cast<quint16>(url.port()));
        }
        const auto open = [&] {
            return std::count_if(idle.begin(), idle.end(), [](const auto &socket) {
                return socket->state() == QAbstractSocket::ConnectedState;
            });
        };
        QTRY_COMPARE_WITH_TIMEOUT(open(), 8, 4000); // all places are taken
        QVERIFY(ask(server.url(), "GET /metrics HTTP/1.1\r\n\r\n").isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(open(), 0, 10'000); // five seconds, then the next one's turn
        QVERIFY(ask(server.url(), "GET /metrics HTTP/1.1\r\n\r\n").endsWith("page"));
    }

    void anAddressThatIsTakenIsRefused()
    {
        MetricsServer first([] { return QByteArray(); }, "text/plain");
        QVERIFY_RESULT(first.listen());
        MetricsServer second([] { return QByteArray(); }, "text/plain");
        const auto listening = second.listen(QHostAddress::LocalHost,
                                             static_cast<quint16>(QUrl(first.url()).port()));
        QVERIFY(!listening);
        QCOMPARE(listening.error().kind, Error::Kind::Refused);
    }
};

} // namespace tst_metrics

OUTBOX_TEST(tst_metrics::TestMetrics)
#include "tst_metrics.moc"
