// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first thing to look at: level as colour, glyph and word, and the sentence.
#pragma once

#include "models/system/healthreport.h"

#include <QWidget>

namespace outbox {

class HealthBanner : public QWidget
{
    Q_OBJECT

public:
    explicit HealthBanner(QWidget *parent = nullptr);

    void setReport(HealthLevel level, const QString &sentence);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QFont wordFont() const;
    [[nodiscard]] QFont sentenceFont() const;
    [[nodiscard]] QRect sentenceRect(int width) const;

    HealthLevel m_level = HealthLevel::Unknown;
    QString m_sentence;
};

} // namespace outbox
