// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/planpreview.h"

#include "models/operations/planwords.h"
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
#include <QClipboard>
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
    const QString spoken = QString(title).remove(u'&');
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
      m_statements(new TextFold(u"planStatements"_s, tr("&SQL and Redis commands"))),
      m_undo(hint({}))
{
    m_sentence->setObjectName(u"planSentence"_s);
    wrapLines(m_sentence);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_about->setObjectName(u"planAbout"_s);
    m_undo->setObjectName(u"planUndo"_s);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    column->addWidget(m_sentence);
    column->addWidget(m_about);
    column->addWidget(m_warnings);
    column->addWidget(m_items, 1);
    column->addWidget(m_statements);
    column->addWidget(m_undo);
}

void PlanPreview::setPlan(const Plan &plan)
{
    m_sentence->setText(shownText(planSentence(plan)));
    m_about->setText(
        shownText(tr("%1, seen at %2. What comes or changes later is left alone.")
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
    m_statements->setText(statementsOf(plan));
    m_statements->setOpen(false);
    QString undo = plan.undo;
    if (plan.exportsFirst)
        undo = tr("Whatever is deleted is written to a file first.") + u' ' + undo;
    m_undo->setText(shownText(undo));
    m_undo->setVisible(!undo.isEmpty());
}

} // namespace outbox

#include "planpreview.moc"
