// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The closed lists of words in the JSON of a shape; for the source that reads and
// writes it, and for mappings.
#pragma once

#include "models/enumtext.h"
#include "models/shape/outboxshape.h"

namespace outbox::shapewords {

inline constexpr int formatVersion = 1;

using Shape = OutboxShape;

inline constexpr auto useWords = enumTexts<Shape::Use>({
    {Shape::Use::Watch, u"watch"},
    {Shape::Use::Relay, u"relay"},
});
inline constexpr auto keyWords = enumTexts<Shape::KeyForm>({
    {Shape::KeyForm::Uuid, u"uuid"},
    {Shape::KeyForm::UuidText, u"uuid-text"},
    {Shape::KeyForm::UuidBytes, u"uuid-bytes"},
    {Shape::KeyForm::Integer, u"integer"},
    {Shape::KeyForm::Text, u"text"},
});
inline constexpr auto payloadWords = enumTexts<Shape::PayloadForm>({
    {Shape::PayloadForm::Json, u"json", "JSON"},
    {Shape::PayloadForm::Text, u"text", "Text"},
    {Shape::PayloadForm::Bytes, u"bytes", "Bytes, sent as they are"},
    {Shape::PayloadForm::Reference, u"reference", "A row of another table"},
    {Shape::PayloadForm::Many, u"many", "Several messages in one row"},
    {Shape::PayloadForm::Opaque, u"opaque", "Bytes of a serializer unknown here"},
    {Shape::PayloadForm::None, u"none", "No payload"},
});
inline constexpr auto processedWords = enumTexts<Shape::ProcessedHow>({
    {Shape::ProcessedHow::Deleted, u"deleted", "The row is deleted"},
    {Shape::ProcessedHow::Time, u"time", "A time is set"},
    {Shape::ProcessedHow::Flag, u"flag", "A yes/no column turns true"},
    {Shape::ProcessedHow::Status, u"status", "A status says so"},
    {Shape::ProcessedHow::Archive, u"archive", "The row moves to another table"},
    {Shape::ProcessedHow::Member, u"member", "A row of another table says so"},
    {Shape::ProcessedHow::Offset, u"offset", "All consumers have passed it"},
    {Shape::ProcessedHow::Log, u"log", "Not in the table: read from the log"},
});
inline constexpr auto lockedWords = enumTexts<Shape::LockedHow>({
    {Shape::LockedHow::None, u"none", "By nothing that can be seen"},
    {Shape::LockedHow::Row, u"row", "By an open transaction (row lock)"},
    {Shape::LockedHow::Until, u"until", "Until the time in a column"},
    {Shape::LockedHow::Owner, u"owner", "A column names who holds it"},
    {Shape::LockedHow::Node, u"node", "By a process of another table"},
    {Shape::LockedHow::LockRow, u"lock-row", "By a lock row of another table"},
    {Shape::LockedHow::Status, u"status", "A status says so"},
    {Shape::LockedHow::Member, u"member", "A row of another table says so"},
});
inline constexpr auto failedWords = enumTexts<Shape::FailedHow>({
    {Shape::FailedHow::None, u"none", "Nothing marks it"},
    {Shape::FailedHow::Time, u"time", "A time is set"},
    {Shape::FailedHow::Flag, u"flag", "A yes/no column turns true"},
    {Shape::FailedHow::Status, u"status", "A status says so"},
    {Shape::FailedHow::Attempts, u"attempts", "It was tried too often"},
    {Shape::FailedHow::Error, u"error", "It ended with an error"},
    {Shape::FailedHow::Table, u"table", "The row moves to another table"},
    {Shape::FailedHow::Member, u"member", "A row of another table says so"},
    {Shape::FailedHow::Queue, u"queue", "It stands in a queue of failed ones"},
});
inline constexpr auto orderWords = enumTexts<Shape::OrderIs>({
    {Shape::OrderIs::None, u"none"},
    {Shape::OrderIs::Sequence, u"sequence"},
    {Shape::OrderIs::Time, u"time"},
    {Shape::OrderIs::Commit, u"commit"},
});

} // namespace outbox::shapewords
