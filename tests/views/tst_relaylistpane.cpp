// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relays of all hosts on the Relay page: a line each, and nothing where none is known.
#include "models/tables/relaylistmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/relay/relayview.h"

#include <QAbstractItemModelTester>
#include <QTableView>
#include <QTest>

namespace tst_relaylistpane {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

ListedRelay relayOf(const QString &host, RelayActivity activity)
{
    ListedRelay relay;
    relay.entry.relay = u"relay-"_s + host;
    relay.entry.about = RelayAbout();
    relay.entry.about->host = host;
    relay.entry.about->version = u"0.9.0"_s;
    relay.entry.about->started = QDateTime::currentDateTimeUtc().addSecs(-3600);
    relay.entry.lastBatch = QDateTime::currentDateTimeUtc().addSecs(-180);
    relay.activity = activity;
    return relay;
}

} // namespace

class TestRelayListPane : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void itIsThereWhileARelayIsKnown()
    {
        RelayView page;
        page.resize(1100, 700);
        page.show();
        const auto *pane = page.findChild<QWidget *>(u"relayListPane"_s);
        const auto *table = page.findChild<QTableView *>(u"relayList"_s);
        QVERIFY(pane && table);
        const QAbstractItemModelTester tester(table->model());
        QVERIFY(!pane->isVisible());
        page.setRelays({relayOf(u"web1"_s, RelayActivity::Working),
                        relayOf(u"web2"_s, RelayActivity::Silent)});
        QVERIFY(pane->isVisible());
        QCOMPARE(table->accessibleName(), u"Relays on all hosts"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        const auto cell = [table](int row, int column) {
            return table->model()->index(row, column).data().toString();
        };
        QCOMPARE(cell(0, RelayListModel::Host), u"web1"_s);
        QCOMPARE(cell(0, RelayListModel::Version), u"0.9.0"_s);
        QCOMPARE(cell(0, RelayListModel::Worker), u"1"_s);
        QCOMPARE(cell(0, RelayListModel::State), u"Working"_s);
        QVERIFY2(cell(1, RelayListModel::State).startsWith(u"Silent since "_s),
                 qPrintable(cell(1, RelayListModel::State)));
        const int ofTwo = table->height();
        page.setRelays({relayOf(u"web1"_s, RelayActivity::Stopped)});
        QCOMPARE(table->model()->rowCount(), 1);
        QCOMPARE(ofTwo - table->height(), table->rowHeight(0)); // no empty room below
        QCOMPARE(cell(0, RelayListModel::State), u"Stopped"_s);
        page.forget();
        QVERIFY(!pane->isVisible());
        QCOMPARE(table->model()->rowCount(), 0);
    }
};

} // namespace tst_relaylistpane

OUTBOX_TEST(tst_relaylistpane::TestRelayListPane)
#include "tst_relaylistpane.moc"
