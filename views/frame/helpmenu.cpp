// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/helpmenu.h"

#include "models/translation.h"
#include "views/frame/shortcutsheet.h"
#include "views/widgets/actions.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/formrows.h"
#include "views/widgets/scrolledpage.h"

#include <QCoreApplication>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation helpText("outbox::HelpMenu");

QStringList aboutLines()
{
    return {helpText("The operations console for the transactional outbox."),
            helpText("Free software under the GNU General Public License, version 3 or later; "
                     "without any warranty."),
            helpText("Manual: README.md and resources/docs in the source of this version; "
                     "\"outboxctl --help\" tells the commands, F1 the keys and the filters."),
            helpText("Runs with Qt %1.").arg(QString::fromLatin1(qVersion()))};
}

QDialog *aboutSheet(QWidget *parent)
{
    auto *sheet = new QDialog(parent);
    sheet->setObjectName(u"aboutSheet"_s);
    sheet->setWindowTitle(helpText("About Outbox Deck"));
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    auto *column = boxOn<QVBoxLayout>(sheet, 12, {20, 16, 20, 16});
    QLabel *title
        = titleLabel(helpText("Outbox Deck %1").arg(QCoreApplication::applicationVersion()));
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(title);
    for (const QString &text : aboutLines()) {
        QLabel *line = plainLabel(text);
        wrapLines(line);
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(line);
    }
    column->addStretch();
    QPushButton *close = dialogButton(u"aboutClose"_s, helpText("Close"));
    close->setDefault(true);
    QObject::connect(close, &QPushButton::clicked, sheet, &QDialog::close);
    column->addLayout(buttonRow({close}));
    sheet->setMinimumWidth(440);
    keepOnScreen(sheet);
    return sheet;
}

} // namespace

void addHelpActions(Actions &actions, QWidget *window)
{
    const auto showKeys = [&actions, window] { shortcutSheet(actions.sheet(), window)->open(); };
    const QAction *keys
        = actions.add({u"shortcuts"_s, Actions::Menu::Help, helpText("&Keyboard shortcuts"),
                       helpText("All keyboard shortcuts"), u"keyboard"_s, Qt::Key_F1});
    QObject::connect(keys, &QAction::triggered, window, showKeys);
    const QAction *filters = actions.add({u"filterHelp"_s,
                                          Actions::Menu::Help,
                                          helpText("&Filter language"),
                                          helpText("What can be written in a filter"),
                                          u"filter"_s,
                                          {}});
    QObject::connect(filters, &QAction::triggered, window, showKeys);
    const QAction *about = actions.add({u"about"_s,
                                        Actions::Menu::Help,
                                        helpText("&About Outbox Deck"),
                                        helpText("Version, licence, and where the manual is"),
                                        u"info"_s,
                                        {},
                                        false,
                                        true});
    QObject::connect(about, &QAction::triggered, window, [window] { aboutSheet(window)->open(); });
}

} // namespace outbox
