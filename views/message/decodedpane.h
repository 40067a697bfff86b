// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is inside a payload: the chain of its formats, and the tree of the last one.
#pragma once

#include "models/payload/decode.h"

#include <QWidget>

#include <optional>

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

    /// Larger payloads are taken apart elsewhere, so that the window does not wait for it.
    static constexpr qsizetype atOnceBytes = 16'384;

    /// Whether somebody answers `decodeAsked`; else all is done here, at once.
    void setDecodedElsewhere(bool elsewhere) { m_isElsewhere = elsewhere; }
    /// What the payloads of the system are said to be; the one that is shown is read anew.
    void setTypes(const MessageTypes &types);
    /// A decoder of one's own, which runs when its button is pressed; empty: there is none.
    void setDecoder(const QStringList &command);
    /// Takes a whole payload apart, within `limits`; an empty one shows nothing. `rowType` is that
    /// of its row or task.
    void setPayload(const QByteArray &payload, const DecodeLimits &limits,
                    const QString &rowType = {});
    /// Shows what the masks left of a payload; the payload itself is not here.
    void setDecoded(const DecodedPayload &decoded, const QString &rowType);
    /// What came of the question `number`; that of an older one is ignored.
    void setAnswer(quint64 number, const Result<DecodedPayload> &answer);
    /// The answer has not come; until then nothing is decoded.
    [[nodiscard]] bool isReading() const
    {
        return !m_question.payload.isEmpty() && m_decoded.layers.isEmpty();
    }
    /// There is more to be seen or done than the stored bytes.
    [[nodiscard]] bool isOffering() const;
    [[nodiscard]] const DecodedPayload &decoded() const { return m_decoded; }
    /// The payload as it is stored, also while something else is shown.
    [[nodiscard]] const Result<JsonTree> &json() const { return m_json; }
    [[nodiscard]] const QString &rowType() const { return m_question.rowType; }

signals:
    void asStoredAsked();
    void decodeAsked(const outbox::PayloadQuestion &question);
    /// Nobody waits for a command any more: another payload is shown.
    void decodeNotWanted();
    /// `decoded` and `json` are others now, without a new payload.
    void read();

private:
    void ask(std::optional<PayloadFormat> format);
    void askCommand();
    void take(const Result<DecodedPayload> &answer);
    void present(const DecodedPayload &decoded);
    void fillOffers(const QList<PayloadFormat> &offers);
    void enableCopies();
    void copy(int role) const;

    PayloadQuestion m_question; ///< the last one
    MessageTypes m_types;
    QStringList m_decoder;
    bool m_isElsewhere = false;
    DecodedPayload m_decoded;
    Result<JsonTree> m_json;
    QLabel *m_chain;
    QToolButton *m_asStored;
    QToolButton *m_offers;
    QToolButton *m_decodeWith;
    QToolButton *m_copyValue;
    QToolButton *m_copyPath;
    NoticeBar *m_notes;
    QTreeView *m_tree;
    PayloadTreeModel *m_model;
};

} // namespace outbox
