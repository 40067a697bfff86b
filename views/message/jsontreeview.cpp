// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/jsontreeview.h"

#include "models/tables/jsontreemodel.h"
#include "views/theme/theme.h"
#include "views/widgets/emptypane.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

namespace outbox {

JsonTreeView::JsonTreeView(const QString &name, QWidget *parent)
    : QTreeView(parent), m_model(new JsonTreeModel(this)), m_empty(new EmptyPane(viewport()))
{
    setObjectName(name);
    setAccessibleName(tr("Payload as a tree"));
    setFrameShape(NoFrame);
    setUniformRowHeights(true);
    setFont(theme::fixedFont(font()));
    setModel(m_model);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(JsonTreeModel::Value, QHeaderView::Stretch);
    header()->setFont(parentWidget() != nullptr ? parentWidget()->font() : QApplication::font());
    header()->resizeSection(JsonTreeModel::Name, 220);
    header()->resizeSection(JsonTreeModel::Type, 90);
}

void JsonTreeView::setSource(const QByteArray &source)
{
    const auto tree = readJson(source);
    if (tree) {
        m_model->show(*tree);
        // A screenful opens by itself; a large document stays closed below its first level.
        expandToDepth(tree->nodes.size() < 200 ? 3 : 0);
    } else {
        m_model->clear();
        m_empty->say(source.isEmpty() ? tr("No payload.")
                                      : tr("No JSON tree: %1.").arg(tree.error().text));
    }
    m_empty->setVisible(!tree.has_value());
}

void JsonTreeView::say(const QString &sentence)
{
    m_model->clear();
    m_empty->say(sentence);
    m_empty->show();
}

void JsonTreeView::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    m_empty->setGeometry(viewport()->rect());
}

void JsonTreeView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy) && currentIndex().isValid()) {
        const QByteArray raw = currentIndex().data(JsonTreeModel::SourceRole).toByteArray();
        QApplication::clipboard()->setText(QString::fromUtf8(raw));
        event->accept();
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace outbox
