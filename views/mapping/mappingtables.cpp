// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappingtables.h"

#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "views/tables/shapefacts.h"
#include "views/widgets/card.h"
#include "views/widgets/choicefield.h"
#include "views/widgets/propertylist.h"

#include <QBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MappingTables::MappingTables(QWidget *parent)
    : QWidget(parent), m_headline(plainLabel(tr("Looking for tables…"), true)),
      m_list(new QListWidget), m_any(new ChoiceField(u"mappingAnyTable"_s, tr("Any other table"))),
      m_reasons(new PropertyList(u"mappingReasons"_s))
{
    setObjectName(u"mappingTables"_s);
    wrapLines(m_headline);
    m_list->setObjectName(u"mappingTableList"_s);
    m_list->setAccessibleName(tr("Tables that look like an outbox"));
    m_list->setSpacing(1);
    m_reasons->setFrameShape(QFrame::StyledPanel);
    m_reasons->setAccessibleName(tr("What the probe says"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(titleLabel(tr("Table")));
    column->addWidget(m_headline);
    column->addWidget(m_list, 2);
    column->addWidget(plainLabel(tr("Any other table"), true));
    column->addWidget(m_any);
    column->addWidget(titleLabel(tr("What the probe says")));
    column->addWidget(m_reasons, 3);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            emit tableChosen(TableName::fromText(m_found.at(row)));
    });
    connect(m_any, &ChoiceField::valueChosen, this,
            [this](const QString &name) { emit tableChosen(TableName::fromText(name)); });
}

void MappingTables::setTables(const QList<ProbeFinding> &findings, const QStringList &names)
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_found.clear();
    m_names = names;
    for (const ProbeFinding &finding : findings) {
        const OutboxShape &shape = finding.shape;
        m_found += shape.table.text();
        m_list->addItem(
            shownText(shape.table.text()) + u'\n'
            + tr("%1 % sure, %2 points%3")
                  .arg(qRound(finding.confidence * 100))
                  .arg(finding.score)
                  .arg(shape.family.isEmpty() ? QString() : u", "_s + shownText(shape.family)));
    }
    m_headline->setText(
        findings.isEmpty() ? tr("No table looks like an outbox. Name one below and map it by hand.")
                           : counted(findings.size(), tr("One table looks like an outbox."),
                                     tr("%1 tables look like an outbox, best first.")));
    m_list->setVisible(!findings.isEmpty());
    showNames({});
}

void MappingTables::showNames(const QString &chosen)
{
    QList<NamedChoice> choices;
    for (const QString &one : std::as_const(m_names))
        choices += NamedChoice{one, one, {}};
    m_any->setChoices(choices, chosen);
}

void MappingTables::showTable(const ProbeFinding &finding)
{
    const QSignalBlocker quiet(m_list);
    const QString name = finding.shape.table.text();
    m_list->setCurrentRow(static_cast<int>(m_found.indexOf(name)));
    showNames(name);
    m_reasons->setFacts(reasonFacts(finding));
}

} // namespace outbox
