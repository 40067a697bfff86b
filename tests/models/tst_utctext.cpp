// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A moment is said the same whatever zone it came in.
#include "models/utctext.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_utctext {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestUtcText : public QObject
{
    Q_OBJECT

private slots:
    void aMomentIsSaidInUtc()
    {
        const QString said = u"2026-01-02T03:04:05.678Z"_s;
        const QDateTime moment = QDateTime::fromMSecsSinceEpoch(1'767'323'045'678, Qt::UTC);
        QCOMPARE(utcText(moment), said);
        QCOMPARE(utcText(moment.toLocalTime()), said);
        for (int hours = -12; hours <= 14; ++hours)
            QCOMPARE(utcText(moment.toOffsetFromUtc(3'600 * hours)), said);
        QCOMPARE(utcText(QDateTime()), QString());
    }
};

} // namespace tst_utctext

OUTBOX_TEST(tst_utctext::TestUtcText)
#include "tst_utctext.moc"
