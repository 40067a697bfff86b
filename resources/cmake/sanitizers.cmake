# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the sanitizers need beyond their flag: time, and a report that no test can swallow.
#
# Many tests start a program and kill it, so the report of a child process would go unseen. Reports are files
# therefore, and after the last test one more is red when there is such a file and shows it. What behaviour is
# undefined is told on stderr only, beside the address sanitizer; there a program ends with SIGABRT.
set(OUTBOX_SANITIZER_SLOWNESS 5) # how many times longer a test may take
set(OUTBOX_REPORTS ${CMAKE_BINARY_DIR}/reports)

if(OUTBOX_SANITIZE MATCHES thread)
    target_compile_definitions(outbox-warnings INTERFACE OUTBOX_THREAD_SANITIZER)
    add_library(outbox-vfork OBJECT ${PROJECT_SOURCE_DIR}/resources/cmake/vfork.cpp)
    set_target_properties(outbox-vfork PROPERTIES AUTOMOC OFF)
    target_link_libraries(outbox-warnings INTERFACE
        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:outbox-vfork>> ${CMAKE_DL_LIBS})
endif()

set(OUTBOX_SANITIZER_ENVIRONMENT
    # faketime is loaded before the sanitizer, and does it no harm
    ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:verify_asan_link_order=0:log_path=${OUTBOX_REPORTS}/address
    UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:abort_on_error=1
    TSAN_OPTIONS=second_deadlock_stack=1:suppressions=${PROJECT_SOURCE_DIR}/resources/tsan.txt:log_path=${OUTBOX_REPORTS}/thread
    QTEST_FUNCTION_TIMEOUT=1500000
    OUTBOX_SLOWNESS=${OUTBOX_SANITIZER_SLOWNESS})

# outbox_sanitized(TEST seconds): more time, and its reports count.
function(outbox_sanitized test seconds)
    math(EXPR seconds "${seconds} * ${OUTBOX_SANITIZER_SLOWNESS}")
    set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds} FIXTURES_REQUIRED reports)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${OUTBOX_SANITIZER_ENVIRONMENT})
endfunction()

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    set(script ${PROJECT_SOURCE_DIR}/resources/cmake/reports.cmake)
    add_test(NAME reports_are_empty COMMAND ${CMAKE_COMMAND} -DREPORTS=${OUTBOX_REPORTS} -DANEW=ON -P ${script})
    add_test(NAME nothing_reported COMMAND ${CMAKE_COMMAND} -DREPORTS=${OUTBOX_REPORTS} -P ${script})
    set_tests_properties(reports_are_empty PROPERTIES FIXTURES_SETUP reports LABELS unit)
    set_tests_properties(nothing_reported PROPERTIES FIXTURES_CLEANUP reports LABELS unit)
endif()
