// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/themeactions.h"

#include "models/translation.h"
#include "views/widgets/actions.h"

#include <QActionGroup>

#include <tuple>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation actionText("outbox::MainWindow");

} // namespace

void addThemeActions(Actions &actions, QObject *owner,
                     const std::function<void(ThemeChoice)> &chosen)
{
    auto *group = new QActionGroup(owner);
    const QList<std::tuple<QString, QString, ThemeChoice>> choices{
        {u"themeSystem"_s, actionText("Theme: &system"), ThemeChoice::System},
        {u"themeLight"_s, actionText("Theme: &light"), ThemeChoice::Light},
        {u"themeDark"_s, actionText("Theme: &dark"), ThemeChoice::Dark}};
    bool first = true;
    for (const auto &[id, text, choice] : choices) {
        QAction *made = actions.add({id,
                                     Actions::Menu::View,
                                     text,
                                     actionText("Colours of the console"),
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
