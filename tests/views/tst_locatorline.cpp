// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line that finds things: keys, focus, what is read aloud, and hostile text.
#include "tests/support/fonts.h"
#include "tests/support/hostiletexts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "tests/support/textsurfaces.h"
#include "views/frame/locator.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

#include <memory>

namespace tst_locatorline {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = LocatorEntry::Kind;

const QList<LocatorEntry> entries{{Kind::Page, u"Queue"_s, u"Ctrl+3"_s, 2},
                                  {Kind::Action, u"Refresh now"_s, u"View, F5"_s, 0},
                                  {Kind::Profile, u"orders"_s, {}}};

} // namespace

class TestLocatorLine : public QObject
{
    Q_OBJECT

    std::unique_ptr<QWidget> m_window;
    QLineEdit *m_field = nullptr; ///< had the focus
    QLineEdit *m_other = nullptr;
    Locator *m_locator = nullptr;

    [[nodiscard]] QLineEdit *line() const
    {
        return m_locator->findChild<QLineEdit *>(u"locatorLine"_s);
    }
    [[nodiscard]] QListWidget *list() const
    {
        return m_locator->findChild<QListWidget *>(u"locatorList"_s);
    }
    void press(Qt::Key key) { QTest::keyClick(line(), key); }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init()
    {
        m_window = std::make_unique<QWidget>();
        m_window->resize(1024, 640);
        m_field = new QLineEdit;
        m_other = new QLineEdit;
        auto *column = new QVBoxLayout(m_window.get());
        column->addWidget(m_field);
        column->addWidget(m_other);
        m_locator = new Locator(m_window.get());
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_field->setFocus();
        QTRY_VERIFY(m_field->hasFocus());
        QVERIFY(!m_locator->isVisible());
    }
    void cleanup() { m_window.reset(); }

    void arrowsWalkAndEnterOpens()
    {
        QSignalSpy typed(m_locator, &Locator::typed);
        QSignalSpy chosen(m_locator, &Locator::chosen);
        m_locator->openLine();
        QCOMPARE(typed.takeFirst().first().toString(), QString());
        QVERIFY(line()->hasFocus());
        QTest::keyClicks(line(), u"qu"_s);
        QCOMPARE(typed.last().first().toString(), u"qu"_s);
        m_locator->setFindings(entries, {});
        QCOMPARE(list()->currentRow(), 0);
        QCOMPARE(line()->accessibleDescription(), u"1 of 3. Page: Queue, Ctrl+3"_s);
        press(Qt::Key_Up);
        QCOMPARE(list()->currentRow(), 0);
        press(Qt::Key_Down);
        QCOMPARE(line()->accessibleDescription(), u"2 of 3. Action: Refresh now, View, F5"_s);
        press(Qt::Key_PageDown);
        QCOMPARE(list()->currentRow(), 2);
        press(Qt::Key_PageUp);
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().value<LocatorEntry>(), entries.at(1));
        QVERIFY(!m_locator->isVisible());
        QVERIFY(m_field->hasFocus());
    }

    void escapeChoosesNothing()
    {
        QSignalSpy chosen(m_locator, &Locator::chosen);
        m_locator->openLine();
        m_locator->setFindings(entries, {});
        press(Qt::Key_Escape);
        QVERIFY(!m_locator->isVisible());
        QVERIFY(m_field->hasFocus());
        m_locator->openLine();
        QCOMPARE(line()->text(), QString());
        QVERIFY(line()->hasFocus());
        m_locator->setFindings({}, u"Nothing is called so."_s);
        QCOMPARE(line()->accessibleDescription(), u"Nothing is called so."_s);
        press(Qt::Key_Return); // there is nothing to open
        QVERIFY(m_locator->isVisible());
        QCOMPARE(chosen.count(), 0);
        m_other->setFocus(); // somebody goes elsewhere
        QVERIFY(!m_locator->isVisible());
        QVERIFY(m_other->hasFocus());
    }

    void aFieldThatIsGoneGetsNoFocus()
    {
        m_locator->openLine();
        delete m_field;
        press(Qt::Key_Escape);
        QVERIFY(!m_locator->isVisible());
        QTRY_VERIFY(m_other->hasFocus());
    }

    void hostileTextStaysPlain_data()
    {
        QTest::addColumn<QString>("text");
        for (const auto &[name, text] : hostile::texts(u"/nonexistent"_s, u"/nonexistent"_s))
            QTest::newRow(qPrintable(name)) << text;
    }
    void hostileTextStaysPlain()
    {
        QFETCH(QString, text);
        m_locator->openLine();
        QList<LocatorEntry> all;
        for (const Kind kind :
             {Kind::Id, Kind::Page, Kind::Action, Kind::SavedFilter, Kind::Filter, Kind::Profile})
            all += LocatorEntry{kind, text, text};
        m_locator->setFindings(all, text);
        m_locator->grab();
        for (const TextSurface &surface : textSurfaces(m_locator))
            QVERIFY2(faultOf(surface).isEmpty(),
                     qPrintable(surface.where + u": "_s + faultOf(surface)));
        line()->setText(text);
        QVERIFY(line()->text().size() <= Filter::mostCharacters + 1);
        QVERIFY(m_locator->width() < m_window->width());
        QSignalSpy chosen(m_locator, &Locator::chosen);
        press(Qt::Key_Return);
        QCOMPARE(chosen.first().first().value<LocatorEntry>(), all.first()); // not what is shown
    }
};

} // namespace tst_locatorline

OUTBOX_TEST(tst_locatorline::TestLocatorLine)
#include "tst_locatorline.moc"
