// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/relay/relaystartdialog.h"

#include "models/plaintext.h"
#include "models/relay/schedule.h"
#include "views/charts/gauge.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formfields.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/formrows.h"
#include "views/widgets/scrolledpage.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fieldLetters = 26;

template <typename Box>
void dress(Box *box, const QString &name, const QString &accessible, const QString &suffix)
{
    setNames(box, name, accessible);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    setMostLetters(box, fieldLetters);
}

QLabel *wrapped(QLabel *label, const QString &name)
{
    label->setObjectName(name);
    wrapLines(label);
    return label;
}

QString joined(const QStringList &sentences)
{
    QStringList shown;
    for (const QString &sentence : sentences)
        shown.append(shownText(sentence));
    return shown.join(u'\n');
}

} // namespace

/// When the relay works; its note says what the text comes to, or why it cannot be read.
class ScheduleField : public QLineEdit
{
    Q_OBJECT

public:
    explicit ScheduleField(QFormLayout *form)
        : m_name(plainLabel(tr("Schedule"))),
          m_note(wrapped(plainLabel({}, true), u"scheduleNote"_s))
    {
        setNames(this, u"scheduleField"_s, m_name->text());
        setPlaceholderText(tr("continuous"));
        setMostLetters(this, fieldLetters);
        m_name->setBuddy(this);
        form->addRow(m_name, this);
        form->addRow(QString(), m_note);
        m_note->setMinimumHeight(2 * fontMetrics().lineSpacing());
    }

    /// Whether the relay works by it alone.
    [[nodiscard]] bool isUsed() const { return m_isOffered && !text().trimmed().isEmpty(); }

    /// Shows it where it is offered; false: its text cannot be read.
    bool judge(bool isOffered)
    {
        m_isOffered = isOffered;
        for (QWidget *one : QList<QWidget *>{m_name, this, m_note})
            one->setVisible(isOffered);
        if (!isUsed()) {
            m_note->setText(tr("e.g. \"every 15s\", or a cron expression, in UTC"));
            return true;
        }
        const auto schedule = Schedule::fromText(text());
        const QDateTime now = QDateTime::currentDateTimeUtc();
        m_note->setText(
            shownText(schedule ? tr("First at %1 UTC; times that pass during a run are left out.")
                                     .arg(schedule->nextAfter(now).toString(u"hh:mm:ss"_s))
                               : schedule.error().text));
        return schedule.has_value();
    }

private:
    QLabel *m_name;
    QLabel *m_note;
    bool m_isOffered = false;
};

/// What holds with these settings, in sentences.
class PromiseCard : public Card
{
public:
    PromiseCard()
        : Card(RelayStartDialog::tr("Durability")),
          m_promise(wrapped(plainLabel({}), u"relayPromise"_s)),
          m_margin(wrapped(plainLabel({}, true), u"relayMargin"_s)),
          m_notes(wrapped(plainLabel({}, true), u"relayNotes"_s))
    {
        addWidgets(body(), {m_promise, m_margin, m_notes});
    }

    void setNotes(const QStringList &notes)
    {
        m_notes->setText(joined(notes));
        m_notes->setVisible(!notes.isEmpty());
    }

    void say(const QString &promise, const QString &margin)
    {
        m_promise->setText(shownText(promise));
        m_margin->setText(margin);
    }

private:
    QLabel *m_promise;
    QLabel *m_margin;
    QLabel *m_notes;
};

RelayStartDialog::RelayStartDialog(QWidget *parent)
    : QDialog(parent), m_band(new EnvironmentBand), m_batch(new QSpinBox), m_poll(new QSpinBox),
      m_rate(new QDoubleSpinBox),
      m_retention(new DurationEdit(u"relayRetention"_s, tr("How long ids are kept"))),
      m_duplicates(new QCheckBox(tr("Allow duplicates: ids are not kept at all"))),
      m_channel(new QLineEdit),
      m_barrier(new QCheckBox(tr("Barrier: send a row only when it is on the database's disk"))),
      m_copies{new QSpinBox, new QCheckBox(tr("Wait until a batch is on the disk of Redis"))},
      m_depth(new QSpinBox), m_promise(new PromiseCard),
      m_refusals(wrapped(plainLabel({}), u"relayRefusals"_s)),
      m_go(dialogButton(u"startRelay"_s, tr("Start relay")))
{
    setObjectName(u"relayStartDialog"_s);
    setWindowTitle(tr("Start a relay here"));
    m_band->setOnlyTells(); // without the right to write this is not opened
    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins({});
    whole->addWidget(m_band);
    auto *layout = boxOn<QVBoxLayout>(nullptr, 12, {20, 12, 20, 16});
    whole->addLayout(layout);
    layout->addWidget(buildForm());
    addWidgets(layout, {m_promise, m_refusals});
    layout->addStretch();
    QPushButton *cancel = dialogButton(u"startCancel"_s, tr("Cancel"));
    layout->addLayout(buttonRow({cancel, m_go}));
    setMinimumWidth(460);
    keepOnScreen(this);
    connect(cancel, &QPushButton::clicked, this, &QDialog::close);
    connect(m_go, &QPushButton::clicked, this, [this] {
        emit startAsked(start());
        close();
    });
    connect(m_schedule, &QLineEdit::textChanged, this, &RelayStartDialog::judge);
    connect(m_retention, &DurationEdit::edited, this, &RelayStartDialog::judge);
    connect(m_duplicates, &QCheckBox::toggled, this, &RelayStartDialog::judge);
    connect(m_barrier, &QCheckBox::toggled, this, &RelayStartDialog::judge);
    connect(m_copies.replicas, &QSpinBox::valueChanged, this, &RelayStartDialog::judge);
    connect(m_copies.disk, &QCheckBox::toggled, this, &RelayStartDialog::judge);
    setStart({});
}

QWidget *RelayStartDialog::buildForm()
{
    dress(m_batch, u"batchField"_s, tr("Rows in one batch"), tr(" rows"));
    m_batch->setRange(1, 10'000);
    dress(m_poll, u"pollField"_s, tr("Pause of an idle relay"), tr(" ms"));
    m_poll->setRange(10, 600'000);
    dress(m_rate, u"rateField"_s, tr("Largest rate"), tr(" /s"));
    m_rate->setRange(0, 1'000'000);
    m_rate->setDecimals(1);
    m_rate->setSpecialValueText(tr("no limit"));
    setNames(m_duplicates, u"allowDuplicates"_s, m_duplicates->text());
    setNames(m_channel, u"channelField"_s, tr("Wake-up channel"));
    m_channel->setPlaceholderText(tr("none: polling only"));
    m_channel->setToolTip(plainTooltip(tr("PostgreSQL: the NOTIFY that tells of new rows")));
    setMostLetters(m_channel, fieldLetters);
    setNames(m_barrier, u"barrierField"_s, m_barrier->text());
    dress(m_copies.replicas, u"replicasField"_s, tr("Replicas to wait for"), {});
    m_copies.replicas->setRange(0, 100);
    m_copies.replicas->setSpecialValueText(tr("none"));
    m_copies.replicas->setToolTip(plainTooltip(
        tr("Replicas of Redis that must have a batch before its rows are given up (WAIT)")));
    setNames(m_copies.disk, u"diskField"_s, m_copies.disk->text());
    dress(m_depth, u"depthField"_s, tr("Pause while the queue holds at least"), tr(" tasks"));
    m_depth->setRange(0, 1'000'000'000);
    m_depth->setSpecialValueText(tr("no limit"));
    m_depth->setToolTip(plainTooltip(tr("Nothing is claimed while so many tasks wait")));
    auto *widget = new QWidget;
    auto *form = new QFormLayout(widget);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->addRow(tr("Batch"), m_batch);
    form->addRow(tr("Poll every"), m_poll);
    form->addRow(tr("Wake-up channel"), m_channel);
    m_schedule = new ScheduleField(form);
    form->addRow(tr("Rate"), m_rate);
    form->addRow(tr("Pause while the queue holds at least"), m_depth);
    form->addRow(tr("Wait for replicas"), m_copies.replicas);
    form->addRow(m_copies.disk); // their texts are longer than a field
    form->addRow(m_barrier);
    form->addRow(tr("Keep ids for"), m_retention);
    form->addRow(QString(), m_duplicates);
    return widget;
}

void RelayStartDialog::setOutlook(const RelayOutlook &outlook)
{
    m_outlook = outlook;
    m_band->setProfile(outlook.profile);
    m_band->setArming(outlook.arming);
    m_promise->setNotes(outlook.notes);
    judge();
}

void RelayStartDialog::setStart(const RelayStart &start)
{
    m_batch->setValue(start.batch);
    m_poll->setValue(start.pollMs);
    m_rate->setValue(start.ratePerSecond);
    m_retention->setSeconds(start.retentionSeconds);
    m_duplicates->setChecked(start.allowDuplicates);
    m_barrier->setChecked(start.barrier);
    m_copies.replicas->setValue(start.replicas);
    m_copies.disk->setChecked(start.onDisk);
    m_depth->setValue(
        static_cast<int>(std::clamp<qint64>(start.deepestQueue, 0, m_depth->maximum())));
    m_channel->setText(start.notifyChannel);
    m_schedule->setText(start.schedule);
    judge();
}

RelayStart RelayStartDialog::start() const
{
    const bool kept = !m_duplicates->isChecked();
    return {m_batch->value(),
            m_poll->value(),
            m_rate->value(),
            kept ? m_retention->seconds() : 0,
            !kept,
            m_barrier->isEnabled() && m_barrier->isChecked(),
            m_copies.replicas->value(),
            m_copies.disk->isChecked(), // where it cannot be kept the relay refuses to start
            m_depth->value(),
            m_schedule->isUsed() ? QString() : m_channel->text().trimmed(),
            m_schedule->isUsed() ? m_schedule->text().simplified() : QString()};
}

void RelayStartDialog::judge()
{
    const bool isScheduleGood = m_schedule->judge(m_outlook.marksRows);
    m_channel->setEnabled(!m_schedule->isUsed());
    m_poll->setEnabled(!m_schedule->isUsed());
    const bool kept = !m_duplicates->isChecked();
    m_retention->setEnabled(kept);
    m_barrier->setEnabled(m_outlook.hasBarrier);
    const QString whyNoDisk = m_outlook.facts ? whyNoWaitForDisk(*m_outlook.facts) : QString();
    m_copies.disk->setEnabled(whyNoDisk.isEmpty() || m_copies.disk->isChecked());
    m_copies.disk->setToolTip(
        plainTooltip(whyNoDisk.isEmpty()
                         ? tr("Before its rows are given up (WAITAOF). Under everysec each batch "
                              "takes about a second.")
                         : whyNoDisk));
    DurabilityTerms terms = m_outlook.terms;
    terms.waitReplicas = m_copies.replicas->value();
    terms.waitAof = m_copies.disk->isChecked() && whyNoDisk.isEmpty();
    if (m_outlook.hasBarrier)
        terms.barrier = m_barrier->isChecked();
    const qint64 seconds = kept ? m_retention->seconds() : 0;
    m_promise->say(
        m_outlook.facts ? promise(*m_outlook.facts, terms) : m_outlook.promise,
        seconds > 0
            ? dedupMargin(double(seconds), m_outlook.worstDelaySeconds, std::nullopt).sentence
            : kept ? tr("Keep ids for some time, or allow duplicates.")
                   : tr("Nothing keeps a message from being executed twice."));
    const QString refusals = joined(m_outlook.refusals);
    m_refusals->setText(refusals);
    m_refusals->setVisible(!refusals.isEmpty());
    QPalette colors = m_refusals->palette();
    colors.setColor(QPalette::WindowText, theme::appearance(HealthLevel::Broken).color);
    m_refusals->setPalette(colors);
    m_go->setEnabled(refusals.isEmpty() && isScheduleGood && (seconds > 0 || !kept));
    m_go->setToolTip(plainTooltip(refusals));
}

} // namespace outbox

#include "relaystartdialog.moc"
