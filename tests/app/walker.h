// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A person in front of the window, by mouse or by keyboard alone, whose acts and waiting are
// counted.
#pragma once

#include "app/desktop/desktop.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/patience.h"
#include "views/operation/plandialog.h"

#include <QAction>
#include <QElapsedTimer>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <functional>

namespace outbox {

/// One act is a click, a key, or one text with Enter. What confirms an operation, its typed words
/// included, is counted apart. Each act waits until it can be done; false: it never could. Lives in
/// the GUI thread and turns its event loop.
class Walker
{
public:
    enum class By { Mouse, Keys };

    Walker(MainWindow &window, By by) : m_window(window), m_by(by) { }

    [[nodiscard]] bool isByKeys() const { return m_by == By::Keys; }
    [[nodiscard]] int acts() const { return m_acts; }
    [[nodiscard]] int confirmations() const { return m_confirmations; }
    [[nodiscard]] qint64 waitedMs() const { return m_waitedMs; }
    /// The last act that could not be done; empty: all could.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    /// Turns the event loop until `done`.
    bool until(const std::function<bool()> &done, int milliseconds = 20'000)
    {
        QElapsedTimer clock;
        clock.start();
        const bool isDone = QTest::qWaitFor(done, patient(milliseconds));
        m_waitedMs += clock.elapsed();
        return isDone;
    }

    /// A click in the middle of the first part of the window for which `fits` holds; `what` is for
    /// the problem.
    bool click(const QString &what, const std::function<bool(walk::Accessible *)> &fits,
               int milliseconds = 20'000)
    {
        walk::Accessible *part = nullptr;
        const bool isThere = until(
            [&] {
                part = walk::first(QAccessible::queryAccessibleInterface(&m_window), fits);
                return part && !part->state().disabled;
            },
            milliseconds);
        const QPoint middle
            = isThere ? m_window.mapFromGlobal(part->rect().center()) : QPoint(-1, -1);
        QWidget *under = isThere ? m_window.childAt(middle) : nullptr;
        if (!under)
            return fail(QStringLiteral("click: ") + what);
        ++m_acts;
        QTest::mouseClick(under, Qt::LeftButton, {}, under->mapFrom(&m_window, middle));
        return turn();
    }
    bool click(const QString &name)
    {
        return click(
            name, [&name](walk::Accessible *one) { return one->text(QAccessible::Name) == name; });
    }
    bool click(QAccessible::Role role, const QString &name)
    {
        return click(name, [&](walk::Accessible *one) {
            return one->role() == role && one->text(QAccessible::Name) == name;
        });
    }
    /// A page in the list at the left, whose entry tells its badge as well.
    bool clickPage(const QString &name)
    {
        return click(name, [&name](walk::Accessible *one) {
            const QString told = one->text(QAccessible::Name);
            return one->role() == QAccessible::ListItem
                && (told == name || told.startsWith(QString(name + u',')));
        });
    }

    bool key(const QKeySequence &keys)
    {
        if (keys.isEmpty())
            return fail(QStringLiteral("a key that is none"));
        ++m_acts;
        for (int at = 0; at < keys.count(); ++at) {
            const QKeyCombination one = keys[static_cast<uint>(at)];
            QTest::keyClick(&m_window, one.key(), one.keyboardModifiers());
        }
        return turn();
    }
    /// The shortcut of `action`, as soon as it can act; nullptr: it is missing.
    bool keyOf(const QAction *action, int milliseconds = 20'000)
    {
        if (!action)
            return fail(QStringLiteral("an action is missing"));
        if (!until([action] { return action->isEnabled(); }, milliseconds))
            return fail(QStringLiteral("the key of ") + action->text());
        return key(action->shortcut());
    }
    bool keyOfPage(const QString &name)
    {
        const QAction *go = m_window.pageAction(0);
        for (int page = 1; go && go->text() != name; ++page)
            go = m_window.pageAction(page);
        return keyOf(go);
    }

    /// Into the line that has the focus.
    bool type(const QString &text)
    {
        QLineEdit *line = nullptr;
        if (!until([&] {
                line = qobject_cast<QLineEdit *>(m_window.focusWidget());
                return line && line->isVisible();
            }))
            return fail(QStringLiteral("type: ") + text);
        ++m_acts;
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
        return turn();
    }

    /// Ctrl+K, and the text that finds `entry` first.
    bool goTo(const QString &text, const QString &entry)
    {
        if (!key(Qt::CTRL | Qt::Key_K))
            return false;
        const QString name
            = QStringLiteral("Go to a message id, a page, an action, a filter or a profile");
        QLineEdit *line = nullptr;
        if (!until([&] {
                const auto *field = walk::find(&m_window, QAccessible::EditableText, name);
                line = field ? qobject_cast<QLineEdit *>(field->object()) : nullptr;
                return line && line->hasFocus();
            }))
            return fail(QStringLiteral("the line of Ctrl+K"));
        ++m_acts;
        QTest::keyClicks(line, text);
        if (!line->accessibleDescription().contains(entry))
            return fail(entry + QStringLiteral(" is not found first: ")
                        + line->accessibleDescription());
        QTest::keyClick(line, Qt::Key_Return);
        return turn();
    }

    /// Confirms the operation in `dialog` as it asks for. Answers what became of it; empty: it did
    /// not come so far.
    QString confirm(PlanDialog &dialog)
    {
        auto *go = dialog.findChild<QPushButton *>(QStringLiteral("planGo"));
        auto *typed = dialog.findChild<QLineEdit *>(QStringLiteral("confirmTyped"));
        const auto *sentence = dialog.findChild<QLabel *>(QStringLiteral("resultSentence"));
        if (!go || !typed || !sentence)
            return failed(QStringLiteral("a part of the dialog is missing"));
        // A plan of repairs looks at all rows before.
        if (!until(
                [&] {
                    return dialog.step() == PlanDialog::Step::Preview && go->isVisible()
                        && go->isEnabled();
                },
                120'000))
            return failed(QStringLiteral("the preview"));
        press(go);
        if (dialog.step() == PlanDialog::Step::Confirm) {
            if (typed->isVisible()) { // it is called: Type "12 shop" to confirm
                ++m_confirmations;
                QTest::keyClicks(typed, typed->accessibleName().section(u'"', 1, 1));
                QTest::keyClick(typed, Qt::Key_Return);
            } else {
                press(go);
            }
        }
        if (!until([&] { return dialog.step() == PlanDialog::Step::Result; }, 60'000))
            return failed(QStringLiteral("the result"));
        return sentence->text();
    }

private:
    bool turn()
    {
        QCoreApplication::processEvents(); // what a person does next comes later
        return true;
    }
    bool fail(const QString &problem)
    {
        m_problem = problem;
        return false;
    }
    QString failed(const QString &problem)
    {
        m_problem = problem;
        return {};
    }
    /// In a dialog, and a part of its confirmation.
    void press(QPushButton *button)
    {
        ++m_confirmations;
        if (isByKeys())
            QTest::keyClick(button, Qt::Key_Return);
        else
            QTest::mouseClick(button, Qt::LeftButton);
        turn();
    }

    MainWindow &m_window;
    By m_by;
    int m_acts = 0;
    int m_confirmations = 0;
    qint64 m_waitedMs = 0;
    QString m_problem;
};

} // namespace outbox
