# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The laws that can be read off the text (architecture): who may include whom (L1), threads in
# connectors/room.h only (L2), the size of a file, [[nodiscard]] before every Result (L4), no sleeping in tests (L5),
# a document that a comment names is here (L6), types have the field's words (L7).
# cmake -DROOT=<checkout> -P tst_rooms.cmake

cmake_minimum_required(VERSION 3.25)
set(broken "")

function(blame file text)
    file(RELATIVE_PATH where ${ROOT} ${file})
    set(broken "${broken}\n  ${where}: ${text}" PARENT_SCOPE)
endfunction()

set(base_of_views "views/theme/" "views/charts/" "views/widgets/")

# Rooms that the files under a folder may include; the first folder that fits wins.
function(allowed_for path out)
    if(path MATCHES "^models/")
        set(rooms "models/")
    elseif(path MATCHES "^connectors/sql/")
        set(rooms "models/" "connectors/sql/" "connectors/room.h" "connectors/answer.h"
            "connectors/dedupstore.h" "connectors/tokenstore.h" "connectors/traffic.h")
    elseif(path MATCHES "^connectors/redis/")
        set(rooms "models/" "connectors/redis/" "connectors/room.h" "connectors/answer.h"
            "connectors/dedupstore.h" "connectors/tokenstore.h" "connectors/traffic.h")
    elseif(path MATCHES "^connectors/asynq/")
        set(rooms "models/" "connectors/redis/" "connectors/asynq/" "connectors/taskqueue.h")
    elseif(path MATCHES "^connectors/")
        set(rooms "models/" "connectors/")
    elseif(path MATCHES "^views/theme/")
        set(rooms "models/" "views/theme/")
    elseif(path MATCHES "^views/charts/")
        set(rooms "models/" "views/theme/" "views/charts/")
    elseif(path MATCHES "^views/(message|reconcile)/")
        set(rooms "models/" ${base_of_views} "views/operation/" "views/${CMAKE_MATCH_1}/")
    elseif(path MATCHES "^views/(widgets|operation|filter|failures)/")
        set(rooms "models/" ${base_of_views} "views/${CMAKE_MATCH_1}/")
    elseif(path MATCHES "^views/([a-z]+)/") # a page, a dialog, or the window
        set(rooms "models/" ${base_of_views} "views/operation/" "views/message/" "views/filter/" "views/failures/"
            "views/reconcile/" "views/${CMAKE_MATCH_1}/")
    elseif(path MATCHES "^app/desktop/" OR path MATCHES "^app/main_deck")
        set(rooms "models/" "connectors/" "views/" "app/")
    elseif(path MATCHES "^app/")
        set(rooms "models/" "connectors/" "app/audit/" "app/cli/" "app/demo/" "app/designs/"
            "app/operations/"
            "app/relay/" "app/service/" "app/settings/" "app/system/")
    else()
        set(rooms "")
    endif()
    set(${out} "${rooms}" PARENT_SCOPE)
endfunction()

# Qt headers that a room must not see: below each pattern of room, a pattern of headers.
set(no_gui "^(QtGui|QtWidgets|QtCharts|QWidget|QPainter|QColor|QIcon|QPixmap|QFont|QGuiApplication|QApplication|QChart)")

file(GLOB_RECURSE files LIST_DIRECTORIES false
    ${ROOT}/models/*.h ${ROOT}/models/*.cpp ${ROOT}/connectors/*.h ${ROOT}/connectors/*.cpp
    ${ROOT}/views/*.h ${ROOT}/views/*.cpp ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
foreach(file IN LISTS files)
    file(RELATIVE_PATH path ${ROOT} ${file})
    allowed_for(${path} rooms)
    set(most 600)
    file(READ ${file} whole)
    string(REGEX REPLACE "[^\n]+" "" ends "${whole}")
    string(LENGTH "${ends}" count)
    if(count GREATER most)
        blame(${file} "size: ${count} lines, ${most} at most")
    endif()
    file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
        if(line MATCHES "include[ \t]*\"([^\"]+)\"")
            set(target ${CMAKE_MATCH_1})
            if(target MATCHES "\\.moc$" OR target MATCHES "\\.pb\\.h$")
                continue()
            endif()
            set(fits FALSE)
            foreach(room IN LISTS rooms)
                string(FIND "${target}" "${room}" at)
                if(at EQUAL 0)
                    set(fits TRUE)
                endif()
            endforeach()
            if(NOT fits)
                blame(${file} "L1: may not include \"${target}\"")
            endif()
        elseif(line MATCHES "include[ \t]*<([^>]+)>")
            set(header ${CMAKE_MATCH_1})
            if(NOT path MATCHES "^views/" AND NOT path MATCHES "^app/desktop/" AND NOT path MATCHES "^app/main_deck"
               AND header MATCHES "${no_gui}")
                blame(${file} "L1: may not include <${header}>")
            endif()
            if(path MATCHES "^(models|views)/" AND header MATCHES "^(QSql|QtSql|QTcpSocket|QLocalSocket|QSslSocket|QtNetwork|hiredis)")
                blame(${file} "L1: may not include <${header}>")
            endif()
            if(header MATCHES "^(QtCharts|QChart|QLineSeries|QValueAxis|QDateTimeAxis|QAreaSeries|QBarSeries|QBarSet)"
               AND NOT path MATCHES "^views/charts/timeseriesview\\.")
                blame(${file} "architecture 7: Qt Charts belongs to views/charts/timeseriesview alone")
            endif()
            if(NOT path STREQUAL "connectors/room.h"
               AND header MATCHES "^(QThread|QtConcurrent.*|QMutex|QReadWriteLock|QSemaphore|QWaitCondition|thread|mutex|shared_mutex|condition_variable)$")
                blame(${file} "L2: <${header}> belongs to connectors/room.h alone")
            endif()
        endif()
    endforeach()

    # Words of this house alone, in any part of a type's name.
    file(STRINGS ${file} lines REGEX "^[ \t]*(class|struct|enum class) [A-Za-z]*(Look|Desk|Bench|Mend|Bury|Nameless|Lone)([A-Z]|er|ing)?[A-Za-z]*")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "Desktop|Lonely")
            string(STRIP "${line}" line)
            blame(${file} "L7: a private word in a type's name: ${line}")
        endif()
    endforeach()

    if(path MATCHES "\\.h$")
        # A declaration that returns a Result by value must carry [[nodiscard]] on the same line.
        file(STRINGS ${file} lines REGEX "^[ \t]*(virtual |static |inline |friend )*Result<.*>[ \t]+[A-Za-z_]+\\(")
        foreach(line IN LISTS lines)
            string(STRIP "${line}" line)
            blame(${file} "L4: no [[nodiscard]]: ${line}")
        endforeach()
    endif()
endforeach()

file(GLOB_RECURSE tests LIST_DIRECTORIES false ${ROOT}/tests/*.cpp ${ROOT}/tests/*.h)
foreach(file IN LISTS tests)
    file(STRINGS ${file} lines REGEX "(qWait\\(|qSleep|msleep\\(|sleep_for|[^a-z_]u?sleep\\()")
    foreach(line IN LISTS lines)
        string(STRIP "${line}" line)
        blame(${file} "L5: a test must not sleep: ${line}")
    endforeach()
endforeach()

# A document is named by its name alone when it is in resources/docs, else by its path from the root. Of comments
# only what stands behind their sign counts.
file(GLOB_RECURSE commented LIST_DIRECTORIES false
    ${ROOT}/models/* ${ROOT}/connectors/* ${ROOT}/views/* ${ROOT}/app/* ${ROOT}/tests/*
    ${ROOT}/resources/asynq/* ${ROOT}/resources/cmake/*)
list(APPEND commented ${ROOT}/CMakeLists.txt)
foreach(file IN LISTS commented)
    if(file MATCHES "\\.(h|cpp|proto)$")
        set(sign "//")
    elseif(file MATCHES "\\.lua$")
        set(sign "--")
    elseif(file MATCHES "(\\.cmake|\\.py|CMakeLists\\.txt)$" AND EXISTS ${file})
        set(sign "^[ \t]*#")
    else()
        continue()
    endif()
    file(STRINGS ${file} lines REGEX "${sign}.*[A-Za-z0-9_-]\\.md")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "${sign}.*" comment "${line}")
        string(REGEX MATCHALL "[A-Za-z0-9_./-]*[A-Za-z0-9_-]\\.md" names "${comment}")
        foreach(name IN LISTS names)
            if(NOT EXISTS ${ROOT}/resources/docs/${name} AND NOT EXISTS ${ROOT}/${name})
                blame(${file} "L6: no document \"${name}\" is here, neither in resources/docs nor as a path")
            endif()
        endforeach()
    endforeach()
endforeach()

if(broken)
    message(FATAL_ERROR "The laws of the house are broken:${broken}")
endif()
list(LENGTH files count)
message(STATUS "${count} files obey the map of rooms")
