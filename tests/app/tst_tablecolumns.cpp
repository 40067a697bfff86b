// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person chose of the columns of each page is there again in the next run of the console.
#include "app/desktop/desktop.h"
#include "app/settings/preferences.h"
#include "models/tables/groupmodel.h"
#include "models/tables/outboxmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"

#include <QHeaderView>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace tst_tablecolumns {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestTableColumns : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Desktop> m_desktop;

    [[nodiscard]] Folders folders() const { return {m_folder->path(), m_folder->path()}; }

    void begin()
    {
        m_desktop.reset(); // it saves what it remembers
        m_desktop = std::make_unique<Desktop>(folders());
        m_desktop->window().show();
    }

    [[nodiscard]] LiveTable &table(const QWidget *page, const QString &name) const
    {
        auto *found = page->findChild<LiveTable *>(name);
        if (found == nullptr)
            qFatal("no %s", qPrintable(name));
        return *found;
    }

    [[nodiscard]] LiveTable &rows() const
    {
        return table(m_desktop->pages().outbox, u"outboxTable"_s);
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_desktop.reset(); }

    void areThereAgainInTheNextRun()
    {
        begin();
        rows().horizontalHeader()->resizeSection(OutboxModel::Type, 217);
        rows().horizontalHeader()->moveSection(OutboxModel::Type, 0);
        rows().columns()->setShown(OutboxModel::Attempts, false);
        begin();
        QCOMPARE(rows().columnWidth(OutboxModel::Type), 217);
        QCOMPARE(rows().horizontalHeader()->logicalIndex(0), int(OutboxModel::Type));
        QVERIFY(rows().isColumnHidden(OutboxModel::Attempts));
        rows().columns()->reset();
        begin();
        QCOMPARE(rows().horizontalHeader()->logicalIndex(0), int(OutboxModel::State));
        QVERIFY(!rows().isColumnHidden(OutboxModel::Attempts));
    }

    void areThoseOfTheirPage()
    {
        begin();
        table(m_desktop->pages().outbox, u"groupsTable"_s)
            .columns()
            ->setShown(GroupModel::Trend, false);
        begin();
        QVERIFY(
            table(m_desktop->pages().outbox, u"groupsTable"_s).isColumnHidden(GroupModel::Trend));
        QVERIFY(
            !table(m_desktop->pages().queue, u"groupsTable"_s).isColumnHidden(GroupModel::Trend));
    }

    /// Whoever is killed has lost nothing that was chosen a second ago.
    void areSavedBeforeTheEnd()
    {
        begin();
        rows().columns()->setShown(OutboxModel::Age, false);
        const auto saved = [this] {
            const auto read = Preferences::load(folders().preferencesFile());
            return read && read->tables.contains(u"outbox/outboxTable"_s);
        };
        QTRY_VERIFY(saved());
    }

    void ofTablesThatAreNotHereAreLeftAlone()
    {
        Preferences before;
        before.tables.insert(u"later/laterTable"_s, QJsonObject{{u"newer"_s, 7}});
        QVERIFY_RESULT(before.save(folders().preferencesFile()));
        begin();
        rows().columns()->setShown(OutboxModel::Age, false);
        m_desktop.reset();
        const auto after = Preferences::load(folders().preferencesFile());
        QVERIFY_RESULT(after);
        QCOMPARE(after->tables.value(u"later/laterTable"_s),
                 before.tables.value(u"later/laterTable"_s));
        QCOMPARE(after->tables.size(), 2);
    }
};

} // namespace tst_tablecolumns

OUTBOX_TEST(tst_tablecolumns::TestTableColumns)
#include "tst_tablecolumns.moc"
