// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/messagepanel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/timeline.h"
#include "views/message/journeyline.h"
#include "views/message/messagefacts.h"
#include "views/message/payloadview.h"
#include "views/operation/offeredverbs.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/propertylist.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollArea>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MessagePanel::MessagePanel(QWidget *parent)
    : QTabWidget(parent),
      m_showTask(linkAction(u"showTask"_s, u"queue"_s, tr("Show task"),
                            tr("Shows the task of this message on the Queue page"), this)),
      m_showActivity(linkAction(u"showInActivity"_s, u"activity"_s, tr("Show in Activity"),
                                tr("Shows what was done to this message"), this)),
      m_sentence(new QLabel), m_line(new JourneyLine), m_replay(new QLabel),
      m_offered(new OfferedVerbs(u"journeyVerbs"_s)),
      m_journey(new PropertyList(u"journeyFacts"_s, tr("Facts of the message"))),
      m_payload(new PayloadView(u"payload"_s, m_masks)),
      m_columns(new PropertyList(u"columnFacts"_s, tr("Columns of the row"))),
      m_sql(new QPlainTextEdit)
{
    setNames(this, u"messagePanel"_s, tr("Details of the chosen message"));
    setDocumentMode(true);
    for (QLabel *text : {m_sentence, m_replay}) {
        text->setTextFormat(Qt::PlainText);
        wrapLines(text);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_sentence->setObjectName(u"journeySentence"_s);
    m_replay->setObjectName(u"journeyReplay"_s);
    m_sentence->setFont(theme::scaledFont(font(), 1.15, QFont::DemiBold));
    m_replay->setForegroundRole(QPalette::PlaceholderText);
    auto *journey = new QWidget;
    journey->setBackgroundRole(QPalette::Base);
    journey->setAutoFillBackground(true);
    auto *column = boxOn<QVBoxLayout>(journey, 4, {12, 12, 12, 0});
    addWidgets(column, {m_sentence, m_line, m_replay, m_offered});
    column->addWidget(m_journey, 1);
    // A low panel is scrolled: in a small window nothing is pressed together.
    auto *area = new QScrollArea;
    setNames(area, u"journeyArea"_s, tr("Journey"));
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // its parts take the keys, and come into view with them
    area->setWidgetResizable(true);
    area->setWidget(journey);
    setNames(m_sql, u"statements"_s, tr("Statements"));
    m_sql->setReadOnly(true);
    m_sql->setFrameShape(QFrame::NoFrame);
    m_sql->setFont(theme::fixedFont(font()));
    m_payload->setFetchable(true);
    connect(m_payload, &PayloadView::wholeAsked, this, [this] { emit wholePayloadAsked(m_id); });
    connect(m_payload, &PayloadView::cancelAsked, this, &MessagePanel::payloadNotWanted);
    connect(m_payload, &PayloadView::unmasked, this,
            [this] { emit payloadUnmasked(MessageId(m_id)); });
    addTab(area, tr("Journey"));
    addTab(m_payload, tr("Payload"));
    addTab(m_columns, tr("Columns"));
    addTab(m_sql, tr("SQL"));
    makeLinks();
    clear();
}

void MessagePanel::makeLinks()
{
    setCornerWidget(linkRow(links()));
    connect(m_showTask, &QAction::triggered, this, [this] {
        if (const auto task = m_task)
            emit taskAsked(task->queue, task->id, task->state);
    });
    connect(m_showActivity, &QAction::triggered, this,
            [this] { emit activityAsked(MessageId(m_id)); });
}

void MessagePanel::hideLinks()
{
    m_task.reset();
    m_showTask->setVisible(false);
    m_showActivity->setVisible(false);
}

void MessagePanel::showLinks(const IdVerdict &verdict)
{
    m_task = verdict.task;
    if (m_task) {
        m_task->queue = m_task->queue.isEmpty() ? verdict.queue : m_task->queue;
        m_task->payload.clear();
    }
    // What is damaged stands in no list.
    m_showTask->setVisible(m_task && soundTaskStates().contains(m_task->state));
    m_showActivity->setVisible(
        std::any_of(verdict.traces.begin(), verdict.traces.end(), [](const IdTrace &trace) {
            return trace.place == IdTrace::Place::Record || trace.place == IdTrace::Place::Database;
        }));
}

void MessagePanel::clear()
{
    m_id = {};
    hideLinks();
    emit payloadNotWanted();
    m_sentence->setText(tr("Select a row."));
    m_replay->clear();
    m_line->setLine({}, {});
    m_offered->clear();
    m_journey->setFacts({});
    m_columns->setFacts({});
    m_payload->clear();
    m_sql->clear();
}

void MessagePanel::showRow(const Message &message)
{
    const bool other = message.id != m_id;
    m_id = message.id;
    if (other) {
        hideLinks();
        emit payloadNotWanted();
        m_payload->clear(); // what was fetched of the row before is let go
        m_sentence->setText(tr("Asking the outbox and the queue…"));
        m_replay->clear();
        m_line->setLine({}, {});
        m_offered->clear();
        m_journey->setFacts({});
        showPayload(message);
    }
    m_columns->setFacts(rowFacts(message));
}

void MessagePanel::setVerdict(const IdVerdict &verdict)
{
    if (verdict.message != m_id)
        return;
    m_sentence->setText(shownText(verdict.sentence));
    m_replay->setText(verdict.replay.isEmpty()
                          ? QString()
                          : tr("If sent now: %1.").arg(shownText(verdict.replay)));
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_line->setLine(timelineOf(verdict, now), now);
    m_offered->setVerdict(verdict);
    showLinks(verdict);
    m_journey->setFacts(journeyFacts(verdict, m_masks));
    if (verdict.row) {
        showPayload(*verdict.row);
        m_columns->setFacts(rowFacts(*verdict.row));
    } else if (verdict.task) {
        m_payload->setPayload(verdict.task->payload, verdict.task->payloadBytes,
                              verdict.task->type);
    }
}

void MessagePanel::setMasks(const PayloadMasks &masks)
{
    m_masks = masks;
    m_payload->setMasks(masks);
}

void MessagePanel::showPayload(const Message &message)
{
    m_payload->setPayload(message.payload, message.payloadBytes, message.type);
}

void MessagePanel::setFetched(const MessageId &id, qint64 bytes, qint64 storedBytes)
{
    if (id == m_id)
        m_payload->setFetched(bytes, storedBytes);
}

void MessagePanel::setWholePayload(const MessageId &id, const Result<QByteArray> &payload)
{
    if (id != m_id)
        return;
    if (payload)
        m_payload->setPayload(*payload, payload->size(), m_payload->rowType());
    else
        m_payload->setFetchError(payload.error());
}

void MessagePanel::setStatements(const QStringList &statements, double tookMs)
{
    const QString text = shownPage(statements.join(u";\n\n"_s)) + u"\n\n-- "_s
        + tr("%1 ms").arg(QLocale().toString(tookMs, 'f', 1));
    // The same statements run every two seconds; only their time changes.
    if (m_sql->toPlainText() != text && !m_sql->textCursor().hasSelection())
        m_sql->setPlainText(text);
}

} // namespace outbox
