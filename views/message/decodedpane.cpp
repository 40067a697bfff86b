// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/decodedpane.h"

#include "models/plaintext.h"
#include "models/trees/payloadtreemodel.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DecodedPane::DecodedPane(const QString &name, QWidget *parent)
    : QWidget(parent), m_chain(new QLabel),
      m_asStored(pageButton(name + u"AsStored"_s, u"back"_s, tr("As stored"))),
      m_offers(pageButton(name + u"Offers"_s, u"question"_s, tr("Perhaps"))),
      m_decodeWith(pageButton(name + u"DecodeWith"_s, u"play"_s, tr("Decode with"))),
      m_copyValue(pageButton(name + u"CopyValue"_s, u"copy"_s, tr("Copy value"))),
      m_copyPath(pageButton(name + u"CopyPath"_s, u"copy"_s, tr("Copy path"))),
      m_notes(new NoticeBar(name + u"Notes"_s)), m_tree(new QTreeView),
      m_model(new PayloadTreeModel(this))
{
    setObjectName(name);
    m_chain->setObjectName(name + u"Chain"_s);
    m_chain->setTextFormat(Qt::PlainText);
    m_chain->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_chain->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // never makes it wider
    m_offers->setAccessibleName(tr("What else the payload may be"));
    m_offers->setPopupMode(QToolButton::InstantPopup);
    m_offers->setMenu(new QMenu(m_offers));
    auto *bar = boxOn<QHBoxLayout>(nullptr, 4, {8, 0, 8, 4});
    bar->addWidget(m_chain, 1);
    addWidgets(bar, {m_decodeWith, m_offers, m_copyPath, m_copyValue, m_asStored});
    setNames(m_tree, name + u"Tree"_s, tr("Decoded payload"));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setUniformRowHeights(true);
    m_tree->setModel(m_model);
    m_tree->header()->setFont(font());
    m_tree->setFont(theme::fixedFont(font()));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(PayloadTreeModel::Value, QHeaderView::Stretch);
    m_tree->header()->resizeSection(PayloadTreeModel::Name, 220);
    m_tree->header()->resizeSection(PayloadTreeModel::Type, 160);
    auto *copied = new QAction(m_tree);
    copied->setShortcut(QKeySequence::Copy);
    copied->setShortcutContext(Qt::WidgetShortcut);
    m_tree->addAction(copied);
    auto *column = boxOn<QVBoxLayout>(this, 0);
    column->addLayout(bar);
    column->addWidget(m_notes);
    column->addWidget(m_tree, 1);
    connect(copied, &QAction::triggered, this, [this] { copy(PayloadTreeModel::ValueRole); });
    connect(m_copyValue, &QToolButton::clicked, this,
            [this] { copy(PayloadTreeModel::ValueRole); });
    connect(m_copyPath, &QToolButton::clicked, this, [this] { copy(PayloadTreeModel::PathRole); });
    connect(m_decodeWith, &QToolButton::clicked, this, &DecodedPane::askCommand);
    connect(m_asStored, &QToolButton::clicked, this, &DecodedPane::asStoredAsked);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &DecodedPane::enableCopies);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DecodedPane::enableCopies);
    setDecoder({});
    setPayload({}, {});
}

void DecodedPane::setTypes(const MessageTypes &types)
{
    m_types = types;
    if (m_question.payload.isEmpty())
        return;
    ask({});
    if (!isReading())
        emit read();
}

void DecodedPane::setDecoder(const QStringList &command)
{
    m_decoder = command;
    m_decodeWith->setVisible(!command.isEmpty());
    if (command.isEmpty())
        return;
    const QString program = shownText(command.first().section(u'/', -1).left(24));
    m_decodeWith->setText(tr("Decode with %1").arg(buttonText(program)));
    m_decodeWith->setAccessibleName(tr("Decode with %1").arg(program));
}

bool DecodedPane::isOffering() const
{
    const bool mayRun = !m_decoder.isEmpty() && !m_question.payload.isEmpty();
    return mayRun || m_decoded.saysMore() || !m_decoded.offers.isEmpty()
        || !m_decoded.notes.isEmpty();
}

void DecodedPane::setPayload(const QByteArray &payload, const DecodeLimits &limits,
                             const QString &rowType)
{
    m_question.payload = payload;
    m_question.limits = limits;
    m_question.rowType = rowType;
    ask({});
}

void DecodedPane::ask(std::optional<PayloadFormat> format)
{
    ++m_question.number; // an answer that is still to come is that of another question
    if (!m_question.command.isEmpty())
        emit decodeNotWanted(); // it may still run
    m_question.command.clear();
    m_question.message = m_types.of(m_question.rowType);
    m_question.format = format;
    const qsizetype bytes = m_question.payload.size();
    if (bytes == 0)
        return take(DecodedPayload());
    // What is too large is told without being read.
    if (!m_isElsewhere || bytes > m_question.limits.bytes)
        return take(decodedAsAsked(m_question));
    if (bytes <= atOnceBytes) {
        PayloadQuestion small = m_question;
        small.limits.bytes = std::min(small.limits.bytes, 4 * atOnceBytes);
        const auto answer = decodedAsAsked(small);
        take(answer);
        // Where nothing was left out, there is no more to be read.
        if (answer && answer->notes.isEmpty())
            return;
    } else if (!format) {
        take(DecodedPayload());
        m_chain->setText(tr("Reading…"));
    }
    emit decodeAsked(m_question);
}

void DecodedPane::askCommand()
{
    if (m_question.payload.isEmpty() || m_decoder.isEmpty())
        return;
    ++m_question.number;
    m_question.format.reset();
    m_question.command = m_decoder;
    m_chain->setText(tr("%1 runs…").arg(m_decodeWith->accessibleName()));
    emit decodeAsked(m_question);
}

void DecodedPane::setAnswer(quint64 number, const Result<DecodedPayload> &answer)
{
    if (number != m_question.number)
        return;
    take(answer);
    if (!m_question.format && m_question.command.isEmpty())
        emit read();
}

void DecodedPane::take(const Result<DecodedPayload> &answer)
{
    m_chain->setText(chainText(m_decoded.layers)); // not that a command runs
    if (!answer)
        return m_notes->say(NoticeBar::Tone::Problem, shownText(oneLine(answer.error())));
    if (!m_question.format && m_question.command.isEmpty()) {
        m_json = answer->json;
        fillOffers(answer->offers);
    }
    present(*answer);
}

void DecodedPane::setDecoded(const DecodedPayload &decoded, const QString &rowType)
{
    setPayload({}, {}, rowType);
    take(decoded);
}

void DecodedPane::present(const DecodedPayload &decoded)
{
    m_decoded = decoded;
    m_decodeWith->setEnabled(!m_question.payload.isEmpty() && !isReading());
    const QString chain = chainText(decoded.layers);
    m_chain->setText(m_question.command.isEmpty()
                         ? chain
                         : tr("%1: %2").arg(m_decodeWith->accessibleName(), chain));
    if (decoded.notes.isEmpty())
        m_notes->clear();
    else
        m_notes->say(NoticeBar::Tone::Warning, shownText(decoded.notes.join(u' ')));
    m_model->show(decoded.tree);
    // A screenful opens by itself; a large document stays closed below its first level.
    m_tree->expandToDepth(decoded.tree.nodes.size() < 200 ? 3 : 0);
}

void DecodedPane::fillOffers(const QList<PayloadFormat> &offers)
{
    QMenu *menu = m_offers->menu();
    menu->clear();
    for (const PayloadFormat format : offers)
        menu->addAction(label(format), this, [this, format] { ask(format); });
    m_offers->setVisible(!offers.isEmpty());
}

void DecodedPane::enableCopies()
{
    const QModelIndex current = m_tree->currentIndex();
    m_copyPath->setEnabled(current.isValid());
    m_copyValue->setEnabled(current.isValid()
                            && !current.data(PayloadTreeModel::ValueRole).toString().isEmpty());
}

void DecodedPane::copy(int role) const
{
    const QModelIndex current = m_tree->currentIndex();
    if (current.isValid())
        QApplication::clipboard()->setText(current.data(role).toString());
}

} // namespace outbox
