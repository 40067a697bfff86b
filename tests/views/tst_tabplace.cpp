// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What comes into a window later is reached by the Tab key where it is seen, not behind all else.
#include "models/message/messagestate.h"
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/frame/mainwindow.h"
#include "views/frame/messagebar.h"
#include "views/tables/statechips.h"
#include "views/widgets/tabplace.h"

#include <QBoxLayout>
#include <QPushButton>
#include <QTest>

namespace tst_tabplace {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Names of what takes the keys in a window, in the order of the Tab key, shown or not.
QStringList orderIn(const QWidget &window)
{
    QStringList names;
    for (const QWidget *one = window.nextInFocusChain(); one != &window;
         one = one->nextInFocusChain()) {
        if ((one->focusPolicy() & Qt::TabFocus) != 0 && !one->objectName().isEmpty())
            names += one->objectName();
    }
    return names;
}

QPushButton *buttonNamed(const QString &name)
{
    auto *button = new QPushButton(name);
    button->setObjectName(name);
    return button;
}

} // namespace

class TestTabPlace : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    /// Two places beside each other, filled in turn and more than once.
    void eachPlaceKeepsItsParts()
    {
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        const auto add = [column](QWidget *one) { column->addWidget(one); };
        add(buttonNamed(u"first"_s));
        auto *upper = new QWidget;
        auto *lower = new QWidget;
        auto *above = new TabPlace(upper);
        auto *below = new TabPlace(lower);
        new QHBoxLayout(upper);
        new QHBoxLayout(lower);
        add(upper);
        add(lower);
        add(buttonNamed(u"last"_s));
        const auto fill = [](QWidget *widget, TabPlace *place, const QStringList &names) {
            const auto before = widget->findChildren<QPushButton *>();
            qDeleteAll(before);
            for (const QString &name : names)
                widget->layout()->addWidget(buttonNamed(name));
            place->gather();
        };
        fill(lower, below, {u"c"_s, u"d"_s});
        fill(upper, above, {u"a"_s, u"b"_s});
        QCOMPARE(orderIn(window),
                 QStringList({u"first"_s, u"a"_s, u"b"_s, u"c"_s, u"d"_s, u"last"_s}));
        fill(upper, above, {u"e"_s});
        fill(lower, below, {u"f"_s, u"g"_s});
        fill(upper, above, {u"h"_s, u"i"_s});
        QCOMPARE(orderIn(window),
                 QStringList({u"first"_s, u"h"_s, u"i"_s, u"f"_s, u"g"_s, u"last"_s}));
        fill(upper, above, {});
        fill(upper, above, {u"j"_s});
        QCOMPARE(orderIn(window), QStringList({u"first"_s, u"j"_s, u"f"_s, u"g"_s, u"last"_s}));
    }

    void aMessageComesBeforeThePage()
    {
        MainWindow window;
        window.addPage(buttonNamed(u"onPage"_s), u"overview"_s, u"Overview"_s);
        window.messages()->add(
            {u"a"_s, HealthLevel::Watch, u"The database closed."_s, {{u"tryNow"_s, u"Try"_s}}});
        const QStringList order = orderIn(window);
        QVERIFY(order.contains(u"onPage"_s));
        QVERIFY2(order.indexOf(u"tryNow"_s) >= 0
                     && order.indexOf(u"tryNow"_s) < order.indexOf(u"onPage"_s),
                 qPrintable(order.join(u' ')));
    }

    void aPageTakesThePlaceOfTheOneBefore()
    {
        MainWindow window;
        window.addPage(buttonNamed(u"before"_s), u"outbox"_s, u"Outbox"_s);
        window.addPage(buttonNamed(u"next"_s), u"queue"_s, u"Queue"_s);
        window.replacePage(0, buttonNamed(u"after"_s), u"Documents"_s);
        const QStringList order = orderIn(window);
        QVERIFY2(order.indexOf(u"after"_s) >= 0
                     && order.indexOf(u"after"_s) < order.indexOf(u"next"_s),
                 qPrintable(order.join(u' ')));
    }

    void chipsThatAreMadeAnewStayInTheirRow()
    {
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *chips = new StateChips(u"chips"_s, StateChips::Choice::Several);
        column->addWidget(chips);
        column->addWidget(buttonNamed(u"below"_s));
        const QString pending = u"chips-"_s + word(MessageState::Pending);
        const QString failed = u"chips-"_s + word(MessageState::Failed);
        for (int round = 0; round < 2; ++round) {
            chips->clear();
            chips->add(MessageState::Pending);
            chips->add(MessageState::Failed);
            QCOMPARE(orderIn(window), QStringList({pending, failed, u"below"_s}));
        }
    }
};

} // namespace tst_tabplace

OUTBOX_TEST(tst_tabplace::TestTabPlace)
#include "tst_tabplace.moc"
