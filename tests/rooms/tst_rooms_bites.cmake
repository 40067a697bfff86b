# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Breaks each law once in a scratch copy and expects tst_rooms to be red.
# cmake -DROOT=<checkout> -DSCRATCH=<folder> -P tst_rooms_bites.cmake

cmake_minimum_required(VERSION 3.25)

function(expect_red name path text)
    file(REMOVE_RECURSE ${SCRATCH})
    file(MAKE_DIRECTORY ${SCRATCH})
    file(WRITE ${SCRATCH}/${path} "${text}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${CMAKE_CURRENT_LIST_DIR}/tst_rooms.cmake
        RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
    if(code EQUAL 0)
        message(FATAL_ERROR "${name}: the check stayed green")
    endif()
    if(NOT said MATCHES "${name}")
        message(FATAL_ERROR "${name}: red, but for another reason: ${said}")
    endif()
endfunction()

expect_red(L1 models/a.h "#include \"connectors/room.h\"")
expect_red(L1 views/outbox/a.h "#include \"connectors/room.h\"")
expect_red(L1 views/outbox/a.h "#include \"views/queue/queueview.h\"")
expect_red(L1 views/widgets/a.h "#include \"views/filter/filterbar.h\"")
expect_red(L1 connectors/sql/a.h "#include \"connectors/redis/reply.h\"")
expect_red(L1 connectors/a.h "#include \"app/relay/relay.h\"")
expect_red(L1 app/relay/a.h "#include \"views/theme/theme.h\"")
expect_red(L1 app/cli/a.cpp "#include <QWidget>")
expect_red(L1 models/b.cpp "#include <QtWidgets/QWidget>")
expect_red(L1 views/relay/b.cpp "#include <QSqlQuery>")
expect_red(L2 app/system/a.cpp "#include <QThread>")
expect_red(L2 connectors/sql/a.cpp "#include <mutex>")
expect_red(L4 connectors/sql/b.h "    Result<void> open();")
expect_red(L5 tests/app/tst_a.cpp "QTest::qWait(5);")
expect_red("architecture 7" views/relay/c.cpp "#include <QLineSeries>")
expect_red(L6 models/d.h "/// What it promises: lost.md 4.")
expect_red(L6 tests/app/tst_d.cpp "int i = 0; // resources/docs/lost.md")
expect_red(L6 resources/asynq/d.lua "-- see lost.md")
expect_red(L6 tests/CMakeLists.txt "# As lost.md says.")
expect_red(L7 app/system/e.h "class QueueLook")
expect_red(L7 models/e.h "    enum class Mending { A };")
# L8 needs two files.
file(REMOVE_RECURSE ${SCRATCH})
file(WRITE ${SCRATCH}/models/a/a.h "#include \"models/b/b.h\"\n")
file(WRITE ${SCRATCH}/models/b/b.h "#include \"models/a/a.h\"\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${CMAKE_CURRENT_LIST_DIR}/tst_rooms.cmake
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
if(code EQUAL 0 OR NOT said MATCHES "L8")
    message(FATAL_ERROR "L8: the check stayed green, or is red for another reason: ${said}")
endif()
string(REPEAT "\n" 600 long)
expect_red(size views/relay/d.cpp "${long}")
message(STATUS "every law bites")
