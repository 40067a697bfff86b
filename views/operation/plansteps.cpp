// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/plansteps.h"

#include "models/operations/planwords.h"
#include "models/operations/verbdescriptor.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/operation/outcometable.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>

class QToolButton;

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// A longer text behind one line that opens and closes it, with a button that copies it.
class TextFold : public QWidget
{
    Q_OBJECT

public:
    /// `title` carries its mnemonic; closed at first.
    TextFold(const QString &name, const QString &title, QWidget *parent = nullptr);

    /// Plain text; an empty one hides everything. What is copied is all of it, however much is
    /// shown.
    void setText(const QString &text)
    {
        m_whole = text;
        m_text->setPlainText(shownPage(text));
        setVisible(!text.isEmpty());
    }

    void setOpen(bool open)
    {
        m_head->setChecked(open);
        m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_text->setVisible(open);
        m_copy->setVisible(open);
    }

    [[nodiscard]] bool isOpen() const { return m_head->isChecked(); }

private:
    QToolButton *m_head;
    QToolButton *m_copy;
    QPlainTextEdit *m_text;
    QString m_whole;
};

TextFold::TextFold(const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent), m_head(pageButton(name + u"Head"_s, u"show"_s, title)),
      m_copy(pageButton(name + u"Copy"_s, u"copy"_s, tr("Copy"))), m_text(new QPlainTextEdit)
{
    const QString spoken = spokenWords(title);
    m_head->setAccessibleName(spoken);
    m_head->setCheckable(true);
    m_head->setArrowType(Qt::RightArrow);
    m_copy->setAccessibleName(tr("Copy: %1").arg(spoken));
    setNames(m_text, name, spoken);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setFont(theme::fixedFont(font()));
    m_text->setFixedHeight(8 * m_text->fontMetrics().lineSpacing());
    auto *head = new QHBoxLayout;
    head->addWidget(m_head);
    head->addStretch();
    head->addWidget(m_copy);
    auto *column = boxOn<QVBoxLayout>(this, 4);
    column->addLayout(head);
    column->addWidget(m_text);
    connect(m_head, &QToolButton::toggled, this, &TextFold::setOpen);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(plainText(m_whole, Lines::Many)); });
    setOpen(false);
}

namespace {

constexpr int typedLetters = 52;

/// How it can be undone, and that an export comes first where one does.
QString undoWords(const Plan &plan)
{
    if (!plan.exportsFirst)
        return plan.undo;
    QString exported = plan.difference.isEmpty()
        ? PlanPreview::tr("What is deleted is exported first.")
        : PlanPreview::tr("What the row holds is exported first.");
    if (plan.hasMasks)
        exported += u' ' + PlanPreview::tr("The export is whole, without masks: undo needs it.");
    return exported + u' ' + plan.undo;
}

QString statementsOf(const Plan &plan)
{
    QStringList parts;
    for (const QString &statement : plan.statements)
        parts += statement + u';';
    if (!plan.commands.isEmpty())
        parts += plan.commands.join(u'\n');
    return parts.join(u"\n\n"_s);
}

} // namespace

PlanPreview::PlanPreview(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_about(hint({})),
      m_warnings(new NoticeBar(u"planWarnings"_s)), m_items(new OutcomeTable(u"plan"_s)),
      m_changes(new TextFold(u"planChanges"_s, tr("C&hanges"))),
      m_statements(new TextFold(u"planStatements"_s, tr("&SQL and Redis commands"))),
      m_undo(hint({}))
{
    m_sentence->setObjectName(u"planSentence"_s);
    wrapLines(m_sentence);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_about->setObjectName(u"planAbout"_s);
    m_undo->setObjectName(u"planUndo"_s);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    addWidgets(column, {m_sentence, m_about, m_warnings});
    column->addWidget(m_items, 1);
    addWidgets(column, {m_changes, m_statements, m_undo});
}

void PlanPreview::setPlan(const Plan &plan)
{
    m_sentence->setText(shownText(planSentence(plan)));
    m_about->setText(
        shownText(tr("%1, seen at %2. What is added or changed after that is not touched.")
                      .arg(plan.selection, momentText(plan.at, QDateTime::currentDateTimeUtc()))));
    m_warnings->clear();
    if (!plan.warnings.isEmpty()) {
        QStringList shown;
        for (const QString &warning : plan.warnings)
            shown += shownText(warning);
        m_warnings->say(NoticeBar::Tone::Warning, shown.join(u'\n'));
    }
    m_items->setPlan(plan);
    m_items->setVisible(!plan.items.isEmpty());
    m_changes->setText(plan.difference);
    m_changes->setOpen(true);
    m_statements->setText(statementsOf(plan));
    m_statements->setOpen(false);
    const QString undo = undoWords(plan);
    m_undo->setText(shownText(undo));
    m_undo->setVisible(!undo.isEmpty());
}

PlanConfirm::PlanConfirm(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_target(hint({})), m_second(new QCheckBox),
      m_trim(new QCheckBox), m_typedLabel(plainLabel({})), m_typed(new QLineEdit),
      m_note(new QLineEdit)
{
    m_sentence->setObjectName(u"confirmSentence"_s);
    wrapLines(m_sentence);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_target->setObjectName(u"confirmTarget"_s);
    m_second->setObjectName(u"allowSecond"_s);
    m_trim->setObjectName(u"allowTrim"_s);
    wrapLines(m_typedLabel);
    m_typedLabel->setBuddy(m_typed);
    m_typed->setObjectName(u"confirmTyped"_s);
    m_typed->setFont(theme::fixedFont(font()));
    setMostLetters(m_typed, typedLetters);
    auto *noteLabel = new QLabel(tr("&Note, kept in the record"));
    noteLabel->setBuddy(m_note);
    setNames(m_note, u"confirmNote"_s, tr("Note, kept in the record"));
    m_note->setPlaceholderText(tr("INC-4711: why this is done"));
    m_note->setMaxLength(500);
    setMostLetters(m_note, typedLetters);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    addWidgets(column, {m_sentence, m_target});
    column->addSpacing(8);
    addWidgets(column, {m_second, m_trim});
    column->addSpacing(8);
    addWidgets(column, {m_typedLabel, m_typed});
    column->addSpacing(8);
    addWidgets(column, {noteLabel, m_note});
    column->addStretch();
    for (QCheckBox *one : {m_second, m_trim})
        connect(one, &QCheckBox::toggled, this, &PlanConfirm::agree);
    connect(m_typed, &QLineEdit::textChanged, this, &PlanConfirm::edited);
}

void PlanConfirm::setPlan(const Plan &plan)
{
    m_plan = plan;
    m_typed->clear();
    m_note->clear();
    const qsizetype second = plan.counts().value(Outcome::SecondExecution);
    m_second->setChecked(false);
    m_second->setVisible(second > 0);
    m_second->setText(
        descriptorOf(plan.verb).target == VerbTarget::File
            ? counted(second, tr("&Allow 1 message to run, which may have run since the export"),
                      tr("&Allow %1 messages to run, which may have run since the export"))
            : counted(second, tr("&Allow 1 message that ran before to run a second time"),
                      tr("&Allow %1 messages that ran before to run a second time")));
    m_second->setAccessibleName(spokenWords(m_second->text()));
    m_trim->setChecked(false);
    m_trim->setVisible(plan.trimmed > 0);
    m_trim->setText(counted(plan.trimmed,
                            tr("Let the oldest archived task &go, to make room; it is exported"),
                            tr("Let the %1 oldest archived tasks &go, to make room; they are "
                               "exported")));
    m_trim->setAccessibleName(spokenWords(m_trim->text()));
    m_target->setText(shownText(plan.target) + u'\n' + shownText(undoWords(plan)));
    agree();
}

Consent PlanConfirm::consent() const
{
    return {m_second->isChecked(), m_trim->isChecked(), m_typed->text().trimmed(),
            m_note->text().trimmed()};
}

void PlanConfirm::focusFirst()
{
    for (QWidget *one : QList<QWidget *>{m_second, m_trim, m_typed}) {
        if (!one->isHidden())
            return one->setFocus(Qt::OtherFocusReason);
    }
    m_note->setFocus(Qt::OtherFocusReason);
}

void PlanConfirm::agree()
{
    m_agreed = withConsent(m_plan, consent());
    m_sentence->setText(shownText(planSentence(m_agreed)));
    const bool typed = m_agreed.acting() > 0 && confirmationFor(m_agreed) == Confirmation::Typed;
    m_typedLabel->setVisible(typed);
    m_typed->setVisible(typed);
    const QString ask = tr("Type %1 to confirm").arg(u'"' + shownText(textToType(m_agreed)) + u'"');
    m_typedLabel->setText(ask);
    m_typed->setAccessibleName(ask);
    emit edited();
}

} // namespace outbox

#include "plansteps.moc"
