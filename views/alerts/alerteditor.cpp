// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/alerts/alerteditor.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/widgets/boxes.h"
#include "views/widgets/noticebar.h"

#include <QCheckBox>
#include <QCompleter>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int trialPauseMs = 300;
constexpr int linesOfCommand = 3;

/// What can stand at the beginning of a rule, and the whole of those on a level.
QStringList ruleBeginnings()
{
    QStringList words = alertFigureWords();
    words.removeAll(word(AlertFigure::Rows)); // which says nothing without a filter
    words += {u"rows \"state:failed\" > 0"_s, u"rows \"state:failed\" > 5 in 10m"_s};
    for (const QString &level : {u"watch"_s, u"stalled"_s, u"unknown"_s, u"broken"_s})
        words += u"level >= "_s + level;
    return words;
}

/// "There is no figure `lagg` at character 1: did you mean `lag`?"
QString faultText(const Error &error)
{
    QString text = capital(error.text);
    if (error.position >= 0)
        text = AlertEditor::tr("%1, at character %2").arg(text, countText(error.position + 1));
    return shownText(error.hint.isEmpty() ? text : QString(text + u": "_s + error.hint));
}

} // namespace

AlertEditor::Field AlertEditor::makeField(const QString &name, const QString &spoken,
                                          const QString &example)
{
    const Field field{new QLineEdit, plainLabel({}, false)};
    setNames(field.line, name, spoken);
    field.line->setPlaceholderText(example);
    field.fault->setObjectName(name + u"Fault"_s);
    wrapLines(field.fault);
    field.fault->hide();
    return field;
}

AlertEditor::AlertEditor(QWidget *parent)
    : Card({}, parent), m_name(makeField(u"alertName"_s, tr("Name of the alert"), tr("Late mail"))),
      m_rule(makeField(u"alertRule"_s, tr("Rule"), u"lag > 2m for 1m"_s)),
      m_command(new QPlainTextEdit),
      m_webhook(makeField(u"alertWebhook"_s, tr("Webhook"), u"https://host/path"_s)),
      m_quiet(makeField(u"alertQuiet"_s, tr("Quiet times"), u"22:00-07:00"_s)),
      m_shown(new QCheckBox(tr("Notice on this desktop"))), m_trial(plainLabel({}, true)),
      m_problem(new NoticeBar(u"alertProblem"_s)), m_save(new QPushButton(tr("Save")))
{
    setObjectName(u"alertEditor"_s);
    build();
    m_pause.setSingleShot(true);
    m_pause.setInterval(trialPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &AlertEditor::tryRule);
    connect(m_rule.line, &QLineEdit::textChanged, this, [this] {
        m_trial->setText({}); // what it says is of another rule
        m_pause.start();
    });
    for (const Field &field : {m_name, m_rule, m_webhook, m_quiet}) {
        connect(field.line, &QLineEdit::textChanged, this, [this] { (void)read(); });
        connect(field.line, &QLineEdit::returnPressed, this, &AlertEditor::save);
    }
    connect(m_save, &QPushButton::clicked, this, &AlertEditor::save);
}

void AlertEditor::build()
{
    auto *completer = new QCompleter(ruleBeginnings(), this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_rule.line->setCompleter(completer);
    m_webhook.line->setEchoMode(QLineEdit::PasswordEchoOnEdit); // it may hold a secret
    setNames(m_command, u"alertCommand"_s, tr("Command"));
    m_command->setPlaceholderText(tr("A program, and its arguments, one a line; no shell"));
    m_command->setTabChangesFocus(true);
    m_command->setMaximumHeight(m_command->fontMetrics().lineSpacing() * linesOfCommand + 18);
    setNames(m_shown, u"alertShown"_s, tr("Notice on this desktop"));
    m_trial->setObjectName(u"alertTrial"_s);
    wrapLines(m_trial);
    setNames(m_save, u"alertSave"_s, tr("Save the alert"));
    auto *cancel = new QPushButton(tr("Cancel"));
    setNames(cancel, u"alertCancel"_s, tr("Cancel the change"));
    connect(cancel, &QPushButton::clicked, this, &AlertEditor::closeAsked);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    addField(grid, tr("Name"), m_name);
    addField(grid, tr("Rule"), m_rule);
    grid->addWidget(m_trial, grid->rowCount(), 1);
    const int row = grid->rowCount();
    grid->addWidget(plainLabel(tr("Command")), row, 0, Qt::AlignTop | Qt::AlignRight);
    grid->addWidget(m_command, row, 1);
    addField(grid, tr("Webhook"), m_webhook);
    addField(grid, tr("Quiet times"), m_quiet);
    grid->addWidget(m_shown, grid->rowCount(), 1);
    body()->addLayout(grid);
    body()->addWidget(m_problem);
    auto *buttons = boxOn<QHBoxLayout>(nullptr, 8);
    buttons->addStretch();
    addWidgets(buttons, {cancel, m_save});
    body()->addLayout(buttons);
}

void AlertEditor::addField(QGridLayout *grid, const QString &title, const Field &field) const
{
    const int row = grid->rowCount();
    grid->addWidget(plainLabel(title), row, 0, Qt::AlignVCenter | Qt::AlignRight);
    grid->addWidget(field.line, row, 1);
    grid->addWidget(field.fault, row + 1, 1);
}

void AlertEditor::edit(const std::optional<Alert> &alert)
{
    m_edited = alert.value_or(Alert());
    m_problem->clear();
    m_name.line->setText(m_edited.name);
    m_command->setPlainText(m_edited.command.join(u'\n'));
    m_webhook.line->setText(m_edited.webhook.toString(QUrl::FullyEncoded));
    m_quiet.line->setText(m_edited.quiet ? m_edited.quiet->text() : QString());
    m_shown->setChecked(m_edited.isShown);
    m_rule.line->setText(m_edited.rule.text);
    m_trial->setText({});
    for (const Field &field : {m_name, m_rule, m_webhook, m_quiet}) {
        field.fault->hide(); // an empty form is not wrong yet
        field.line->setAccessibleDescription({});
    }
    m_pause.start();
    m_name.line->setFocus();
}

std::optional<Alert> AlertEditor::read()
{
    Alert alert;
    bool isRight = true;
    // Answers the value; where it is wrong, its reason stands below the field.
    const auto taken = [&isRight](const Field &field, const auto &value, auto &into) {
        field.fault->setVisible(!value);
        field.fault->setText(value ? QString() : faultText(value.error()));
        field.line->setAccessibleDescription(field.fault->text());
        if (value)
            into = *value;
        isRight = isRight && value;
    };
    taken(m_name, alertNameFrom(m_name.line->text()), alert.name);
    taken(m_rule, AlertRule::fromText(m_rule.line->text()), alert.rule);
    const QString webhook = m_webhook.line->text().trimmed();
    taken(m_webhook, webhook.isEmpty() ? Result<QUrl>(QUrl()) : webhookFrom(webhook),
          alert.webhook);
    const QString quiet = m_quiet.line->text().trimmed();
    QuietTimes times;
    taken(m_quiet, quiet.isEmpty() ? Result<QuietTimes>(times) : QuietTimes::fromText(quiet),
          times);
    if (!quiet.isEmpty())
        alert.quiet = times;
    const QString command = m_command->toPlainText();
    alert.command = m_edited.command; // an argument of a file may have lines of its own
    if (command != alert.command.join(u'\n'))
        alert.command = command.split(u'\n', Qt::SkipEmptyParts);
    alert.mutedUntil = m_edited.mutedUntil;
    alert.isShown = m_shown->isChecked();
    return isRight ? std::optional(alert) : std::nullopt;
}

void AlertEditor::save()
{
    m_problem->clear();
    if (const auto alert = read())
        emit saveAsked(*alert);
}

void AlertEditor::tryRule()
{
    const auto rule = AlertRule::fromText(m_rule.line->text());
    if (!rule)
        return;
    m_trial->setText(tr("Trying it on the kept history\u2026"));
    emit trialAsked(*rule);
}

void AlertEditor::setTrial(const AlertRule &rule, const Result<AlertTrial> &trial)
{
    const auto shown = AlertRule::fromText(m_rule.line->text());
    if (!shown || *shown != rule)
        return;
    m_trial->setText(trial ? trialText(*trial)
                           : shownText(tr("It cannot be tried: %1").arg(oneLine(trial.error()))));
}

void AlertEditor::setProblem(const QString &text)
{
    m_problem->say(NoticeBar::Tone::Problem, shownText(text));
}

} // namespace outbox
