// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page of a system whose messages wait inside documents: figures, entries, tokens, verbs.
#pragma once

#include "models/designs/designview.h"
#include "models/system/systemview.h"

#include <QWidget>

class QLabel;
class QStackedWidget;

namespace outbox {

class DocumentChips;
class DocumentFigures;
class DocumentVerbs;
class EntryModel;
class JourneyLine;
class LiveTable;
class NoticeBar;
class SourceNotice;
class TokenModel;

/// Fetches nothing: it asks by signals and is told by setters.
class DocumentsView : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentsView(QWidget *parent = nullptr);

    /// Another system comes: nothing of the one before stays.
    void setDesign(Design design);
    /// The list that is wanted.
    [[nodiscard]] DesignList list() const { return m_list; }
    void showList(DesignList list);
    /// What a look has found; a list that is no longer asked for is left out.
    void setView(const DesignView &view);
    void setHealth(const SourceHealth &database);

    [[nodiscard]] DocumentVerbs *verbs() const { return m_verbs; }

signals:
    void listAsked(outbox::DesignList list);
    void retryAsked();
    void connectAsked();

private:
    void build();
    void joinTables();
    void tellCounts(const DesignView &view);
    void tellSelection();
    /// Sentence and line of time of the row that one stands on, as it is now.
    void showDetail();
    void describeNothing();

    Design m_design = Design::EntityState;
    DesignList m_list = DesignList::Unsettled;
    std::optional<bool> m_isWhole; ///< the last look read every document; null: no answer yet
    SourceHealth m_health;
    SourceNotice *m_source;
    DocumentFigures *m_figures;
    DocumentChips *m_chips;
    NoticeBar *m_notes;
    EntryModel *m_entries;
    TokenModel *m_tokens;
    LiveTable *m_entryTable;
    LiveTable *m_tokenTable;
    QStackedWidget *m_tables;
    QLabel *m_detail; ///< the whole sentence of the row that is chosen
    JourneyLine *m_line; ///< its line of time
    DocumentVerbs *m_verbs;
};

} // namespace outbox
