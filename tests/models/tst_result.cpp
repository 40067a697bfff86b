// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an error says of its effect.
#include "models/result.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_result {

using namespace outbox;

class TestResult : public QObject
{
    Q_OBJECT

private slots:
    void theKindSaysWhatNobodyKnowsBetter_data()
    {
        using Kind = Error::Kind;
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<bool>("mayHaveHappened");
        QTest::newRow("unreachable") << Kind::Unreachable << true;
        QTest::newRow("timeout") << Kind::Timeout << true;
        QTest::newRow("protocol") << Kind::Protocol << true;
        QTest::newRow("refused") << Kind::Refused << false;
        QTest::newRow("conflict") << Kind::Conflict << false;
        QTest::newRow("constraint") << Kind::Constraint << false;
        QTest::newRow("unsupported") << Kind::Unsupported << false;
        QTest::newRow("cancelled") << Kind::Cancelled << false;
        QTest::newRow("invalid") << Kind::Invalid << false;
    }

    void theKindSaysWhatNobodyKnowsBetter()
    {
        QFETCH(Error::Kind, kind);
        QFETCH(bool, mayHaveHappened);
        Error error; // as a server's answer is read: first the error, then its kind
        error.kind = kind;
        QCOMPARE(outbox::mayHaveHappened(error), mayHaveHappened);
        QVERIFY(!outbox::mayHaveHappened(withoutEffect(error).value()));
        QVERIFY(outbox::mayHaveHappened(withUnknownEffect(error).value()));
    }

    void aServersWordsAreSaidOnce()
    {
        using namespace Qt::Literals::StringLiterals;
        Error error{Error::Kind::Refused,
                    u"connecting"_s,
                    u"WRONGPASS invalid password."_s,
                    u"WRONGPASS"_s,
                    {}};
        QCOMPARE(oneLine(error), u"connecting: WRONGPASS invalid password."_s);
        error.hint = u"Ask its owner"_s;
        QCOMPARE(oneLine(error), u"connecting: WRONGPASS invalid password. Ask its owner"_s);
        error.code = u"28P01"_s;
        QCOMPARE(oneLine(error),
                 u"connecting: WRONGPASS invalid password. Ask its owner [28P01]"_s);
    }
};

} // namespace tst_result

OUTBOX_TEST(tst_result::TestResult)
#include "tst_result.moc"
