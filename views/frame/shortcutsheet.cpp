// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/shortcutsheet.h"

#include "models/plaintext.h"
#include "models/translation.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"
#include "views/widgets/scrolledpage.h"

#include <QDialog>
#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QVBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation sheetText("outbox::ShortcutSheet");
constexpr int longestLine = 60; ///< of characters, for what a key does
constexpr int longestKeys = 30;

/// What keys do that are no actions.
QList<std::pair<QString, QString>> otherKeys()
{
    return {{sheetText("Enter"), sheetText("Apply the filter; open the chosen line")},
            {sheetText("Esc"), sheetText("Back to the applied filter; close a list")},
            {QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText),
             sheetText("Copy the selected rows")}};
}

/// A filter, and what it says.
QList<std::pair<QString, QString>> filterExamples()
{
    return {{u"state:pending,failed"_s, sheetText("In one of these states")},
            {u"type:email:*"_s, sheetText("* and ? stand for any letters")},
            {u"id=42"_s, sheetText("Just this; != is any other")},
            {u"error~timeout"_s, sheetText("Has it in any case; !~ has it not")},
            {u"age>5m"_s, sheetText("A length of time: 90s, 5m, 2h, 30d")},
            {u"created>=today"_s, sheetText("A time: 14:02, 2026-11-21, -15m")},
            {u"attempts:3..5"_s, sheetText("A range, both ends included")},
            {u"error:none"_s, sheetText("Is empty; any is not empty")},
            {u"-type:invoice"_s, sheetText("All but these; not is the same")},
            {u"attempts>3 age>1h"_s, sheetText("Both hold")},
            {u"attempts>3 or age>1h"_s, sheetText("One of them holds; ( ) makes groups")},
            {u"\"two words\""_s, sheetText("A text with blanks")},
            {u"mail"_s, sheetText("Begins an id, or stands in a type")}};
}

/// A column of texts in the fixed-width font, each with what it means; the former are named `name`.
QGridLayout *sheetColumn(const QString &title, const QString &name,
                         const QList<std::pair<QString, QString>> &lines)
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->addWidget(titleLabel(title), 0, 0, 1, 2);
    int row = 1;
    for (const auto &[text, meaning] : lines) {
        QLabel *first = titleLabel(shownText(text, Lines::One, longestKeys));
        first->setObjectName(name);
        first->setFont(theme::fixedFont(first->font()));
        grid->addWidget(first, row, 0);
        QLabel *second = plainLabel(shownText(meaning));
        if (second->text().size() > longestLine)
            wrapLines(second);
        grid->addWidget(second, row, 1);
        ++row;
    }
    grid->setRowStretch(row, 1);
    return grid;
}

} // namespace

QDialog *shortcutSheet(const QList<std::pair<QString, QString>> &lines, QWidget *parent)
{
    auto *sheet = new QDialog(parent);
    sheet->setObjectName(u"shortcutSheet"_s);
    sheet->setWindowTitle(sheetText("Keys and filters"));
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = boxOn<QVBoxLayout>(sheet, 14, {20, 16, 20, 16});
    auto *columns = boxOn<QHBoxLayout>(nullptr, 36);
    columns->addLayout(sheetColumn(sheetText("No key changes anything; keys only look and open."),
                                   u"shortcutKeys"_s, lines + otherKeys()));
    columns->addLayout(sheetColumn(sheetText("What can be written in a filter"), u"filterExample"_s,
                                   filterExamples()));
    layout->addLayout(columns);
    layout->addStretch();
    QPushButton *close = dialogButton(u"shortcutsClose"_s, sheetText("Close"));
    close->setDefault(true);
    QObject::connect(close, &QPushButton::clicked, sheet, &QDialog::close);
    layout->addLayout(buttonRow({close}));
    keepOnScreen(sheet);
    return sheet;
}

} // namespace outbox
