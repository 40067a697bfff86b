// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/connections/profiledialog.h"

#include "models/plaintext.h"
#include "views/connections/profileform.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/scrolledpage.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>

#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// The steps of a connection test with their times. At each server the first that fails says why,
/// and what could not be tried behind it is left out, so that both servers are seen at once.
class ConnectionSteps : public QScrollArea
{
    Q_OBJECT

public:
    explicit ConnectionSteps(QWidget *parent = nullptr) : QScrollArea(parent)
    {
        setNames(this, u"connectionSteps"_s, tr("Steps of the connection test"));
        setWidgetResizable(true);
        setFrameShape(StyledPanel);
        setSteps({});
    }

    void setSteps(const QList<ConnectionStep> &steps);

private:
    void addStep(int row, const ConnectionStep &step, bool explained);

    QGridLayout *m_grid = nullptr;
};

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
    std::array<bool, 2> failedAt{}; // what comes after the first failure follows from it
    for (int row = 0; row < steps.size(); ++row) {
        const ConnectionStep &step = steps.at(row);
        bool &isExplained = failedAt.at(step.isOfQueue ? 1 : 0);
        if (isExplained && step.state == ConnectionStep::State::Skipped)
            continue;
        const bool failed = step.state == ConnectionStep::State::Failed;
        addStep(row, step, !failed || !isExplained);
        isExplained = isExplained || failed;
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

ProfileDialog::ProfileDialog(QWidget *parent)
    : QDialog(parent), m_list(new QListWidget), m_form(new ProfileForm),
      m_steps(new ConnectionSteps), m_problem(plainLabel({}, true)),
      m_notice(new NoticeBar(u"profileNotice"_s)),
      m_duplicate(dialogButton(u"profileDuplicate"_s, tr("Duplicate"))),
      m_remove(dialogButton(u"profileDelete"_s, tr("Delete"))),
      m_test(dialogButton(u"profileTest"_s, tr("Test"))),
      m_save(dialogButton(u"profileSave"_s, tr("Save"))),
      m_connect(dialogButton(u"profileConnect"_s, tr("Connect")))
{
    setObjectName(u"profileDialog"_s);
    setWindowTitle(tr("Connections"));
    build();
    connect(m_list, &QListWidget::currentRowChanged, this, &ProfileDialog::showCurrent);
    connect(m_form, &ProfileForm::edited, this, &ProfileDialog::takeEdit);
    connect(m_form, &ProfileForm::mapAsked, this,
            [this] { emit mapAsked(currentProfile(), m_form->passwords()); });
    connect(m_duplicate, &QPushButton::clicked, this, &ProfileDialog::duplicate);
    connect(m_remove, &QPushButton::clicked, this, &ProfileDialog::remove);
    connect(m_notice, &NoticeBar::actionAsked, this, &ProfileDialog::undoRemove);
    connect(m_test, &QPushButton::clicked, this,
            [this] { emit testAsked(currentProfile(), m_form->passwords()); });
    connect(m_save, &QPushButton::clicked, this, [this] { save(false); });
    connect(m_connect, &QPushButton::clicked, this, [this] { save(true); });
    showCurrent();
}

void ProfileDialog::build()
{
    setNames(m_list, u"profileList"_s, tr("Profiles"));
    m_list->setIconSize({16, 16});
    m_list->setSpacing(1);
    m_connect->setDefault(true);
    QPushButton *add = dialogButton(u"profileNew"_s, tr("New"));
    connect(add, &QPushButton::clicked, this, [this] { addProfile(); });
    QPushButton *cancel = dialogButton(u"profileCancel"_s, tr("Cancel"));
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);

    auto *left = new QVBoxLayout;
    left->addWidget(m_list, 1);
    auto *leftButtons = new QHBoxLayout;
    addWidgets(leftButtons, {add, m_duplicate, m_remove});
    left->addLayout(leftButtons);

    auto *testRow = new QHBoxLayout;
    testRow->addWidget(m_test, 0, Qt::AlignTop);
    testRow->addWidget(m_steps, 1);
    m_steps->setMinimumHeight(208);
    auto *right = boxOn<QVBoxLayout>(nullptr, 10);
    right->addWidget(m_form, 1);
    right->addLayout(testRow);
    auto *columns = boxOn<QHBoxLayout>(nullptr, 14);
    columns->addLayout(left, 0);
    columns->addLayout(right, 1);
    m_list->setFixedWidth(276);

    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_problem, 1);
    addWidgets(buttons, {cancel, m_save, m_connect});
    auto *column = boxOn<QVBoxLayout>(this, 10, {14, 14, 14, 14});
    column->addWidget(m_notice);
    column->addLayout(columns, 1);
    column->addLayout(buttons);
    keepOnScreen(this, {900, 640});
}

void ProfileDialog::setProfiles(const QList<Profile> &profiles, const KnownPasswords &known)
{
    m_draft = ProfileDraft(profiles, known);
    m_notice->clear();
    fillList(profiles.isEmpty() ? -1 : 0);
}

void ProfileDialog::setAddressParser(const AddressParser &parser)
{
    m_form->setAddressParser(parser);
}

void ProfileDialog::setGoing(std::function<QString(const QString &savedName)> words)
{
    m_going = std::move(words);
}

void ProfileDialog::chooseProfile(const QString &name)
{
    if (const int at = m_draft.find(name); at >= 0)
        m_list->setCurrentRow(at);
}

void ProfileDialog::importUrl(const QString &urls)
{
    // A path may hold blanks: an address begins with its scheme.
    static const QRegularExpression borders(u"\\s+(?=[a-z][a-z0-9+-]*://)"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    ProfileDraft::Entry entry;
    entry.profile.name = tr("imported");
    QStringList addresses = urls.trimmed().split(borders);
    for (QString &address : addresses) {
        const bool isOfSentinels = namesPasswordOfSentinels(address);
        const QString password = passwordTakenFrom(address);
        if (address.startsWith("redis"_L1, Qt::CaseInsensitive)) {
            entry.profile.redisUrl = address;
            (isOfSentinels ? entry.passwords.sentinel : entry.passwords.redis) = password;
        } else {
            entry.profile.databaseUrl = address;
            entry.passwords.database = password;
        }
    }
    addProfile(entry);
}

void ProfileDialog::setTestSteps(const QList<ConnectionStep> &steps)
{
    m_steps->setSteps(steps);
}

void ProfileDialog::setFinding(const ProbeFinding &finding)
{
    m_form->setFinding(finding);
}

void ProfileDialog::setShape(const OutboxShape &shape)
{
    m_form->setShape(shape);
}

QList<Profile> ProfileDialog::profiles() const
{
    return m_draft.profiles();
}

Profile ProfileDialog::currentProfile() const
{
    return m_draft.at(m_list->currentRow()).profile;
}

void ProfileDialog::addProfile(const ProfileDraft::Entry &entry)
{
    fillList(m_draft.add(entry));
    m_form->focusName();
}

void ProfileDialog::addProfile()
{
    ProfileDraft::Entry entry;
    entry.profile.name = tr("new system");
    addProfile(entry);
}

void ProfileDialog::duplicate()
{
    if (m_draft.has(m_list->currentRow()))
        addProfile(m_draft.at(m_list->currentRow()));
}

void ProfileDialog::remove()
{
    const int at = m_list->currentRow();
    if (!m_draft.has(at))
        return;
    QString words = tr("\"%1\" is deleted when you save.").arg(shownText(currentProfile().name));
    const QString savedName = m_draft.at(at).savedName;
    const QString going = m_going && !savedName.isEmpty() ? m_going(savedName) : QString();
    if (!going.isEmpty())
        words += u' ' + going;
    m_notice->say(NoticeBar::Tone::Info, words, tr("Undo"));
    m_draft.remove(at);
    fillList(std::min(at, static_cast<int>(m_draft.entries().size()) - 1));
}

void ProfileDialog::undoRemove()
{
    m_notice->clear();
    if (const int at = m_draft.undoRemove(); at >= 0)
        fillList(at);
}

/// Makes the list anew and chooses a line of it.
void ProfileDialog::fillList(int chosen)
{
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (qsizetype count = m_draft.entries().size(); count > 0; --count)
            m_list->addItem(QString());
        m_list->setCurrentRow(chosen);
    }
    showCurrent();
}

void ProfileDialog::showCurrent()
{
    const int at = m_list->currentRow();
    const bool any = m_draft.has(at);
    m_form->setEnabled(any);
    for (QPushButton *one : {m_remove, m_test})
        one->setEnabled(any);
    m_form->setProfile(m_draft.at(at).profile, m_draft.at(at).passwords);
    m_steps->setSteps({});
    describe();
}

void ProfileDialog::takeEdit()
{
    if (m_draft.has(m_list->currentRow()))
        m_draft.replace(m_list->currentRow(), {m_form->profile(), m_form->passwords()});
    describe();
}

/// Brings the lines of the list and the buttons up to date with the draft.
void ProfileDialog::describe()
{
    for (int at = 0; at < m_list->count(); ++at) {
        const Profile profile = m_draft.at(at).profile;
        QListWidgetItem *item = m_list->item(at);
        item->setText(shownText(profile.name) + u"   "_s + label(profile.environment));
        item->setIcon(environmentDot(profile.environment));
    }
    const QString unread = m_form->problem();
    const QString why = unread.isEmpty() ? m_draft.problem() : unread;
    m_list->setEnabled(unread.isEmpty()); // what is typed would be lost
    m_duplicate->setEnabled(m_list->isEnabled() && m_draft.has(m_list->currentRow()));
    m_problem->setText(shownText(why));
    m_save->setEnabled(why.isEmpty());
    m_connect->setEnabled(why.isEmpty() && m_list->currentRow() >= 0);
}

void ProfileDialog::save(bool connectToo)
{
    emit profilesSaved(profiles());
    if (connectToo)
        emit connectAsked(currentProfile(), m_form->passwords());
    accept();
}

} // namespace outbox

#include "profiledialog.moc"
