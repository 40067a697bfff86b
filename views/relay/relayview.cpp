// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/relay/relayview.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/timeseries.h"
#include "models/tables/relaylistmodel.h"
#include "models/tables/relaylogmodel.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/tables/tablecopy.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/sourcenotice.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The relay in four numbers: out a second, batch and queue time, rows set aside.
class RelayMeters : public QWidget
{
    Q_OBJECT

public:
    explicit RelayMeters(QWidget *parent = nullptr);

    void add(const QList<RelayStep> &steps)
    {
        for (const RelayStep &step : steps) {
            if (step.claimed == 0)
                continue;
            m_delivered += step.committed ? step.delivered() : 0;
            m_batchMs.add(step.at, step.tookMs());
            m_queueMs.add(step.at, step.enqueueMs);
        }
    }

    void setParked(qint64 rows)
    {
        m_parked->setValue(countText(rows),
                           rows > 0 ? tr("set aside, with reasons") : tr("none set aside"));
        m_parked->setValueColor(rows > 0 ? theme::appearance(MessageState::Parked).color
                                         : QColor());
    }

    void clear()
    {
        for (TimeSeries *series : {&m_outRate, &m_batchMs, &m_queueMs})
            series->clear();
        m_rate = CounterRate(rateWindowMs);
        m_delivered = 0;
    }

    /// Redraws the small lines, ending at `now`; while no relay runs, the rate is not known.
    void tick(const QDateTime &now, bool running);

signals:
    void parkedAsked();

private:
    MetricCard *m_out;
    MetricCard *m_batch;
    MetricCard *m_queue;
    MetricCard *m_parked;
    TimeSeries m_outRate{7'200};
    TimeSeries m_batchMs{7'200};
    TimeSeries m_queueMs{7'200};
    static constexpr qint64 rateWindowMs = 5'000;
    CounterRate m_rate{rateWindowMs};
    qint64 m_delivered = 0;
};

namespace {

MetricCard *card(const QString &title, const QString &name)
{
    auto *made = new MetricCard(title);
    made->setObjectName(name);
    made->setFocusPolicy(Qt::NoFocus);
    made->setEnabled(false);
    return made;
}

QString milliseconds(double value)
{
    return RelayMeters::tr("%1 ms").arg(QLocale().toString(value, 'f', 0));
}

} // namespace

RelayMeters::RelayMeters(QWidget *parent)
    : QWidget(parent), m_out(card(tr("Delivered"), u"outCard"_s)),
      m_batch(card(tr("Batch time"), u"batchCard"_s)),
      m_queue(card(tr("Redis time"), u"queueCard"_s)),
      m_parked(card(tr("Parked rows"), u"parkedCard"_s))
{
    auto *layout = boxOn<QHBoxLayout>(this, 10);
    addWidgets(layout, {m_out, m_batch, m_queue, m_parked});
    m_parked->setEnabled(true);
    m_parked->setFocusPolicy(Qt::TabFocus);
    m_parked->setToolTip(plainTooltip(tr("Show the rows that were set aside")));
    connect(m_parked, &MetricCard::clicked, this, &RelayMeters::parkedAsked);
}

void RelayMeters::tick(const QDateTime &now, bool running)
{
    const std::optional<double> out
        = m_rate.add(now, running ? std::optional(static_cast<double>(m_delivered)) : std::nullopt);
    m_outRate.add(now, out);
    const QDateTime from = now.addSecs(-300);
    const auto lines = [&](const TimeSeries &series, const LineStyle &style) {
        return QList<Sparkline::Line>{{series.segments(from, now, 200, 15'000), style}};
    };
    m_out->setValue(out ? std::optional(perSecondText(*out)) : std::nullopt,
                    tr("delivered messages"));
    m_out->setLines(from, now, lines(m_outRate, theme::lineStyle(theme::Series::Out)));
    const std::optional<double> batch = m_batchMs.latest();
    const std::optional<double> queue = m_queueMs.latest();
    m_batch->setValue(batch ? std::optional(milliseconds(*batch)) : std::nullopt,
                      tr("from claim to COMMIT"));
    m_batch->setLines(from, now, lines(m_batchMs, theme::lineStyle(theme::Series::Backlog)));
    m_queue->setValue(queue ? std::optional(milliseconds(*queue)) : std::nullopt,
                      tr("to enqueue a batch"));
    m_queue->setLines(from, now, lines(m_queueMs, theme::lineStyle(theme::Series::In)));
}

/// The relays of all hosts as a table; not there while none is known.
class RelayListPane : public Card
{
    Q_OBJECT

public:
    RelayListPane();

    void set(const QList<ListedRelay> &relays)
    {
        const LiveTable::KeepPlace place(*m_table);
        m_model->merge(relays);
        const int rows = std::clamp(m_model->rowCount(), 1, mostRowsShown);
        m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height()
                                + rows * m_table->verticalHeader()->defaultSectionSize()
                                + 2 * m_table->frameWidth());
        setVisible(!relays.isEmpty());
    }

private:
    static constexpr int mostRowsShown = 5; ///< the others are scrolled to

    RelayListModel *m_model;
    LiveTable *m_table;
};

RelayListPane::RelayListPane()
    : Card(tr("Relays on all hosts")), m_model(new RelayListModel(this)),
      m_table(new LiveTable(u"relayList"_s))
{
    setObjectName(u"relayListPane"_s);
    m_table->setAccessibleName(tr("Relays on all hosts"));
    m_table->show(m_model, {24, 12, 8, 18, 18, 0});
    body()->addWidget(m_table);
    hide();
}

/// The relay's log: steps as a table, with pause and copy.
class RelayLogPane : public QWidget
{
    Q_OBJECT

public:
    explicit RelayLogPane(QWidget *parent = nullptr);

    /// While the log is paused, steps are kept back and shown when it goes on.
    void add(const QList<RelayStep> &steps)
    {
        if (m_pause->isChecked()) {
            m_heldBack.append(steps);
            if (m_heldBack.size() > RelayLogModel::capacity)
                m_heldBack = m_heldBack.last(RelayLogModel::capacity);
            return;
        }
        const LiveTable::KeepPlace place(*m_table);
        m_model->add(steps);
    }

    void clear()
    {
        m_heldBack.clear();
        m_pause->setChecked(false);
        const LiveTable::KeepPlace place(*m_table);
        m_model->clear();
    }

private:
    void setProblemsOnly(bool only)
    {
        const LiveTable::KeepPlace place(*m_table); // which shows or hides the empty pane
        m_model->setProblemsOnly(only);
        m_table->emptyPane()->say(
            only ? tr("No problem among the steps that were listed.")
                 : tr("No step yet. What the relay does will be listed here."));
    }

    void setPaused(bool paused)
    {
        m_pause->setText(paused ? tr("Resume log") : tr("Pause log"));
        m_pause->setAccessibleName(m_pause->text());
        m_pause->setIcon(theme::icon(paused ? u"play"_s : u"pause"_s));
        if (!paused)
            add(std::exchange(m_heldBack, {}));
    }

    void copy()
    {
        QList<int> rows = selectedRows(*m_table);
        if (rows.isEmpty()) {
            for (int row = 0; row < m_model->rowCount(); ++row)
                rows.append(row);
        }
        QApplication::clipboard()->setText(m_model->asText(rows));
    }

    RelayLogModel *m_model;
    LiveTable *m_table;
    QToolButton *m_pause;
    QList<RelayStep> m_heldBack;
};

RelayLogPane::RelayLogPane(QWidget *parent)
    : QWidget(parent), m_model(new RelayLogModel(this)), m_table(new LiveTable(u"relayLog"_s)),
      m_pause(pageButton(u"pauseLog"_s, u"pause"_s, tr("Pause log")))
{
    m_table->setAccessibleName(tr("Steps of the relay, newest first"));
    m_table->show(m_model, {14, 10, 10, 12, 14, 10, 10, 60});
    m_table->setItemDelegateForColumn(
        RelayLogModel::Verdict, new StateDelegate(StateRole, StateDelegate::Words::Cell, m_table));
    setProblemsOnly(false);
    m_table->setMinimumHeight(90);
    auto *copyButton = pageButton(u"copyLog"_s, u"copy"_s, tr("Copy"));
    copyButton->setToolTip(plainTooltip(tr("Copy the selected steps, or all of them, as text")));
    m_pause->setCheckable(true);
    auto *problems = pageButton(u"problemsOnly"_s, u"filter"_s, tr("Problems only"));
    problems->setCheckable(true);
    problems->setToolTip(plainTooltip(tr("Steps that were rolled back, set rows aside, or found "
                                         "rows in the queue already")));

    auto *card = new Card({});
    auto *head = new QHBoxLayout;
    head->addWidget(titleLabel(tr("Batches")));
    head->addStretch();
    addWidgets(head, {problems, m_pause, copyButton});
    card->body()->addLayout(head);
    card->body()->addWidget(m_table);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    connect(m_pause, &QToolButton::toggled, this, &RelayLogPane::setPaused);
    connect(copyButton, &QToolButton::clicked, this, &RelayLogPane::copy);
    connect(problems, &QToolButton::toggled, this, &RelayLogPane::setProblemsOnly);
}

namespace {

QPushButton *button(const QString &text, const QString &icon, const QString &name)
{
    auto *made = new QPushButton(theme::icon(icon), text);
    setNames(made, name, text);
    return made;
}

} // namespace

/// What the relay here does, and the buttons that change it.
class RelayHead : public Card
{
    Q_OBJECT

public:
    RelayHead();

    [[nodiscard]] bool isOff() const
    {
        return m_state == RelayState::Stopped || m_state == RelayState::Failed;
    }
    [[nodiscard]] bool mayStart() const { return m_start->isEnabled(); }
    void setState(RelayState state)
    {
        m_state = state;
        showState();
    }
    void setSince(const QDateTime &since) { m_since = since; }
    void setNotice(const QString &text)
    {
        m_notice->setText(shownText(text));
        showState();
    }
    void setForbidden(const QString &reason)
    {
        m_forbidden = reason;
        showState();
    }
    void setTotals(const RelayTotals &totals);
    void setPromise(const QString &promise)
    {
        m_promise->setText(tr("Durability: %1").arg(shownText(promise)));
        m_promise->setVisible(!promise.isEmpty());
    }
    /// How long the relay has run at `now`, and at what pace.
    void tick(const QDateTime &now, const RelayStart &start);

signals:
    void startAsked();
    void pauseAsked();
    void resumeAsked();
    void drainAsked();
    void stopAsked();

protected:
    void changeEvent(QEvent *event) override;

private:
    void showState();
    /// `tip` says what it does, `otherwise` why it cannot be done now.
    void enable(QPushButton *button, bool fits, const QString &tip, const QString &otherwise)
    {
        const QString &text = fits ? tip : otherwise;
        button->setEnabled(fits);
        button->setToolTip(plainTooltip(text)); // which is read aloud, too
    }

    QLabel *m_glyph;
    QLabel *m_word;
    QLabel *m_facts;
    QLabel *m_notice;
    QLabel *m_totals;
    QLabel *m_promise;
    QPushButton *m_start;
    QPushButton *m_pause;
    QPushButton *m_drain;
    QPushButton *m_stop;
    RelayState m_state = RelayState::Stopped;
    QDateTime m_since;
    QString m_forbidden;
};

RelayHead::RelayHead()
    : Card({}), m_glyph(new QLabel), m_word(titleLabel({})), m_facts(plainLabel({}, true)),
      m_notice(plainLabel({})), m_totals(plainLabel({})), m_promise(plainLabel({}, true)),
      m_start(button(tr("Start\u2026"), u"play"_s, u"openStart"_s)),
      m_pause(button(tr("Pause"), u"pause"_s, u"pauseRelay"_s)),
      m_drain(button(tr("Drain and stop"), u"drain"_s, u"drainRelay"_s)),
      m_stop(button(tr("Stop now"), u"stop"_s, u"stopRelay"_s))
{
    auto *row = boxOn<QHBoxLayout>(nullptr, 10);
    m_word->setFont(theme::scaledFont(m_word->font(), 1.5, QFont::Bold));
    m_word->setObjectName(u"relayState"_s);
    m_facts->setObjectName(u"relayFacts"_s);
    m_notice->setObjectName(u"relayNotice"_s);
    wrapLines(m_notice);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_totals->setObjectName(u"relayTotals"_s);
    wrapLines(m_totals);
    wrapLines(m_promise);
    addWidgets(row, {m_glyph, m_word});
    row->addWidget(m_facts, 1);
    addWidgets(row, {m_start, m_pause, m_drain, m_stop});
    body()->addLayout(row);
    body()->addWidget(m_notice);
    body()->addWidget(m_totals);
    body()->addWidget(m_promise);
    connect(m_start, &QPushButton::clicked, this, &RelayHead::startAsked);
    connect(m_pause, &QPushButton::clicked, this, [this] {
        if (m_state == RelayState::Paused)
            emit resumeAsked();
        else
            emit pauseAsked();
    });
    connect(m_drain, &QPushButton::clicked, this, &RelayHead::drainAsked);
    connect(m_stop, &QPushButton::clicked, this, &RelayHead::stopAsked);
    showState();
}

void RelayHead::changeEvent(QEvent *event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showState(); // in the colours of the theme
}

void RelayHead::setTotals(const RelayTotals &totals)
{
    QStringList parts{tr("enqueued %1").arg(countText(totals.enqueued)),
                      tr("already in queue %1").arg(countText(totals.alreadyQueued)),
                      tr("already processed %1").arg(countText(totals.alreadyDone)),
                      tr("dead in queue %1").arg(countText(totals.deadInQueue)),
                      tr("batches %1").arg(countText(totals.batches)),
                      tr("rolled back %1").arg(countText(totals.rollbacks))};
    if (totals.inDoubt > 0)
        parts += tr("in doubt %1").arg(countText(totals.inDoubt));
    m_totals->setText(parts.join(u"   \u00b7   "_s));
}

void RelayHead::tick(const QDateTime &now, const RelayStart &start)
{
    if (isOff() || !m_since.isValid())
        return m_facts->setText(tr("No relay runs in this window."));
    const QString pace = start.schedule.isEmpty()
        ? tr("poll %1 ms").arg(countText(start.pollMs))
        : tr("by schedule: %1").arg(shownText(start.schedule));
    m_facts->setText(tr("for %1   \u00b7   batch %2   \u00b7   %3")
                         .arg(spanText(static_cast<double>(m_since.msecsTo(now)) / 1000),
                              countText(start.batch), pace));
}

void RelayHead::showState()
{
    const Appearance appearance = theme::appearance(m_state);
    m_glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 22, devicePixelRatioF()));
    m_glyph->setAccessibleName(appearance.word);
    m_word->setText(appearance.word);
    QPalette colors = m_word->palette();
    colors.setColor(QPalette::WindowText, appearance.color);
    m_word->setPalette(colors);
    m_notice->setVisible(!m_notice->text().isEmpty());

    const bool off = isOff();
    const bool paused = m_state == RelayState::Paused;
    const bool working = m_state == RelayState::Running || m_state == RelayState::BackingOff;
    const QString none = tr("No relay runs here.");
    enable(m_start, off && m_forbidden.isEmpty(), tr("Asks how the relay is to work first"),
           m_forbidden.isEmpty() ? tr("A relay already runs here.") : m_forbidden);
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setAccessibleName(m_pause->text());
    m_pause->setIcon(theme::icon(paused ? u"play"_s : u"pause"_s));
    const QString ending = off ? none : tr("The relay is on its way to stop.");
    enable(m_pause, paused || working,
           paused ? tr("Goes on with the rows that wait")
                  : tr("Takes no more rows until it is resumed; nothing is lost"),
           ending);
    enable(m_drain, paused || working,
           tr("Sends the rows that wait, also those that others hold, then stops; nothing is lost"),
           ending);
    enable(m_stop, !off,
           tr("Rolls the batch in hand back and stops: its rows wait, nothing is lost"), none);
}

RelayView::RelayView(QWidget *parent)
    : QWidget(parent), m_head(new RelayHead),
      m_database(new SourceNotice(u"relayDatabase"_s, tr("the database"))),
      m_redis(new SourceNotice(u"relayRedis"_s, tr("Redis"))), m_meters(new RelayMeters),
      m_relays(new RelayListPane), m_log(new RelayLogPane)
{
    setObjectName(u"relayPage"_s);
    auto *layout = boxOn<QVBoxLayout>(this, 10, {14, 14, 14, 14});
    layout->addWidget(m_head);
    for (SourceNotice *source : {m_database, m_redis}) {
        layout->addWidget(source);
        connect(source, &SourceNotice::retryAsked, this, &RelayView::retryAsked);
    }
    layout->addWidget(m_meters);
    layout->addWidget(m_relays);
    layout->addWidget(m_log, 1);

    connect(m_head, &RelayHead::startAsked, this, &RelayView::openStartSheet);
    connect(m_head, &RelayHead::pauseAsked, this, &RelayView::pauseAsked);
    connect(m_head, &RelayHead::resumeAsked, this, &RelayView::resumeAsked);
    connect(m_head, &RelayHead::drainAsked, this, &RelayView::drainAsked);
    connect(m_head, &RelayHead::stopAsked, this, &RelayView::stopAsked);
    connect(m_meters, &RelayMeters::parkedAsked, this, &RelayView::parkedAsked);
    setTotals({});
    tick(QDateTime::currentDateTimeUtc());
}

bool RelayView::mayStart() const
{
    return m_head->mayStart();
}

void RelayView::openStartSheet()
{
    if (!mayStart())
        return;
    if (!m_sheet) {
        m_sheet = new RelayStartDialog(this);
        m_sheet->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_sheet, &RelayStartDialog::startAsked, this, &RelayView::startAsked);
        m_sheet->setStart(m_settings);
        m_sheet->setOutlook(m_outlook);
    }
    m_sheet->show();
    m_sheet->raise();
    m_sheet->activateWindow();
}

void RelayView::setState(RelayState state)
{
    m_head->setState(state);
}

void RelayView::setRunning(const RelayStart &start, const QDateTime &since)
{
    m_settings = start;
    m_head->setSince(since);
}

void RelayView::setNotice(const QString &text)
{
    m_head->setNotice(text);
}

void RelayView::addSteps(const QList<RelayStep> &steps)
{
    m_meters->add(steps);
    m_log->add(steps);
}

void RelayView::setTotals(const RelayTotals &totals)
{
    m_meters->setParked(totals.parked);
    m_head->setTotals(totals);
}

void RelayView::setOutlook(const RelayOutlook &outlook)
{
    m_outlook = outlook;
    m_head->setPromise(outlook.promise);
    if (m_sheet)
        m_sheet->setOutlook(outlook);
}

void RelayView::setStart(const RelayStart &start)
{
    m_settings = start;
}

void RelayView::setForbidden(const QString &reason)
{
    m_head->setForbidden(reason);
}

void RelayView::setHealth(Source source, const SourceHealth &health)
{
    (source == Source::Database ? m_database : m_redis)->setHealth(health);
}

void RelayView::setRelays(const QList<ListedRelay> &relays)
{
    m_relays->set(relays);
}

void RelayView::forget()
{
    setRelays({});
    for (const Source source : {Source::Database, Source::Queue})
        setHealth(source, {});
    if (m_sheet)
        m_sheet->close();
    m_head->setSince({});
    m_log->clear();
    m_meters->clear();
    setTotals({});
    setOutlook({});
    setNotice({});
    setForbidden({});
    setState(RelayState::Stopped);
    tick(QDateTime::currentDateTimeUtc());
}

void RelayView::tick(const QDateTime &now)
{
    m_meters->tick(now, !m_head->isOff());
    m_head->tick(now, m_settings);
}

} // namespace outbox

#include "relayview.moc"
