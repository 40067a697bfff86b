// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/payloadform.h"

#include "models/plaintext.h"
#include "views/widgets/boxes.h"
#include "views/widgets/formrows.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PayloadForm::PayloadForm(QWidget *parent)
    : QScrollArea(parent), m_file(new QLineEdit), m_messages(new QPlainTextEdit),
      m_decoder(new QPlainTextEdit), m_problem(hint({}))
{
    setNames(this, u"profilePayloads"_s, tr("Payloads"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setNames(m_file, u"profileDescriptorSet"_s, tr("Descriptor set of protobuf"));
    m_file->setPlaceholderText(tr("none"));
    setNames(m_messages, u"profileMessages"_s, tr("Messages by types of rows"));
    m_messages->setPlaceholderText(u"invoice.created=shop.v1.InvoiceCreated"_s);
    m_messages->setTabChangesFocus(true);
    m_messages->setMinimumHeight(90);
    setNames(m_decoder, u"profileDecoder"_s, tr("Decoder of your own"));
    m_decoder->setPlaceholderText(tr("none"));
    m_decoder->setTabChangesFocus(true);
    m_decoder->setMinimumHeight(60);
    m_problem->setObjectName(u"profilePayloadsProblem"_s);
    auto *choose = dialogButton(u"profileDescriptorSetChoose"_s, tr("Choose…"));
    choose->setAccessibleName(tr("Choose the descriptor set"));
    auto *page = new QWidget;
    QFormLayout *form = formOn(page);
    auto *file = new QWidget;
    auto *row = boxOn<QHBoxLayout>(file, 6);
    row->addWidget(m_file, 1);
    row->addWidget(choose);
    form->addRow(tr("Descriptor set"), file);
    form->addRow(QString(),
                 hint(tr("Of protobuf payloads: the file that protoc writes with "
                         "--include_imports and --descriptor_set_out. It is read when the "
                         "profile is opened.")));
    form->addRow(tr("Messages"), m_messages);
    form->addRow(QString(),
                 hint(tr("One line for each type of row: TYPE=package.Message. The type * is "
                         "every other one.")));
    form->addRow(QString(), m_problem);
    form->addRow(tr("Decoder"), m_decoder);
    form->addRow(QString(),
                 hint(tr("A program and its arguments, one a line; no shell reads them. It runs "
                         "when Decode with it is pressed, gets the payload on its stdin and the "
                         "type in OUTBOX_ROW_TYPE, and has 5 s to write a text or JSON.")));
    setWidget(page);
    connect(choose, &QPushButton::clicked, this, &PayloadForm::chooseFile);
    // not textEdited: a screen reader sets the text, it types none
    connect(m_file, &QLineEdit::textChanged, this, &PayloadForm::edited);
    for (QPlainTextEdit *lines : {m_messages, m_decoder})
        connect(lines, &QPlainTextEdit::textChanged, this, &PayloadForm::edited);
    connect(this, &PayloadForm::edited, this, &PayloadForm::tellProblem);
}

void PayloadForm::setProfile(const Profile &profile)
{
    m_file->setText(profile.protobuf.descriptorSet);
    m_messages->setPlainText(profile.protobuf.messages.join(u'\n'));
    m_decoder->setPlainText(profile.decoder.join(u'\n'));
    tellProblem();
}

void PayloadForm::writeTo(Profile &profile) const
{
    profile.protobuf.descriptorSet = m_file->text().trimmed();
    profile.protobuf.messages = messageLines(m_messages->toPlainText());
    const QString decoder = m_decoder->toPlainText();
    if (decoder != profile.decoder.join(u'\n')) // an argument of a file may have lines of its own
        profile.decoder = decoder.split(u'\n', Qt::SkipEmptyParts);
}

void PayloadForm::tellProblem()
{
    Profile typed;
    writeTo(typed);
    m_problem->setText(shownText(typed.protobuf.problem()));
}

void PayloadForm::chooseFile()
{
    auto *dialog = new QFileDialog(this, tr("Choose a descriptor set"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, m_file, &QLineEdit::setText);
    dialog->open();
}

} // namespace outbox
