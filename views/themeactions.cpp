// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/themeactions.h"

#include "views/actions.h"

#include <QActionGroup>
#include <QCoreApplication>

#include <tuple>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("outbox::MainWindow", text);
}

} // namespace

void addThemeActions(Actions &actions, QObject *owner,
                     const std::function<void(ThemeChoice)> &chosen)
{
    auto *group = new QActionGroup(owner);
    const QList<std::tuple<QString, QString, ThemeChoice>> choices{
        {u"themeSystem"_s, translated("Theme: &system"), ThemeChoice::System},
        {u"themeLight"_s, translated("Theme: &light"), ThemeChoice::Light},
        {u"themeDark"_s, translated("Theme: &dark"), ThemeChoice::Dark}};
    bool first = true;
    for (const auto &[id, text, choice] : choices) {
        QAction *made = actions.add({id,
                                     Actions::Menu::View,
                                     text,
                                     translated("Colours of the console"),
                                     u"theme"_s,
                                     {},
                                     true,
                                     std::exchange(first, false)});
        group->addAction(made);
        made->setChecked(choice == theme::choice());
        QObject::connect(made, &QAction::triggered, owner,
                         [chosen, choice = choice] { chosen(choice); });
    }
}

} // namespace outbox
