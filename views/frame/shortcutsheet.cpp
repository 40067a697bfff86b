// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/shortcutsheet.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ShortcutSheet::ShortcutSheet(const QList<std::pair<QString, QString>> &lines, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"shortcutSheet"_s);
    setWindowTitle(tr("Keyboard shortcuts"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *layout = boxOn<QVBoxLayout>(this, 14, {20, 16, 20, 16});
    layout->addWidget(titleLabel(tr("No key changes anything; keys only look and open.")));
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
    QPushButton *close = dialogButton(u"shortcutsClose"_s, tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    layout->addLayout(buttonRow({close}));
    setMinimumWidth(380);
}

} // namespace outbox
