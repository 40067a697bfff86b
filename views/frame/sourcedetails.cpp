// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/sourcedetails.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/scrolledpage.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScreen>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lineOfFacts = 70; ///< letters

/// Room for a line of facts in letters of any size, as far as the screen has it.
int panelWidth(const QWidget *panel)
{
    return std::min(std::max(480, lineOfFacts * panel->fontMetrics().averageCharWidth()),
                    screenRoom(panel).width());
}

QString shareText(double share)
{
    return SourceDetails::tr("%1 %").arg(QLocale().toString(share * 100, 'f', share < 0.1 ? 1 : 0));
}

QString millisecondsText(double milliseconds)
{
    const int decimals = milliseconds < 10 ? 1 : 0;
    return SourceDetails::tr("%1 ms").arg(QLocale().toString(milliseconds, 'f', decimals));
}

/// "1.9 ms of each 1,000 ms (0.2 %)", and why it comes more seldom than it should.
QString regularText(const PollCost::Regular &look, const QDateTime &now)
{
    if (look.at->msecsTo(now) > 3 * look.intervalMs + 1000) { // its page was left, or all is paused
        return SourceDetails::tr("%1, last asked at %2")
            .arg(millisecondsText(look.tookMs), momentText(*look.at, now));
    }
    QString text = SourceDetails::tr("%1 of each %2 (%3)")
                       .arg(millisecondsText(look.tookMs), millisecondsText(look.intervalMs),
                            shareText(look.share()));
    if (look.isSlowed()) {
        text += u'\n'
            + SourceDetails::tr("Slowed down from %1 to %2: a look took %3, more than 20 % of its "
                                "interval.")
                  .arg(spanText(look.wantedMs / 1000.0), spanText(look.intervalMs / 1000.0),
                       millisecondsText(look.dearMs));
    }
    return text;
}

} // namespace

QList<Fact> costFacts(Source source, const PollCost &cost, const QDateTime &now)
{
    using Details = SourceDetails;
    const bool ofRows = source == Source::Database;
    if (!cost.since)
        return {{Details::tr("Cost"), Details::tr("no answer yet")}};
    QList<Fact> facts;
    const auto add = [&](const QString &name, const PollCost::Regular &look) {
        if (look.at)
            facts += Fact{name, regularText(look, now), look.isSlowed()};
    };
    add(ofRows ? Details::tr("Counting rows") : Details::tr("Reading sizes"), cost.figures);
    add(ofRows ? Details::tr("Rows on screen") : Details::tr("Tasks on screen"), cost.list);
    const double seconds = static_cast<double>(cost.since->msecsTo(now)) / 1000;
    const double share = seconds > 0 ? cost.totalMs / 1000 / seconds : 0;
    facts += {{Details::tr("Since %1").arg(momentText(*cost.since, now)),
               Details::tr("%1 in %2 (%3)")
                   .arg(spanText(cost.totalMs / 1000), spanText(seconds), shareText(share))},
              {Details::tr("Looks"), countText(cost.looks)},
              {ofRows ? Details::tr("Statements") : Details::tr("Commands"),
               countText(cost.traffic.statements)},
              {Details::tr("Read"), bytesText(cost.traffic.bytes)}};
    return facts;
}

SourceDetails::SourceDetails(Source source, QWidget *parent)
    : QFrame(parent, Qt::Popup), m_source(source),
      m_facts(new PropertyList(source == Source::Database ? u"databaseCost"_s : u"queueCost"_s,
                               tr("Load by this window")))
{
    const bool isDatabase = source == Source::Database;
    setNames(this, isDatabase ? u"databaseDetails"_s : u"queueDetails"_s,
             isDatabase ? tr("The database, and the load this window causes")
                        : tr("Redis, and the load this window causes"));
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto *title = plainLabel(isDatabase ? tr("Load on the database by this window")
                                        : tr("Load on Redis by this window"));
    title->setFont(theme::scaledFont(font(), 1.05, QFont::DemiBold));
    auto *column = boxOn<QVBoxLayout>(this, 0, {12, 12, 12, 8});
    column->addWidget(title);
    column->addWidget(m_facts, 1);
    m_facts->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void SourceDetails::setAddress(const QString &address)
{
    m_address = address;
}

void SourceDetails::setHealth(const SourceHealth &health)
{
    m_health = health;
    tick(QDateTime::currentDateTimeUtc());
}

void SourceDetails::setCost(const PollCost &cost)
{
    m_cost = cost;
    tick(QDateTime::currentDateTimeUtc());
}

void SourceDetails::tick(const QDateTime &now)
{
    if (isVisible())
        fill(now);
}

void SourceDetails::fill(const QDateTime &now)
{
    QList<Fact> facts;
    if (!m_address.isEmpty())
        facts += Fact{tr("Address"), m_address};
    if (!m_health.detail.isEmpty())
        facts += Fact{tr("Server"), m_health.detail};
    if (m_health.error)
        facts += Fact{tr("Fails"), oneLine(*m_health.error), true};
    if (m_health.lastGood)
        facts += Fact{tr("Last answer"), momentText(*m_health.lastGood, now)};
    facts += costFacts(m_source, m_cost, now);
    m_facts->setFacts(facts);
    QStringList told;
    for (const Fact &fact : std::as_const(facts))
        told += shownText(fact.name) + u": "_s + shownText(fact.value);
    setAccessibleDescription(told.join(u"; "_s));
}

void SourceDetails::openAbove(const QWidget *widget)
{
    fill(QDateTime::currentDateTimeUtc());
    const int margins = layout()->contentsMargins().left() + layout()->contentsMargins().right();
    const int wide = panelWidth(this);
    QWidget *page = m_facts->widget();
    page->resize(wide - margins, 1);
    const int inner = page->layout()->hasHeightForWidth()
        ? page->layout()->totalHeightForWidth(wide - margins)
        : page->sizeHint().height();
    const int high = inner + layout()->itemAt(0)->sizeHint().height() + 24;
    resize(wide, std::min(high, screenRoom(this).height()));
    const QRect screen = widget->screen()->availableGeometry();
    const QPoint above = widget->mapToGlobal(QPoint(0, -height() - 4));
    move(std::max(screen.left(), std::min(above.x(), screen.right() + 1 - width())),
         std::max(screen.top(), above.y()));
    show();
    setFocus(Qt::PopupFocusReason);
}

} // namespace outbox
