// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/locator.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QAction>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int locatorTop = 64; ///< below menus and band
constexpr int locatorWidth = 760;
constexpr int locatorRows = 16; ///< as high as so many
constexpr int pageOfRows = 10;
constexpr qsizetype nameCharacters = 200; ///< of a name, as they are shown
constexpr qsizetype nameColumn = 36;

/// As it is read aloud: "Page: Queue, Ctrl+3".
QString spokenEntry(const LocatorEntry &entry)
{
    const QString told
        = label(entry.kind) + u": "_s + shownText(entry.name, Lines::One, nameCharacters);
    return entry.about.isEmpty()
        ? told
        : QString(told + u", "_s + shownText(entry.about, Lines::One, nameCharacters));
}

/// In columns of a fixed-width font: the kind, the name, and what else is known.
QString shownEntry(const LocatorEntry &entry)
{
    const QString kind = label(entry.kind);
    const qsizetype kindColumn = label(LocatorEntry::Kind::SavedFilter).size();
    const QString name = shownText(entry.name, Lines::One, nameCharacters);
    return kind.leftJustified(kindColumn) + u"   "_s + name.leftJustified(nameColumn) + u"   "_s
        + shownText(entry.about, Lines::One, nameCharacters);
}

} // namespace

Locator::Locator(QWidget *parent)
    : QFrame(parent), m_line(new QLineEdit), m_list(new QListWidget), m_note(plainLabel({}, true))
{
    setNames(this, u"locator"_s, tr("Go to"));
    build();
    hide();
    if (parent)
        parent->installEventFilter(this);
    m_line->installEventFilter(this);
    // Also what an assistive technology writes, which is no typing.
    connect(m_line, &QLineEdit::textChanged, this, &Locator::typed);
    connect(m_list, &QListWidget::currentRowChanged, this, &Locator::describe);
    connect(m_list, &QListWidget::clicked, this,
            [this](const QModelIndex &index) { choose(index.row()); });
}

void Locator::build()
{
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setNames(m_line, u"locatorLine"_s,
             tr("Go to a message id, a page, an action, a filter or a profile"));
    m_line->setPlaceholderText(tr("Message id, page, action, filter or profile"));
    m_line->setFont(theme::fixedFont(font()));
    m_line->addAction(theme::icon(u"search"_s), QLineEdit::LeadingPosition);
    // One more than is read, to be told so; a line is laid out whole, whatever its length.
    m_line->setMaxLength(static_cast<int>(Filter::mostCharacters) + 1);
    setNames(m_list, u"locatorList"_s, tr("What is found"));
    m_list->setFont(theme::fixedFont(font()));
    m_list->setFocusPolicy(Qt::NoFocus); // the line keeps it
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_note->setObjectName(u"locatorNote"_s);
    wrapLines(m_note);
    auto *column = boxOn<QVBoxLayout>(this, 6, {10, 10, 10, 10});
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
}

void Locator::openLine()
{
    if (isHidden() && parentWidget())
        m_before = parentWidget()->window()->focusWidget();
    place();
    show();
    raise();
    m_line->setFocus(Qt::ShortcutFocusReason);
    if (m_line->text().isEmpty())
        emit typed({});
    else
        m_line->clear();
}

void Locator::setFindings(const QList<LocatorEntry> &entries, const QString &note)
{
    m_entries = entries;
    m_list->clear();
    for (const LocatorEntry &entry : entries) {
        auto *item = new QListWidgetItem(shownEntry(entry), m_list);
        item->setData(Qt::AccessibleTextRole, spokenEntry(entry));
    }
    m_note->setText(shownText(note));
    m_note->setVisible(!note.isEmpty());
    m_list->setCurrentRow(entries.isEmpty() ? -1 : 0);
    describe();
}

/// What is chosen is said at the line, which has the focus.
void Locator::describe()
{
    const int row = m_list->currentRow();
    m_line->setAccessibleDescription(row < 0 || row >= m_entries.size()
                                         ? m_note->text()
                                         : tr("%1 of %2. %3")
                                               .arg(row + 1)
                                               .arg(m_entries.size())
                                               .arg(spokenEntry(m_entries.at(row))));
}

void Locator::place()
{
    const QWidget *around = parentWidget();
    if (!around)
        return;
    const int wide = std::min(locatorWidth, around->width() - 40);
    const int high = std::min((locatorRows + 3) * theme::rowHeight(fontMetrics()),
                              around->height() - 2 * locatorTop);
    setGeometry((around->width() - wide) / 2, locatorTop, wide, high);
}

void Locator::step(int rows)
{
    if (m_list->count() > 0)
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + rows, 0, m_list->count() - 1));
}

void Locator::choose(int row)
{
    if (row < 0 || row >= m_entries.size())
        return;
    const LocatorEntry entry = m_entries.at(row);
    leave();
    emit chosen(entry);
}

void Locator::leave()
{
    if (isHidden())
        return;
    if (m_before && m_before->isVisible())
        m_before->setFocus(Qt::OtherFocusReason);
    hide();
}

bool Locator::takeKey(int key)
{
    switch (key) {
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_PageUp:
        step(-pageOfRows);
        return true;
    case Qt::Key_PageDown:
        step(pageOfRows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(m_list->currentRow());
        return true;
    case Qt::Key_Escape:
        leave();
        return true;
    default:
        return false;
    }
}

bool Locator::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && !isHidden())
        place();
    if (watched != m_line)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress)
        return takeKey(static_cast<QKeyEvent *>(event)->key());
    if (event->type() == QEvent::FocusOut) {
        // A menu of the line, or another window, gives the focus back.
        const Qt::FocusReason reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason
            && reason != Qt::MenuBarFocusReason)
            hide();
    }
    return false;
}

bool Locator::focusNextPrevChild(bool next)
{
    return isHidden() ? QFrame::focusNextPrevChild(next) : true;
}

} // namespace outbox
