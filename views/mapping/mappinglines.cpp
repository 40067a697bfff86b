// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappinglines.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

namespace outbox::mappinglines {

using namespace Qt::Literals::StringLiterals;

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

MappingLine addLine(QGridLayout *grid, const QString &name, QWidget *field)
{
    const MappingLine line{plainLabel(name), field, plainLabel({}, true)};
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

void reveal(const MappingLine &line, bool isShown)
{
    line.name->setVisible(isShown);
    line.field->setVisible(isShown);
    line.note->setVisible(isShown && !line.note->text().isEmpty());
}

void say(const MappingLine &line, const QString &note, const QString &problem)
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
    field->setObjectName(name);
    field->setAccessibleName(spoken);
    return field;
}

QSpinBox *numberField(const QString &name, const QString &spoken)
{
    auto *field = new QSpinBox;
    field->setObjectName(name);
    field->setAccessibleName(spoken);
    field->setRange(0, 1'000'000);
    field->setSpecialValueText(QSpinBox::tr("not said"));
    return field;
}

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

} // namespace outbox::mappinglines
