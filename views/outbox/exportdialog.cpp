// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/exportdialog.h"

#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "views/widgets/formrows.h"
#include "views/widgets/scrolledpage.h"

#include <QButtonGroup>
#include <QLabel>
#include <QRadioButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype longestFilterShown = 300; ///< characters

QRadioButton *exportChoice(const QString &name, const QString &text)
{
    auto *one = new QRadioButton(text);
    setNames(one, name, text);
    return one;
}

QString allRowsText(const RowExportOffer &offer)
{
    const QString rows = offer.filter.isEmpty() ? ExportDialog::tr("&All rows")
                                                : ExportDialog::tr("&All rows of the filter");
    return offer.total.isEmpty() ? rows : QString(rows + u" (%1)"_s.arg(buttonText(offer.total)));
}

QString selectedRowsText(const RowExportOffer &offer)
{
    return offer.selected == 0 ? ExportDialog::tr("The &selected rows")
                               : counted(offer.selected, ExportDialog::tr("The &selected row"),
                                         ExportDialog::tr("The %1 &selected rows"));
}

} // namespace

ExportDialog::ExportDialog(const RowExportOffer &offer, QWidget *parent)
    : QDialog(parent), m_hasMasks(offer.hasMasks),
      m_all(exportChoice(u"exportAll"_s, allRowsText(offer))),
      m_selected(exportChoice(u"exportSelected"_s, selectedRowsText(offer))),
      m_jsonLines(exportChoice(u"exportJsonLines"_s, tr("&JSON lines, for import"))),
      m_csv(exportChoice(u"exportCsv"_s, tr("&CSV, for people"))), m_form(hint({})),
      m_masks(hint({}))
{
    setObjectName(u"exportDialog"_s);
    setWindowTitle(tr("Export rows"));
    m_form->setObjectName(u"exportFormText"_s);
    m_masks->setObjectName(u"exportMasksText"_s);
    m_selected->setEnabled(offer.selected > 0);
    // One row is selected by looking at it.
    (offer.selected > 1 ? m_selected : m_all)->setChecked(true);
    m_jsonLines->setChecked(true);
    build(offer);
    connect(m_csv, &QRadioButton::toggled, this, &ExportDialog::tell);
    tell();
    setMinimumWidth(480);
    keepOnScreen(this);
}

void ExportDialog::build(const RowExportOffer &offer)
{
    auto *rows = new QButtonGroup(this);
    rows->addButton(m_all);
    rows->addButton(m_selected);
    auto *forms = new QButtonGroup(this);
    forms->addButton(m_jsonLines);
    forms->addButton(m_csv);
    auto *column = boxOn<QVBoxLayout>(this, 8, {20, 16, 20, 16});
    addWidgets(column, {titleLabel(tr("Rows")), m_all});
    if (!offer.filter.isEmpty())
        column->addWidget(hint(shownText(offer.filter, Lines::One, longestFilterShown)));
    addWidgets(column,
               {m_selected, titleLabel(tr("Form")), m_jsonLines, m_csv, m_form, m_masks,
                hint(tr("The file is written in slices, the newest rows first, each slice "
                        "as the database is at that moment. Rows that come meanwhile are "
                        "not in it. Nobody else may read the file."))});
    QPushButton *cancel = dialogButton(u"exportCancel"_s, tr("Cancel"));
    QPushButton *go = dialogButton(u"exportGo"_s, tr("Choose &file\u2026"));
    go->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(go, &QPushButton::clicked, this, [this] {
        const auto form = m_csv->isChecked() ? RowExportForm::Csv : RowExportForm::JsonLines;
        emit chosen(form, m_selected->isChecked());
        accept();
    });
    column->addLayout(buttonRow({cancel, go}));
}

void ExportDialog::tell()
{
    const bool isCsv = m_csv->isChecked();
    m_form->setText(isCsv ? tr("What a list tells of each row, and its payload up to 64 KB. It "
                               "cannot be imported.")
                          : tr("Whole rows, byte for byte; outboxctl import puts them back into "
                               "this system."));
    m_masks->setVisible(m_hasMasks);
    m_masks->setText(isCsv ? tr("Payloads are masked as the profile says.")
                           : tr("The masks of the profile do not apply: the file holds payloads "
                                "whole. That goes on record."));
}

} // namespace outbox
