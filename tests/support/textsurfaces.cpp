// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/textsurfaces.h"

#include "models/plaintext.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QGraphicsItem>
#include <QGraphicsView>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextDocument>
#include <QTextEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = TextSurface::Kind;

constexpr int mostRows = 12; ///< of a model: the others are of the same kind
constexpr int deepest = 4;

class Collector
{
public:
    QList<TextSurface> found;

    void widget(QWidget *one)
    {
        m_name = placeOf(one);
        if (one->isWindow())
            add(Kind::Plain, u"window title"_s, one->windowTitle());
        add(Kind::Guessed, u"tooltip"_s, one->toolTip());
        add(Kind::Guessed, u"what's this"_s, one->whatsThis());
        add(Kind::Plain, u"status tip"_s, one->statusTip());
        add(Kind::Plain, u"accessible name"_s, one->accessibleName());
        add(Kind::Plain, u"accessible description"_s, one->accessibleDescription());
        for (const QAction *action : one->actions())
            actionTexts(*action);
        if (const auto *label = qobject_cast<QLabel *>(one)) {
            add(Kind::Label, u"text"_s, label->text());
            found.last().format = label->textFormat();
        } else if (const auto *button = qobject_cast<QAbstractButton *>(one)) {
            add(Kind::Mnemonic, u"text"_s, button->text());
        } else if (const auto *group = qobject_cast<QGroupBox *>(one)) {
            add(Kind::Mnemonic, u"title"_s, group->title());
        } else if (const auto *line = qobject_cast<QLineEdit *>(one)) {
            add(Kind::Edited, u"text"_s, line->text());
            add(Kind::Plain, u"placeholder"_s, line->placeholderText());
        } else if (const auto *plain = qobject_cast<QPlainTextEdit *>(one)) {
            add(Kind::Edited, u"text"_s, plain->toPlainText().left(10'000));
        } else if (const auto *rich = qobject_cast<QTextEdit *>(one)) {
            add(Kind::Rich, u"document"_s, body(rich->toHtml()));
        } else if (const auto *bar = qobject_cast<QProgressBar *>(one)) {
            add(Kind::Plain, u"text"_s, bar->text());
        } else if (const auto *tabs = qobject_cast<QTabBar *>(one)) {
            for (int i = 0; i < tabs->count(); ++i) {
                add(Kind::Mnemonic, u"tab"_s, tabs->tabText(i));
                add(Kind::Guessed, u"tab's tip"_s, tabs->tabToolTip(i));
            }
        } else if (const auto *combo = qobject_cast<QComboBox *>(one)) {
            model(combo->model(), {}, 0);
        } else if (const auto *header = qobject_cast<QHeaderView *>(one)) {
            headers(header->model(), header->orientation());
        } else if (const auto *view = qobject_cast<QAbstractItemView *>(one)) {
            model(view->model(), {}, 0);
        } else if (const auto *scene = qobject_cast<QGraphicsView *>(one)) {
            graphics(*scene);
        }
    }

private:
    /// The class, and the name of the nearest that has one.
    static QString placeOf(const QWidget *one)
    {
        const QObject *named = one;
        while (named->objectName().isEmpty() && named->parent())
            named = named->parent();
        return QString::fromLatin1(one->metaObject()->className())
            + QString::fromLatin1(named == one ? " " : " in ") + named->objectName();
    }
    /// Without the head that Qt writes itself, and without breaks: our own axes have them.
    static QString body(QString html)
    {
        html.remove(0, qMax<qsizetype>(0, html.indexOf("<body"_L1)));
        return html.remove(u"<br />"_s);
    }
    void add(Kind kind, const QString &what, const QString &text)
    {
        found += TextSurface{kind, m_name + u": "_s + what, text};
    }
    void actionTexts(const QAction &action)
    {
        add(Kind::Mnemonic, u"action"_s, action.text());
        add(Kind::Guessed, u"action's tip"_s, action.toolTip());
        add(Kind::Plain, u"action's status tip"_s, action.statusTip());
    }
    void model(const QAbstractItemModel *items, const QModelIndex &parent, int depth)
    {
        if (!items || depth > deepest)
            return;
        const int rows = qMin(items->rowCount(parent), mostRows);
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < items->columnCount(parent); ++column) {
                const QModelIndex index = items->index(row, column, parent);
                const auto role = [&](int number, Kind kind, const QString &what) {
                    const QVariant value = items->data(index, number);
                    if (value.metaType().id() == QMetaType::QString)
                        add(kind, u"%1 of column %2"_s.arg(what).arg(column), value.toString());
                };
                role(Qt::DisplayRole, Kind::Plain, u"cell"_s);
                role(Qt::ToolTipRole, Kind::Guessed, u"cell's tip"_s);
                role(Qt::WhatsThisRole, Kind::Guessed, u"cell's help"_s);
                role(Qt::StatusTipRole, Kind::Plain, u"cell's status tip"_s);
                role(Qt::AccessibleTextRole, Kind::Plain, u"cell's spoken text"_s);
                role(Qt::AccessibleDescriptionRole, Kind::Plain, u"cell's spoken tip"_s);
            }
            model(items, items->index(row, 0, parent), depth + 1);
        }
    }
    void headers(const QAbstractItemModel *items, Qt::Orientation orientation)
    {
        if (!items)
            return;
        const int sections
            = orientation == Qt::Horizontal ? items->columnCount() : qMin(items->rowCount(), 3);
        for (int i = 0; i < sections; ++i) {
            add(Kind::Plain, u"header"_s,
                items->headerData(i, orientation, Qt::DisplayRole).toString());
            add(Kind::Guessed, u"header's tip"_s,
                items->headerData(i, orientation, Qt::ToolTipRole).toString());
        }
    }
    void graphics(const QGraphicsView &view)
    {
        const QList<QGraphicsItem *> items = view.items();
        for (const QGraphicsItem *item : items) {
            add(Kind::Guessed, u"scene item's tip"_s, item->toolTip());
            if (const auto *text = qgraphicsitem_cast<const QGraphicsTextItem *>(item))
                add(Kind::Rich, u"scene text"_s, body(text->toHtml()));
            if (const auto *text = qgraphicsitem_cast<const QGraphicsSimpleTextItem *>(item))
                add(Kind::Plain, u"scene text"_s, text->text());
        }
    }

    QString m_name;
};

/// Tags that none of ours uses where a foreign text may stand.
bool hasForeignMarkup(const QString &text)
{
    static const QRegularExpression tags(
        u"<\\s*/?(img|a|table|tr|td|b|br|font|h1|hr|style|link|script|svg|object|qt|title)\\b|<!--"_s,
        QRegularExpression::CaseInsensitiveOption);
    return text.contains(tags);
}

} // namespace

QList<TextSurface> textSurfaces(QWidget *root)
{
    Collector collector;
    collector.widget(root);
    const QList<QWidget *> all = root->findChildren<QWidget *>();
    for (QWidget *one : all)
        collector.widget(one);
    return collector.found;
}

QString faultOf(const TextSurface &surface)
{
    const QString &text = surface.text;
    const bool isRich = surface.kind == Kind::Rich
        || (surface.kind == Kind::Guessed && Qt::mightBeRichText(text))
        || (surface.kind == Kind::Label
            && (surface.format == Qt::RichText || surface.format == Qt::MarkdownText
                || (surface.format == Qt::AutoText && Qt::mightBeRichText(text))));
    if (isRich && hasForeignMarkup(text))
        return u"markup is obeyed"_s;
    if (surface.kind == Kind::Edited)
        return {};
    // Whether the next text looks rich is up to whoever sends it.
    if (surface.kind == Kind::Label && surface.format == Qt::AutoText && text.contains(u'<'))
        return u"a label guesses"_s;
    if (surface.kind == Kind::Mnemonic && QString(text).remove(u"&&"_s).contains(u"Save&Quit"_s))
        return u"an & is swallowed"_s;
    if (plainText(text, Lines::Many) != text)
        return u"something invisible is left"_s;
    return {};
}

} // namespace outbox
