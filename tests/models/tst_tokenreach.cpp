// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which tokens something refers to, and which order of a handler's steps breaks what.
#include "models/designs/handlersteps.h"
#include "models/designs/token.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_tokenreach {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestTokenReach : public QObject
{
    Q_OBJECT
private slots:
    void whatRefersToATokenKeepsIt_data()
    {
        QTest::addColumn<QString>("token");
        QTest::addColumn<QString>("attempt");
        QTest::addColumn<QString>("incoming");
        QTest::addColumn<QString>("reach");
        QTest::newRow("in an entry") << u"t-1"_s << u"a-1"_s << u"m-1"_s << u"held"_s;
        QTest::newRow("in a queue") << u"t-2"_s << u"a-2"_s << u"m-2"_s << u"carried"_s;
        QTest::newRow("undecided") << u"t-3"_s << u"a-3"_s << u"m-3"_s << u"attempt"_s;
        QTest::newRow("another attempt won") << u"t-4"_s << u"a-4"_s << u"m-1"_s << u"losing"_s;
        QTest::newRow("its message is through") << u"t-5"_s << u"a-5"_s << u"m-5"_s << u"garbage"_s;
        QTest::newRow("nobody registered it") << u"t-6"_s << QString() << u"m-1"_s << u"garbage"_s;
    }
    void whatRefersToATokenKeepsIt()
    {
        QFETCH(const QString, token);
        QFETCH(const QString, attempt);
        QFETCH(const QString, incoming);
        QFETCH(const QString, reach);
        TokenReferences references;
        references.entries = {{u"t-1"_s, u"d-1 / m-1"_s}};
        references.unfinished = {{u"m-1"_s, {u"t-1"_s}}, {u"m-3"_s, {}}};
        references.carried = {u"t-2"_s};
        const Token one{token, attempt, incoming, {}};
        QCOMPARE(word(reachOf(one, references)), reach);
        QVERIFY(!reachText(one, reachOf(one, references), references).isEmpty());
        references.isComplete = false;
        QCOMPARE(word(reachOf(one, references)), reach == u"garbage" ? u"unknown"_s : reach);
    }

    void onlyOneOrderHasNoFault()
    {
        using enum HandlerStep;
        for (const Design design : {Design::EntityState, Design::DedupStore, Design::Tokens}) {
            QVERIFY(faultOf(stepsOf(design), design).isEmpty());
            QList<HandlerStep> steps = stepsOf(design);
            for (qsizetype i = 1; i < steps.size(); ++i) {
                steps.swapItemsAt(i - 1, i);
                QVERIFY(!faultOf(steps, design).isEmpty());
                steps.swapItemsAt(i - 1, i);
            }
        }
        const QList<HandlerStep> firstDraft{Load,     Check,    Persist, CreateTokens,
                                            Dispatch, MarkDone, CleanUp};
        QVERIFY(faultOf(firstDraft, Design::Tokens).contains(u"new token"_s));
    }
};

} // namespace tst_tokenreach

OUTBOX_TEST(tst_tokenreach::TestTokenReach)
#include "tst_tokenreach.moc"
