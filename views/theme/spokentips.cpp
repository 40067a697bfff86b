// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/spokentips.h"

#include "models/plaintext.h"

#include <QApplication>
#include <QEvent>
#include <QString>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QVariant>
#include <QWidget>

namespace outbox::theme {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A property: the description, where it is a tooltip's.
constexpr char spokenTip[] = "outbox-spoken-tip";

QString tipWords(const QString &tip)
{
    if (const auto text = textOfTooltip(tip))
        return *text;
    return Qt::mightBeRichText(tip) ? QTextDocumentFragment::fromHtml(tip).toPlainText() : tip;
}

/// Unless the widget has a description of its own.
void speakTipOf(QWidget *widget)
{
    const QString said = widget->accessibleDescription();
    if (!said.isEmpty() && said != widget->property(spokenTip).toString())
        return;
    const QString tip = widget->toolTip();
    const QString words = tipWords(tip);
    if (words == said)
        return;
    widget->setProperty(spokenTip, words);
    widget->setAccessibleDescription(words);
}

/// Sees each change of a tooltip in the program; belongs to the application.
class SpokenTips : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::ToolTipChange && watched->isWidgetType())
            speakTipOf(static_cast<QWidget *>(watched));
        return false;
    }
};

const QString tipsName = u"spokenTips"_s;

} // namespace

void speakTipsPlainly()
{
    if (qApp->findChild<QObject *>(tipsName, Qt::FindDirectChildrenOnly) != nullptr)
        return;
    auto *tips = new SpokenTips(qApp);
    tips->setObjectName(tipsName);
    qApp->installEventFilter(tips);
}

void setSpoken(QWidget *widget, const QString &words)
{
    const QString said = words.isEmpty() ? tipWords(widget->toolTip()) : words;
    if (words.isEmpty())
        widget->setProperty(spokenTip, said);
    if (said != widget->accessibleDescription())
        widget->setAccessibleDescription(said);
}

} // namespace outbox::theme
