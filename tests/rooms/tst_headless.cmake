# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# outboxctl loads no QtGui, not even through another library.
# cmake -DPROGRAM=<outboxctl> -P tst_headless.cmake

cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ldd ${PROGRAM} OUTPUT_VARIABLE libraries RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR NOT libraries MATCHES "Qt6Core")
    message(FATAL_ERROR "ldd could not read ${PROGRAM}")
endif()
if(libraries MATCHES "Qt6(Gui|Widgets|Charts)[^\n]*")
    message(FATAL_ERROR "outboxctl loads ${CMAKE_MATCH_0}")
endif()
message(STATUS "no QtGui in outboxctl")
