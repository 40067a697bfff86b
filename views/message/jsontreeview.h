// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A JSON payload as a tree; what cannot be read says where it is wrong.
#pragma once

#include <QTreeView>

namespace outbox {

class EmptyPane;
class JsonTreeModel;

class JsonTreeView : public QTreeView
{
    Q_OBJECT

public:
    explicit JsonTreeView(const QString &name, QWidget *parent = nullptr);

    void setSource(const QByteArray &source);
    /// This sentence instead of a tree.
    void say(const QString &sentence);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    JsonTreeModel *m_model;
    EmptyPane *m_empty;
};

} // namespace outbox
