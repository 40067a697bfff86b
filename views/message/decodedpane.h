// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is inside a payload: the chain of its formats, and the tree of the last one.
#pragma once

#include "models/payload/decode.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QTreeView;

namespace outbox {

class NoticeBar;
class PayloadTreeModel;

class DecodedPane : public QWidget
{
    Q_OBJECT

public:
    explicit DecodedPane(const QString &name, QWidget *parent = nullptr);

    /// Takes a whole payload apart, within `limits`: the window waits for it. An empty one shows
    /// nothing.
    void setPayload(const QByteArray &payload, const DecodeLimits &limits);
    /// Shows what was decoded elsewhere; the payload itself is not here.
    void setDecoded(const DecodedPayload &decoded);
    [[nodiscard]] const DecodedPayload &decoded() const { return m_decoded; }

signals:
    void asStoredAsked();

private:
    void present(const DecodedPayload &decoded);
    void decodeAs(PayloadFormat format);
    void fillOffers(const QList<PayloadFormat> &offers);
    void enableCopies();
    void copy(int role) const;

    QByteArray m_payload;
    DecodeLimits m_limits;
    DecodedPayload m_decoded;
    QLabel *m_chain;
    QToolButton *m_asStored;
    QToolButton *m_offers;
    QToolButton *m_copyValue;
    QToolButton *m_copyPath;
    NoticeBar *m_notes;
    QTreeView *m_tree;
    PayloadTreeModel *m_model;
};

} // namespace outbox
