// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/shortcutsheet.h"

#include "models/plaintext.h"
#include "models/translation.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"

#include <QDialog>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QDialog *shortcutSheet(const QList<std::pair<QString, QString>> &lines, QWidget *parent)
{
    constexpr Translation said("outbox::ShortcutSheet");
    auto *sheet = new QDialog(parent);
    sheet->setObjectName(u"shortcutSheet"_s);
    sheet->setWindowTitle(said("Keyboard shortcuts"));
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = boxOn<QVBoxLayout>(sheet, 14, {20, 16, 20, 16});
    layout->addWidget(titleLabel(said("No key changes anything; keys only look and open.")));
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const auto &[keys, text] : lines) {
        QLabel *key = titleLabel(shownText(keys));
        key->setFont(theme::fixedFont(key->font()));
        grid->addWidget(key, row, 0);
        grid->addWidget(plainLabel(shownText(text)), row, 1);
        ++row;
    }
    layout->addLayout(grid);
    layout->addStretch();
    QPushButton *close = dialogButton(u"shortcutsClose"_s, said("Close"));
    close->setDefault(true);
    QObject::connect(close, &QPushButton::clicked, sheet, &QDialog::close);
    layout->addLayout(buttonRow({close}));
    sheet->setMinimumWidth(380);
    return sheet;
}

} // namespace outbox
