// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/connectionsteps.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int stepGlyphSide = 14;

Appearance appearanceOf(ConnectionStep::State state)
{
    switch (state) {
    case ConnectionStep::State::Ok: {
        Appearance appearance = theme::appearance(MessageState::Processed);
        appearance.word = ConnectionSteps::tr("ok");
        return appearance;
    }
    case ConnectionStep::State::Failed: {
        Appearance appearance = theme::appearance(MessageState::Failed);
        appearance.word = ConnectionSteps::tr("failed");
        return appearance;
    }
    case ConnectionStep::State::Running:
        return {theme::inks().accent, u"running"_s, ConnectionSteps::tr("running")};
    case ConnectionStep::State::Skipped:
        break;
    }
    return {theme::inks().secondary, u"dash"_s, ConnectionSteps::tr("not tried")};
}

} // namespace

ConnectionSteps::ConnectionSteps(QWidget *parent) : QScrollArea(parent)
{
    setObjectName(u"connectionSteps"_s);
    setAccessibleName(tr("Steps of the connection test"));
    setWidgetResizable(true);
    setFrameShape(StyledPanel);
    setSteps({});
}

void ConnectionSteps::setSteps(const QList<ConnectionStep> &steps)
{
    auto *page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    m_grid = new QGridLayout(page);
    m_grid->setContentsMargins(12, 8, 12, 8);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(3, 1);
    m_grid->setAlignment(Qt::AlignTop);
    if (steps.isEmpty()) {
        m_grid->addWidget(plainLabel(tr("Test tries each step of both connections and changes "
                                        "nothing."),
                                     true),
                          0, 0, 1, 4);
    }
    bool explained = false; // what comes after the first failure follows from it
    for (int row = 0; row < steps.size(); ++row) {
        const bool failed = steps.at(row).state == ConnectionStep::State::Failed;
        addStep(row, steps.at(row), !failed || !explained);
        explained = explained || failed;
    }
    setWidget(page);
}

void ConnectionSteps::addStep(int row, const ConnectionStep &step, bool explained)
{
    const Appearance appearance = appearanceOf(step.state);
    const bool skipped = step.state == ConnectionStep::State::Skipped;
    auto *glyph = new QLabel;
    glyph->setPixmap(
        theme::glyph(appearance.glyph, appearance.color, stepGlyphSide, devicePixelRatioF()));
    glyph->setAccessibleName(appearance.word);
    auto *name = plainLabel(shownText(step.name), skipped);
    const bool timed = step.ms > 0;
    auto *time = plainLabel(
        timed ? tr("%1 ms").arg(QLocale().toString(step.ms, 'f', step.ms < 10 ? 1 : 0)) : QString(),
        true);
    time->setAlignment(Qt::AlignRight | Qt::AlignTop);
    auto *text
        = plainLabel(skipped || !explained ? appearance.word : shownText(step.text), skipped);
    text->setObjectName(u"step%1Text"_s.arg(row));
    wrapLines(text);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (step.state == ConnectionStep::State::Failed) {
        QPalette colors = text->palette();
        colors.setColor(QPalette::WindowText, appearance.color);
        colors.setColor(QPalette::Text, appearance.color); // what a selectable label paints with
        text->setPalette(colors);
    }
    m_grid->addWidget(glyph, row, 0, Qt::AlignTop);
    m_grid->addWidget(name, row, 1, Qt::AlignTop);
    m_grid->addWidget(time, row, 2, Qt::AlignTop);
    m_grid->addWidget(text, row, 3, Qt::AlignTop);
}

} // namespace outbox
