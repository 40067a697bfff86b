// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/comparedialog.h"

#include "models/plaintext.h"
#include "models/tables/comparisonmodel.h"
#include "views/message/comparedaxis.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/scrolledpage.h"

#include <QBoxLayout>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int longestId = 512; ///< characters
constexpr int linesOfTable = 7;

/// An id in a field: what cannot be seen stands as an escape there.
QString shownId(const ComparedId &one)
{
    return shownText(one.id.text, Lines::One, longestId);
}

LiveTable *comparedTable(const QString &name, const QString &spoken, QAbstractItemModel *model,
                         const QList<int> &columnCharacters)
{
    auto *table = new LiveTable(name);
    table->setAccessibleName(spoken);
    table->show(model, columnCharacters);
    table->setMinimumHeight(linesOfTable * theme::rowHeight(table->fontMetrics()));
    return table;
}

} // namespace

CompareDialog::CompareDialog(QWidget *parent)
    : QDialog(parent), m_a(new QLineEdit), m_b(new QLineEdit),
      m_compare(dialogButton(u"compareGo"_s, tr("&Compare"))),
      m_notes(new NoticeBar(u"compareNotes"_s)), m_journey(hint({})), m_axis(new ComparedAxis),
      m_steps(new ComparedStepModel(this)), m_fieldsText(hint({})),
      m_fields(new ComparedFieldModel(this)), m_payload(hint({})), m_difference(new QPlainTextEdit)
{
    setObjectName(u"compareDialog"_s);
    setWindowTitle(tr("Compare two messages"));
    setModal(false);
    setNames(m_a, u"compareA"_s, tr("Message A"));
    setNames(m_b, u"compareB"_s, tr("Message B"));
    m_journey->setObjectName(u"compareJourney"_s);
    m_fieldsText->setObjectName(u"compareFieldsText"_s);
    m_payload->setObjectName(u"comparePayload"_s);
    for (QLineEdit *field : {m_a, m_b}) {
        field->setFont(theme::fixedFont(field->font()));
        field->setMaxLength(longestId);
        field->setPlaceholderText(tr("The key of a row, or the id of its task"));
        connect(field, &QLineEdit::textChanged, this, &CompareDialog::follow);
    }
    setNames(m_difference, u"compareDifference"_s, tr("Difference of the payloads"));
    m_difference->setReadOnly(true);
    m_difference->setTabChangesFocus(true);
    m_difference->setFont(theme::fixedFont(font()));
    m_difference->setMinimumHeight(8 * m_difference->fontMetrics().lineSpacing());
    m_compare->setDefault(true);
    connect(m_compare, &QPushButton::clicked, this, &CompareDialog::ask);
    build();
    follow();
}

void CompareDialog::build()
{
    auto *column = boxOn<QVBoxLayout>(this, 8, {20, 14, 20, 16});
    auto *form = new QFormLayout;
    form->addRow(tr("&A"), m_a);
    form->addRow(tr("&B"), m_b);
    column->addLayout(form);
    column->addWidget(m_notes);
    addWidgets(column, {titleLabel(tr("Journey")), m_journey, m_axis});
    column->addWidget(
        comparedTable(u"compareSteps"_s, tr("Steps of both"), m_steps, {28, 24, 24, 0}), 2);
    addWidgets(column, {titleLabel(tr("Fields")), m_fieldsText});
    column->addWidget(
        comparedTable(u"compareFields"_s, tr("Fields that differ"), m_fields, {24, 30, 0}), 2);
    addWidgets(column, {titleLabel(tr("Payload")), m_payload});
    column->addWidget(m_difference, 2);
    QPushButton *close = dialogButton(u"compareClose"_s, tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    column->addLayout(buttonRow({close, m_compare}));
    setMinimumWidth(620);
    keepOnScreen(this, {960, 860});
}

void CompareDialog::begin(const QList<ComparedId> &ids)
{
    clearResult({}); // it is that of other ids, also where only one of the fields changes
    m_askedA = ids.value(0);
    m_askedB = ids.value(1);
    m_a->setText(shownId(m_askedA));
    m_b->setText(shownId(m_askedB));
    follow();
    if (m_compare->isEnabled())
        ask();
    else
        (m_askedA.id.isEmpty() ? m_a : m_b)->setFocus();
}

ComparedId CompareDialog::named(const QLineEdit &field, const ComparedId &put)
{
    // By the text: what assistive technology writes does not count as modified.
    const QString text = field.text();
    return text == shownId(put) ? put : ComparedId{MessageId{text.trimmed()}};
}

void CompareDialog::follow()
{
    const ComparedId a = named(*m_a, m_askedA);
    const ComparedId b = named(*m_b, m_askedB);
    if (a != m_askedA || b != m_askedB)
        clearResult({}); // it would be taken for that of the ids above it
    const bool isThere = !a.id.isEmpty() && !b.id.isEmpty();
    m_compare->setEnabled(isThere && a != b);
    m_compare->setToolTip(plainTooltip(!isThere     ? tr("Two ids are needed")
                                           : a == b ? tr("Both are the same id")
                                                    : QString()));
}

void CompareDialog::ask()
{
    m_askedA = named(*m_a, m_askedA);
    m_askedB = named(*m_b, m_askedB);
    clearResult(tr("Asking the outbox and the queue\u2026"));
    emit comparisonAsked(ComparedId(m_askedA), ComparedId(m_askedB));
}

void CompareDialog::clearResult(const QString &sentence)
{
    m_notes->clear();
    m_journey->setText(sentence);
    m_axis->setJourneys({});
    m_steps->merge({});
    m_fieldsText->clear();
    m_fields->merge({});
    m_payload->clear();
    m_difference->clear();
}

void CompareDialog::setComparison(const ComparedId &a, const ComparedId &b,
                                  const Comparison &comparison)
{
    if (a != named(*m_a, m_askedA) || b != named(*m_b, m_askedB))
        return;
    if (comparison.notes.isEmpty())
        m_notes->clear();
    else
        m_notes->say(NoticeBar::Tone::Warning, shownText(comparison.notes.join(u"; "_s)));
    m_journey->setText(shownText(journeySentence(comparison.journeys)));
    m_axis->setJourneys(comparison.journeys);
    m_steps->show(comparison);
    m_fieldsText->setText(fieldSentence(comparison.fields));
    m_fields->merge(withoutSame(comparison.fields));
    for (LiveTable *table : findChildren<LiveTable *>())
        table->fitColumnsOnce();
    const QString page = shownPage(comparison.payload.difference);
    QString sentence = payloadSentence(comparison.payload);
    if (page.endsWith(u'\u2026')) // a difference that ends so is told of as well
        sentence += u' '
            + tr("Only the beginning of the difference is shown: outboxctl compare "
                 "prints all of it.");
    m_payload->setText(shownText(sentence));
    m_difference->setPlainText(page);
}

} // namespace outbox
