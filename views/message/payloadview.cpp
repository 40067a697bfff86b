// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/payloadview.h"

#include "models/payload/celltext.h"
#include "models/payload/guess.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/result.h"
#include "models/trees/jsontreemodel.h"
#include "views/message/decodedpane.h"
#include "views/message/maskbar.h"
#include "views/tables/pagingbar.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QApplication>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// A JSON payload as a tree; what cannot be read says where it is wrong.
class JsonTreeView : public QTreeView
{
    Q_OBJECT

public:
    explicit JsonTreeView(const QString &name, QWidget *parent = nullptr);

    void setDocument(const Result<JsonTree> &tree)
    {
        if (tree) {
            m_model->show(*tree);
            // A screenful opens by itself; a large document stays closed below its first level.
            expandToDepth(tree->nodes.size() < 200 ? 3 : 0);
        } else {
            m_model->clear();
            m_empty->say(tr("No JSON tree: %1.").arg(tree.error().text));
        }
        m_empty->setVisible(!tree.has_value());
    }

    /// This sentence instead of a tree.
    void say(const QString &sentence)
    {
        m_model->clear();
        m_empty->say(sentence);
        m_empty->show();
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTreeView::resizeEvent(event);
        m_empty->setGeometry(viewport()->rect());
    }

    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->matches(QKeySequence::Copy) && currentIndex().isValid()) {
            const QByteArray raw = currentIndex().data(JsonTreeModel::SourceRole).toByteArray();
            QApplication::clipboard()->setText(QString::fromUtf8(raw));
            event->accept();
            return;
        }
        QTreeView::keyPressEvent(event);
    }

private:
    JsonTreeModel *m_model;
    EmptyPane *m_empty;
};

JsonTreeView::JsonTreeView(const QString &name, QWidget *parent)
    : QTreeView(parent), m_model(new JsonTreeModel(this)), m_empty(new EmptyPane(viewport()))
{
    setNames(this, name, tr("Payload as a tree"));
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

namespace {

/// More than this is not put on the clipboard: turning it into text would hold the window up.
constexpr qsizetype copiedBytes = qsizetype{16} * 1024 * 1024;

/// What is taken apart while the window waits.
DecodeLimits treeLimits()
{
    DecodeLimits limits;
    limits.bytes = PayloadView::treeBytes;
    return limits;
}

QPlainTextEdit *reader(const QString &name, const QString &spoken)
{
    auto *edit = new QPlainTextEdit;
    setNames(edit, name, spoken);
    edit->setReadOnly(true);
    edit->setFrameShape(QFrame::NoFrame);
    edit->setFont(theme::fixedFont(edit->font()));
    edit->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit->setUndoRedoEnabled(false);
    return edit;
}

} // namespace

PayloadView::PayloadView(const QString &name, const PayloadMasks &masks, QWidget *parent)
    : QWidget(parent), m_source(new MaskBar(name + u"Masks"_s, masks, treeLimits())),
      m_forms(new QButtonGroup(this)), m_copy(new QToolButton), m_note(new QLabel),
      m_large(new NoticeBar(name + u"Large"_s)),
      m_paging(new PagingBar(name + u"Paging"_s, tr("Back"), tr("Next"))),
      m_pages(new QStackedWidget), m_text(reader(name + u"Text"_s, tr("Payload as text"))),
      m_tree(new JsonTreeView(name + u"Tree"_s)),
      m_hex(reader(name + u"Hex"_s, tr("Payload as bytes"))),
      m_decoded(new DecodedPane(name + u"Decoded"_s))
{
    setObjectName(name);
    m_hex->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setWordWrapMode(QTextOption::WrapAnywhere);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto *bar = boxOn<QHBoxLayout>(nullptr, 4, {8, 6, 8, 6});
    const QStringList titles{tr("Text"), tr("Tree"), tr("Hex"), tr("Decoded")};
    for (int form = 0; form < titles.size(); ++form) {
        auto *button = new QToolButton;
        button->setText(titles.at(form));
        setNames(button, name + u"Form%1"_s.arg(form), tr("Payload as %1").arg(titles.at(form)));
        button->setCheckable(true);
        button->setAutoRaise(true);
        m_forms->addButton(button, form);
        bar->addWidget(button);
    }
    m_forms->button(static_cast<int>(Form::Decoded))->setEnabled(false);
    bar->addSpacing(8);
    bar->addWidget(m_note, 1);
    bar->addWidget(m_paging);
    m_copy->setIcon(theme::icon(u"copy"_s));
    m_copy->setText(tr("Copy"));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAutoRaise(true);
    setNames(m_copy, name + u"Copy"_s, tr("Copy the payload as stored"));
    bar->addWidget(m_copy);
    auto *column = boxOn<QVBoxLayout>(this, 0);
    column->addLayout(bar);
    column->addWidget(m_source);
    column->addWidget(m_large);
    column->addWidget(m_pages, 1);
    for (QWidget *page : std::initializer_list<QWidget *>{m_text, m_tree, m_hex, m_decoded})
        m_pages->addWidget(page);
    connect(m_forms, &QButtonGroup::idClicked, this,
            [this](int form) { choose(static_cast<Form>(form)); });
    connect(m_decoded, &DecodedPane::asStoredAsked, this, [this] { choose(firstForm()); });
    connect(m_decoded, &DecodedPane::read, this, &PayloadView::takeDecoded);
    connect(m_copy, &QToolButton::clicked, this, &PayloadView::copyAll);
    connect(m_paging, &PagingBar::stepped, this, [this] {
        m_filled[0] = m_filled[2] = false;
        fill();
    });
    connect(m_source, &MaskBar::unmasked, this, &PayloadView::unmasked);
    connect(m_source, &MaskBar::changed, this, [this] { refill(m_decoded->rowType()); });
    connect(m_large, &NoticeBar::actionAsked, this, [this] {
        if (!std::exchange(m_fetching, false)) {
            setFetched(m_source->heldBytes(), shown().storedBytes());
            return emit wholeAsked();
        }
        emit cancelAsked();
        offerWhole();
    });
    choose(Form::Text);
}

const ShownPayload &PayloadView::shown() const
{
    return m_source->shown();
}

void PayloadView::setMasks(const PayloadMasks &masks)
{
    m_source->setMasks(masks);
}

QString PayloadView::rowType() const
{
    return m_decoded->rowType();
}

void PayloadView::setPayload(const QByteArray &payload, qint64 storedBytes, const QString &rowType)
{
    if (!m_source->setPayload(payload, storedBytes) && rowType == m_decoded->rowType())
        return;
    m_fetching = false;
    refill(rowType);
    offerWhole();
}

/// Nothing of it stays, nor on a page that nobody looks at: it may not be shown any more.
void PayloadView::empty()
{
    std::fill(std::begin(m_filled), std::end(m_filled), false);
    m_text->clear();
    m_tree->say({});
    m_hex->clear();
    m_paging->restart();
}

/// Shows from its beginning what may be shown.
void PayloadView::refill(const QString &rowType)
{
    empty();
    describe(rowType);
}

void PayloadView::describe(const QString &rowType)
{
    const qint64 storedBytes = shown().storedBytes();
    const QByteArray &bytes = shown().bytes();
    const QString kind = label(guessPayload(bytes));
    QString note = tr("%1, looks like %2").arg(bytesText(storedBytes), kind);
    if (storedBytes < 0)
        note = tr("The row this message refers to is gone.");
    else if (!shown().isClear())
        note = shown().how() == ShownPayload::How::Masked
            ? tr("%1, masked").arg(bytesText(storedBytes))
            : tr("%1, hidden").arg(bytesText(storedBytes));
    else if (bytes.size() < storedBytes)
        note = tr("The first %1 of %2, looks like %3")
                   .arg(bytesText(bytes.size()), bytesText(storedBytes), kind);
    const bool isWhole = bytes.size() == storedBytes; // of a part nothing can be told
    if (shown().isClear())
        m_decoded->setPayload(isWhole ? bytes : QByteArray(), treeLimits(), rowType);
    else
        m_decoded->setDecoded(shown().decoded(), rowType);
    offerDecoded();
    m_note->setText(note);
    m_copy->setEnabled(!bytes.isEmpty() && bytes.size() <= copiedBytes);
    m_copy->setAccessibleName(shown().isClear() ? tr("Copy the payload as stored")
                                                : tr("Copy the payload with its masks"));
    choose(m_decoded->decoded().saysMore() ? Form::Decoded : firstForm());
}

void PayloadView::offerDecoded()
{
    m_forms->button(static_cast<int>(Form::Decoded))->setEnabled(m_decoded->isOffering());
}

/// A payload that was read elsewhere: shown decoded, unless somebody has chosen a form meanwhile.
void PayloadView::takeDecoded()
{
    offerDecoded();
    m_filled[static_cast<int>(Form::Tree)] = false;
    const bool saysMore = m_decoded->decoded().saysMore();
    if (saysMore && form() == firstForm())
        return choose(Form::Decoded);
    if (!saysMore && form() == Form::Decoded
        && !m_forms->button(static_cast<int>(Form::Decoded))->isEnabled())
        return choose(firstForm());
    fill();
}

/// The form in which what is shown is read best.
PayloadView::Form PayloadView::firstForm() const
{
    const QByteArray &bytes = shown().bytes();
    const PayloadKind kind = guessPayload(bytes);
    const bool isWhole = !shown().isClear() || bytes.size() == shown().storedBytes();
    if (kind == PayloadKind::Json && isWhole && bytes.size() <= treeBytes)
        return Form::Tree;
    return kind == PayloadKind::Binary ? Form::Hex : Form::Text;
}

void PayloadView::offerWhole()
{
    if (!m_fetchable || m_source->heldBytes() >= shown().storedBytes())
        return m_large->clear();
    m_large->say(NoticeBar::Tone::Info,
                 tr("%1 bytes are stored; the first %2 are here.")
                     .arg(countText(shown().storedBytes()), countText(m_source->heldBytes())),
                 tr("Fetch whole"));
}

void PayloadView::setFetched(qint64 bytes, qint64 storedBytes)
{
    m_fetching = true;
    const qint64 percent = storedBytes > 0 ? bytes * 100 / storedBytes : 0;
    m_large->say(NoticeBar::Tone::Info,
                 tr("Fetching: %1 of %2 bytes (%3 %)")
                     .arg(countText(bytes), countText(storedBytes))
                     .arg(percent),
                 tr("Cancel"));
}

void PayloadView::setFetchError(const Error &error)
{
    m_fetching = false;
    m_large->say(NoticeBar::Tone::Problem, shownText(oneLine(error)), tr("Try again"));
}

void PayloadView::clear()
{
    m_source->forget();
    m_fetching = false;
    empty();
    m_note->clear();
    m_large->clear();
    m_copy->setEnabled(false);
    m_decoded->setPayload({}, {});
    m_forms->button(static_cast<int>(Form::Decoded))->setEnabled(false);
    if (form() == Form::Decoded)
        return choose(Form::Text);
    fill();
}

PayloadView::Form PayloadView::form() const
{
    return static_cast<Form>(m_pages->currentIndex());
}

void PayloadView::choose(Form form)
{
    m_pages->setCurrentIndex(static_cast<int>(form));
    m_forms->button(static_cast<int>(form))->setChecked(true);
    fill();
}

/// The bytes of the page that is looked at, which the bar then names. A page of text begins and
/// ends between two characters.
QByteArray PayloadView::page()
{
    const QByteArray &bytes = shown().bytes();
    const auto boundary = [&bytes](qsizetype at) {
        const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
        for (int step = 0; step < 3 && at < bytes.size() && follows(bytes.at(at)); ++step)
            ++at;
        return at;
    };
    const bool isText = form() == Form::Text;
    const qsizetype start = m_paging->cursor().toLongLong();
    const qsizetype end = std::min(start + pageBytes, bytes.size());
    const qsizetype from = isText && start > 0 ? boundary(start) : start;
    const qsizetype to = isText ? boundary(end) : end;
    m_paging->arrived(end < bytes.size() ? QString::number(end) : QString(),
                      tr("bytes %1\u2013%2").arg(countText(from), countText(to)));
    return bytes.mid(from, to - from);
}

/// Fills the page that is looked at; the others wait until somebody looks.
void PayloadView::fill()
{
    const bool isPaged = form() == Form::Text || form() == Form::Hex;
    m_paging->setVisible(isPaged && shown().bytes().size() > pageBytes);
    bool &filled = m_filled[m_pages->currentIndex()];
    if (filled)
        return;
    filled = true;
    if (!shown().why().isEmpty() && form() != Form::Decoded)
        return sayInstead(shown().why());
    switch (form()) {
    case Form::Text:
        m_text->setPlainText(plainText(QString::fromUtf8(page()), Lines::Many));
        break;
    case Form::Tree:
        if (shown().bytes().isEmpty())
            m_tree->say(tr("No payload."));
        else if (shown().bytes().size() > treeBytes)
            m_tree->say(tr("A tree is shown of payloads up to %1.").arg(bytesText(treeBytes)));
        else if (shown().isClear() && shown().bytes().size() < shown().storedBytes())
            m_tree->say(tr("A tree needs the whole payload."));
        else if (m_decoded->isReading())
            m_tree->say(tr("Reading…"));
        else
            m_tree->setDocument(m_decoded->json());
        break;
    case Form::Hex: {
        if (!shown().isClear())
            return sayInstead(tr("Not shown: the bytes hold the values under masks"));
        const qint64 start = m_paging->cursor().toLongLong();
        m_hex->setPlainText(hexDump(page(), pageBytes, start));
        break;
    }
    case Form::Decoded: // filled when the payload came
        break;
    }
}

/// In place of what is looked at.
void PayloadView::sayInstead(const QString &sentence)
{
    const QString whole = capital(sentence) + u'.';
    if (form() == Form::Text)
        m_text->setPlainText(whole);
    else if (form() == Form::Hex)
        m_hex->setPlainText(whole);
    else if (form() == Form::Tree)
        m_tree->say(whole);
}

void PayloadView::copyAll() const
{
    QApplication::clipboard()->setText(QString::fromUtf8(shown().bytes()));
}

} // namespace outbox

#include "payloadview.moc"
