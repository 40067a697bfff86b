// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappingform.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/formfields.h"
#include "views/widgets/tabplace.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

using Choice = MappingDraft::Choice;

namespace {

/// A card with room for lines.
QGridLayout *addGroup(QBoxLayout *place, const QString &title)
{
    auto *card = new Card(title);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, 112);
    card->body()->addLayout(grid);
    place->addWidget(card);
    return grid;
}

template <class Field>
MappingLine<Field> addLine(QGridLayout *grid, const QString &name, Field *field)
{
    const MappingLine<Field> line{field, plainLabel(name), plainLabel({}, true)};
    wrapLines(line.note);
    line.name->setBuddy(field);
    const int row = grid->rowCount();
    grid->addWidget(line.name, row, 0, Qt::AlignRight | Qt::AlignTop);
    line.name->setContentsMargins(0, 5, 0, 0); // level with the text of the field
    grid->addWidget(field, row, 1);
    grid->addWidget(line.note, row + 1, 1);
    line.note->hide();
    return line;
}

template <class Field> void reveal(const MappingLine<Field> &line, bool isShown)
{
    line.name->setVisible(isShown);
    line.field->setVisible(isShown);
    line.note->setVisible(isShown && !line.note->text().isEmpty());
}

/// `problem` is said instead of `note`, in the colour of one. Read aloud with the field.
template <class Field>
void say(const MappingLine<Field> &line, const QString &note, const QString &problem)
{
    const QString words = shownText(problem.isEmpty() ? note : problem);
    line.note->setText(words);
    line.field->setAccessibleDescription(words);
    if (auto *list = qobject_cast<QComboBox *>(line.field); list && list->lineEdit())
        list->lineEdit()->setAccessibleDescription(words);
    QPalette colors;
    if (!problem.isEmpty())
        colors.setColor(QPalette::PlaceholderText, theme::appearance(HealthLevel::Broken).color);
    line.note->setPalette(colors);
    line.note->setVisible(!line.field->isHidden() && !words.isEmpty());
}

QLineEdit *textField(const QString &name, const QString &spoken)
{
    auto *field = new QLineEdit;
    setNames(field, name, spoken);
    return field;
}

/// 0 is "not set".
QSpinBox *numberField(const QString &name, const QString &spoken)
{
    auto *field = new QSpinBox;
    setNames(field, name, spoken);
    field->setRange(0, 1'000'000);
    field->setSpecialValueText(QSpinBox::tr("not set"));
    return field;
}

// They emit nothing, and leave a text alone that is being typed.
void showText(QLineEdit *field, const QString &text)
{
    if (field->text() == text || field->hasFocus())
        return;
    const QSignalBlocker quiet(field);
    field->setText(text);
}

void showNumber(QSpinBox *field, int number)
{
    const QSignalBlocker quiet(field);
    field->setValue(number);
}

} // namespace

/// What each value of a status column stands for: one line a value.
class StatusValues : public QWidget
{
    Q_OBJECT

public:
    explicit StatusValues(QWidget *parent = nullptr)
        : QWidget(parent), m_place(new TabPlace(this)), m_grid(new QGridLayout(this))
    {
        setObjectName(u"statusValues"_s);
        m_grid->setContentsMargins({});
        m_grid->setHorizontalSpacing(12);
        m_grid->setVerticalSpacing(4);
        m_grid->setColumnStretch(3, 1);
    }

    /// Lines are made anew only where the values are others: the focus stays in its place.
    void setValues(const QList<MappingDraft::StatusValue> &values,
                   const QList<MessageState> &states);

signals:
    void assigned(const QString &value, outbox::MessageState state);

private:
    struct Line
    {
        QString value;
        QLabel *count;
        ChoiceField *state;
    };
    void makeLines(const QList<MappingDraft::StatusValue> &values);

    TabPlace *m_place;
    QGridLayout *m_grid;
    QList<Line> m_lines;
};

namespace {

constexpr qsizetype mostLines = 24; ///< a column with more values is no status

QString wordsOf(MessageState state)
{
    if (state == MessageState::Unknown)
        return StatusValues::tr("not set");
    if (state == MessageState::Locked)
        return StatusValues::tr("In progress");
    return label(state);
}

} // namespace

void StatusValues::makeLines(const QList<MappingDraft::StatusValue> &values)
{
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        // Later: it may be the one whose choice changes the lines.
        if (QWidget *old = item->widget()) {
            old->hide();
            old->setParent(nullptr);
            old->deleteLater();
        }
        delete item;
    }
    m_lines.clear();
    for (const MappingDraft::StatusValue &one : values) {
        const auto row = static_cast<int>(m_lines.size());
        const QString shown = one.value.isEmpty() ? tr("(empty text)") : shownText(one.value);
        QLabel *name = plainLabel(shownText(shown, Lines::One, 40));
        name->setFont(theme::fixedFont(font()));
        const Line line{
            one.value, plainLabel({}, true),
            new ChoiceField(u"stateOf-"_s + one.value, tr("State of value %1").arg(shown))};
        m_grid->addWidget(name, row, 0);
        m_grid->addWidget(line.count, row, 1, Qt::AlignRight);
        m_grid->addWidget(line.state, row, 2);
        connect(line.state, &ChoiceField::valueChosen, this,
                [this, value = one.value](const QString &state) {
                    emit assigned(value,
                                  messageStateFromWord(state).value_or(MessageState::Unknown));
                });
        m_lines += line;
    }
    m_place->gather();
}

void StatusValues::setValues(const QList<MappingDraft::StatusValue> &values,
                             const QList<MessageState> &states)
{
    const QList<MappingDraft::StatusValue> shown = values.mid(0, mostLines);
    bool isSame = shown.size() == m_lines.size();
    for (qsizetype at = 0; isSame && at < shown.size(); ++at)
        isSame = shown.at(at).value == m_lines.at(at).value;
    if (!isSame)
        makeLines(shown);
    QList<NamedChoice> choices;
    for (const MessageState state : states)
        choices += NamedChoice{word(state), wordsOf(state), {}};
    for (qsizetype at = 0; at < shown.size(); ++at) {
        const Line &line = m_lines.at(at);
        line.count->setText(shown.at(at).count ? countText(*shown.at(at).count) : tr("none seen"));
        line.state->setChoices(choices, word(shown.at(at).state));
    }
}

MappingForm::MappingForm(QWidget *parent) : QWidget(parent), m_kept(plainLabel({}, true))
{
    setObjectName(u"mappingForm"_s);
    auto *columns = boxOn<QHBoxLayout>(this, 12);
    auto *left = new QVBoxLayout;
    auto *right = new QVBoxLayout;
    for (QVBoxLayout *one : {left, right}) {
        one->setSpacing(12);
        columns->addLayout(one, 1);
    }
    addMessage(left);
    addTries(left);
    addStates(right);
    left->addStretch(1);
    right->addStretch(1);

    const auto changes = [this](QLineEdit *field, auto take) {
        connect(field, &QLineEdit::textChanged, this, [this, take](const QString &text) {
            take(m_draft, text);
            change();
        });
    };
    changes(m_taskId.field,
            [](MappingDraft &draft, const QString &text) { draft.setTaskId(text); });
    changes(m_fixedType.field,
            [](MappingDraft &draft, const QString &text) { draft.setFixedType(text.trimmed()); });
    changes(m_zone.field,
            [](MappingDraft &draft, const QString &text) { draft.setTimeZone(text); });
    changes(m_tables.field, [](MappingDraft &draft, const QString &text) {
        QStringList tables;
        for (const QString &one : text.split(u',', Qt::SkipEmptyParts))
            tables += one.trimmed();
        draft.setReferenceTables(tables);
    });
    connect(m_leaseSeconds.field, &QSpinBox::valueChanged, this, [this](int seconds) {
        m_draft.setLeaseSeconds(seconds);
        change();
    });
    connect(m_mostAttempts.field, &QSpinBox::valueChanged, this, [this](int attempts) {
        m_draft.setMaxAttempts(attempts);
        change();
    });
    connect(m_values.field, &StatusValues::assigned, this,
            [this](const QString &value, MessageState state) {
                m_draft.assign(value, state);
                change();
            });
    connect(m_relayed.field, &QCheckBox::toggled, this, [this](bool isOn) {
        m_draft.setRelayed(isOn);
        change();
    });
    refresh();
}

void MappingForm::addColumn(QGridLayout *grid, Meaning meaning)
{
    auto *field
        = new ChoiceField(u"column-"_s + label(meaning), tr("Column for %1").arg(label(meaning)));
    connect(field, &ChoiceField::valueChosen, this, [this, meaning](const QString &name) {
        m_draft.setColumn(meaning, name);
        change();
    });
    m_columns[meaning] = addLine(grid, label(meaning), field);
}

void MappingForm::addChoice(QGridLayout *grid, Choice choice, const QString &name)
{
    auto *field = new ChoiceField(u"choice-"_s + name, name);
    connect(field, &ChoiceField::valueChosen, this, [this, choice](const QString &word) {
        m_draft.choose(choice, word);
        change();
    });
    m_choices[choice] = field;
    (void)addLine(grid, name, field);
}

void MappingForm::addMessage(QBoxLayout *place)
{
    QGridLayout *grid = addGroup(place, tr("Message"));
    addColumn(grid, Meaning::Key);
    m_taskId = addLine(grid, tr("Task id"), textField(u"mappingTaskId"_s, tr("Task id")));
    addColumn(grid, Meaning::Type);
    m_fixedType = addLine(grid, tr("Type is always"),
                          textField(u"mappingFixedType"_s, tr("Type of every message")));
    addChoice(grid, Choice::PayloadForm, tr("Payload is"));
    for (const Meaning meaning : {Meaning::Payload, Meaning::ReferenceTable, Meaning::ReferenceId})
        addColumn(grid, meaning);
    m_tables = addLine(grid, tr("May read"),
                       textField(u"mappingTables"_s, tr("Tables that may be read, by commas")));
    for (const Meaning meaning : {Meaning::Headers, Meaning::Queue})
        addColumn(grid, meaning);
}

void MappingForm::addTries(QBoxLayout *place)
{
    QGridLayout *grid = addGroup(place, tr("Times and tries"));
    for (const Meaning meaning :
         {Meaning::Created, Meaning::Order, Meaning::Due, Meaning::Attempts, Meaning::LastError})
        addColumn(grid, meaning);
    m_zone = addLine(grid, tr("Time zone"),
                     textField(u"mappingTimeZone"_s, tr("Time zone of times without one")));
    m_zone.field->setPlaceholderText(tr("Europe/Berlin, UTC, +05:30"));
}

void MappingForm::addStates(QBoxLayout *place)
{
    QGridLayout *grid = addGroup(place, tr("States of a row"));
    addChoice(grid, Choice::Processed, tr("Processed how"));
    addColumn(grid, Meaning::Processed);
    m_values = addLine(grid, tr("Its values"), new StatusValues);
    addColumn(grid, Meaning::ProcessedTime);
    addChoice(grid, Choice::Locked, tr("Locked how"));
    for (const Meaning meaning : {Meaning::LeaseEnd, Meaning::Owner, Meaning::LockTime})
        addColumn(grid, meaning);
    m_leaseSeconds = addLine(grid, tr("Lease length, s"),
                             numberField(u"mappingLease"_s, tr("Lease length in seconds")));
    addChoice(grid, Choice::Failed, tr("Failed how"));
    addColumn(grid, Meaning::Failed);
    m_mostAttempts = addLine(grid, tr("Attempts at most"),
                             numberField(u"mappingMostAttempts"_s, tr("Attempts at most")));
    addColumn(grid, Meaning::MostAttempts);
    auto *relayed = new QCheckBox(tr("Deliver its rows from here (relay)"));
    setNames(relayed, u"mappingRelayed"_s, relayed->text());
    QGridLayout *use = addGroup(place, tr("Use"));
    m_relayed = addLine(use, QString(), relayed);
    wrapLines(m_kept);
    use->addWidget(m_kept, use->rowCount(), 1);
}

void MappingForm::setDraft(const MappingDraft &draft)
{
    m_draft = draft;
    refresh();
}

void MappingForm::setSeenValues(const QString &column, const QList<ValueCount> &values)
{
    m_draft.setSeenValues(column, values);
    refresh();
}

void MappingForm::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void MappingForm::change()
{
    refresh();
    emit edited();
}

void MappingForm::refreshColumn(Meaning meaning)
{
    const MappingLine<ChoiceField> &line = m_columns[meaning];
    reveal(line, m_draft.isShown(meaning));
    const TableSurvey &survey = m_draft.survey();
    QList<NamedChoice> choices{{QString(), tr("(none)"), {}}};
    for (const QString &name : m_draft.candidates(meaning)) {
        const CatalogColumn *column = survey.table.column(name);
        const QString sample = survey.samples.value(name).value(0);
        QString about = column ? column->type : QString();
        if (!sample.isEmpty())
            about += u"   "_s + sample;
        choices += NamedChoice{name, name, about};
    }
    line.field->setChoices(choices, m_draft.column(meaning));
    say(line, m_draft.note(meaning), m_draft.problem(meaning));
}

void MappingForm::refresh()
{
    const OutboxShape &shape = m_draft.shape();
    for (auto choice = m_choices.cbegin(); choice != m_choices.cend(); ++choice) {
        QList<NamedChoice> options;
        for (const auto &[word, label] : m_draft.options(choice.key()))
            options += NamedChoice{word, label, {}};
        choice.value()->setChoices(options, m_draft.chosen(choice.key()));
    }
    for (const Meaning meaning : m_columns.keys())
        refreshColumn(meaning);
    showText(m_taskId.field, shape.taskId);
    showText(m_fixedType.field, shape.fixedType);
    showText(m_tables.field, shape.referenceTables.join(u", "_s));
    showText(m_zone.field, m_draft.timeZone());
    reveal(m_zone, !m_draft.columnsWithoutZone().isEmpty());
    say(m_zone, m_draft.zoneNote(), m_draft.zoneProblem());
    showNumber(m_leaseSeconds.field, qRound(shape.leaseSeconds));
    showNumber(m_mostAttempts.field, shape.maxAttempts);
    const QList<MappingDraft::StatusValue> values = m_draft.statusValues();
    m_values.field->setValues(values, m_draft.valueStates());
    reveal(m_fixedType, shape.typeColumn.isEmpty() && shape.typeIn.isEmpty());
    reveal(m_tables, shape.payloadForm == OutboxShape::PayloadForm::Reference);
    reveal(m_leaseSeconds, shape.lockedHow == OutboxShape::LockedHow::Owner);
    reveal(m_mostAttempts, shape.failedHow == OutboxShape::FailedHow::Attempts);
    reveal(m_values, !values.isEmpty());
    {
        const QSignalBlocker quiet(m_relayed.field);
        m_relayed.field->setChecked(shape.use == OutboxShape::Use::Relay);
    }
    const QString why = m_draft.whyNotRelayed();
    const QString words = why.isEmpty() ? QString() : tr("It cannot be: %1.").arg(why);
    m_kept->setText(shownText(m_draft.kept()));
    m_kept->setVisible(!m_kept->text().isEmpty());
    say(m_relayed, words, m_relayed.field->isChecked() ? words : QString());
}

} // namespace outbox

#include "mappingform.moc"
