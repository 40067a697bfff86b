// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all documents come to: a card for each figure, and whether the store beside them holds.
#pragma once

#include "models/designs/designview.h"

#include <QWidget>

#include <optional>

namespace outbox {

class MetricCard;
class NoticeBar;

class DocumentFigures : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentFigures(QWidget *parent = nullptr);

    void setDesign(Design design);
    /// nullopt: nothing is known.
    void setSummary(const std::optional<DocumentSummary> &summary);
    void setStale(const std::optional<QDateTime> &asOf);

protected:
    void changeEvent(QEvent *event) override;

signals:
    /// A figure was clicked: the entries behind it.
    void listAsked(outbox::DesignList list);

private:
    [[nodiscard]] MetricCard *card(const QString &title, const QString &name, const QString &tip,
                                   DesignList list);
    void tellTrust(const std::optional<StoreDurability> &store);

    Design m_design = Design::EntityState;
    std::optional<DocumentSummary> m_summary;
    QList<MetricCard *> m_cards;
    MetricCard *m_undispatched;
    MetricCard *m_leaked;
    MetricCard *m_dispatched;
    MetricCard *m_documents;
    MetricCard *m_size;
    NoticeBar *m_store;
};

} // namespace outbox
