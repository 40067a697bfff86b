// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A profile that names a document design: nothing is lost on the way to JSON and back, and what is
// wrong is said.
#include "models/profile/profile.h"
#include "models/profile/profiledraft.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace tst_designprofile {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Profile withDesign()
{
    Profile profile;
    profile.name = u"orders"_s;
    profile.design = DesignProfile();
    profile.design->design = Design::DedupStore;
    profile.design->documents.table = {u"shop"_s, u"orders"_s};
    return profile;
}

QJsonObject parsed(const char *text)
{
    return QJsonDocument::fromJson(text).object();
}

} // namespace

class TestDesignProfile : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsLost()
    {
        Profile profile = withDesign();
        DocumentShape &shape = profile.design->documents;
        int n = 0;
        for (QString *place :
             {&shape.idColumn, &shape.versionColumn, &shape.documentColumn, &shape.changedColumn,
              &shape.messagesMember, &shape.timeMember, &shape.idMember, &shape.typeMember,
              &shape.payloadMember, &shape.queueMember, &shape.tokenMember})
            *place = u"name %1"_s.arg(++n);
        shape.mapPath = {u"a.b"_s, u"c"_s};
        profile.design->doneTable
            = DoneTable{{u"shop"_s, u"done"_s}, u"i"_s, u"t"_s, u"a"_s, u"m"_s};
        const auto table = Profile::fromJson(profile.toJson());
        QVERIFY_RESULT(table);
        QCOMPARE(*table, profile);

        profile.design->doneTable.reset();
        profile.design->doneKeys = DoneKeys{"d\xc3\xb6ne:", 604'800'000};
        profile.design->documents = DocumentShape();
        profile.design->documents.table.table = u"orders"_s;
        const auto keys = Profile::fromJson(profile.toJson());
        QVERIFY_RESULT(keys);
        QCOMPARE(*keys, profile);
    }

    void aProfileOfRowsHasNone()
    {
        Profile profile;
        profile.name = u"rows"_s;
        QVERIFY(!profile.toJson().contains(u"design"_s));
        const auto read = Profile::fromJson(profile.toJson());
        QVERIFY_RESULT(read);
        QVERIFY(!read->design.has_value());
    }

    /// The retention is edited where the keys are not: a file that could not be read again is not
    /// saved.
    void aRetentionThatOutlastsTheKeysIsNotSaved()
    {
        Profile profile = withDesign();
        profile.design->doneKeys = DoneKeys{"done:", 172'800'000};
        QCOMPARE(ProfileDraft({profile}).problem(), QString());
        profile.retentionSeconds = 604'800;
        QVERIFY(ProfileDraft({profile}).problem().contains(u"orders"_s));
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *json, const char *says) {
            QTest::newRow(name) << QByteArray(json) << QString::fromLatin1(says);
        };
        row("no design", R"({"kind":"x","documents":{"table":"t"}})", "\"x\" is no design");
        row("no table", R"({"kind":"entity"})", "\"documents\" needs a \"table\"");
        row("no text", R"({"kind":"entity","documents":{"table":"t","id":3}})",
            "\"id\" of \"documents\" is no text");
        row("no column", R"({"kind":"entity","documents":{"table":"t","version":""}})",
            "\"version\" of \"documents\" is empty");
        row("no map", R"({"kind":"entity","documents":{"table":"t","map":"a"}})",
            "\"map\" is a list of names");
        row("no name", R"({"kind":"entity","documents":{"table":"t","map":["a",""]}})",
            "\"map\" has a name that is empty");
        row("store for none",
            R"({"kind":"entity","documents":{"table":"t"},"done_table":{"table":"d"}})",
            "has no store beside");
        row("two stores", R"({"kind":"store","documents":{"table":"t"},"done_table":{"table":"d"},
            "done_keys":{"prefix":"d:"}})",
            "exclude each other");
        row("no prefix", R"({"kind":"store","documents":{"table":"t"},"done_keys":{}})",
            "prefix of the keys is empty");
        row("short", R"({"kind":"store","documents":{"table":"t"},
            "done_keys":{"prefix":"d:","ttl_ms":60000}})",
            "shorter than the retention");
        row("negative", R"({"kind":"store","documents":{"table":"t"},
            "done_keys":{"prefix":"d:","ttl_ms":-1}})",
            "negative");
    }

    void whatIsWrongIsSaid()
    {
        QFETCH(const QByteArray, json);
        QFETCH(const QString, says);
        const auto read
            = Profile::fromJson({{u"name"_s, u"p"_s}, {u"design"_s, parsed(json.constData())}});
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().kind, Error::Kind::Invalid);
        QVERIFY2(oneLine(read.error()).contains(says), qPrintable(oneLine(read.error())));
    }
};

} // namespace tst_designprofile

OUTBOX_TEST(tst_designprofile::TestDesignProfile)
#include "tst_designprofile.moc"
