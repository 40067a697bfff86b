// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two messages beside each other: asked for by two ids, told by eye and by ear, and nothing that is
// not known is shown as alike.
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/message/comparedaxis.h"
#include "views/message/comparedialog.h"
#include "views/outbox/outboxview.h"
#include "views/tables/compareactions.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

namespace tst_comparedialog {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const ComparedId first{{u"a-1"_s}, {}};
const ComparedId second{{u"b-2"_s}, {u"mail"_s}};

IdVerdict done(int number, const QDateTime &now, int marked, int completed)
{
    IdVerdict verdict = sample::verdict(number);
    Message &row = *verdict.row;
    row.type = u"email:deliver"_s;
    row.state = MessageState::Processed;
    row.lockedBy.reset();
    row.leaseUntil.reset();
    row.note.clear();
    row.created = now.addSecs(-100 * number);
    row.processed = row.created->addSecs(marked);
    verdict.task = sample::task(number, TaskState::Completed);
    verdict.task->type = row.type;
    verdict.task->completedAt = row.created->addSecs(completed);
    return verdict;
}

} // namespace

class TestCompareDialog : public QObject
{
    Q_OBJECT

    [[nodiscard]] static QString textOf(const QDialog &dialog, const QString &name)
    {
        return dialog.findChild<QLabel *>(name)->text();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    /// Without the text that was put there the queue of B would be lost, and where its task is.
    void twoIdsAreAskedForAtOnce()
    {
        CompareDialog dialog;
        QSignalSpy asked(&dialog, &CompareDialog::comparisonAsked);
        dialog.show();
        dialog.begin({first, second});
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().at(0).value<ComparedId>(), first);
        QCOMPARE(asked.first().at(1).value<ComparedId>(), second);
        QVERIFY(textOf(dialog, u"compareJourney"_s).startsWith(u"Asking"_s));
    }

    void anotherIdIsTyped()
    {
        CompareDialog dialog;
        QSignalSpy asked(&dialog, &CompareDialog::comparisonAsked);
        dialog.show();
        dialog.begin({first});
        QVERIFY(asked.isEmpty());
        QVERIFY(!walk::isEnabled(&dialog, QAccessible::Button, u"Compare"_s));
        auto *field = dialog.findChild<QLineEdit *>(u"compareB"_s);
        QTest::keyClicks(field, u"  a-1 "_s);
        QVERIFY(!walk::isEnabled(&dialog, QAccessible::Button, u"Compare"_s)); // with itself
        field->selectAll();
        QTest::keyClicks(field, u" c-3 "_s);
        QVERIFY(walk::press(&dialog, u"Compare"_s));
        QTRY_COMPARE(asked.size(), 1);
        QCOMPARE(asked.first().at(0).value<ComparedId>(), first);
        QCOMPARE(asked.first().at(1).value<ComparedId>(), (ComparedId{{u"c-3"_s}, {}}));
    }

    void theStepThatTookLongerIsSeenAndRead()
    {
        const QDateTime now = sample::now();
        CompareDialog dialog;
        dialog.show();
        dialog.begin({first, second});
        const Comparison both
            = comparisonOf(done(1, now, 5, 8), done(2, now, 5, 48), now, PayloadMasks::none());
        dialog.setComparison(first, second, both);
        QVERIFY2(textOf(dialog, u"compareJourney"_s).contains(u"B took 40 s longer"_s),
                 qPrintable(textOf(dialog, u"compareJourney"_s)));
        const auto rows = walk::tableRows(&dialog, u"Steps of both"_s);
        QCOMPARE(rows.size(), both.journeys.steps.size());
        bool isMarked = false;
        for (const auto &row : rows)
            isMarked = isMarked || row.value(u"Difference"_s) == u"B took 40 s longer, the most"_s;
        QVERIFY(isMarked);
        const QString read = walk::description(&dialog, QAccessible::Graphic,
                                               u"Both journeys on one axis of time"_s);
        QVERIFY2(read.contains(u"B 43 s"_s), qPrintable(read));
        // The payloads of the samples are alike.
        QVERIFY(textOf(dialog, u"comparePayload"_s).contains(u"alike, byte for byte"_s));
        if (const QString folder = qEnvironmentVariable("OUTBOX_PICTURES"); !folder.isEmpty())
            dialog.grab().save(QDir(folder).filePath(u"compare.png"_s));
    }

    /// To scale: what took ten times as long is ten times as long.
    void theAxisIsToScale()
    {
        const QDateTime now = sample::now();
        ComparedAxis axis;
        axis.resize(800, axis.sizeHint().height());
        axis.setJourneys(
            comparisonOf(done(1, now, 4, 10), done(2, now, 4, 100), now, PayloadMasks::none())
                .journeys);
        double begin[2] = {-1, -1};
        double end[2] = {-1, -1};
        for (const ComparedAxis::Place &place : axis.places()) {
            QVERIFY(axis.rect().contains(place.at.toPoint()));
            if (place.kind == TimelinePoint::Kind::Written)
                begin[place.row] = place.at.x();
            if (place.kind == TimelinePoint::Kind::Done)
                end[place.row] = place.at.x();
        }
        QCOMPARE(begin[0], begin[1]);
        QVERIFY(std::abs((end[1] - begin[1]) - 10 * (end[0] - begin[0])) < 1);
    }

    /// A late answer to another question would be taken for this one's.
    void anAnswerToAnotherQuestionIsDropped()
    {
        const QDateTime now = sample::now();
        CompareDialog dialog;
        dialog.begin({first, second});
        dialog.setComparison(
            first, {{u"other"_s}, {}},
            comparisonOf(done(1, now, 5, 8), done(2, now, 5, 48), now, PayloadMasks::none()));
        QVERIFY(textOf(dialog, u"compareJourney"_s).startsWith(u"Asking"_s));
    }

    void whatWasNotReadIsSaid()
    {
        const QDateTime now = sample::now();
        IdVerdict blind = done(2, now, 5, 48);
        blind.row.reset();
        blind.rowError = Error{Error::Kind::Timeout, u"looking"_s, u"<b>late</b>"_s, {}, {}, -1};
        CompareDialog dialog;
        dialog.show();
        dialog.begin({first, second});
        dialog.setComparison(first, second,
                             comparisonOf(done(1, now, 5, 8), blind, now, PayloadMasks::none()));
        const QString lines = walk::linesOf(&dialog).join(u'\n');
        QVERIFY2(lines.contains(u"B: the database was not read"_s), qPrintable(lines));
        QVERIFY(textOf(dialog, u"comparePayload"_s).contains(u"is not known"_s));
        const auto fields = walk::tableRows(&dialog, u"Fields that differ"_s);
        QVERIFY(!fields.isEmpty());
        QCOMPARE(fields.first().value(u"Field"_s), u"Row (not known)"_s);
    }

    void aLongDifferenceIsCutAndToldSo()
    {
        const QDateTime now = sample::now();
        IdVerdict a = done(1, now, 5, 8);
        IdVerdict b = done(2, now, 5, 8);
        a.row->payload = QByteArray(300'000, 'a');
        b.row->payload = QByteArray(300'000, 'b');
        a.row->payloadBytes = b.row->payloadBytes = 300'000;
        CompareDialog dialog;
        dialog.begin({first, second});
        dialog.setComparison(first, second, comparisonOf(a, b, now, PayloadMasks::none()));
        const auto *text = dialog.findChild<QPlainTextEdit *>(u"compareDifference"_s);
        QVERIFY(text->toPlainText().size() <= 20'001); // and a mark that there is more
        QVERIFY(textOf(dialog, u"comparePayload"_s).contains(u"outboxctl compare"_s));
    }

    /// Else what is shown would be taken for that of the ids above it.
    void anotherIdTakesTheResultAway()
    {
        const QDateTime now = sample::now();
        CompareDialog dialog;
        dialog.show();
        dialog.begin({first, second});
        const Comparison both
            = comparisonOf(done(1, now, 5, 8), done(2, now, 5, 48), now, PayloadMasks::none());
        dialog.setComparison(first, second, both);
        QVERIFY(!textOf(dialog, u"comparePayload"_s).isEmpty());
        QVERIFY(walk::write(&dialog, u"Message B"_s, u"c-3"_s));
        QVERIFY(textOf(dialog, u"comparePayload"_s).isEmpty());
        dialog.setComparison(first, second, both); // which comes late
        QVERIFY(textOf(dialog, u"comparePayload"_s).isEmpty());
    }

    /// Exactly two for Compare, exactly one for Compare with.
    void theMenuFollowsTheSelection()
    {
        OutboxView view;
        view.resize(1000, 700);
        view.show();
        view.setPage(sample::page(view.request(), 0, 5));
        auto *table = view.findChild<LiveTable *>(u"outboxTable"_s);
        auto *actions = view.findChild<CompareActions *>();
        QVERIFY(actions);
        const auto *compare = actions->findChild<QAction *>(u"compareRows"_s);
        const auto *with = actions->findChild<QAction *>(u"compareWith"_s);
        QVERIFY(table->actions().contains(const_cast<QAction *>(compare)));
        const auto select = [table](int count) {
            table->clearSelection();
            for (int row = 0; row < count; ++row)
                table->selectionModel()->select(table->model()->index(row, 0),
                                                QItemSelectionModel::Select
                                                    | QItemSelectionModel::Rows);
        };
        for (const int count : {0, 1, 2, 3}) {
            select(count);
            QCOMPARE(compare->isEnabled(), count == 2);
            QCOMPARE(with->isEnabled(), count == 1);
            QCOMPARE(actions->chosen().size(), count > 2 ? 0 : count);
        }
        select(2);
        QCOMPARE(actions->chosen().at(1).id, sample::message(1).id);
    }
};

} // namespace tst_comparedialog

OUTBOX_TEST(tst_comparedialog::TestCompareDialog)
#include "tst_comparedialog.moc"
