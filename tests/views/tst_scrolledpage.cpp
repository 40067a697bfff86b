// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// No window needs more than the screen has, on a screen with scaled pixels or large letters, too:
// its page is scrolled instead.
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/connections/passworddialog.h"
#include "views/connections/profiledialog.h"
#include "views/frame/mainwindow.h"
#include "views/frame/welcomeview.h"
#include "views/mapping/mappingdialog.h"
#include "views/operation/plandialog.h"
#include "views/operation/unlockdialog.h"
#include "views/relay/relaystartdialog.h"
#include "views/theme/theme.h"
#include "views/widgets/actions.h"
#include "views/widgets/scrolledpage.h"

#include <QBoxLayout>
#include <QDialog>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>

#include <memory>
#include <vector>

namespace tst_scrolledpage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestScrolledPage : public QObject
{
    Q_OBJECT

    static void checkMinimum(QWidget *window)
    {
        window->show();
        for (int round = 0; round < 5; ++round)
            QCoreApplication::processEvents();
        const QSize room = window->screen()->availableSize();
        const QSize least = window->minimumSize();
        QVERIFY2(least.width() <= room.width() && least.height() <= room.height(),
                 qPrintable(u"%1 needs %2x%3, the screen has %4x%5"_s
                                .arg(QString::fromLatin1(window->metaObject()->className()))
                                .arg(least.width())
                                .arg(least.height())
                                .arg(room.width())
                                .arg(room.height())));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    void nothingNeedsMoreThanTheScreen()
    {
        MainWindow window;
        window.addPage(new WelcomeView, u"overview"_s, u"Overview"_s);
        window.registry()->action(u"shortcuts"_s)->trigger();
        checkMinimum(&window);
        checkMinimum(window.findChild<QDialog *>(u"shortcutSheet"_s));
        std::vector<std::unique_ptr<QDialog>> dialogs;
        dialogs.push_back(std::make_unique<ProfileDialog>());
        dialogs.push_back(std::make_unique<MappingDialog>());
        dialogs.push_back(std::make_unique<PlanDialog>());
        dialogs.push_back(std::make_unique<RelayStartDialog>());
        dialogs.push_back(std::make_unique<UnlockDialog>(Profile()));
        dialogs.push_back(std::make_unique<PasswordDialog>(u"Why"_s, u"Password"_s));
        for (const auto &dialog : dialogs)
            checkMinimum(dialog.get());
    }

    void norOnAScaledScreen_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("scale") << QByteArray("QT_SCALE_FACTOR") << QByteArray("2");
        QTest::newRow("letters") << QByteArray("QT_FONT_DPI") << QByteArray("288");
    }
    /// The variables are read once, at the start of a program: the test above runs in another one.
    void norOnAScaledScreen()
    {
        QFETCH(const QByteArray, variable);
        QFETCH(const QByteArray, value);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(variable), QString::fromLatin1(value));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(),
                      {u"tst_scrolledpage"_s, u"nothingNeedsMoreThanTheScreen"_s});
        QVERIFY(process.waitForFinished(patient(60'000)));
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
                 process.readAll().constData());
    }

    void whatHasNoRoomIsScrolledTo()
    {
        auto *page = new QWidget;
        auto *column = new QVBoxLayout(page);
        QPushButton *last = nullptr;
        for (int i = 0; i < 30; ++i) {
            last = new QPushButton(QString::number(i));
            column->addWidget(last);
        }
        ScrolledPage area(u"Page"_s, ScrolledPage::Wants::Little);
        area.replacePage(page);
        area.resize(300, 200);
        area.show();
        QVERIFY(QTest::qWaitForWindowActive(&area));
        QVERIFY(page->height() >= column->totalMinimumSize().height());
        QVERIFY(area.verticalScrollBar()->maximum() > 0);
        auto *first = page->findChild<QPushButton *>();
        first->setFocus();
        QTRY_VERIFY(first->hasFocus());
        QVERIFY(last->visibleRegion().isEmpty());
        last->setFocus(); // as a shortcut does
        QTRY_VERIFY(!last->visibleRegion().isEmpty());
        area.resize(300, 4'000);
        QTRY_COMPARE(area.verticalScrollBar()->maximum(), 0);
        QCOMPARE(page->height(), area.viewport()->height());
        // What goes frees the room of it.
        area.resize(300, 200);
        for (auto *one : page->findChildren<QPushButton *>()) {
            if (one != last)
                one->hide();
        }
        QTRY_COMPARE(area.verticalScrollBar()->maximum(), 0);
    }

    void aDialogKeepsItsFocusAndItsOrder()
    {
        QDialog dialog;
        auto *column = new QVBoxLayout(&dialog);
        auto *first = new QLineEdit;
        auto *second = new QLineEdit;
        auto *go = new QPushButton(u"Go"_s);
        go->setDefault(true);
        for (QWidget *one : QList<QWidget *>{first, second, go})
            column->addWidget(one);
        second->setFocus();
        keepOnScreen(&dialog, {300, 200});
        QCOMPARE(dialog.focusWidget(), second);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTRY_VERIFY(second->hasFocus());
        QTest::keyClick(second, Qt::Key_Tab);
        QCOMPARE(dialog.focusWidget(), go);
        QTest::keyClick(go, Qt::Key_Backtab);
        QTest::keyClick(second, Qt::Key_Backtab);
        QCOMPARE(dialog.focusWidget(), first);
        bool wasPressed = false;
        connect(go, &QPushButton::clicked, this, [&wasPressed] { wasPressed = true; });
        QTest::keyClick(first, Qt::Key_Return);
        QVERIFY(wasPressed);
    }
};

} // namespace tst_scrolledpage

OUTBOX_TEST(tst_scrolledpage::TestScrolledPage)
#include "tst_scrolledpage.moc"
