// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failures/groupchoices.h"

#include "views/widgets/pagebuttons.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 hour = 3600;
constexpr int usualWindow = 2; // a day
const QList<std::optional<qint64>> windows{hour,      3 * hour,   24 * hour,
                                           72 * hour, 168 * hour, std::nullopt};

QComboBox *listOf(const QString &name, const QString &spoken)
{
    auto *list = new QComboBox;
    list->setObjectName(name);
    list->setAccessibleName(spoken);
    return list;
}

} // namespace

GroupChoices::GroupChoices(FailureSource source, QWidget *parent)
    : QWidget(parent), m_source(source), m_by(listOf(u"groupsBy"_s, tr("Group by"))),
      m_scope(listOf(u"groupsScope"_s, tr("What is grouped"))),
      m_within(listOf(u"groupsWithin"_s, tr("Since when"))), m_size(new QLabel)
{
    for (const GroupBy by : allGroupings())
        m_by->addItem(tr("By %1").arg(label(by)), int(by));
    for (const FailureScope &scope : scopesOf(source))
        m_scope->addItem(scope.name, scope.filter);
    m_within->addItems({tr("Last hour"), tr("Last 3 hours"), tr("Last 24 hours"), tr("Last 3 days"),
                        tr("Last 7 days"), tr("Ever")});
    m_within->setCurrentIndex(usualWindow);
    m_size->setObjectName(u"groupsSize"_s);
    m_size->setTextFormat(Qt::PlainText);
    m_size->setForegroundRole(QPalette::PlaceholderText);
    m_size->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *again = pageButton(u"groupsAgain"_s, u"refresh"_s, tr("Look again"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(m_scope);
    row->addWidget(m_by);
    row->addWidget(m_within);
    row->addSpacing(6);
    row->addWidget(m_size, 1);
    row->addWidget(again);
    connect(m_by, &QComboBox::currentIndexChanged, this, &GroupChoices::groupingChanged);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &GroupChoices::lookAsked);
    connect(m_within, &QComboBox::currentIndexChanged, this, &GroupChoices::lookAsked);
    connect(again, &QToolButton::clicked, this, &GroupChoices::lookAsked);
}

GroupBy GroupChoices::grouping() const
{
    return static_cast<GroupBy>(m_by->currentData().toInt());
}

FailureQuestion GroupChoices::question() const
{
    return {m_source, m_scope->currentData().toString(), windows.value(m_within->currentIndex())};
}

void GroupChoices::chooseEver()
{
    m_within->setCurrentIndex(m_within->count() - 1);
}

QString GroupChoices::nothingText() const
{
    const QString nothing = scopesOf(m_source).value(m_scope->currentIndex()).nothing;
    const QString when = m_within->currentText().toLower();
    if (!question().withinSeconds)
        return tr("%1. Nothing asks for attention.").arg(nothing);
    return m_source == FailureSource::Rows
        ? tr("%1 of those written in the %2.").arg(nothing, when)
        : tr("%1 of those that failed in the %2.").arg(nothing, when);
}

void GroupChoices::setSize(const QString &text)
{
    m_size->setText(text);
    m_size->setToolTip({});
    m_size->setAccessibleName(text);
}

} // namespace outbox
