// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/taskdetail.h"

#include "views/message/messagefacts.h"
#include "views/message/payloadview.h"
#include "views/widgets/boxes.h"
#include "views/widgets/propertylist.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

TaskDetail::TaskDetail(QWidget *parent)
    : QTabWidget(parent), m_facts(new PropertyList(u"taskFacts"_s, tr("Facts of the task"))),
      m_payload(new PayloadView(u"taskPayload"_s))
{
    setNames(this, u"taskDetail"_s, tr("Details of the chosen task"));
    setDocumentMode(true);
    addTab(m_facts, tr("Task"));
    addTab(m_payload, tr("Payload"));
    setMinimumHeight(110);
    m_payload->setFetchable(true);
    connect(m_payload, &PayloadView::wholeAsked, this, [this] { emit wholeAsked(m_id); });
    connect(m_payload, &PayloadView::cancelAsked, this, &TaskDetail::wholeNotWanted);
}

void TaskDetail::choose(const Task &task)
{
    if (task.id != m_id) {
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
    m_facts->setFacts(taskFacts(task));
    m_payload->setPayload(task.payload, task.payloadBytes);
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
    emit wholeNotWanted();
    m_facts->setFacts({});
    m_payload->clear();
}

} // namespace outbox
