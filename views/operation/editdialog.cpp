// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/editdialog.h"

#include "models/content/difference.h"
#include "models/filter/values.h"
#include "models/payload/guess.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/scrolledpage.h"
#include "views/widgets/pagebuttons.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int toldAfterMs = 150;
constexpr qsizetype mostAsText = 262'144; ///< bytes
constexpr qsizetype mostAsHex = 65'536;
constexpr qsizetype longestLine = 20'000; ///< laying out a longer one takes too long

/// The text as it stands there: toPlainText would make blanks of others.
QString writtenIn(const QPlainTextEdit &edit)
{
    QString text = edit.document()->toRawText();
    text.replace(QChar(QChar::ParagraphSeparator), QChar(u'\n'));
    text.replace(QChar(QChar::LineSeparator), QChar(u'\n'));
    return text;
}

bool hasShortLines(const QString &text)
{
    const QStringList lines = text.split(u'\n');
    return std::all_of(lines.begin(), lines.end(),
                       [](const QString &line) { return line.size() <= longestLine; });
}

/// A text that can be seen, all of it.
bool isSeenWhole(const QByteArray &bytes)
{
    const QString text = QString::fromUtf8(bytes);
    return text.toUtf8() == bytes && plainText(text, Lines::Many) == text;
}

} // namespace

EditDialog::EditDialog(const Profile &profile, const RowContent &content, QWidget *parent)
    : QDialog(parent), m_content(content), m_masks(profile.masks), m_payload(new QPlainTextEdit),
      m_format(pageButton(u"editFormat"_s, u"show"_s, tr("&Format"))),
      m_unmask(dialogButton(u"editUnmask"_s, tr("Show &unmasked and edit"))), m_how(hint({})),
      m_problem(new NoticeBar(u"editProblem"_s)), m_changes(new QPlainTextEdit),
      m_preview(dialogButton(u"editPreview"_s, tr("&Preview\u2026")))
{
    setObjectName(u"editDialog"_s);
    const QString id = shownText(content.id.text, Lines::One, 80);
    setWindowTitle(isTask() ? tr("Edit task %1").arg(id) : tr("Edit row %1").arg(id));
    setModal(false);
    auto *band = new EnvironmentBand;
    band->setProfile(profile);
    band->setOnlyTells();
    m_format->setAccessibleName(tr("Format"));
    setNames(m_payload, u"editPayload"_s, tr("Payload"));
    setNames(m_changes, u"editChanges"_s, tr("Changes"));
    for (QPlainTextEdit *edit : {m_payload, m_changes}) {
        edit->setFont(theme::fixedFont(font()));
        edit->setTabChangesFocus(true);
        edit->setMinimumHeight(6 * edit->fontMetrics().lineSpacing());
    }
    m_changes->setReadOnly(true);
    auto *column = boxOn<QVBoxLayout>(this, 0);
    column->addWidget(band);
    auto *body = boxOn<QVBoxLayout>(nullptr, 8, {20, 14, 20, 16});
    body->addWidget(buildForm(), 3);
    body->addWidget(m_problem);
    auto *changes = new QLabel(tr("C&hanges"));
    changes->setBuddy(m_changes);
    body->addWidget(changes);
    body->addWidget(m_changes, 2);
    QPushButton *cancel = dialogButton(u"editCancel"_s, tr("Cancel"));
    body->addLayout(buttonRow({cancel, m_preview}));
    column->addLayout(body, 1);
    setMinimumWidth(620);
    m_tick.setSingleShot(true);
    m_tick.setInterval(toldAfterMs);
    connect(&m_tick, &QTimer::timeout, this, &EditDialog::judge);
    connect(m_payload, &QPlainTextEdit::textChanged, &m_tick, qOverload<>(&QTimer::start));
    connect(m_format, &QToolButton::clicked, this, &EditDialog::format);
    connect(m_unmask, &QPushButton::clicked, this, &EditDialog::unmask);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_preview, &QPushButton::clicked, this, &EditDialog::press);
    keepOnScreen(this);
    judge();
}

QWidget *EditDialog::buildForm()
{
    auto *widget = new QWidget;
    QFormLayout *form = formOn(widget);
    form->setContentsMargins({});
    for (const RowPartContent &part : std::as_const(m_content.parts)) {
        if (part.part == RowPart::Payload)
            addPayload(form, part);
        else
            addLine(form, part);
    }
    return widget;
}

void EditDialog::addLine(QFormLayout *form, const RowPartContent &part)
{
    const QString stored = QString::fromUtf8(part.cell.bytes);
    auto *line = new QLineEdit;
    setNames(line, u"edit-"_s + word(part.part), label(part.part));
    const bool isDue = part.part == RowPart::Due;
    line->setText(isDue ? QString() : stored);
    // What a line cannot show as it is would be changed by it.
    const bool isWhole = isDue || (line->text() == stored && isSeenWhole(part.cell.bytes));
    if (part.mayChange() && isWhole) {
        if (isDue) {
            line->setPlaceholderText(
                isTask() && part.cell.isNull()
                    ? tr("empty: at once")
                    : tr("stays: %1").arg(shownText(part.cell.isNull() ? u"NULL"_s : stored)));
            line->setToolTip(plainTooltip(tr("2026-01-31T10:00:00Z, 14:02, today, or now")));
        }
        m_lines.insert(part.part, line);
        connect(line, &QLineEdit::textChanged, &m_tick, qOverload<>(&QTimer::start));
    } else {
        const QString why = part.mayChange()
            ? tr("It holds characters that cannot be edited in a line")
            : part.locked;
        line->setText(shownText(part.cell.isNull() ? u"NULL"_s : stored));
        line->setReadOnly(true);
        line->setEnabled(false);
        line->setToolTip(plainTooltip(why));
        line->setAccessibleDescription(tr("Locked. %1").arg(why));
    }
    form->addRow(line->isEnabled() ? label(part.part) : tr("%1 (locked)").arg(label(part.part)),
                 line);
}

void EditDialog::addPayload(QFormLayout *form, const RowPartContent &part)
{
    auto *box = new QWidget;
    auto *column = boxOn<QVBoxLayout>(box, 4);
    auto *head = new QHBoxLayout;
    head->addWidget(m_how, 1);
    head->addWidget(m_unmask);
    head->addWidget(m_format);
    column->addLayout(head);
    column->addWidget(m_payload, 1);
    form->addRow(label(part.part), box);
    fillPayload();
}

void EditDialog::fillPayload()
{
    const RowPartContent &part = *m_content.part(RowPart::Payload);
    const bool isMasked = part.mayChange() && !m_masks.shown(part.cell.bytes).isClear();
    m_payloadAs = isMasked ? PayloadAs::Nothing : showPayload(part);
    m_shownPayload = writtenIn(*m_payload);
    const bool isText = m_payloadAs == PayloadAs::Text;
    const bool isJson = part.form == PartForm::Json || part.form == PartForm::JsonText
        || guessPayload(part.cell.bytes) == PayloadKind::Json;
    m_payload->setEnabled(m_payloadAs != PayloadAs::Nothing);
    m_unmask->setVisible(isMasked);
    m_format->setVisible(isText && isJson);
    m_format->setToolTip(plainTooltip(tr("One member a line; only blanks are changed")));
    QString how = isText ? tr("Text, as it is stored") : tr("Bytes in hex");
    if (isText && isJson)
        how = part.isRewritten ? tr("JSON; the database keeps it in a form of its own")
                               : tr("JSON, as it is stored");
    if (isMasked)
        how = tr("Masked; editing shows all of it, which is put on record");
    else if (m_payloadAs == PayloadAs::Nothing)
        how = part.mayChange()
            ? tr("Too long for this window: outboxctl %1 --payload-file").arg(word(verb()))
            : part.locked;
    m_how->setText(how + u", "_s + bytesText(part.cell.bytes.size()));
}

void EditDialog::unmask()
{
    m_masks = PayloadMasks::none();
    emit unmasked(m_content.id);
    fillPayload();
    judge();
    m_payload->setFocus();
}

EditDialog::PayloadAs EditDialog::showPayload(const RowPartContent &part)
{
    if (!part.mayChange())
        return PayloadAs::Nothing;
    const QByteArray &bytes = part.cell.bytes;
    QString text = QString::fromUtf8(bytes);
    if (part.isRewritten) { // the blanks are not those that somebody wrote
        const auto laidOut = laidOutJson(bytes);
        text = laidOut ? QString::fromUtf8(*laidOut) : text;
    }
    if (bytes.size() <= mostAsText && isSeenWhole(bytes) && hasShortLines(text)) {
        m_payload->setPlainText(text);
        if (writtenIn(*m_payload) == text)
            return PayloadAs::Text;
    }
    m_payload->clear();
    if (bytes.size() > mostAsHex)
        return PayloadAs::Nothing;
    m_payload->setPlainText(hexText(bytes));
    return PayloadAs::Hex;
}

Result<std::optional<Cell>> EditDialog::cellOf(const RowPartContent &part) const
{
    using Wanted = std::optional<Cell>;
    if (part.part == RowPart::Payload) {
        const QString text = writtenIn(*m_payload);
        if (m_payloadAs == PayloadAs::Nothing || text == m_shownPayload)
            return Wanted();
        if (m_payloadAs == PayloadAs::Text)
            return Wanted(Cell{part.kindToWrite(), text.toUtf8()});
        const auto bytes = TRY(bytesOfHex(text));
        return Wanted(Cell{part.kindToWrite(), bytes});
    }
    const QLineEdit *line = m_lines.value(part.part);
    const QString text = line ? line->text() : QString();
    if (part.part == RowPart::Due) {
        if (text.trimmed().isEmpty())
            return Wanted();
        const auto moment = TRY(beginOf(text.trimmed(), QDateTime::currentDateTime()));
        const QString utc = moment.toUTC().toString(Qt::ISODateWithMs);
        return Wanted(Cell{Cell::Kind::Text, utc.toLatin1()});
    }
    if (!line || text == QString::fromUtf8(part.cell.bytes))
        return Wanted();
    return Wanted(Cell{part.kindToWrite(), text.toUtf8()});
}

EditDialog::Asked EditDialog::asked() const
{
    Asked found;
    const auto note = [](QString &place, const RowPartContent &part, const QString &text) {
        if (place.isEmpty() && !text.isEmpty())
            place = label(part.part) + u": "_s + text;
    };
    for (const RowPartContent &part : m_content.parts) {
        if (!part.mayChange())
            continue;
        const auto cell = cellOf(part);
        if (!cell) {
            note(found.problem, part, cell.error().text);
            continue;
        }
        found.cells += EditedCell{part.part, part.column, part.cell, *cell};
        if (!*cell)
            continue;
        const QByteArray &bytes = (*cell)->bytes;
        switch (part.part) {
        case RowPart::Payload:
            found.edit.payload = bytes;
            break;
        case RowPart::Type:
            found.edit.type = QString::fromUtf8(bytes);
            break;
        case RowPart::Queue:
            found.edit.queue = QString::fromUtf8(bytes);
            break;
        case RowPart::Due:
            found.edit.due = QDateTime::fromString(QString::fromLatin1(bytes), Qt::ISODateWithMs);
            continue; // its column has a form of its own
        case RowPart::Id:
        case RowPart::Created:
        case RowPart::Headers:
            break;
        }
        note(found.problem, part, whyNotHeld(part, bytes));
        if (!isTask())
            note(found.warning, part, whyNotSent(part, bytes));
        else if (part.part == RowPart::Type && bytes.trimmed().isEmpty())
            note(found.problem, part, tr("A task has one that is not blank"));
    }
    return found;
}

void EditDialog::format()
{
    const auto laidOut = laidOutJson(writtenIn(*m_payload).toUtf8());
    if (!laidOut)
        return judge();
    QTextCursor all(m_payload->document()); // so that it can be undone
    all.select(QTextCursor::Document);
    all.insertText(QString::fromUtf8(*laidOut));
}

void EditDialog::judge()
{
    const Asked wanted = asked();
    m_changes->setPlainText(shownPage(differenceOf(wanted.cells, m_masks)));
    if (!wanted.problem.isEmpty())
        m_problem->say(NoticeBar::Tone::Problem, shownText(wanted.problem));
    else if (!wanted.warning.isEmpty())
        m_problem->say(NoticeBar::Tone::Warning, shownText(wanted.warning));
    else
        m_problem->clear();
    const bool isChange = !wanted.edit.isEmpty();
    m_preview->setEnabled(isChange && wanted.problem.isEmpty());
    m_preview->setToolTip(plainTooltip(!wanted.problem.isEmpty() ? wanted.problem
                                           : isChange            ? QString()
                                                                 : tr("Nothing is changed yet")));
}

void EditDialog::press()
{
    judge(); // the last letters may not have been looked at
    if (!m_preview->isEnabled())
        return;
    Selection selection;
    if (isTask()) {
        selection.tasks = {TaskId{m_content.id.text}};
        selection.queue = m_content.queue;
    } else {
        selection.rows = {m_content.id};
    }
    selection.edit = asked().edit;
    selection.edit->seen = m_content;
    emit previewAsked({verb(), selection, {}});
}

} // namespace outbox
