// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/taskdetail.h"

#include "models/filter/cause.h"
#include "models/system/offer.h"
#include "views/message/messagefacts.h"
#include "views/message/payloadview.h"
#include "views/operation/verbbar.h"
#include "views/widgets/boxes.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/propertylist.h"

#include <QBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

TaskDetail::TaskDetail(QWidget *parent)
    : QTabWidget(parent),
      m_showRow(linkAction(u"showRow"_s, u"outbox"_s, tr("Show row"),
                           tr("Shows the row of this task on the Outbox page"), this)),
      m_showAlike(linkAction(u"showFailuresLikeThis"_s, u"group"_s, tr("Show failures like this"),
                             tr("Shows the tasks that failed with the same error as a group"),
                             this)),
      m_facts(new PropertyList(u"taskFacts"_s, tr("Facts of the task"))),
      m_verbs(new VerbBar(
          u"taskEdit"_s, {Verb::EditTask}, VerbBar::Place::Aside,
          [this](Verb) { return selection(); },
          [this](Verb verb) {
              return m_id.isEmpty() ? tr("No task is chosen.") : whyNotInState(verb, m_state);
          })),
      m_payload(new PayloadView(u"taskPayload"_s, m_masks))
{
    setNames(this, u"taskDetail"_s, tr("Details of the chosen task"));
    setDocumentMode(true);
    makeLinks(); // first: the Tab key comes to them before the pages
    auto *facts = new QWidget;
    auto *column = boxOn<QVBoxLayout>(facts, 0);
    column->addWidget(m_facts, 1);
    column->addWidget(m_verbs);
    addTab(facts, tr("Task"));
    addTab(m_payload, tr("Payload"));
    m_verbs->hide();
    m_payload->setFetchable(true);
    connect(m_payload, &PayloadView::wholeAsked, this, [this] { emit wholeAsked(m_id); });
    connect(m_payload, &PayloadView::cancelAsked, this, &TaskDetail::wholeNotWanted);
    connect(m_payload, &PayloadView::unmasked, this,
            [this] { emit payloadUnmasked(QueueName(m_queue), TaskId(m_id)); });
}

Selection TaskDetail::selection() const
{
    Selection one;
    one.tasks = {m_id};
    one.queue = m_queue;
    return one;
}

void TaskDetail::setState(TaskState state)
{
    m_state = state;
    m_verbs->setVisible(!m_id.isEmpty() && whyNotInState(Verb::EditTask, state).isEmpty());
    m_verbs->judge();
}

void TaskDetail::makeLinks()
{
    setCornerWidget(linkRow(links()));
    // Copies: who is asked may show another task.
    connect(m_showRow, &QAction::triggered, this, [this] { emit rowAsked(MessageId(m_row)); });
    connect(m_showAlike, &QAction::triggered, this,
            [this] { emit failuresAsked(QueueName(m_queue), QString(m_cause)); });
}

void TaskDetail::setRow(const TaskId &task, const MessageId &row)
{
    if (task != m_id)
        return;
    m_row = row;
    m_showRow->setVisible(!row.isEmpty());
}

QSize TaskDetail::minimumSizeHint() const
{
    return {QTabWidget::minimumSizeHint().width(), 7 * fontMetrics().height()};
}

void TaskDetail::choose(const Task &task)
{
    if (task.id != m_id || task.queue != m_queue) {
        m_id = task.id;
        setRow(task.id, {});
        emit wholeNotWanted();
        m_payload->clear(); // what was fetched of the task before is let go
    }
    m_id = task.id;
    show(task);
}

void TaskDetail::setTask(const Task &task)
{
    if (task.id == m_id)
        show(task);
}

void TaskDetail::show(const Task &task)
{
    m_queue = task.queue;
    setState(task.state);
    const bool hasFailed = task.state == TaskState::Retry || task.state == TaskState::Archived;
    m_cause = hasFailed ? causeOf(task.lastError) : QString();
    m_showAlike->setVisible(!m_cause.isEmpty());
    m_facts->setFacts(taskFacts(task, m_masks));
    m_payload->setPayload(task.payload, task.payloadBytes, task.type);
}

void TaskDetail::setMasks(const PayloadMasks &masks)
{
    m_masks = masks;
    m_payload->setMasks(masks);
}

void TaskDetail::setWhole(const TaskId &id, const Result<Task> &task)
{
    if (id != m_id)
        return;
    if (task)
        show(*task);
    else
        m_payload->setFetchError(task.error());
}

void TaskDetail::clear()
{
    m_id = {};
    m_queue = {};
    m_cause.clear();
    setState(TaskState::None);
    m_showAlike->setVisible(false);
    setRow(m_id, {});
    emit wholeNotWanted();
    m_facts->setFacts({});
    m_payload->clear();
}

} // namespace outbox
