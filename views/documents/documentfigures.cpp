// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/documentfigures.h"

#include "models/message/messagestate.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/noticebar.h"

#include <QBoxLayout>
#include <QEvent>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString oldestText(const std::optional<double> &seconds)
{
    return seconds ? DocumentFigures::tr("oldest %1").arg(spanText(*seconds)) : QString();
}

/// Where the look ended before the documents did the number is the least there is.
QString atLeast(qint64 count, bool exact)
{
    return exact ? countText(count) : QString(countText(count) + u'+');
}

} // namespace

DocumentFigures::DocumentFigures(QWidget *parent)
    : QWidget(parent),
      m_undispatched(card(tr("Undispatched"), u"undispatchedCard"_s,
                          tr("Entries whose messages are still inside their document"),
                          DesignList::Unsettled)),
      m_leaked(card(tr("Leaked"), u"leakedCard"_s,
                    tr("Entries that stayed although their message is done: a handler died before "
                       "it cleaned up"),
                    DesignList::Unsettled)),
      m_dispatched(card(tr("Dispatched"), u"dispatchedCard"_s,
                        tr("Entries that are null: their messages are out, the id is kept"),
                        DesignList::Dispatched)),
      m_documents(card(tr("Documents"), u"documentsCard"_s,
                       tr("Documents of the table; how many cannot be read"),
                       DesignList::Unsettled)),
      m_size(card(tr("Size"), u"documentSizeCard"_s,
                  tr("All documents as text: they grow with every entry that stays"),
                  DesignList::Dispatched)),
      m_store(new NoticeBar(u"documentStore"_s))
{
    auto *cards = new QHBoxLayout;
    cards->setSpacing(10);
    for (MetricCard *one : std::as_const(m_cards))
        cards->addWidget(one);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addLayout(cards);
    column->addWidget(m_store);
    setDesign(Design::EntityState);
}

MetricCard *DocumentFigures::card(const QString &title, const QString &name, const QString &tip,
                                  DesignList list)
{
    auto *made = new MetricCard(title);
    made->setObjectName(name);
    made->setToolTip(plainTooltip(tip));
    connect(made, &QAbstractButton::clicked, this, [this, list] { emit listAsked(list); });
    m_cards += made;
    return made;
}

void DocumentFigures::setDesign(Design design)
{
    m_design = design;
    m_leaked->setVisible(design != Design::EntityState);
    m_dispatched->setVisible(design == Design::EntityState);
    setSummary(std::nullopt);
}

void DocumentFigures::setSummary(const std::optional<DocumentSummary> &summary)
{
    const auto color = [](bool stands, MessageState state) {
        return stands ? theme::appearance(state).color : QColor();
    };
    m_summary = summary;
    tellTrust(summary ? summary->store : std::nullopt);
    if (!summary) {
        for (MetricCard *one : std::as_const(m_cards))
            one->setValue(std::nullopt, {});
        return;
    }
    m_undispatched->setValue(atLeast(summary->undispatched, summary->exact),
                             oldestText(summary->oldestUndispatchedSeconds));
    m_undispatched->setValueColor(color(summary->undispatched > 0, MessageState::Pending));
    m_leaked->setValue(summary->leaked ? std::optional(atLeast(*summary->leaked, summary->exact))
                                       : std::nullopt,
                       summary->leaked ? tr("safe to remove") : tr("no store was named"));
    m_leaked->setValueColor(color(summary->leaked.value_or(0) > 0, MessageState::Locked));
    m_dispatched->setValue(atLeast(summary->dispatched, summary->exact),
                           oldestText(summary->oldestDispatchedSeconds));
    m_dispatched->setValueColor(color(summary->dispatched > 0, MessageState::Processed));
    const qint64 unreadable = summary->malformed + summary->unreadable;
    m_documents->setValue(
        atLeast(summary->documents, summary->exact),
        unreadable == 0 ? QString()
                        : counted(unreadable, tr("1 cannot be read"), tr("%1 cannot be read")));
    m_size->setValue(bytesText(summary->bytes),
                     summary->documents == 0 ? QString()
                                             : tr("largest %1: %2")
                                                   .arg(bytesText(summary->largest.bytes),
                                                        shownText(summary->largest.id)));
}

void DocumentFigures::tellTrust(const std::optional<StoreDurability> &store)
{
    if (!store)
        return m_store->clear();
    const QString words = shownText(store->words);
    if (store->holds)
        m_store->say(NoticeBar::Tone::Info,
                     m_design == Design::Tokens ? tr("The store of tokens: %1").arg(words)
                                                : tr("The dedup store: %1").arg(words));
    else
        m_store->say(NoticeBar::Tone::Problem, tr("Not safe: %1").arg(words));
}

void DocumentFigures::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) // the colours of the states are others now
        setSummary(std::optional<DocumentSummary>(m_summary));
}

void DocumentFigures::setStale(const std::optional<QDateTime> &asOf)
{
    for (MetricCard *one : std::as_const(m_cards))
        one->setStale(asOf);
}

} // namespace outbox
