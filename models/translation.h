// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts of one translation context, for what is no QObject with a tr() of its own.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace outbox {

class Translation
{
public:
    constexpr explicit Translation(const char *context) : m_context(context) { }

    [[nodiscard]] QString operator()(const char *source, const char *comment = nullptr,
                                     int n = -1) const
    {
        return QCoreApplication::translate(m_context, source, comment, n);
    }

private:
    const char *m_context;
};

} // namespace outbox
