// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/operationpresenter.h"

#include "app/designs/designoperations.h"
#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "app/settings/opening.h"
#include "models/operations/planwords.h"
#include "models/operations/receiptfile.h"
#include "models/operations/verbdescriptor.h"
#include "models/system/offer.h"
#include "models/system/staleness.h"
#include "views/frame/livestatus.h"
#include "views/frame/mainwindow.h"
#include "views/message/messagepanel.h"
#include "views/operation/editdialog.h"
#include "views/operation/plandialog.h"
#include "views/operation/unlockdialog.h"
#include "views/operation/verbbar.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskdetail.h"
#include "views/queue/taskspane.h"
#include "views/widgets/environmentband.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString messageId = u"operation"_s;
constexpr int tickMs = 500;

bool isEdit(Verb verb)
{
    return verb == Verb::Edit || verb == Verb::EditTask;
}

OperatorSessionSettings settingsOf(const System &system, const Folders &folders)
{
    OperatorSessionSettings settings;
    settings.profile = system.profile();
    settings.look = system.secrets();
    settings.stateFolder = folders.state;
    settings.face = u"outboxdeck"_s;
    return settings;
}

} // namespace

OperationPresenter::OperationPresenter(System &system, const Pages &pages, const Folders &folders,
                                       QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages), m_settings(settingsOf(system, folders)),
      m_intervalMs(system.profile().refreshMs), m_dialog(new PlanDialog(pages.window)),
      m_record(folders.auditFile()), m_driver(m_settings)
{
    m_dialog->setProfile(system.profile());
    const QList<VerbBar *> bars = pages.window->findChildren<VerbBar *>();
    for (VerbBar *bar : bars)
        m_bars += bar;
    if (system.profile().design)
        m_driver.setOperations(designOperationFor);
    joinWindow();
    joinMasks();
    joinDialog();
    joinDriver();
    m_pages.window->band()->setArming(m_driver.arming());
    m_dialog->setArming(m_driver.arming());
    connect(&m_tick, &QTimer::timeout, this, &OperationPresenter::tellTerms);
    m_tick.start(tickMs);
    tellTerms();
    tellRunning({});
}

OperationPresenter::~OperationPresenter()
{
    delete m_unlock;
    delete m_editor;
    delete m_dialog;
    for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
        if (bar)
            bar->forget();
    }
    m_pages.window->messages()->remove(messageId);
    m_pages.window->status()->setOperation({});
    m_pages.window->setOperationRunning(false);
}

void OperationPresenter::joinWindow()
{
    for (const QPointer<VerbBar> &bar : std::as_const(m_bars))
        connect(bar, &VerbBar::operationAsked, this, &OperationPresenter::ask);
    connect(m_pages.window, &MainWindow::unlockAsked, this, &OperationPresenter::askToUnlock);
    connect(m_pages.window, &MainWindow::lockAsked, &m_driver, &OperationDriver::lock);
    connect(m_pages.window, &MainWindow::cancelAndCloseAsked, this, [this] {
        if (!m_driver.running()) {
            m_pages.window->close(); // it ended while the person made up their mind
            return;
        }
        connect(&m_driver, &OperationDriver::runningChanged, m_pages.window, &QWidget::close,
                Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
        m_driver.cancel();
    });
    connect(m_pages.window->status(), &LiveStatus::operationAsked, this,
            &OperationPresenter::showDialog);
    connect(m_pages.window->messages(), &MessageBar::actAsked, this,
            [this](const QString &message, const QString &act) {
                if (message == messageId && act == u"openResult"_s)
                    showDialog();
                else if (message == messageId && act == u"undoResult"_s)
                    ask(m_undo);
            });
    connect(&m_system.messages(), &MessageSource::healthChanged, this,
            [this](const SourceHealth &health) { m_database = health; });
    connect(&m_system.queue(), &QueueFeed::healthChanged, this,
            [this](const SourceHealth &health) { m_queue = health; });
    connect(&m_system.messages(), &MessageSource::intervalChanged, this,
            [this](int milliseconds) { m_intervalMs = milliseconds; });
    connect(&m_system.messages(), &MessageSource::shapeKnown, this,
            [this](const OutboxShape &shape) {
                QList<Verb> verbs = verbsFor(VerbTarget::Rows);
                verbs += Verb::Edit;
                for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
                    for (const Verb verb : std::as_const(verbs)) {
                        if (!m_system.documents()) // documents have no shape of rows
                            bar->setNotOffered(verb, whyNotForShape(verb, shape));
                    }
                }
                m_driver.open(shape);
            });
}

void OperationPresenter::joinMasks()
{
    connect(m_pages.outbox->panel(), &MessagePanel::payloadUnmasked, this,
            [this](const MessageId &id) { noteUnmasked(id.text); });
    connect(m_pages.queue->tasks()->detail(), &TaskDetail::payloadUnmasked, this,
            [this](const QueueName &queue, const TaskId &id) { noteUnmasked(id.text, queue); });
    connect(&m_record, &RecordWriter::failed, this,
            [this](const Error &error) { say(HealthLevel::Watch, oneLine(error)); });
}

void OperationPresenter::noteUnmasked(const QString &id, const QueueName &queue)
{
    const QString of
        = queue.isEmpty() ? u"row "_s + id : u"task %1 in queue %2"_s.arg(id, queue.text);
    AuditEntry entry = entryAbout(AuditEntry::Kind::Unmask, m_system.profile(), m_settings.face);
    entry.what = u"The payload of "_s + of + u" was shown unmasked"_s;
    m_record.write(entry);
}

void OperationPresenter::joinDialog()
{
    connect(m_dialog, &PlanDialog::confirmed, &m_driver, &OperationDriver::carryOut);
    connect(m_dialog, &PlanDialog::dismissed, &m_driver, &OperationDriver::dropPlan);
    connect(m_dialog, &PlanDialog::cancelAsked, &m_driver, &OperationDriver::cancel);
    connect(m_dialog, &PlanDialog::pauseAsked, &m_driver, &OperationDriver::pause);
    connect(m_dialog, &PlanDialog::undoAsked, this, &OperationPresenter::ask);
    connect(m_dialog, &PlanDialog::saveAsked, this, &OperationPresenter::saveResult);
    connect(m_dialog, &PlanDialog::unlockAsked, this, &OperationPresenter::askToUnlock);
    connect(m_dialog, &PlanDialog::lockAsked, &m_driver, &OperationDriver::lock);
}

void OperationPresenter::joinDriver()
{
    connect(&m_driver, &OperationDriver::planned, m_dialog, &PlanDialog::showPlan);
    connect(&m_driver, &OperationDriver::planFailed, m_dialog, &PlanDialog::showError);
    connect(&m_driver, &OperationDriver::contentRead, this, &OperationPresenter::openEditor);
    connect(&m_driver, &OperationDriver::contentFailed, this,
            [this](const Error &error) { say(HealthLevel::Watch, oneLine(error)); });
    connect(&m_driver, &OperationDriver::progressed, this,
            [this](const OperationProgress &progress) {
                m_dialog->showProgress(progress);
                tellRunning(progress);
            });
    connect(&m_driver, &OperationDriver::pausedChanged, m_dialog, &PlanDialog::setPaused);
    connect(&m_driver, &OperationDriver::runningChanged, this, [this] {
        tellRunning({});
        tellTerms();
    });
    connect(&m_driver, &OperationDriver::carriedOut, m_dialog, &PlanDialog::showReceipt);
    connect(&m_driver, &OperationDriver::carriedOut, this, &OperationPresenter::tellReceipt);
    connect(
        &m_driver, &OperationDriver::refused, this, [this](const Plan &plan, const Error &error) {
            m_dialog->showError(error);
            say(HealthLevel::Watch, oneLine(error));
            if (mayHaveHappened(error)) {
                m_system.addEvent(HistoryEvent::Kind::Operation,
                                  tr("%1: whether it was done is not known.").arg(actWords(plan)));
            }
        });
    connect(&m_driver, &OperationDriver::armingChanged, this, [this](const Arming &arming) {
        m_pages.window->band()->setArming(arming);
        m_dialog->setArming(arming);
        tellTerms();
        if (!m_unlock || !arming.isArmed(QDateTime::currentDateTimeUtc()))
            return;
        m_unlock->close();
        if (m_dialog->isVisible())
            showDialog(); // whose preview goes on from here
    });
    connect(&m_driver, &OperationDriver::unlockFailed, this, [this](const Error &error) {
        if (m_unlock)
            m_unlock->showError(error);
    });
    connect(&m_driver, &OperationDriver::recordFailed, this,
            [this](const Error &error) { say(HealthLevel::Broken, oneLine(error)); });
}

void OperationPresenter::ask(const OperationRequest &request)
{
    if (!m_driver.isOpen() || m_driver.running())
        return showDialog();
    const Selection &chosen = request.selection;
    const bool asksForEditor = isEdit(request.verb) && request.undoOf.isEmpty() && !chosen.edit;
    if (asksForEditor && !chosen.rows.isEmpty())
        return m_driver.readContent(chosen.rows.first());
    if (asksForEditor && !chosen.tasks.isEmpty())
        return m_driver.readContent(chosen.queue, chosen.tasks.first());
    m_dialog->showLooking(request);
    showDialog();
    m_driver.plan(request);
}

void OperationPresenter::openEditor(const RowContent &content)
{
    delete m_editor; // what it shows may be old
    m_editor = new EditDialog(m_system.profile(), content, m_pages.window);
    m_editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_editor, &EditDialog::previewAsked, this, &OperationPresenter::ask);
    connect(m_editor, &EditDialog::unmasked, this,
            [this, queue = content.queue](const MessageId &id) { noteUnmasked(id.text, queue); });
    m_editor->show();
    m_editor->raise();
    m_editor->activateWindow();
}

void OperationPresenter::askToUnlock()
{
    if (!m_unlock) {
        m_unlock = new UnlockDialog(m_system.profile(), m_pages.window);
        m_unlock->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_unlock, &UnlockDialog::armAsked, &m_driver, &OperationDriver::unlock);
    }
    m_unlock->show();
    m_unlock->raise();
    m_unlock->activateWindow();
}

void OperationPresenter::showDialog()
{
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void OperationPresenter::tellTerms()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    ActingTerms terms;
    terms.databaseStale = staleSince(m_database, now, m_intervalMs);
    terms.queueStale = staleSince(m_queue, now, m_intervalMs);
    terms.hasQueue = !m_system.profile().isDatabaseOnly();
    if (const Plan *running = m_driver.running())
        terms.running = actWords(*running);
    for (const QPointer<VerbBar> &bar : std::as_const(m_bars)) {
        if (bar)
            bar->setTerms(terms);
    }
    m_dialog->setWhyNot(whyNotNow(m_dialog->plan().verb, terms, now));
    m_dialog->setLocked(!m_driver.arming().isArmed(now));
}

void OperationPresenter::tellRunning(const OperationProgress &progress)
{
    const Plan *running = m_driver.running();
    m_pages.window->status()->setOperation(running ? label(running->verb) : QString(), progress);
    m_pages.window->setOperationRunning(running != nullptr);
}

void OperationPresenter::tellReceipt(const Plan &plan, const Receipt &receipt)
{
    const QMap<Outcome, qsizetype> counts = receipt.counts();
    const bool troubled
        = receipt.error || counts.contains(Outcome::InDoubt) || counts.contains(Outcome::Failed);
    QList<std::pair<QString, QString>> acts{{u"openResult"_s, tr("Open")}};
    if (receipt.undoable) {
        m_undo = {receipt.verb, {}, receipt.operation};
        acts.emplaceBack(u"undoResult"_s, tr("Undo\u2026"));
    }
    const QString sentence = receiptSentence(plan, receipt);
    say(troubled ? HealthLevel::Watch : HealthLevel::Ok, sentence, acts);
    m_system.addEvent(HistoryEvent::Kind::Operation, sentence);
    if (m_editor && isEdit(plan.verb) && receipt.count(Outcome::Done) > 0)
        m_editor->close(); // it shows what stood there before
    m_system.refreshNow();
}

void OperationPresenter::say(HealthLevel level, const QString &text,
                             const QList<std::pair<QString, QString>> &acts)
{
    m_pages.window->messages()->add({messageId, level, text, acts});
}

void OperationPresenter::saveResult(const Plan &plan, const Receipt &receipt)
{
    askAndSave(m_dialog, tr("Save the result"),
               word(receipt.verb) + u'-' + receipt.operation.left(8),
               {{tr("JSON lines (*.jsonl)"), receiptJsonLines(plan, receipt)},
                {tr("CSV (*.csv)"), receiptCsv(plan, receipt)}},
               [this](const Result<QString> &saved) {
                   say(saved ? HealthLevel::Ok : HealthLevel::Watch,
                       saved ? tr("The result is in %1.").arg(*saved) : oneLine(saved.error()));
               });
}

} // namespace outbox
