// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One payload as text, as a JSON tree, as bytes, or decoded; opens with what it probably is.
#pragma once

#include <QByteArray>
#include <QWidget>

class QButtonGroup;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QToolButton;

namespace outbox {

class DecodedPane;
class JsonTreeView;
class MaskBar;
class NoticeBar;
class PagingBar;
class PayloadMasks;
class ShownPayload;
struct Error;

class PayloadView : public QWidget
{
    Q_OBJECT

public:
    enum class Form { Text, Tree, Hex, Decoded };
    /// As text and as bytes so much is shown at once; one pages through the rest.
    static constexpr qsizetype pageBytes = 65'536;
    /// Larger payloads are shown as no tree, and nothing larger is unpacked.
    static constexpr qsizetype treeBytes = qsizetype(2) * 1024 * 1024;

    PayloadView(const QString &name, const PayloadMasks &masks, QWidget *parent = nullptr);

    /// `payload` may be a prefix of the `storedBytes` that are stored (-1: the row it refers to is
    /// gone). The same payload again, or the beginning of one that was fetched whole, changes
    /// nothing, so that scrolling and selection stay.
    /// `rowType` is that of the row or the task: it may say which message the payload is.
    void setPayload(const QByteArray &payload, qint64 storedBytes, const QString &rowType = {});
    [[nodiscard]] QString rowType() const;
    /// What of this payload and of those that follow is not to be seen.
    void setMasks(const PayloadMasks &masks);
    /// Takes the payload apart: who reads large ones for it, and knows what they are, is joined to
    /// this.
    [[nodiscard]] DecodedPane *decoded() const { return m_decoded; }
    /// Whether the rest of a large payload can be had: [Fetch whole] asks for it.
    void setFetchable(bool fetchable) { m_fetchable = fetchable; }
    /// How far it is; then `setPayload` brings the whole, or there is an error.
    void setFetched(qint64 bytes, qint64 storedBytes);
    void setFetchError(const Error &error);
    void clear();
    void choose(Form form);
    [[nodiscard]] Form form() const;

signals:
    void wholeAsked();
    void cancelAsked();
    /// What is masked is shown, for a minute; to be put on record.
    void unmasked();

private:
    [[nodiscard]] const ShownPayload &shown() const;
    void empty();
    void refill(const QString &rowType);
    void describe(const QString &rowType);
    void offerDecoded();
    void takeDecoded();
    [[nodiscard]] Form firstForm() const;
    void offerWhole();
    [[nodiscard]] QByteArray page();
    void fill();
    void sayInstead(const QString &sentence);
    void copyAll() const;

    MaskBar *m_source; ///< it has the payload
    bool m_fetchable = false;
    bool m_fetching = false;
    bool m_filled[4] = {false, false, false, false}; ///< by Form
    QButtonGroup *m_forms;
    QToolButton *m_copy;
    QLabel *m_note;
    NoticeBar *m_large;
    PagingBar *m_paging;
    QStackedWidget *m_pages;
    QPlainTextEdit *m_text;
    JsonTreeView *m_tree;
    QPlainTextEdit *m_hex;
    DecodedPane *m_decoded;
};

} // namespace outbox
