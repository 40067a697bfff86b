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

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DecodedPane::DecodedPane(const QString &name, QWidget *parent)
    : QWidget(parent), m_chain(new QLabel),
      m_asStored(pageButton(name + u"AsStored"_s, u"back"_s, tr("As stored"))),
      m_offers(pageButton(name + u"Offers"_s, u"question"_s, tr("Perhaps"))),
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
    addWidgets(bar, {m_offers, m_copyPath, m_copyValue, m_asStored});
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
    connect(m_asStored, &QToolButton::clicked, this, &DecodedPane::asStoredAsked);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &DecodedPane::enableCopies);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DecodedPane::enableCopies);
    setPayload({}, {});
}

void DecodedPane::setPayload(const QByteArray &payload, const DecodeLimits &limits)
{
    m_payload = payload;
    m_limits = limits;
    const DecodedPayload decoded
        = payload.isEmpty() ? DecodedPayload() : decodePayload(payload, limits);
    fillOffers(decoded.offers);
    present(decoded);
}

void DecodedPane::setDecoded(const DecodedPayload &decoded)
{
    m_payload = {};
    fillOffers(decoded.offers);
    present(decoded);
}

void DecodedPane::present(const DecodedPayload &decoded)
{
    m_decoded = decoded;
    m_chain->setText(chainText(decoded.layers));
    if (decoded.notes.isEmpty())
        m_notes->clear();
    else
        m_notes->say(NoticeBar::Tone::Warning, shownText(decoded.notes.join(u' ')));
    m_model->show(decoded.tree);
    // A screenful opens by itself; a large document stays closed below its first level.
    m_tree->expandToDepth(decoded.tree.nodes.size() < 200 ? 3 : 0);
}

void DecodedPane::decodeAs(PayloadFormat format)
{
    const auto decoded = decodePayloadAs(format, m_payload, m_limits);
    if (decoded)
        present(*decoded);
    else
        m_notes->say(NoticeBar::Tone::Problem, shownText(oneLine(decoded.error())));
}

void DecodedPane::fillOffers(const QList<PayloadFormat> &offers)
{
    QMenu *menu = m_offers->menu();
    menu->clear();
    for (const PayloadFormat format : offers)
        menu->addAction(label(format), this, [this, format] { decodeAs(format); });
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
