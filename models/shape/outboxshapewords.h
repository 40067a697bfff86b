// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The closed lists of words in the JSON of a shape; for the two sources that read and write it.
#pragma once

#include "models/shape/outboxshape.h"

#include <utility>

namespace outbox::shapewords {

using namespace Qt::Literals::StringLiterals;

inline constexpr int formatVersion = 1;

using Shape = OutboxShape;
template <typename Enum> using Words = QList<std::pair<Enum, QString>>;

inline const Words<Shape::Use> useWords{{Shape::Use::Watch, u"watch"_s},
                                        {Shape::Use::Relay, u"relay"_s}};
inline const Words<Shape::KeyForm> keyWords{{Shape::KeyForm::Uuid, u"uuid"_s},
                                            {Shape::KeyForm::UuidText, u"uuid-text"_s},
                                            {Shape::KeyForm::UuidBytes, u"uuid-bytes"_s},
                                            {Shape::KeyForm::Integer, u"integer"_s},
                                            {Shape::KeyForm::Text, u"text"_s}};
inline const Words<Shape::PayloadForm> payloadWords{
    {Shape::PayloadForm::Json, u"json"_s},   {Shape::PayloadForm::Text, u"text"_s},
    {Shape::PayloadForm::Bytes, u"bytes"_s}, {Shape::PayloadForm::Reference, u"reference"_s},
    {Shape::PayloadForm::Many, u"many"_s},   {Shape::PayloadForm::Opaque, u"opaque"_s},
    {Shape::PayloadForm::None, u"none"_s}};
inline const Words<Shape::ProcessedHow> processedWords{
    {Shape::ProcessedHow::Deleted, u"deleted"_s}, {Shape::ProcessedHow::Time, u"time"_s},
    {Shape::ProcessedHow::Flag, u"flag"_s},       {Shape::ProcessedHow::Status, u"status"_s},
    {Shape::ProcessedHow::Archive, u"archive"_s}, {Shape::ProcessedHow::Member, u"member"_s},
    {Shape::ProcessedHow::Offset, u"offset"_s},   {Shape::ProcessedHow::Log, u"log"_s}};
inline const Words<Shape::LockedHow> lockedWords{
    {Shape::LockedHow::None, u"none"_s},     {Shape::LockedHow::Row, u"row"_s},
    {Shape::LockedHow::Until, u"until"_s},   {Shape::LockedHow::Owner, u"owner"_s},
    {Shape::LockedHow::Node, u"node"_s},     {Shape::LockedHow::LockRow, u"lock-row"_s},
    {Shape::LockedHow::Status, u"status"_s}, {Shape::LockedHow::Member, u"member"_s}};
inline const Words<Shape::FailedHow> failedWords{
    {Shape::FailedHow::None, u"none"_s},         {Shape::FailedHow::Time, u"time"_s},
    {Shape::FailedHow::Flag, u"flag"_s},         {Shape::FailedHow::Status, u"status"_s},
    {Shape::FailedHow::Attempts, u"attempts"_s}, {Shape::FailedHow::Error, u"error"_s},
    {Shape::FailedHow::Table, u"table"_s},       {Shape::FailedHow::Member, u"member"_s},
    {Shape::FailedHow::Queue, u"queue"_s}};
inline const Words<Shape::OrderIs> orderWords{{Shape::OrderIs::None, u"none"_s},
                                              {Shape::OrderIs::Sequence, u"sequence"_s},
                                              {Shape::OrderIs::Time, u"time"_s},
                                              {Shape::OrderIs::Commit, u"commit"_s}};

template <typename Enum> QString wordOf(const Words<Enum> &words, Enum value)
{
    for (const auto &[candidate, text] : words) {
        if (candidate == value)
            return text;
    }
    return {};
}

} // namespace outbox::shapewords
