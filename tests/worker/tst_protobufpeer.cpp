// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random messages of every type, written by protobuf's own library (protobufmessages.py): each
// value is read under its name, and what is cut is refused where that library refuses it.
#include "models/payload/protobufmessage.h"
#include "tests/support/resultmacros.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString allName = u"test.all.All"_s;

QMap<QString, QString> valuesOf(const PayloadTree &tree)
{
    QMap<QString, QString> values;
    for (int node = 0; node < tree.nodes.size(); ++node) {
        if (!tree.nodes.at(node).isContainer())
            values.insert(tree.path(node), tree.nodes.at(node).value);
    }
    return values;
}

bool isSame(const QString &read, const QJsonArray &wanted)
{
    const QString text = wanted.at(1).toString();
    if (wanted.at(0).toString() == "text"_L1)
        return read == text;
    bool isReal = false;
    const double one = read.toDouble(&isReal);
    return isReal && one == text.toDouble();
}

} // namespace

class TestProtobufPeer : public QObject
{
    Q_OBJECT

    ProtobufSchema m_schema;
    QList<QJsonObject> m_messages;

private slots:
    void initTestCase()
    {
        QProcess process;
        process.start(QStringLiteral(PYTHON), {QStringLiteral(MESSAGES), u"300"_s});
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray said = process.readAllStandardError();
        if (said.contains("ModuleNotFoundError")
            && !qEnvironmentVariableIsSet("OUTBOX_REQUIRE_SERVERS"))
            QSKIP("sudo apt-get install python3 python3-protobuf");
        QVERIFY2(process.exitCode() == 0, said.right(2000).constData());
        const QList<QByteArray> lines = process.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.size(), 301);
        for (const QByteArray &line : lines)
            m_messages += QJsonDocument::fromJson(line).object();
        const QByteArray set
            = QByteArray::fromHex(m_messages.takeFirst().value("set"_L1).toString().toLatin1());
        const auto schema = readDescriptorSet(set);
        QVERIFY_RESULT(schema);
        m_schema = *schema;
    }

    void everyValueIsReadAndNoOther()
    {
        qsizetype checked = 0;
        for (const QJsonObject &message : m_messages) {
            const QByteArray bytes
                = QByteArray::fromHex(message.value("message"_L1).toString().toLatin1());
            const auto read = readProtobufMessage(m_schema, allName, bytes);
            QVERIFY_RESULT(read);
            QCOMPARE(read->unknownFields, 0);
            const QMap<QString, QString> values = valuesOf(read->tree);
            const QJsonObject wanted = message.value("values"_L1).toObject();
            for (auto value = values.cbegin(); value != values.cend(); ++value) {
                QVERIFY2(wanted.contains(value.key()), qPrintable(value.key()));
                QVERIFY2(isSame(value.value(), wanted.value(value.key()).toArray()),
                         qPrintable(value.key() + u" is "_s + value.value()));
            }
            QCOMPARE(values.size(), wanted.size());
            checked += values.size();
        }
        QVERIFY2(checked > 1000, qPrintable(QString::number(checked)));
    }

    void whatIsCutIsRefusedAsTheLibraryDoes()
    {
        qsizetype cuts = 0;
        for (const QJsonObject &message : m_messages) {
            const QByteArray bytes
                = QByteArray::fromHex(message.value("message"_L1).toString().toLatin1());
            const QJsonArray isRead = message.value("cuts"_L1).toArray();
            for (qsizetype cut = 0; cut < isRead.size(); ++cut) {
                const auto part = readProtobufMessage(m_schema, allName, bytes.first(cut));
                QVERIFY2(
                    part.has_value() == isRead.at(cut).toBool(),
                    QByteArray(bytes.toHex() + " cut at " + QByteArray::number(cut)).constData());
            }
            cuts += isRead.size();
        }
        QVERIFY2(cuts > 1000, qPrintable(QString::number(cuts)));
    }

    /// Bytes that were changed are refused or read, within the bounds.
    void whatIsChangedDoesNoHarm()
    {
        quint32 random = 1;
        for (const QJsonObject &message : m_messages) {
            QByteArray bytes
                = QByteArray::fromHex(message.value("message"_L1).toString().toLatin1());
            for (int turn = 0; turn < 50 && !bytes.isEmpty(); ++turn) {
                random = random * 1664525 + 1013904223;
                bytes[static_cast<qsizetype>(random % static_cast<quint32>(bytes.size()))]
                    = static_cast<char>(random >> 24);
                const auto read = readProtobufMessage(m_schema, allName, bytes);
                QVERIFY(!read || read->tree.nodes.size() <= DecodeLimits().nodes);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestProtobufPeer)
#include "tst_protobufpeer.moc"
