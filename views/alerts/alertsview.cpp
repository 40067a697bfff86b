// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/alerts/alertsview.h"

#include "models/plaintext.h"
#include "models/tables/alertmodel.h"
#include "views/alerts/alerteditor.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Tomorrow morning, by the clock on the wall.
QDateTime tomorrowMorning()
{
    const QTime morning(8, 0);
    return QDateTime(QDate::currentDate().addDays(1), morning).toUTC();
}

} // namespace

AlertsView::AlertsView(QWidget *parent)
    : QWidget(parent), m_add(new QPushButton(theme::icon(u"add"_s), tr("&Add alert"))),
      m_edit(new QPushButton(tr("&Edit"))),
      m_remove(new QPushButton(theme::icon(u"trash"_s), tr("Remove"))),
      m_mute(new QPushButton(theme::icon(u"clock"_s), tr("Mute"))),
      m_notice(new NoticeBar(u"alertsNotice"_s)), m_model(new AlertModel(this)),
      m_table(new LiveTable(u"alertTable"_s)), m_editor(new AlertEditor),
      m_unjudged(plainLabel({}, false)), m_note(plainLabel({}, true))
{
    setObjectName(u"alertsView"_s);
    build();
    joinButtons();
    m_editor->hide();
    follow();
}

void AlertsView::build()
{
    setNames(m_add, u"alertAdd"_s, tr("Add an alert"));
    setNames(m_edit, u"alertEdit"_s, tr("Edit the alert"));
    setNames(m_remove, u"alertRemove"_s, tr("Remove the alert"));
    setNames(m_mute, u"alertMute"_s, tr("Mute the alert"));
    m_mute->setToolTip(plainTooltip(tr("It is judged and shown, and tells nobody until then")));
    auto *menu = new QMenu(m_mute);
    const auto addMuting = [this, menu](const QString &text, qint64 seconds) {
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, seconds] { mute(QDateTime::currentDateTimeUtc().addSecs(seconds)); });
    };
    constexpr qint64 hour = 3'600;
    addMuting(tr("For one hour"), hour);
    addMuting(tr("For eight hours"), 8 * hour);
    connect(menu->addAction(tr("Until tomorrow 08:00")), &QAction::triggered, this,
            [this] { mute(tomorrowMorning()); });
    addMuting(tr("For a week"), 168 * hour);
    menu->addSeparator();
    connect(menu->addAction(tr("Not muted")), &QAction::triggered, this,
            [this] { mute(std::nullopt); });
    m_mute->setMenu(menu);
    m_table->setAccessibleName(tr("Alerts"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->show(m_model, {0, 24, 30, 0, 0, 0, 40});
    m_table->setItemDelegateForColumn(
        AlertModel::State, new StateDelegate(StateRole, StateDelegate::Words::Cell, m_table));
    m_table->setCopyColumn(AlertModel::Name);
    m_unjudged->setObjectName(u"alertsUnjudged"_s);
    wrapLines(m_unjudged);
    m_unjudged->hide();
    m_note->setObjectName(u"alertsNote"_s);
    wrapLines(m_note);
    auto *row = boxOn<QHBoxLayout>(nullptr, 8);
    addWidgets(row, {m_add, m_edit, m_remove, m_mute});
    row->addStretch();
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 14, 14, 14});
    column->addLayout(row);
    column->addWidget(m_notice);
    column->addWidget(m_table, 1);
    column->addWidget(m_unjudged);
    column->addWidget(m_editor);
    column->addWidget(m_note);
}

void AlertsView::joinButtons()
{
    connect(m_add, &QPushButton::clicked, this, [this] { openEditor(std::nullopt); });
    const auto editChosen = [this] {
        if (const auto alert = chosen(); alert && m_isReadable)
            openEditor(alert);
    };
    connect(m_edit, &QPushButton::clicked, this, editChosen);
    connect(m_table, &QAbstractItemView::activated, this, editChosen);
    connect(m_remove, &QPushButton::clicked, this, &AlertsView::removeChosen);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &AlertsView::follow);
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, this,
            [this] { openEditor(std::nullopt); });
    connect(m_editor, &AlertEditor::closeAsked, m_editor, &QWidget::hide);
    connect(m_editor, &AlertEditor::saveAsked, this,
            [this](const Alert &alert) { emit saveAsked(m_editor->before(), alert); });
    connect(m_notice, &NoticeBar::actionAsked, this, [this] {
        if (const auto removed = std::exchange(m_removed, std::nullopt))
            emit saveAsked({}, *removed);
    });
}

void AlertsView::setLines(const QList<AlertLine> &lines)
{
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(lines);
    }
    m_table->fitColumnsOnce();
    const QString unjudged = unjudgedText(lines);
    m_unjudged->setText(shownText(unjudged, Lines::Many));
    m_unjudged->setVisible(!unjudged.isEmpty());
    if (lines.isEmpty() && m_isReadable) {
        m_table->emptyPane()->say(tr("No alert is set for this system."), tr("Add an alert"));
    }
    follow();
}

void AlertsView::setNote(const QString &note)
{
    m_note->setText(shownText(note, Lines::Many));
}

void AlertsView::setProblem(const QString &problem)
{
    m_isReadable = problem.isEmpty();
    if (!m_isReadable) {
        m_notice->say(NoticeBar::Tone::Problem, shownText(problem));
        m_editor->hide();
        m_table->emptyPane()->say(tr("The alerts cannot be read."));
    } else {
        m_notice->clear();
    }
    follow();
}

void AlertsView::setSaved(const QString &problem)
{
    if (!problem.isEmpty()) {
        if (m_editor->isHidden())
            m_notice->say(NoticeBar::Tone::Problem, shownText(problem));
        else
            m_editor->setProblem(problem);
        m_removed.reset();
        return;
    }
    m_editor->hide();
    if (m_removed) {
        m_notice->say(NoticeBar::Tone::Info, tr("%1 was removed.").arg(shownText(m_removed->name)),
                      tr("Put back"));
    } else {
        m_notice->clear();
    }
}

void AlertsView::forget()
{
    m_removed.reset();
    m_editor->hide();
    setNote({});
    setProblem({});
    setLines({});
}

void AlertsView::follow()
{
    const bool isChosen = m_isReadable && chosen().has_value();
    m_add->setEnabled(m_isReadable);
    for (QPushButton *one : {m_edit, m_remove, m_mute})
        one->setEnabled(isChosen);
}

std::optional<Alert> AlertsView::chosen() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? std::optional(m_model->row(current.row()).alert) : std::nullopt;
}

void AlertsView::openEditor(const std::optional<Alert> &alert)
{
    m_removed.reset();
    m_notice->clear();
    m_editor->show();
    m_editor->edit(alert);
}

void AlertsView::mute(const std::optional<QDateTime> &until)
{
    auto alert = chosen();
    if (!alert)
        return;
    alert->mutedUntil = until;
    m_removed.reset();
    m_editor->hide();
    emit saveAsked(alert->name, *alert);
}

void AlertsView::removeChosen()
{
    m_removed = chosen();
    m_editor->hide();
    if (m_removed)
        emit removeAsked(QString(m_removed->name));
}

} // namespace outbox
