// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/maskfield.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pathLines = 4;
constexpr int longestShownPath = 60;

/// The line at fault, a mark under the character, and what is wrong with it.
QString pathFault(const QString &path, const Error &error)
{
    if (error.position < 0 || path.size() > longestShownPath)
        return shownText(error.text);
    const qsizetype before = shownText(path.left(error.position)).size();
    return shownText(path) + u'\n' + QString(before, u' ') + u"^\n"_s + shownText(error.text);
}

} // namespace

MaskField::MaskField(QWidget *parent)
    : QWidget(parent), m_paths(new QPlainTextEdit), m_fault(new QLabel)
{
    setNames(m_paths, u"profileMasks"_s, tr("Masked paths, a line each"));
    m_paths->setFont(theme::fixedFont(font()));
    m_paths->setPlaceholderText(u"$.card.number\n*.password\n$.items[*].iban"_s);
    m_paths->setTabChangesFocus(true);
    m_paths->setFixedHeight((pathLines + 1) * m_paths->fontMetrics().lineSpacing());
    m_fault->setObjectName(u"profileMasksFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    wrapLines(m_fault);
    m_fault->setFont(theme::fixedFont(font()));
    m_fault->hide();
    auto *column = boxOn<QVBoxLayout>(this, 4);
    column->addWidget(m_paths);
    column->addWidget(m_fault);
    setFocusProxy(m_paths);
    connect(m_paths, &QPlainTextEdit::textChanged, this, [this] {
        judge();
        emit edited();
    });
}

void MaskField::setMasks(const PayloadMasks &masks)
{
    m_paths->setPlainText(masks.texts().join(u'\n')); // which is read back
}

QString MaskField::problem() const
{
    const auto masks = PayloadMasks::fromTexts(m_paths->toPlainText().split(u'\n'));
    return masks ? QString() : tr("Masks: %1.").arg(masks.error().text);
}

void MaskField::judge()
{
    QString fault;
    const QStringList paths = m_paths->toPlainText().split(u'\n');
    for (const QString &line : paths) {
        const QString path = line.trimmed();
        if (path.isEmpty())
            continue;
        if (const auto read = MaskPath::fromText(path); !read) {
            fault = pathFault(path, read.error());
            break;
        }
    }
    if (const auto masks = PayloadMasks::fromTexts(paths))
        m_masks = *masks;
    m_fault->setText(fault);
    m_fault->setVisible(!fault.isEmpty());
    m_paths->setAccessibleDescription(fault);
}

} // namespace outbox
