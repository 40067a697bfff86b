// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/activity/activitydetail.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/auditmodel.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/propertylist.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QList<Fact> factsOf(const Activity &one)
{
    const auto tr = [](const char *text) { return ActivityDetail::tr(text); };
    const bool bad = one.state == Activity::State::Failed || one.state == Activity::State::InDoubt
        || one.state == Activity::State::RecordChanged;
    // An error has a line of its own here.
    const QString outcome = one.error.isEmpty() || one.state == Activity::State::Partly
        ? outcomeSentence(one)
        : label(one.state);
    QList<Fact> facts{{tr("Outcome"), outcome, bad, false}};
    const auto add = [&facts](const QString &name, const QString &value, bool fixed = false) {
        if (!value.isEmpty())
            facts.append({name, value, false, fixed});
    };
    if (one.state != Activity::State::Done && one.state != Activity::State::Partly)
        add(tr("Counts"), countsSentence(one.counts));
    if (!one.error.isEmpty())
        facts.append({tr("Error"), one.error, true, false});
    add(tr("When"), exactTime(one.at));
    add(tr("Who"), one.face.isEmpty() ? one.who : tr("%1, with %2").arg(one.who, one.face));
    add(tr("What"), activityTitle(one));
    add(tr("Profile"), one.profile);
    add(tr("Where"), one.target);
    add(tr("Note"), one.note);
    if (!one.who.isEmpty())
        add(tr("Record"), recordSentence(one.record));
    if (!one.mismatch.isEmpty())
        facts.append({tr("Not alike"), one.mismatch, true, false});
    add(tr("Export"), one.exportFile, true);
    add(tr("Takes back"), one.undoOf, true);
    add(tr("Operation"), one.operation, true);
    const QString obstacle = undoObstacle(one);
    add(tr("Undo"), obstacle.isEmpty() ? tr("It can be taken back.") : obstacle);
    return facts;
}

QString extentOf(const Activity &one)
{
    if (one.items.size() <= ActivityDetail::mostMessages)
        return {};
    return ActivityDetail::tr("The first %1 of %2 messages; an export has them all.")
        .arg(countText(ActivityDetail::mostMessages), countText(one.items.size()));
}

} // namespace

ActivityDetail::ActivityDetail(QWidget *parent)
    : QTabWidget(parent), m_facts(new PropertyList(u"activityFacts"_s)),
      m_extent(plainLabel({}, true)), m_messages(new LiveTable(u"activityMessages"_s)),
      m_model(new AuditedItemsModel(this)), m_statements(new QPlainTextEdit)
{
    setNames(this, u"activityDetail"_s, tr("Details of the chosen operation"));
    setDocumentMode(true);
    m_facts->setAccessibleName(tr("What is on record of the operation"));
    m_messages->setAccessibleName(tr("What became of each message"));
    m_messages->show(m_model, {38, 38, 18, 34, 0});
    m_messages->setIdColumns({AuditedItemsModel::Row, AuditedItemsModel::Task});
    m_messages->setCopyColumn(AuditedItemsModel::Row);
    m_extent->setObjectName(u"activityExtent"_s);
    m_extent->setContentsMargins(12, 4, 12, 4);
    auto *messages = new QWidget;
    auto *column = boxOn<QVBoxLayout>(messages, 0);
    column->addWidget(m_extent);
    column->addWidget(m_messages, 1);
    setNames(m_statements, u"activityStatements"_s, tr("Statements"));
    m_statements->setReadOnly(true);
    m_statements->setFrameShape(QFrame::NoFrame);
    m_statements->setFont(theme::fixedFont(font()));
    m_statements->setPlaceholderText(tr("No statement is on record."));
    addTab(m_facts, tr("Operation"));
    addTab(messages, tr("Messages"));
    addTab(m_statements, tr("Statements"));
    clear();
}

void ActivityDetail::setActivity(const Activity &activity)
{
    if (m_shown == activity)
        return;
    m_shown = activity;
    m_facts->setFacts(factsOf(activity));
    m_extent->setText(extentOf(activity));
    m_extent->setVisible(!m_extent->text().isEmpty());
    m_messages->emptyPane()->say(
        activity.items.isEmpty() ? tr("No message is on record for this entry.") : QString());
    {
        const LiveTable::KeepPlace keep(*m_messages);
        m_model->merge(activity.items.first(qMin(activity.items.size(), mostMessages)));
    }
    const QString statements = shownPage(activity.statements.join(u";\n\n"_s));
    if (m_statements->toPlainText() != statements)
        m_statements->setPlainText(statements);
}

void ActivityDetail::clear()
{
    setActivity(Activity());
    m_facts->setFacts({});
    m_messages->emptyPane()->say(tr("No operation is chosen."));
}

} // namespace outbox
