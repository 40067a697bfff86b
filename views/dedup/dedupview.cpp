// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dedup/dedupview.h"

#include "models/message/task.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/axisticks.h"
#include "models/tables/taskmodel.h"
#include "views/charts/gauge.h"
#include "views/operation/offeredverbs.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/sourcenotice.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QList>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>

#include <cmath>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// "Would this id be refused, and until when": a field, and the answer in words.
class DedupQuestion : public QWidget
{
    Q_OBJECT

public:
    explicit DedupQuestion(QWidget *parent = nullptr);

    /// Answers for another id than the one asked last are dropped.
    void setVerdict(const IdVerdict &verdict);
    void setId(const QString &id)
    {
        m_field->setText(id);
        ask();
    }

    [[nodiscard]] const MessageId &asked() const { return m_asked; }

    void focusField()
    {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    }

    void forget()
    {
        m_asked = {};
        m_field->clear();
        m_sentence->setText(tr("Type the id of a message to see what a replay would do now."));
        m_glyph->setVisible(false);
        m_replay->setVisible(false);
        m_offered->clear();
    }

signals:
    void idAsked(const outbox::MessageId &id);

private:
    void ask()
    {
        const QString text = m_field->text().trimmed();
        if (text.isEmpty())
            return;
        m_asked = MessageId{text};
        m_field->setCursorPosition(0);
        m_sentence->setText(tr("Checking\u2026"));
        m_glyph->setVisible(false);
        m_replay->setVisible(false);
        m_offered->clear();
        emit idAsked(m_asked);
    }

    QLineEdit *m_field;
    QPushButton *m_ask;
    QLabel *m_glyph;
    QLabel *m_sentence;
    QLabel *m_replay;
    OfferedVerbs *m_offered;
    MessageId m_asked;
};

DedupQuestion::DedupQuestion(QWidget *parent)
    : QWidget(parent), m_field(new QLineEdit), m_ask(new QPushButton(tr("Check"))),
      m_glyph(new QLabel), m_sentence(plainLabel({}, true)), m_replay(titleLabel({})),
      m_offered(new OfferedVerbs(u"idVerbs"_s))
{
    setNames(m_field, u"idField"_s, tr("Message id"));
    m_field->setPlaceholderText(tr("Message id"));
    m_field->setFont(theme::fixedFont(m_field->font()));
    m_field->setClearButtonEnabled(true);
    m_field->setMaxLength(512);
    setNames(m_ask, u"askId"_s, tr("Check this id"));
    m_ask->setEnabled(false);
    m_ask->setToolTip(plainTooltip(tr("Type an id first")));
    m_sentence->setObjectName(u"idSentence"_s);
    m_replay->setObjectName(u"idReplay"_s);
    for (QLabel *label : {m_sentence, m_replay}) {
        wrapLines(label);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }

    auto *layout = boxOn<QVBoxLayout>(this, 8);
    auto *row = new QHBoxLayout;
    row->addWidget(m_field, 1);
    row->addWidget(m_ask);
    layout->addLayout(row);
    auto *answer = boxOn<QHBoxLayout>(nullptr, 8);
    answer->addWidget(m_glyph, 0, Qt::AlignTop);
    auto *words = boxOn<QVBoxLayout>(nullptr, 4);
    addWidgets(words, {m_sentence, m_replay});
    answer->addLayout(words, 1);
    layout->addLayout(answer);
    layout->addWidget(m_offered);
    layout->addStretch();

    connect(m_field, &QLineEdit::returnPressed, this, &DedupQuestion::ask);
    connect(m_ask, &QPushButton::clicked, this, &DedupQuestion::ask);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &text) {
        const bool empty = text.trimmed().isEmpty();
        m_ask->setEnabled(!empty);
        m_ask->setToolTip(empty ? plainTooltip(tr("Type an id first")) : QString());
    });
    forget();
}

void DedupQuestion::setVerdict(const IdVerdict &verdict)
{
    if (verdict.message != m_asked)
        return;
    m_sentence->setText(shownText(verdict.sentence, Lines::Many));
    m_replay->setText(tr("If replayed now: %1").arg(shownText(verdict.replay)));
    m_replay->setVisible(!verdict.replay.isEmpty());
    m_offered->setVerdict(verdict);
    const TaskState state = verdict.task ? verdict.task->state : TaskState::None;
    const Appearance appearance
        = verdict.taskError ? theme::appearance(HealthLevel::Unknown) : theme::appearance(state);
    m_glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 18, devicePixelRatioF()));
    m_glyph->setAccessibleName(appearance.word);
    m_glyph->setToolTip(plainTooltip(appearance.word));
    m_glyph->setVisible(true);
}

namespace {

constexpr int axisWidth = 44;
constexpr qint64 hourMs = 3'600'000;

} // namespace

/// How many kept ids free themselves in each of the next hours.
class ExpiryHistogram : public QWidget
{
    Q_OBJECT

public:
    explicit ExpiryHistogram(QWidget *parent = nullptr) : QWidget(parent)
    {
        setNames(this, u"expiryHistogram"_s, tr("Ids that expire in each of the next 24 hours"));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    }

    /// `perHour` begins with the hour that follows `from`.
    void setHours(const QDateTime &from, const QList<qint64> &perHour);
    void setStale(bool stale)
    {
        m_stale = stale;
        update();
    }

    [[nodiscard]] QSize sizeHint() const override { return {480, 170}; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 110}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const
    {
        return QRectF(rect()).adjusted(axisWidth, 8, -8, -fontMetrics().height() - 8);
    }

    [[nodiscard]] QRectF bar(qsizetype hour, double top) const
    {
        const QRectF area = plot();
        const double step
            = area.width() / static_cast<double>(std::max<qsizetype>(1, m_hours.size()));
        const double height = static_cast<double>(m_hours.at(hour)) / top * area.height();
        return {area.left() + static_cast<double>(hour) * step + 1.5, area.bottom() - height,
                std::max(1.0, step - 3), height};
    }

    QDateTime m_from;
    QList<qint64> m_hours;
    qint64 m_largest = 0;
    bool m_stale = false;
};

void ExpiryHistogram::setHours(const QDateTime &from, const QList<qint64> &perHour)
{
    m_from = from;
    m_hours = perHour;
    m_largest = 0;
    qint64 sum = 0;
    qsizetype busiest = 0;
    for (qsizetype hour = 0; hour < perHour.size(); ++hour) {
        sum += perHour.at(hour);
        if (perHour.at(hour) > m_largest) {
            m_largest = perHour.at(hour);
            busiest = hour;
        }
    }
    setAccessibleDescription(sum == 0 ? tr("No id expires in this time")
                                      : tr("%1 ids in all; most, %2, in hour %3")
                                            .arg(countText(sum), countText(m_largest))
                                            .arg(busiest + 1));
    update();
}

void ExpiryHistogram::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    const QRectF area = plot();
    if (m_hours.isEmpty()) {
        painter.setPen(ink.secondary);
        painter.drawText(rect(), Qt::AlignCenter, tr("Not read yet"));
        return;
    }
    const QList<Tick> ticks = valueTicks(static_cast<double>(m_largest), AxisUnit::Count, 3);
    for (const Tick &tick : ticks) {
        const double y
            = std::round(area.bottom() - tick.value / ticks.last().value * area.height());
        painter.setPen(tick.value > 0 ? ink.grid : ink.border);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(ink.secondary);
        painter.drawText(QRectF(0, y - 10, axisWidth - 7, 20), Qt::AlignRight | Qt::AlignVCenter,
                         tick.label);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_stale ? theme::appearance(HealthLevel::Unknown).color : ink.accent);
    for (qsizetype hour = 0; hour < m_hours.size(); ++hour) {
        if (m_hours.at(hour) == 0)
            continue;
        QRectF one = bar(hour, ticks.last().value);
        one.setTop(std::min(one.top(), one.bottom() - 2));
        const double corner = std::min(2.5, one.height() / 2);
        painter.drawRoundedRect(one, corner, corner);
    }
    painter.setPen(ink.secondary);
    const double hours = static_cast<double>(m_hours.size());
    for (qsizetype hour = 0; hour <= m_hours.size(); hour += 6) {
        const double x = area.left() + static_cast<double>(hour) / hours * area.width();
        const QString text = hour == 0
            ? tr("now")
            : m_from.addMSecs(hour * hourMs).toLocalTime().toString(u"HH:mm"_s);
        const double width = 60;
        const double begin = std::clamp(x - width / 2, area.left() - 12, area.right() + 8 - width);
        painter.drawText(QRectF(begin, area.bottom() + 4, width, fontMetrics().height() + 2),
                         hour == 0                    ? Qt::AlignLeft
                             : hour == m_hours.size() ? Qt::AlignRight
                                                      : Qt::AlignHCenter,
                         text);
    }
}

bool ExpiryHistogram::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRectF area = plot();
    const double share = (help->pos().x() - area.left()) / std::max(1.0, area.width());
    if (m_hours.isEmpty() || share < 0 || share >= 1) {
        QToolTip::hideText();
        return true;
    }
    const auto hour = static_cast<qsizetype>(share * static_cast<double>(m_hours.size()));
    const auto moment = [&](qsizetype at) {
        return m_from.addMSecs(at * hourMs).toLocalTime().toString(u"HH:mm"_s);
    };
    QToolTip::showText(
        help->globalPos(),
        plainTooltip(tr("%1 ids expire between %2 and %3")
                         .arg(countText(m_hours.at(hour)), moment(hour), moment(hour + 1))),
        this);
    return true;
}

/// The table of kept ids on the Dedup page.
class RetainedTable : public QWidget
{
    Q_OBJECT

public:
    explicit RetainedTable(QWidget *parent = nullptr);

    /// The first page, by expiry.
    void setPage(const TaskPage &page)
    {
        const LiveTable::KeepPlace place(*m_table);
        m_model->merge(page.tasks);
    }

    void setStale(const std::optional<QDateTime> &asOf)
    {
        m_table->setStale(asOf.has_value());
        m_card->setNote(asOf ? asOfText(*asOf) : QString());
    }

signals:
    /// A person wants to know about this id.
    void idChosen(const QString &id);

private:
    RetainedModel *m_model;
    LiveTable *m_table;
    Card *m_card;
};

RetainedTable::RetainedTable(QWidget *parent)
    : QWidget(parent), m_model(new RetainedModel(this)), m_table(new LiveTable(u"retainedTable"_s)),
      m_card(new Card(tr("Kept ids, first to expire on top")))
{
    m_table->setAccessibleName(tr("Kept ids"));
    m_table->show(m_model, {26, 44, 26, 14, 14, 40});
    m_table->setIdColumns({RetainedModel::Id});
    m_table->setCopyColumn(RetainedModel::Id);
    m_table->emptyPane()->say(tr("No id is kept: nothing was completed with a retention."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    m_card->body()->addWidget(m_table);
    connect(m_table, &QAbstractItemView::activated, this,
            [this](const QModelIndex &index) { emit idChosen(m_model->row(index.row()).id.text); });
}

namespace {

MetricCard *fact(const QString &title, const QString &name, const QString &tip)
{
    auto *card = new MetricCard(title);
    card->setObjectName(name);
    card->setToolTip(plainTooltip(tip));
    // These four only tell; there is nothing behind them that is not on this page.
    card->setFocusPolicy(Qt::NoFocus);
    card->setEnabled(false);
    return card;
}

} // namespace

DedupView::DedupView(QWidget *parent)
    : QWidget(parent), m_source(new SourceNotice(u"dedupSource"_s, tr("Redis"))),
      m_kept(fact(tr("Ids kept"), u"keptCard"_s,
                  tr("Completed tasks that Redis keeps: their ids are refused"))),
      m_soonest(fact(tr("Soonest expiry"), u"soonestCard"_s,
                     tr("When the first kept id frees itself; the janitor's clock decides"))),
      m_latest(
          fact(tr("Latest expiry"), u"latestCard"_s, tr("When the last kept id frees itself"))),
      m_memory(fact(tr("Memory of kept ids"), u"memoryCard"_s,
                    tr("Estimate: the average of a sample times the number of ids"))),
      m_histogram(new ExpiryHistogram),
      m_histogramCard(new Card(tr("Expiry over the next 24 hours"))), m_gauge(new Gauge),
      m_margin(plainLabel({}, true)), m_question(new DedupQuestion), m_table(new RetainedTable)
{
    setObjectName(u"dedupPage"_s);
    auto *layout = boxOn<QVBoxLayout>(this, 10, {14, 14, 14, 14});
    addWidgets(layout, {m_source, buildFacts()});
    layout->addWidget(buildMiddle(), 2);
    layout->addWidget(m_table, 3);
    connect(m_source, &SourceNotice::retryAsked, this, &DedupView::retryAsked);
    connect(m_question, &DedupQuestion::idAsked, this, &DedupView::idAsked);
    connect(m_table, &RetainedTable::idChosen, m_question, &DedupQuestion::setId);
    setMargin(std::nullopt, std::nullopt, std::nullopt);
}

QWidget *DedupView::buildFacts()
{
    auto *row = new QWidget;
    auto *layout = boxOn<QHBoxLayout>(row, 10);
    addWidgets(layout, {m_kept, m_soonest, m_latest, m_memory});
    return row;
}

QWidget *DedupView::buildMiddle()
{
    auto *row = new QWidget;
    auto *layout = boxOn<QHBoxLayout>(row, 10);
    m_histogramCard->body()->addWidget(m_histogram);
    layout->addWidget(m_histogramCard, 5);
    auto *margin = new Card(tr("Safe margin"));
    setNames(m_gauge, u"marginGauge"_s, tr("Safe margin"));
    m_margin->setObjectName(u"marginSentence"_s);
    wrapLines(m_margin);
    margin->body()->addWidget(m_gauge);
    margin->body()->addWidget(m_margin);
    margin->body()->addStretch();
    layout->addWidget(margin, 3);
    auto *question = new Card(tr("Would this id be refused?"));
    question->body()->addWidget(m_question);
    layout->addWidget(question, 4);
    return row;
}

void DedupView::setDedup(const DedupSnapshot &snapshot)
{
    m_snapshot = snapshot;
    m_kept->setValue(countText(snapshot.retained),
                     snapshot.expired > 0
                         ? tr("%1 expired, still refused").arg(countText(snapshot.expired))
                         : tr("in queue %1").arg(shownText(snapshot.name.text)));
    const auto expiry = [&](MetricCard *card, const std::optional<QDateTime> &at) {
        if (at)
            card->setValue(tr("in %1").arg(spanText(std::max(
                               0.0, static_cast<double>(snapshot.at.msecsTo(*at)) / 1000))),
                           aboutMomentText(*at, snapshot.at));
        else
            card->setValue(std::nullopt, tr("no id is kept"));
    };
    expiry(m_soonest, snapshot.soonestExpiry);
    expiry(m_latest, snapshot.latestExpiry);
    QString memory = tr("sampled %n", nullptr, snapshot.sampled);
    if (snapshot.bytes && m_maxMemory > 0)
        memory += tr("; %1 % of maxmemory").arg(100 * *snapshot.bytes / m_maxMemory);
    m_memory->setValue(
        snapshot.bytes ? std::optional(u"~"_s + bytesText(*snapshot.bytes)) : std::nullopt, memory);
    m_histogram->setHours(snapshot.at, snapshot.expiryPerHour);
}

void DedupView::setRedisFacts(const RedisFacts &facts)
{
    m_maxMemory = facts.maxMemory;
    if (m_snapshot)
        setDedup(*m_snapshot);
}

void DedupView::setMargin(std::optional<double> retentionSeconds,
                          std::optional<double> worstDelaySeconds,
                          std::optional<double> oldestPendingSeconds,
                          const std::optional<QDateTime> &seenSince)
{
    const DedupMargin margin
        = dedupMargin(retentionSeconds, worstDelaySeconds, oldestPendingSeconds, seenSince);
    m_gauge->setBars(margin.bars);
    m_margin->setText(margin.sentence);
}

void DedupView::setRetained(const TaskPage &page)
{
    m_table->setPage(page);
}

void DedupView::setVerdict(const IdVerdict &verdict)
{
    m_question->setVerdict(verdict);
}

void DedupView::setStale(Source source, const std::optional<QDateTime> &asOf)
{
    if (source == Source::Database) {
        m_gauge->setStale(asOf.has_value());
        return;
    }
    for (MetricCard *card : {m_kept, m_soonest, m_latest, m_memory})
        card->setStale(asOf);
    m_histogram->setStale(asOf.has_value());
    m_histogramCard->setNote(asOf ? asOfText(*asOf) : QString());
    m_table->setStale(asOf);
}

void DedupView::setHealth(const SourceHealth &redis)
{
    m_source->setHealth(redis);
}

void DedupView::forget()
{
    setHealth({});
    m_snapshot.reset();
    m_maxMemory = 0;
    for (MetricCard *card : {m_kept, m_soonest, m_latest, m_memory})
        card->setValue(std::nullopt, {});
    m_histogram->setHours({}, {});
    setMargin(std::nullopt, std::nullopt, std::nullopt);
    setRetained({});
    m_question->forget();
    setStale(Source::Database, std::nullopt);
    setStale(Source::Queue, std::nullopt);
}

void DedupView::openId(const MessageId &id)
{
    if (id.isEmpty())
        m_question->forget();
    else
        m_question->setId(id.text);
}

const MessageId &DedupView::askedId() const
{
    return m_question->asked();
}

void DedupView::focusFilter()
{
    m_question->focusField();
}

} // namespace outbox

#include "dedupview.moc"
