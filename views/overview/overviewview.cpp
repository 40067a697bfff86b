// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overviewview.h"

#include "models/operations/findingwords.h"
#include "models/plaintext.h"
#include "views/charts/gauge.h"
#include "views/overview/overviewcards.h"
#include "views/overview/overviewcharts.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/tabplace.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// What needs attention: at most seven lines, worst first, each with its way to the rows behind it.
class AttentionList : public QWidget
{
    Q_OBJECT

public:
    static constexpr qsizetype most = 7;

    explicit AttentionList(QWidget *parent = nullptr) : QWidget(parent), m_place(new TabPlace(this))
    {
        boxOn<QVBoxLayout>(this, 6);
        follow();
    }

    /// Causes come worst first. `known` is false while a source does not answer: then an empty list
    /// is no good news.
    void setCauses(const QList<HealthCause> &causes, bool known)
    {
        const bool isTurned = known != std::exchange(m_known, known);
        m_causes = causes;
        follow(isTurned);
    }

    /// The line of the last look for inconsistencies; nullopt: nobody has looked yet.
    void setLastCheck(const std::optional<ScanSummary> &check)
    {
        m_check = check;
        follow();
    }

    /// Whether a relay that does not run may be started here.
    void setStartOffered(bool offered) { follow(offered != std::exchange(m_mayStart, offered)); }

signals:
    void showAsked(const QString &filter);
    void startRelayAsked();

protected:
    void changeEvent(QEvent *event) override
    {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange)
            build();
    }

private:
    /// Lines that stay the same keep their widgets, and so the focus.
    void follow(bool always = false);
    [[nodiscard]] HealthCause checkLine() const;
    void build();

    TabPlace *m_place;
    QList<HealthCause> m_causes;
    std::optional<ScanSummary> m_check;
    QList<HealthCause> m_lines; ///< those on screen
    bool m_known = false;
    bool m_mayStart = false;
};

HealthCause AttentionList::checkLine() const
{
    HealthCause line;
    line.text = summaryWords(m_check, QDateTime::currentDateTimeUtc());
    line.filter = u"reconcile"_s;
    if (m_check && m_check->lasting > 0)
        line.level = HealthLevel::Watch;
    else if (m_check && m_check->complete)
        line.level = HealthLevel::Ok;
    return line;
}

void AttentionList::follow(bool always)
{
    const HealthCause check = checkLine();
    // What was found has its line, whatever else there is; that nothing was found has none then.
    QList<HealthCause> lines = m_causes.mid(0, check.level == HealthLevel::Watch ? most - 1 : most);
    if (lines.size() < most)
        lines += check;
    if (lines == m_lines && !always)
        return;
    m_lines = lines;
    build();
}

void AttentionList::build()
{
    while (QLayoutItem *item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    auto *rows = static_cast<QVBoxLayout *>(layout());
    if (m_causes.isEmpty() && m_lines.constLast().level != HealthLevel::Watch)
        rows->addWidget(plainLabel(m_known ? tr("Nothing needs attention.")
                                           : tr("Not known while a source does not answer."),
                                   true));
    for (const HealthCause &cause : std::as_const(m_lines)) {
        auto *row = new QWidget;
        auto *line = boxOn<QHBoxLayout>(row, 8);
        const Appearance appearance = theme::appearance(cause.level);
        auto *glyph = new QLabel;
        glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 16, devicePixelRatioF()));
        glyph->setAccessibleName(appearance.word);
        glyph->setToolTip(plainTooltip(appearance.word));
        line->addWidget(glyph, 0, Qt::AlignTop);
        QLabel *text = plainLabel(shownText(cause.text));
        wrapLines(text);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        line->addWidget(text, 1);
        const auto addButton = [line](const QString &name, const QString &words,
                                      const QString &spoken, const QString &tip) {
            auto *button = new QToolButton;
            button->setText(words);
            button->setAutoRaise(true);
            setNames(button, name, spoken);
            button->setToolTip(plainTooltip(tip));
            line->addWidget(button, 0, Qt::AlignTop);
            return button;
        };
        if (!cause.filter.isEmpty()) {
            const QToolButton *show
                = addButton(u"showCause"_s, tr("Show"), tr("Show: %1").arg(shownText(cause.text)),
                            tr("Show %1").arg(cause.filter));
            connect(show, &QToolButton::clicked, this,
                    [this, filter = cause.filter] { emit showAsked(filter); });
        }
        const bool isOff = cause.reason == HealthReason::RelayStopped
            || cause.reason == HealthReason::RelayFailed;
        if (isOff && m_mayStart) {
            const QToolButton *start
                = addButton(u"startHere"_s, tr("Start\u2026"), tr("Start a relay here"),
                            tr("Asks how the relay is to work first"));
            connect(start, &QToolButton::clicked, this, &AttentionList::startRelayAsked);
        }
        if (!cause.remedy.isEmpty()) {
            const QToolButton *copy
                = addButton(u"copyRemedy"_s, tr("Copy SQL"),
                            tr("Copy the statement that repairs it"), cause.remedy);
            connect(copy, &QToolButton::clicked, this,
                    [remedy = cause.remedy] { QGuiApplication::clipboard()->setText(remedy); });
        }
        rows->addWidget(row);
    }
    rows->addStretch();
    m_place->gather();
}

namespace {

constexpr int bannerMargin = 16;
constexpr int stripe = 5;
constexpr int bannerGlyphSide = 28;

} // namespace

/// The first thing to look at: level as colour, glyph and word, and the sentence.
class HealthBanner : public QWidget
{
    Q_OBJECT

public:
    explicit HealthBanner(QWidget *parent = nullptr) : QWidget(parent)
    {
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        setReport(HealthLevel::Unknown, tr("Nothing was read yet."));
    }

    void setReport(HealthLevel level, const QString &sentence)
    {
        m_level = level;
        m_sentence = shownText(sentence);
        setAccessibleName(tr("Health: %1").arg(theme::appearance(level).word));
        setAccessibleDescription(m_sentence);
        updateGeometry();
        update();
    }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override
    {
        const QRect bounds = QFontMetrics(sentenceFont())
                                 .boundingRect(QRect(0, 0, sentenceRect(width).width(), 1'000),
                                               Qt::TextWordWrap, m_sentence);
        return std::max(QFontMetrics(wordFont()).height(), bounds.height()) + 24;
    }

    [[nodiscard]] QSize sizeHint() const override { return {600, heightForWidth(600)}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QFont wordFont() const { return theme::scaledFont(font(), 2.0, QFont::Bold); }

    [[nodiscard]] QFont sentenceFont() const { return theme::scaledFont(font(), 1.3); }

    [[nodiscard]] QRect sentenceRect(int width) const
    {
        const int word
            = QFontMetrics(wordFont()).horizontalAdvance(theme::appearance(m_level).word);
        const int left = stripe + bannerMargin + bannerGlyphSide + 12 + word + 20;
        return {left, 0, std::max(80, width - left - bannerMargin), 0};
    }

    HealthLevel m_level = HealthLevel::Unknown;
    QString m_sentence;
};

void HealthBanner::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    const Appearance appearance = theme::appearance(m_level);
    QPainter painter(this);
    QColor wash = appearance.color;
    wash.setAlpha(m_level == HealthLevel::Ok || m_level == HealthLevel::Unknown ? 0 : 18);
    theme::paintRounded(&painter, rect(), ink.base, ink.border, cardCorner);
    theme::paintRounded(&painter, rect(), wash, ink.border, cardCorner);
    painter.save();
    painter.setClipRect(0, 0, stripe, height());
    theme::paintRounded(&painter, rect(), appearance.color, appearance.color, cardCorner);
    painter.restore();

    const int middle = height() / 2;
    painter.drawPixmap(
        QPoint(stripe + bannerMargin, middle - bannerGlyphSide / 2),
        theme::glyph(appearance.glyph, appearance.color, bannerGlyphSide, devicePixelRatioF()));
    painter.setFont(wordFont());
    painter.setPen(appearance.color);
    QRect words = sentenceRect(width());
    painter.drawText(QRect(stripe + bannerMargin + bannerGlyphSide + 12, 0, words.left(), height()),
                     static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft), appearance.word);
    words.setHeight(height());
    painter.setFont(sentenceFont());
    painter.setPen(ink.text);
    painter.drawText(words, static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap),
                     m_sentence);
}

OverviewView::OverviewView(const SystemHistory *history, QWidget *parent)
    : QWidget(parent), m_history(history), m_banner(new HealthBanner),
      m_cards(new OverviewCards(history)), m_charts(new OverviewCharts), m_gauge(new Gauge),
      m_margin(plainLabel({}, true)), m_attention(new AttentionList),
      m_promise(plainLabel({}, true))
{
    setObjectName(u"overviewPage"_s);
    m_banner->setObjectName(u"healthBanner"_s);
    auto *layout = boxOn<QVBoxLayout>(this, 10, {14, 14, 14, 14});
    addWidgets(layout, {m_banner, m_cards});
    auto *lower = boxOn<QHBoxLayout>(nullptr, 10);
    lower->addWidget(m_charts, 7);
    lower->addWidget(buildSide(), 3);
    layout->addLayout(lower, 1);
    connect(m_cards, &OverviewCards::showAsked, this, &OverviewView::showAsked);
    connect(m_charts, &OverviewCharts::rowsAsked, this, &OverviewView::showAsked);
    connect(m_charts, &OverviewCharts::pictureAsked, this, &OverviewView::pictureAsked);
    showMargin();
}

QWidget *OverviewView::buildSide()
{
    auto *scroll = new QScrollArea;
    setNames(scroll, u"overviewSide"_s, tr("Dedup window, attention and durability"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(260);
    auto *side = new QWidget;
    auto *layout = boxOn<QVBoxLayout>(side, 10);
    auto *window = new Card(tr("Dedup window"));
    setNames(m_gauge, u"dedupGauge"_s, tr("Dedup window"));
    wrapLines(m_margin);
    window->body()->addWidget(m_gauge);
    window->body()->addWidget(m_margin);
    auto *attention = new Card(tr("Needs attention"));
    m_attention->setObjectName(u"attentionList"_s);
    attention->body()->addWidget(m_attention, 1);
    connect(m_attention, &AttentionList::showAsked, this, &OverviewView::showAsked);
    connect(m_attention, &AttentionList::startRelayAsked, this, &OverviewView::startRelayAsked);
    auto *promise = new Card(tr("Durability"));
    m_promise->setObjectName(u"promiseLine"_s);
    wrapLines(m_promise);
    m_promise->setText(tr("Not known until Redis has answered."));
    promise->body()->addWidget(m_promise);
    layout->addWidget(window);
    layout->addWidget(attention, 1);
    layout->addWidget(promise);
    scroll->setWidget(side);
    scroll->viewport()->setAutoFillBackground(false);
    side->setAutoFillBackground(false);
    return scroll;
}

void OverviewView::setHealth(const HealthReport &report)
{
    m_banner->setReport(report.level, report.sentence);
    m_report = report;
    showAttention();
    if (!report.promise.isEmpty())
        m_promise->setText(shownText(report.promise));
}

void OverviewView::setAlerts(const QString &sentence)
{
    m_raised = sentence;
    showAttention();
}

void OverviewView::showAttention()
{
    QList<HealthCause> causes = m_report.causes;
    if (!m_raised.isEmpty())
        causes.prepend(HealthCause{HealthLevel::Watch, m_raised, u"alerts"_s, {}, {}});
    m_attention->setCauses(causes, m_report.level != HealthLevel::Unknown);
}

void OverviewView::setOutbox(const OutboxSnapshot &snapshot)
{
    m_oldest = lagOf(snapshot);
    m_charts->setExact(snapshot.isExact(u"pending"_s));
    m_cards->setOutbox(snapshot);
    showMargin();
}

void OverviewView::setQueues(const QList<QueueSnapshot> &queues)
{
    m_cards->setQueues(queues);
}

void OverviewView::setRetention(qint64 seconds)
{
    m_retention = static_cast<double>(seconds);
    showMargin();
}

void OverviewView::setLastCheck(const std::optional<ScanSummary> &check)
{
    m_attention->setLastCheck(check);
}

void OverviewView::setStartOffered(bool offered)
{
    m_attention->setStartOffered(offered);
}

void OverviewView::forget()
{
    setLastCheck(std::nullopt);
    m_oldest.reset();
    setRowsOffered(false); // until its shape is known
    setHealth({});
    m_banner->setReport(HealthLevel::Unknown, tr("Nothing was read yet."));
    m_promise->setText(tr("Not known until Redis has answered."));
    m_cards->forget();
    m_gauge->setStale(false);
    showHistory(QDateTime::currentDateTimeUtc());
}

void OverviewView::setStale(Source source, const std::optional<QDateTime> &asOf,
                            const QString &reason)
{
    m_cards->setStale(source, asOf, reason);
    if (source == Source::Database)
        m_gauge->setStale(asOf.has_value());
}

void OverviewView::showMargin()
{
    const DedupMargin margin
        = dedupMargin(m_retention, m_history->worstDelay(), m_oldest, m_history->delaysSeenSince());
    m_gauge->setBars(margin.bars);
    m_margin->setText(margin.sentence);
}

void OverviewView::showHistory(const QDateTime &now)
{
    m_cards->showHistory(now);
    m_charts->show(*m_history, now);
    showMargin();
}

void OverviewView::setRowsOffered(bool offered)
{
    m_charts->setRowsOffered(offered);
}

void OverviewView::setRange(int minutes)
{
    m_charts->setRange(minutes);
}

MetricCard *OverviewView::pendingCard() const
{
    return m_cards->pendingCard();
}

} // namespace outbox

#include "overviewview.moc"
