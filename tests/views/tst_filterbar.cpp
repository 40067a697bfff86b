// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The filter bar: colour, place and words of what is typed, suggestions, saved filters. With
// OUTBOX_PICTURES=<folder> the pictures are kept for looking at.
#include "tests/support/fonts.h"
#include "tests/support/testprogram.h"
#include "views/filter/filterbar.h"
#include "views/filter/savedfilterbutton.h"
#include "views/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBoxLayout>
#include <QDir>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace tst_filterbar {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFilterBar : public QObject
{
    Q_OBJECT

    std::unique_ptr<FilterBar> m_bar;

    template <typename T> T *part(const QString &name) const { return m_bar->findChild<T *>(name); }
    [[nodiscard]] QLineEdit *line() const { return part<QLineEdit>(u"barLine"_s); }
    [[nodiscard]] QLabel *fault() const { return part<QLabel>(u"barFault"_s); }
    [[nodiscard]] QColor strip() const
    {
        return part<QWidget>(u"barStrip"_s)->palette().color(QPalette::Window);
    }
    [[nodiscard]] QAbstractItemView *popup() const
    {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (widget->objectName() == u"barLineSuggestions"_s)
                return qobject_cast<QAbstractItemView *>(widget);
        }
        return nullptr;
    }
    void type(const QString &text)
    {
        line()->selectAll();
        QTest::keyClick(line(), Qt::Key_Delete);
        QTest::keyClicks(line(), text);
    }
    /// Where the arrow of the fault stands, in the bar.
    [[nodiscard]] int arrowAt() const
    {
        const QFontMetrics metrics(fault()->font());
        const qsizetype before = fault()->text().indexOf(u'\u2191');
        return fault()->x() + fault()->indent()
            + metrics.horizontalAdvance(fault()->text().left(before))
            + metrics.horizontalAdvance(u'\u2191') / 2;
    }
    /// The middle of a character of the line, in the bar.
    [[nodiscard]] int characterAt(int index) const
    {
        const int old = line()->cursorPosition();
        line()->setCursorPosition(index);
        const int left = line()->inputMethodQuery(Qt::ImCursorRectangle).toRect().center().x();
        line()->setCursorPosition(old);
        return line()->x() + left
            + QFontMetrics(line()->font()).horizontalAdvance(line()->text().at(index)) / 2;
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init()
    {
        m_bar = std::make_unique<FilterBar>(u"bar"_s, u"state:pending"_s, FilterSubject::Rows);
        FilterWords known;
        known.types = {{u"email:deliver"_s, 301}, {u"email:bounce"_s, 4}, {u"sms"_s, 2}};
        known.payloadPaths = {u"user"_s, u"user.id"_s};
        m_bar->setKnown(known);
        m_bar->resize(1000, 60);
        m_bar->show();
        m_bar->focusLine();
        QVERIFY(QTest::qWaitForWindowExposed(m_bar.get()));
    }

    void saysByColourHowItStands()
    {
        const auto colorOf = [](HealthLevel level) { return theme::appearance(level).color; };
        type(u"state:pending"_s);
        QCOMPARE(strip(), colorOf(HealthLevel::Ok));
        QVERIFY(!fault()->isVisible());
        type(u"state:pend"_s);
        QCOMPARE(strip(), colorOf(HealthLevel::Watch));
        QVERIFY(fault()->isVisible());
        type(u"state:pandinq x"_s);
        QCOMPARE(strip(), colorOf(HealthLevel::Broken));
        QVERIFY(fault()->text().contains(u"Did you mean `pending`?"_s));
        QVERIFY(line()->accessibleDescription().contains(u"pending"_s));
        type(u""_s);
        QVERIFY(!fault()->isVisible());
        QCOMPARE(strip().alpha(), 0);
    }

    void theFaultStandsUnderItsCharacter_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("at");
        QTest::newRow("start") << u"agee>5m state:pending"_s << 0;
        QTest::newRow("middle") << u"state:pending agee>5m"_s << 14;
        QTest::newRow("at the right")
            << QString(u"type:a"_s.leftJustified(90) + u"agee>5m"_s) << 90;
        QTest::newRow("scrolled") << QString(u"type:a"_s.leftJustified(300) + u"agee>5m"_s) << 300;
        QTest::newRow("wide letters") << u"type:\"\u4e2d\u6587\" agee>5m"_s << 10;
    }
    void theFaultStandsUnderItsCharacter()
    {
        QFETCH(QString, text);
        QFETCH(int, at);
        line()->setText(text);
        m_bar->apply(text);
        QVERIFY(fault()->isVisible());
        const int off = qAbs(arrowAt() - characterAt(at));
        QVERIFY2(off <= 3, qPrintable(u"%1 px off: %2"_s.arg(off).arg(fault()->text())));
    }

    void enterAppliesAndEscapeRestores()
    {
        QSignalSpy applied(m_bar.get(), &FilterBar::applied);
        type(u"state:failed"_s);
        QVERIFY(part<QLabel>(u"barReach"_s)->text().contains(u"Enter"_s));
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(applied.count(), 1);
        QCOMPARE(m_bar->appliedText(), u"state:failed"_s);
        QCOMPARE(part<QLabel>(u"barReach"_s)->text(), u"SQL"_s);
        type(u"agee>5m"_s);
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(applied.count(), 1); // what is wrong is not applied
        QCOMPARE(m_bar->appliedText(), u"state:failed"_s);
        QTest::keyClick(line(), Qt::Key_Escape);
        QCOMPARE(line()->text(), u"state:failed"_s);
        QVERIFY(!fault()->isVisible());
        m_bar->apply(u"payload~x"_s);
        QCOMPARE(part<QLabel>(u"barReach"_s)->text(), u"scan"_s);
        m_bar->setReach(FilterReach::Sql); // this database looks into its documents
        QCOMPARE(part<QLabel>(u"barReach"_s)->text(), u"SQL"_s);
        m_bar->apply(u"task:none"_s);
        QCOMPARE(part<QLabel>(u"barReach"_s)->text(), u"SQL + queue"_s);
    }

    void clearingAppliesAtOnce()
    {
        QSignalSpy applied(m_bar.get(), &FilterBar::applied);
        const auto clear = [this]() -> QToolButton * {
            for (QToolButton *one : line()->findChildren<QToolButton *>()) {
                if (one->defaultAction() && one->defaultAction()->objectName() == u"barClear"_s)
                    return one;
            }
            return nullptr;
        };
        QVERIFY(clear());
        QVERIFY(!clear()->isVisible()); // there is nothing to clear
        type(u"state:failed"_s);
        QTest::keyClick(line(), Qt::Key_Return);
        QCOMPARE(applied.count(), 1);
        QVERIFY(clear()->isVisible());
        QTest::mouseClick(clear(), Qt::LeftButton);
        QCOMPARE(line()->text(), QString());
        QCOMPARE(m_bar->appliedText(), QString());
        QCOMPARE(applied.count(), 2);
        QCOMPARE(applied.last().first().toString(), QString());
        QVERIFY(!popup() || !popup()->isVisible());
        QVERIFY(!clear()->isVisible());
        m_bar->apply(u"state:failed"_s);
        type({}); // by hand: the filter stays until Enter, and can be cleared
        QCOMPARE(m_bar->appliedText(), u"state:failed"_s);
        QVERIFY(clear()->isVisible());
    }

    void enterAppliesWhatIsTypedUnlessALineWasChosen()
    {
        QSignalSpy applied(m_bar.get(), &FilterBar::applied);
        type({});
        QTest::keyClick(line(), Qt::Key_Down); // opens the list of all fields
        QVERIFY(popup() && popup()->isVisible());
        QTest::keyClick(popup(), Qt::Key_Return);
        QCOMPARE(line()->text(), QString()); // nothing is inserted
        QCOMPARE(applied.count(), 1);
        QVERIFY(!popup()->isVisible());
        type(u"state:pending ty"_s);
        QVERIFY(popup()->isVisible());
        QTest::keyClick(popup(), Qt::Key_Return);
        QCOMPARE(line()->text(), u"state:pending ty"_s); // a word, as it was typed
        QCOMPARE(applied.last().first().toString(), u"state:pending ty"_s);
    }

    void theExampleIsNoFilter()
    {
        QCOMPARE(line()->placeholderText(), u"Filter, e.g. state:pending"_s);
        QVERIFY(line()->font().italic());
        type(u"s"_s);
        QVERIFY(!line()->font().italic());
        type({});
        QVERIFY(line()->font().italic());
    }

    void suggestsAndTakes()
    {
        type(u"ty"_s);
        QVERIFY(popup() && popup()->isVisible());
        QVERIFY(popup()->model()->index(0, 0).data().toString().startsWith(u"type:"_s));
        QTest::keyClick(popup(), Qt::Key_Down);
        QTest::keyClick(popup(), Qt::Key_Return);
        QCOMPARE(line()->text(), u"type:"_s);
        QVERIFY(popup()->isVisible()); // its values follow
        QVERIFY(popup()->model()->index(0, 0).data().toString().contains(u"301"_s));
        QTest::keyClick(popup(), Qt::Key_Down);
        QTest::keyClick(popup(), Qt::Key_Return);
        QCOMPARE(line()->text(), u"type:email:deliver"_s);
        QVERIFY(!popup()->isVisible());
        type(u"payload.us"_s);
        QVERIFY(popup()->isVisible());
        QTest::keyClick(popup(), Qt::Key_Escape);
        QVERIFY(!popup()->isVisible());
        QCOMPARE(line()->text(), u"payload.us"_s);
    }

    void savedFiltersAreOfferedByKindOfProfile()
    {
        SavedFilterButton *saved = m_bar->saved();
        QVERIFY(!saved->isVisible());
        m_bar->setSaved({{u"Busy & bad"_s, u"state:locked"_s, Environment::Production},
                         {u"Dead"_s, u"state:dead"_s, {}, FilterSubject::Tasks},
                         {u"Mail"_s, u"type:email:*"_s, {}}},
                        Environment::Staging);
        QVERIFY(saved->isVisible());
        QSignalSpy applied(m_bar.get(), &FilterBar::applied);
        const auto actionOf = [saved](const QString &text) -> QAction * {
            for (QAction *one : saved->menu()->actions()) {
                if (one->text().remove(u'&').startsWith(text))
                    return one;
            }
            return nullptr;
        };
        emit saved->menu()->aboutToShow();
        QVERIFY(!actionOf(u"Dead"_s)); // of tasks
        QVERIFY(!actionOf(u"Busy"_s));
        QVERIFY(!actionOf(u"Save this"_s)->isEnabled());
        actionOf(u"Mail"_s)->trigger();
        QCOMPARE(applied.last().first().toString(), u"type:email:*"_s);
        emit saved->menu()->aboutToShow();
        QSignalSpy asked(saved, &SavedFilterButton::saveAsked);
        actionOf(u"Save for staging"_s)->trigger();
        auto *dialog = saved->findChild<QInputDialog *>();
        QVERIFY(dialog);
        dialog->setTextValue(u" my = mail "_s);
        dialog->accept();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<SavedFilter>(),
                 (SavedFilter{u"my mail"_s, u"type:email:*"_s, Environment::Staging}));
    }

    void whatAPersonTouchesHasAName()
    {
        QVERIFY(!line()->accessibleName().isEmpty());
        QVERIFY(!m_bar->saved()->accessibleName().isEmpty());
        type(u"ty"_s);
        QVERIFY(!popup()->accessibleName().isEmpty());
        QVERIFY(!part<QLabel>(u"barReach"_s)->accessibleName().isEmpty());
    }

    void canBeDrawn_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void canBeDrawn()
    {
        QFETCH(bool, dark);
        theme::apply(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        QWidget page;
        auto *column = new QVBoxLayout(&page);
        for (const QString &text :
             {u""_s, u"state:pending type:email:* age>5m"_s, u"payload.user.id:42 created:today"_s,
              u"state:pending (type:a or"_s, u"state:pending agee>5m attempts>=3"_s,
              u"state:pending type:\"invoice *\" error~timeout attempts>=3 created:todday"_s}) {
            auto *bar = new FilterBar(u"drawn"_s, u"state:pending type:email:* age>5m"_s,
                                      FilterSubject::Rows);
            bar->setSaved({}, Environment::Staging);
            bar->apply(text);
            column->addWidget(bar);
        }
        page.resize(900, 360);
        page.show();
        for (FilterBar *bar : page.findChildren<FilterBar *>())
            bar->apply(bar->text()); // its size is known by now
        const QPixmap picture = page.grab();
        QVERIFY(!picture.isNull());
        type(u"state:"_s);
        QVERIFY(popup()->isVisible());
        const QPixmap list = popup()->grab();
        if (const QString folder = qEnvironmentVariable("OUTBOX_PICTURES"); !folder.isEmpty()) {
            QVERIFY(QDir().mkpath(folder));
            const QString name
                = folder + u"/filterbar-"_s + QString::fromLatin1(QTest::currentDataTag());
            QVERIFY(picture.save(name + u".png"_s));
            QVERIFY(list.save(name + u"-list.png"_s));
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_filterbar

OUTBOX_TEST(tst_filterbar::TestFilterBar)
#include "tst_filterbar.moc"
