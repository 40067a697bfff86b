// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/searchbar.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/outbox/outboxrows.h"
#include "views/widgets/boxes.h"
#include "views/widgets/pagebuttons.h"

#include <QActionGroup>
#include <QBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Phase = RowSearchState::Phase;

constexpr int usualPercent = 20;
constexpr int fullProgress = 1000;
constexpr int progressWidth = 110;
constexpr int progressHeight = 8;

QString percentText(double share)
{
    const double percent = 100 * share;
    return percent > 0 && percent < 1 ? SearchBar::tr("under 1 %")
                                      : SearchBar::tr("%1 %").arg(qRound(percent));
}

} // namespace

SearchBar::SearchBar(QWidget *parent)
    : NoticeBar(u"outboxSearch"_s, parent), m_progress(new QProgressBar),
      m_load(pageButton(u"outboxSearchLoad"_s, u"gauge"_s, {}))
{
    setNames(m_progress, u"outboxSearchProgress"_s, tr("How far the search is"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(progressWidth, progressHeight);
    m_progress->hide();
    auto *menu = new QMenu(m_load);
    auto *group = new QActionGroup(menu);
    for (const int percent : {5, usualPercent, 50, 100}) {
        QAction *choice = menu->addAction(
            percent == 100 ? tr("As fast as it can") : tr("At most %1 % of the time").arg(percent));
        choice->setCheckable(true);
        choice->setChecked(percent == usualPercent);
        group->addAction(choice);
        connect(choice, &QAction::triggered, this, [this, percent] { chooseShare(percent); });
    }
    m_load->setMenu(menu);
    m_load->setPopupMode(QToolButton::InstantPopup);
    m_load->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_load->setToolTip(tr("How much of the time the search may keep the database working"));
    m_load->hide();
    chooseShare(usualPercent);
    auto *row = static_cast<QBoxLayout *>(layout());
    row->insertWidget(1, m_progress);
    row->insertWidget(2, m_load);
    setTabOrder(m_load,
                findChild<QPushButton *>(objectName() + u"Action"_s)); // which stands behind
    connect(this, &NoticeBar::actionAsked, this, &SearchBar::act);
}

void SearchBar::chooseShare(int percent)
{
    m_load->setText(percent == 100 ? tr("Full load ") : tr("Load \u2264 %1 % ").arg(percent));
    m_load->setAccessibleName(tr("Database load of the search: at most %1 %").arg(percent));
    m_percent = percent;
    emit shareChosen(share());
}

void SearchBar::act()
{
    if (!m_state)
        emit searchAsked();
    else if (m_state->phase == Phase::Running)
        emit cancelAsked();
    else
        emit goOnAsked();
}

void SearchBar::setCounts(const OutboxSnapshot &counts)
{
    // Where counting stopped nobody knows how many there are.
    const bool isCapped = !counts.exact
        && (counts.processed == liveCaps.processed
            || counts.pending.value_or(0) + counts.locked.value_or(0) >= liveCaps.open);
    m_about = isCapped ? 0 : counts.rows();
    m_total = isCapped ? QString() : totalText(counts);
}

void SearchBar::tell(Tone tone, const QString &text, const QString &action)
{
    m_progress->setVisible(isRunning());
    if (isRunning()) { // where it is not known how much there is, it only moves
        QPalette colors = m_progress->palette();
        colors.setColor(QPalette::Highlight, theme::inks().accent);
        m_progress->setPalette(colors);
        const qint64 searched = m_state->searched;
        m_progress->setRange(0, m_about > searched ? fullProgress : 0);
        m_progress->setValue(m_about > 0 ? int(fullProgress * searched / m_about) : 0);
    }
    m_hasMore = !action.isEmpty() && !isRunning();
    m_load->setVisible(!action.isEmpty());
    say(tone, text, action);
}

void SearchBar::setPage(const MessagePage &page)
{
    if (m_state)
        return;
    if (page.reach != FilterReach::Scan)
        return clear();
    const bool isAll = page.next.isEmpty();
    const QString total = m_about > page.searched ? m_total : QString(); // else it was capped
    QString text = isAll ? tr("Searched all %1 rows.").arg(countText(page.searched))
        : total.isEmpty()
        ? tr("Searched %1 rows; there are more.").arg(firstOf(countText(page.searched)))
        : tr("Searched %1 rows of %2.").arg(firstOf(countText(page.searched)), total);
    if (page.undecided > 0) {
        text += u' '
            + tr("%1 have payloads too long to be searched here.").arg(countText(page.undecided));
    }
    text += u' '
        + tr("As of %1; not refreshed.")
              .arg(momentText(QDateTime::currentDateTimeUtc(), QDateTime::currentDateTimeUtc()));
    tell(Tone::Info, text,
         isAll                 ? QString()
             : total.isEmpty() ? tr("Search all rows")
                               : tr("Search all %1 rows").arg(total));
}

void SearchBar::offer()
{
    if (m_state)
        return;
    tell(Tone::Warning,
         tr("No index finds these rows in time. They can be searched for one by one, in the "
            "background."),
         m_total.isEmpty() ? tr("Search all rows") : tr("Search all %1 rows").arg(m_total));
}

QString SearchBar::firstOf(const QString &rows) const
{
    return m_isNewestFirst ? tr("the newest %1").arg(rows) : tr("the oldest %1").arg(rows);
}

/// "the newest 3,220,000 of ~10,000,000 rows": in another order than that of the pages they are not
/// the newest.
QString SearchBar::reached() const
{
    const QString searched = countText(m_state->searched);
    const bool isPart = m_about > m_state->searched && !m_total.isEmpty();
    const QString rows
        = isPart ? tr("%1 of %2 rows").arg(searched, m_total) : tr("%1 rows").arg(searched);
    return m_state->byPages ? firstOf(rows) : rows;
}

/// What is said at every end.
QString SearchBar::ending() const
{
    QString text = tr("%1, of which %2 in the database; the longest statement %3 ms.")
                       .arg(spanText(m_state->runMs / 1000), spanText(m_state->databaseMs / 1000),
                            QLocale().toString(m_state->longestMs, 'f', 0));
    if (m_state->undecided > 0) {
        text += u' '
            + tr("%1 have payloads too long to be searched here.")
                  .arg(countText(m_state->undecided));
    }
    return text + u' '
        + tr("As of %1; not refreshed.")
              .arg(momentText(m_state->at, QDateTime::currentDateTimeUtc()));
}

void SearchBar::setState(const RowSearchState &state)
{
    m_state = state;
    const QString found = tr("%1 found").arg(countText(state.found));
    switch (state.phase) {
    case Phase::Running: {
        QString text
            = tr("Searching: %1, %2, %3").arg(reached(), found, spanText(state.runMs / 1000));
        if (const auto left = state.secondsLeft(m_about))
            text += tr(", about %1 left").arg(spanText(*left));
        text += tr(". Database time: %1").arg(percentText(state.share()));
        return tell(Tone::Info, text, tr("Cancel"));
    }
    case Phase::Cancelled:
        return tell(Tone::Info,
                    tr("Cancelled. Searched %1: %2. %3").arg(reached(), found, ending()),
                    tr("Continue"));
    case Phase::Full:
        return tell(Tone::Info,
                    tr("%1 in %2, which is enough for once. %3").arg(found, reached(), ending()),
                    tr("Continue"));
    case Phase::TooMany:
        return tell(Tone::Warning,
                    tr("%1 in %2. More are not held: narrow the filter. %3")
                        .arg(found, reached(), ending()),
                    {});
    case Phase::Failed:
        return tell(
            Tone::Problem,
            tr("%1 in %2, then the search failed: %3")
                .arg(found, reached(), state.error ? shownText(oneLine(*state.error)) : ending()),
            tr("Continue"));
    case Phase::Done:
        return tell(
            Tone::Info,
            tr("Searched all %1 rows: %2. %3").arg(countText(state.searched), found, ending()), {});
    }
}

void SearchBar::forget()
{
    m_state.reset();
    clear();
}

} // namespace outbox
