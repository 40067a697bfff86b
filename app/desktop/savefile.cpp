// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/savefile.h"

#include <QFileDialog>
#include <QSaveFile>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "CSV (*.csv)" → ".csv"
QString suffixOf(const QString &filter)
{
    return filter.section(u'*', -1).chopped(1);
}

Result<QString> write(const QString &path, const QByteArray &text)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()
        || !file.flush() // commit() alone hides that a full disk did not take all
        || !file.commit()) {
        return fail(Error::Kind::Refused, u"writing "_s + path, file.errorString(), {},
                    u"Choose another folder"_s);
    }
    return path;
}

/// A non-modal one, deleted with its end.
QFileDialog *saveDialog(QWidget *parent, const QString &title, const QString &name,
                        const QStringList &filters)
{
    auto *dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    const auto takeSuffix
        = [dialog](const QString &filter) { dialog->setDefaultSuffix(suffixOf(filter).mid(1)); };
    takeSuffix(filters.first());
    dialog->selectFile(name + suffixOf(filters.first()));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, takeSuffix);
    return dialog;
}

} // namespace

void askAndSave(QWidget *parent, const QString &title, const QString &name,
                const QList<std::pair<QString, QByteArray>> &forms,
                const std::function<void(const Result<QString> &)> &done)
{
    QStringList filters;
    for (const auto &[filter, text] : forms)
        filters += filter;
    QFileDialog *dialog = saveDialog(parent, title, name, filters);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog,
                     [forms, done](const QString &path) {
                         QByteArray wanted = forms.first().second;
                         for (const auto &[filter, text] : forms) {
                             if (path.endsWith(suffixOf(filter), Qt::CaseInsensitive))
                                 wanted = text;
                         }
                         done(write(path, wanted));
                     });
    dialog->open();
}

void askWhereToSave(QWidget *parent, const QString &title, const QString &name,
                    const QString &filter, const std::function<void(const QString &path)> &done)
{
    QFileDialog *dialog = saveDialog(parent, title, name, {filter});
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, done);
    dialog->open();
}

} // namespace outbox
