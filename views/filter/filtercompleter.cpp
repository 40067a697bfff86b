// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/filter/filtercompleter.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QStandardItemModel>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FilterCompleter::FilterCompleter(QLineEdit *line, FilterSubject subject)
    : QObject(line), m_line(line), m_subject(subject), m_model(new QStandardItemModel(this)),
      m_completer(new QCompleter(m_model, this))
{
    m_completer->setWidget(line);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->popup()->setObjectName(line->objectName() + u"Suggestions"_s);
    m_completer->popup()->setAccessibleName(tr("Suggestions for the filter"));
    m_completer->popup()->setFont(theme::fixedFont(line->font()));
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
            &FilterCompleter::take);
}

void FilterCompleter::suggest()
{
    m_shown = suggestionsFor(m_line->text(), m_line->cursorPosition(), m_subject, m_known);
    if (m_shown.isEmpty())
        return close();
    qsizetype widest = 0;
    for (const FilterSuggestion &one : std::as_const(m_shown))
        widest = std::max(widest, one.text.size());
    widest = std::min<qsizetype>(widest, 40);
    m_model->clear();
    for (const FilterSuggestion &one : std::as_const(m_shown)) {
        const QString text = shownText(one.text);
        auto *item = new QStandardItem(
            one.about.isEmpty() ? text
                                : QString(text.leftJustified(widest) + u"   "_s + one.about));
        item->setData(one.about.isEmpty() ? text : QString(text + u", "_s + one.about),
                      Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_completer->popup()->setPalette(m_line->palette()); // it has no parent to take one from
    const QFontMetrics metrics(m_line->font());
    const QRect cursor = m_line->inputMethodQuery(Qt::ImCursorRectangle).toRect();
    const int typed = metrics.horizontalAdvance(
        m_line->text().mid(m_shown.first().from, m_shown.first().length));
    const int wide = std::clamp(m_completer->popup()->sizeHintForColumn(0) + 32, 220, 560);
    m_completer->complete(
        QRect(std::max(0, cursor.x() - typed - 4), m_line->height() + 2, wide, 1));
}

void FilterCompleter::close()
{
    m_completer->popup()->hide();
}

bool FilterCompleter::isChoosing() const
{
    return m_completer->popup()->isVisible() && m_completer->popup()->currentIndex().isValid();
}

void FilterCompleter::take(const QModelIndex &index)
{
    const FilterSuggestion chosen = m_shown.value(index.row());
    QString text = m_line->text();
    if (chosen.text.isEmpty() || chosen.from + chosen.length > text.size())
        return;
    text.replace(chosen.from, chosen.length, chosen.text);
    m_line->setText(text);
    m_line->setCursorPosition(chosen.from + static_cast<int>(chosen.text.size()));
    emit taken(text);
}

} // namespace outbox
