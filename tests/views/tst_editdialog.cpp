// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The editor of a row: bytes that nobody touched stay as they are, and what is wrong is told where
// it is.
#include "tests/support/fonts.h"
#include "tests/support/sampleplan.h"
#include "tests/support/testprogram.h"
#include "views/operation/editdialog.h"
#include "views/theme/theme.h"
#include "views/widgets/noticebar.h"

#include <QAbstractButton>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>

namespace tst_editdialog {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestEditDialog : public QObject
{
    Q_OBJECT

    static RowContent row(const QByteArray &payload, PartForm form = PartForm::Json)
    {
        const auto part = [](RowPart which, const QByteArray &text) {
            RowPartContent one;
            one.part = which;
            one.column = word(which);
            one.cell = {Cell::Kind::Text, text};
            return one;
        };
        RowContent content{{u"7e57"_s}, u"v1"_s, {}};
        content.parts
            = {part(RowPart::Id, "7e57"), part(RowPart::Type, "mail"),
               part(RowPart::Due, "2026-01-01 00:00:00+00"), part(RowPart::Payload, payload)};
        content.parts[0].locked = u"The queue tells messages apart by it"_s;
        content.parts[2].form = PartForm::Time;
        content.parts[3].form = form;
        if (form == PartForm::Bytes)
            content.parts[3].cell.kind = Cell::Kind::Bytes;
        return content;
    }
    static QPlainTextEdit *payloadOf(const EditDialog &dialog)
    {
        return dialog.findChild<QPlainTextEdit *>(u"editPayload"_s);
    }
    static QPushButton *previewOf(const EditDialog &dialog)
    {
        return dialog.findChild<QPushButton *>(u"editPreview"_s);
    }
    static QString changesIn(const EditDialog &dialog)
    {
        return dialog.findChild<QPlainTextEdit *>(u"editChanges"_s)->toPlainText();
    }
    /// What the preview is asked for; nothing where it cannot be.
    static RowEdit askedBy(EditDialog &dialog)
    {
        QSignalSpy asked(&dialog, &EditDialog::previewAsked);
        previewOf(dialog)->click();
        if (asked.isEmpty())
            return {};
        return asked.first().first().value<OperationRequest>().selection.edit.value_or(RowEdit());
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    void onlyWhatWasTouchedIsAskedFor()
    {
        EditDialog dialog(sample::production(), row("{\"n\":9007199254740993,\"n\":1}"));
        dialog.show();
        QVERIFY(!previewOf(dialog)->isEnabled());
        QVERIFY(changesIn(dialog).isEmpty());
        auto *type = dialog.findChild<QLineEdit *>(u"edit-type"_s);
        QTest::keyClicks(type, u"!"_s);
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        QTRY_VERIFY(changesIn(dialog).contains(u"+mail!"_s));
        const RowEdit edit = askedBy(dialog);
        QCOMPARE(edit.type.value_or(QString()), u"mail!"_s);
        QVERIFY(!edit.payload && !edit.due && !edit.queue);
        QVERIFY(edit.seen.has_value());
        QCOMPARE(edit.seen->version, u"v1"_s);
        type->setText(u"mail"_s);
        QTRY_VERIFY(!previewOf(dialog)->isEnabled());
    }

    void whatMustNotChangeIsLocked()
    {
        EditDialog dialog(sample::production(), row("{}"));
        auto *id = dialog.findChild<QLineEdit *>(u"edit-id"_s);
        QVERIFY(id->isReadOnly() && !id->isEnabled());
        QVERIFY(id->accessibleDescription().contains(u"Locked"_s));
    }

    void wrongJsonIsToldWithItsPlace()
    {
        EditDialog dialog(sample::production(), row("{\"a\":1}"));
        dialog.show();
        payloadOf(dialog)->setPlainText(u"{\n\"a\" 1}"_s);
        auto *problem = dialog.findChild<NoticeBar *>(u"editProblem"_s);
        QTRY_VERIFY2(problem->text().contains(u"line 2, column 5"_s), qPrintable(problem->text()));
        QVERIFY(!previewOf(dialog)->isEnabled());
        payloadOf(dialog)->setPlainText(u"{\"a\": 2}"_s);
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        QCOMPARE(askedBy(dialog).payload.value_or("nothing"), QByteArray("{\"a\": 2}"));
    }

    void formattingMovesBlanksAlone()
    {
        EditDialog dialog(sample::production(), row("{\"n\":12345678901234567890.10,\"n\":[]}"));
        dialog.show();
        dialog.findChild<QToolButton *>(u"editFormat"_s)->click();
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        QCOMPARE(askedBy(dialog).payload.value_or("nothing"),
                 QByteArray("{\n  \"n\": 12345678901234567890.10,\n  \"n\": []\n}"));
        payloadOf(dialog)->undo();
        QTRY_VERIFY(!previewOf(dialog)->isEnabled());
    }

    void bytesThatAreNoVisibleTextAreEditedInHex_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::newRow("bytes") << QByteArray("\x00\xff{\xc3", 4);
        QTest::newRow("a carriage return") << QByteArray("a\r\nb");
        QTest::newRow("a letter without width") << QByteArray("a\xe2\x80\x8b"
                                                              "b");
    }
    void bytesThatAreNoVisibleTextAreEditedInHex()
    {
        QFETCH(QByteArray, payload);
        EditDialog dialog(sample::production(), row(payload, PartForm::Bytes));
        dialog.show();
        QCOMPARE(payloadOf(dialog)->toPlainText(), hexText(payload));
        payloadOf(dialog)->appendPlainText(u"0a"_s);
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        QCOMPARE(askedBy(dialog).payload.value_or("nothing"), QByteArray(payload + '\n'));
        payloadOf(dialog)->appendPlainText(u"xx"_s);
        auto *problem = dialog.findChild<NoticeBar *>(u"editProblem"_s);
        QTRY_VERIFY(problem->text().contains(u"a hex digit"_s));
    }

    void aHardBlankStaysOne()
    {
        EditDialog dialog(sample::production(),
                          row("\"a\xc2\xa0"
                              "b\""));
        dialog.show();
        payloadOf(dialog)->moveCursor(QTextCursor::Start);
        payloadOf(dialog)->insertPlainText(u" "_s);
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        QCOMPARE(askedBy(dialog).payload.value_or("nothing"),
                 QByteArray(" \"a\xc2\xa0"
                            "b\""));
    }

    void aDueTimeIsReadAsAFilterReadsIt()
    {
        EditDialog dialog(sample::production(), row("{}"));
        dialog.show();
        auto *due = dialog.findChild<QLineEdit *>(u"edit-due"_s);
        due->setText(u"2030-02-03T04:05:06Z"_s);
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        QVERIFY(askedBy(dialog).due == QDateTime({2030, 2, 3}, {4, 5, 6}, Qt::UTC));
        due->setText(u"soon"_s);
        QTRY_VERIFY(!previewOf(dialog)->isEnabled());
    }

    void aTaskIsAskedForByItsOwnVerb()
    {
        RowContent content = row("{}", PartForm::Bytes);
        content.queue.text = u"low"_s;
        content.parts[2].cell = {};
        EditDialog dialog(sample::production(), content);
        dialog.show();
        QCOMPARE(dialog.windowTitle(), u"Edit task 7e57"_s);
        auto *type = dialog.findChild<QLineEdit *>(u"edit-type"_s);
        QSignalSpy asked(&dialog, &EditDialog::previewAsked);
        type->setText(u" "_s); // no task is without one
        auto *problem = dialog.findChild<NoticeBar *>(u"editProblem"_s);
        QTRY_VERIFY(problem->text().contains(u"blank"_s));
        QVERIFY(!previewOf(dialog)->isEnabled());
        type->setText(u"mail:again"_s);
        QTRY_VERIFY(previewOf(dialog)->isEnabled());
        previewOf(dialog)->click();
        QCOMPARE(asked.count(), 1);
        const auto request = asked.first().first().value<OperationRequest>();
        QCOMPARE(request.verb, Verb::EditTask);
        QCOMPARE(request.selection.tasks.size(), 1);
        QCOMPARE(request.selection.tasks.first().text, u"7e57"_s);
        QCOMPARE(request.selection.queue.text, u"low"_s);
        QVERIFY(request.selection.rows.isEmpty());
    }

    void pictures()
    {
        EditDialog dialog(sample::production(), row(R"({"to":"ana@example.org","items":[1,2]})"));
        dialog.show();
        dialog.findChild<QAbstractButton *>(u"editFormat"_s)->click();
        dialog.findChild<QLineEdit *>(u"edit-type"_s)->setText(u"mail:again"_s);
        QTRY_VERIFY(changesIn(dialog).contains(u"mail:again"_s));
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const auto &[tone, choice] :
             {std::pair(u"light"_s, ThemeChoice::Light), std::pair(u"dark"_s, ThemeChoice::Dark)}) {
            theme::apply(choice);
            QCoreApplication::processEvents();
            const QPixmap picture = dialog.grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(picture.save(QDir(folder).filePath(u"edit-"_s + tone + u".png"_s)));
        }
        theme::apply(ThemeChoice::Light);
    }

    // Were the payload shown before somebody asks for it, nothing would be on record.
    void aMaskedPayloadIsEditedUnmaskedAlone()
    {
        Profile profile = sample::production();
        profile.masks = *PayloadMasks::fromTexts({u"*.password"_s});
        EditDialog dialog(profile, row(R"({"a":1,"password":"hunter2"})"));
        QVERIFY(!payloadOf(dialog)->isEnabled());
        QVERIFY(!payloadOf(dialog)->toPlainText().contains(u"hunter2"_s));
        QSignalSpy unmasked(&dialog, &EditDialog::unmasked);
        auto *unmask = dialog.findChild<QPushButton *>(u"editUnmask"_s);
        QVERIFY(!unmask->isHidden());
        unmask->click();
        QCOMPARE(unmasked.count(), 1);
        QVERIFY(unmask->isHidden());
        QVERIFY(payloadOf(dialog)->isEnabled());
        QVERIFY(payloadOf(dialog)->toPlainText().contains(u"hunter2"_s));
        QVERIFY(askedBy(dialog).isEmpty()); // nothing was changed by that
        // One without a value under a mask is edited as ever.
        EditDialog other(profile, row(R"({"a":1})"));
        QVERIFY(payloadOf(other)->isEnabled());
        QVERIFY(other.findChild<QPushButton *>(u"editUnmask"_s)->isHidden());
    }
};

} // namespace tst_editdialog

OUTBOX_TEST(tst_editdialog::TestEditDialog)
#include "tst_editdialog.moc"
