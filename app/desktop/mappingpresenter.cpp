// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/mappingpresenter.h"

#include "app/desktop/savefile.h"
#include "app/settings/opening.h"
#include "app/system/sources/target.h"
#include "views/mapping/mappingdialog.h"

#include <QDateTime>
#include <QFileDialog>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MappingPresenter::MappingPresenter(const Profile &profile, const ProfilePasswords &secrets,
                                   QWidget *parent)
    : m_dialog(new MappingDialog(parent)), m_look(profile, secrets)
{
    setParent(m_dialog);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    join();
    begin(profile);
    m_dialog->open();
}

void MappingPresenter::join()
{
    connect(m_dialog, &MappingDialog::tableChosen, &m_look, &MappingProbe::survey);
    connect(m_dialog, &MappingDialog::previewAsked, &m_look, &MappingProbe::preview);
    connect(m_dialog, &MappingDialog::previewUnwanted, &m_look, &MappingProbe::forgetPreview);
    connect(m_dialog, &MappingDialog::importAsked, this, &MappingPresenter::importShape);
    connect(m_dialog, &MappingDialog::exportAsked, this, &MappingPresenter::exportShape);
    connect(m_dialog, &MappingDialog::confirmed, this, [this](OutboxShape shape) {
        shape.confirmed = u"%1, %2"_s.arg(operatorName(),
                                          QDateTime::currentDateTimeUtc().toString(Qt::ISODate));
        emit confirmed(shape);
    });
    connect(&m_look, &MappingProbe::tablesFound, m_dialog, &MappingDialog::setTables);
    connect(&m_look, &MappingProbe::surveyed, m_dialog, &MappingDialog::setSurvey);
    connect(&m_look, &MappingProbe::previewTaken, m_dialog, &MappingDialog::setPreview);
    connect(&m_look, &MappingProbe::failed, m_dialog,
            [this](const Error &error) { m_dialog->tell(oneLine(error)); });
}

void MappingPresenter::begin(const Profile &profile)
{
    m_dialog->setMasks(profile.masks);
    m_look.findTables();
    if (profile.shape)
        m_dialog->openShape(*profile.shape);
}

void MappingPresenter::importShape()
{
    auto *files = new QFileDialog(m_dialog, tr("Import a mapping"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setFileMode(QFileDialog::ExistingFile);
    files->setNameFilter(tr("Mapping (*.json)"));
    connect(files, &QFileDialog::fileSelected, m_dialog, [this](const QString &path) {
        const auto shape = readShapeFile(path);
        if (shape)
            m_dialog->openShape(*shape);
        else
            m_dialog->tell(oneLine(shape.error()));
    });
    files->open();
}

void MappingPresenter::exportShape(const OutboxShape &shape)
{
    askAndSave(m_dialog, tr("Export the mapping"), shape.table.table,
               {{tr("Mapping (*.json)"), shapeFileText(shape)}},
               [this](const Result<QString> &written) {
                   if (!written)
                       m_dialog->tell(oneLine(written.error()));
               });
}

} // namespace outbox
