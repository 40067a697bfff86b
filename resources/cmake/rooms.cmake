# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two helpers: outbox_room() declares a library of one room, outbox_test() one test program.

add_library(outbox-warnings INTERFACE)
target_compile_options(outbox-warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast
    -Werror=switch # a verdict that nobody minds is a fault, not a matter of taste
    -Wno-missing-field-initializers) # members have default values here
target_compile_definitions(outbox-warnings INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_FOREACH QT_USE_QSTRINGBUILDER QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    QT_DISABLE_DEPRECATED_BEFORE=0x060400 _FILE_OFFSET_BITS=64 OUTBOX_VERSION="${PROJECT_VERSION}")
if(OUTBOX_SANITIZE)
    target_compile_options(outbox-warnings INTERFACE -fsanitize=${OUTBOX_SANITIZE} -fno-omit-frame-pointer)
    target_compile_definitions(outbox-warnings INTERFACE QT_FORCE_ASSERTS)
    target_link_options(outbox-warnings INTERFACE -fsanitize=${OUTBOX_SANITIZE})
    include(resources/cmake/sanitizers.cmake)
endif()
if(OUTBOX_FUZZ) # libFuzzer is led by the branches that our own code takes
    target_compile_options(outbox-warnings INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(OUTBOX_COVERAGE)
    target_compile_options(outbox-warnings INTERFACE --coverage)
    target_link_options(outbox-warnings INTERFACE --coverage)
endif()

# CMAKE_UNITY_BUILD merges the sources of rooms only: a program has one, and protoc's are not ours.
set(OUTBOX_UNITY_ROOMS "${CMAKE_UNITY_BUILD}")
set(CMAKE_UNITY_BUILD OFF)
add_custom_target(rooms) # all of them, tests' own as well

# outbox_headers(NAME QT HEADER...): what many sources include, read once for all of them.
function(outbox_headers name qt)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// What many sources include is read here.\n")
    add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE ${qt} outbox-warnings)
    target_precompile_headers(${name} PRIVATE ${ARGN})
    set_target_properties(${name} PROPERTIES AUTOMOC OFF)
endfunction()
set(OUTBOX_COMMON_HEADERS <QAbstractItemModel> <QByteArray> <QCommandLineParser> <QDateTime> <QElapsedTimer> <QFile>
    <QHash> <QJsonArray> <QJsonDocument> <QJsonObject> <QList> <QSet> <QString> <QStringList> <QTimer> <QVariant>
    <algorithm> <functional> <memory> <optional> <tl/expected.hpp> <vector>)
outbox_headers(outbox-headers Qt6::Core ${OUTBOX_COMMON_HEADERS})
outbox_headers(outbox-guiheaders Qt6::Widgets ${OUTBOX_COMMON_HEADERS} <QApplication> <QBoxLayout> <QLabel> <QLocale>
               <QPainter> <QPushButton> <QTableView> <QWidget>)

# outbox_room(NAME SOURCES ... LINKS ...): a library, static where BUILD_SHARED_LIBS does not say otherwise;
# the repository root is the only include path of our own, so an include line is an address.
function(outbox_room name)
    cmake_parse_arguments(ROOM "" "" "SOURCES;LINKS" ${ARGN})
    add_library(${name} ${ROOM_SOURCES})
    # Both kinds are compiled alike; Qt asks for -fPIC itself.
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "" POSITION_INDEPENDENT_CODE OFF
                          AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc.sh UNITY_BUILD "${OUTBOX_UNITY_ROOMS}")
    add_dependencies(rooms ${name})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ROOM_LINKS} PRIVATE outbox-warnings)
    if("${ROOM_LINKS}" MATCHES "Qt6::Widgets|outbox-(views|desktop)")
        target_precompile_headers(${name} REUSE_FROM outbox-guiheaders)
    else()
        target_precompile_headers(${name} REUSE_FROM outbox-headers)
    endif()
endfunction()

# outbox_test_headers(NAME LINKS HEADER...): what most tests include, read once for all of them. All macros that
# these headers ask for must be the same in each test, so those that name a folder are taken away.
add_library(outbox-testflags INTERFACE)
# A test's own lines take no time worth a third of its compiling; what it tests is optimized.
target_compile_options(outbox-testflags INTERFACE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR -O0)
target_link_libraries(outbox-testflags INTERFACE Qt6::Network Qt6::Test)
function(outbox_test_headers name qt)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// What tests include is read here.\n")
    add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE ${qt} outbox-warnings outbox-testflags)
    target_precompile_headers(${name} PRIVATE <QDateTime> <QDir> <QElapsedTimer> <QFile> <QJsonArray> <QJsonDocument>
        <QJsonObject> <QProcess> <QRegularExpression> <QSet> <QSignalSpy> <QTemporaryDir> <QTest> <QTimer> <QUuid>
        <algorithm> <functional> <memory> <optional> <tl/expected.hpp> <vector> ${ARGN})
endfunction()

# A test or a program of tests as the compiler sees it.
function(outbox_read_before target links)
    set_target_properties(${target} PROPERTIES AUTOMOC_EXECUTABLE ${CMAKE_BINARY_DIR}/moc.sh)
    if(links MATCHES "outbox-(views|desktop|testsurfaces|testfaults)")
        target_precompile_headers(${target} REUSE_FROM outbox-guitestheaders)
    else()
        target_precompile_headers(${target} REUSE_FROM outbox-testheaders)
    endif()
    # Mostly empty, and loading the headers takes a second.
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp
                                PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# outbox_test_program(NAME [GUI] LINKS ... SOURCES ...): one program for many tests, which are compiled sixteen at a
# time: what a test includes takes longer than the test. `NAME tst_x` runs one of them. GUI gives a test a QApplication.
function(outbox_test_program name)
    cmake_parse_arguments(P "GUI" "" "LINKS;SOURCES" ${ARGN})
    add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/support/testprogram.cpp
                   ${PROJECT_SOURCE_DIR}/tests/support/testprogram.h ${P_SOURCES})
    target_link_libraries(${name} PRIVATE ${P_LINKS} outbox-warnings outbox-testflags)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests
                          UNITY_BUILD "${OUTBOX_UNITY_ROOMS}")
    # What has no linkage is used in its own source, though that is not the one that is compiled.
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    if(P_GUI)
        target_compile_definitions(${name} PRIVATE OUTBOX_TEST_GUI)
    endif()
    outbox_read_before(${name} "${P_LINKS}")
endfunction()

# outbox_test(NAME IN program LABEL label): tests/<room>/NAME.cpp in that program, as one CTest entry.
# outbox_test(NAME LABEL label LINKS ...): the same as a program with a main() of its own.
# CLUSTER: a second entry NAME_cluster runs it over a Redis Cluster (tests/support/queueserver.h).
# POOLED: one more, NAME_pooled, runs it through a pooler before PostgreSQL (tests/support/testpostgres.h).
# LABEL unit needs no process, gui a font, servers real servers, slow servers and time, bench is by hand.
function(outbox_test name)
    cmake_parse_arguments(T "ALONE;CLUSTER;POOLED" "IN;LABEL;TIMEOUT" "LINKS;SOURCES" ${ARGN})
    set(entries ${name})
    if(T_CLUSTER)
        list(APPEND entries ${name}_cluster)
    endif()
    if(T_POOLED)
        list(APPEND entries ${name}_pooled)
    endif()
    if(T_IN)
        target_sources(${T_IN} PRIVATE ${name}.cpp)
        add_custom_target(${name} DEPENDS ${T_IN})
        foreach(entry IN LISTS entries)
            add_test(NAME ${entry} COMMAND ${T_IN} ${name})
        endforeach()
    else()
        add_executable(${name} ${name}.cpp ${T_SOURCES})
        target_link_libraries(${name} PRIVATE ${T_LINKS} outbox-warnings outbox-testflags)
        outbox_read_before(${name} "${T_LINKS}")
        set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
        add_test(NAME ${name} COMMAND ${name})
    endif()
    # Qt's own offscreen screen has 800x800 pixels: our dialogs would be scrolled on it.
    set(screen "offscreen:configfile=${PROJECT_SOURCE_DIR}/tests/data/screen.json")
    set_tests_properties(${entries} PROPERTIES LABELS "${T_LABEL}" ENVIRONMENT
                         "QT_QPA_PLATFORM=${screen};XDG_STATE_HOME=${CMAKE_BINARY_DIR}/tests/state")
    if(T_CLUSTER)
        set_property(TEST ${name}_cluster APPEND PROPERTY ENVIRONMENT OUTBOX_QUEUE=cluster)
    endif()
    if(T_POOLED)
        set_property(TEST ${name}_pooled APPEND PROPERTY ENVIRONMENT OUTBOX_DATABASE=pgbouncer)
    endif()
    if(T_TIMEOUT)
        set_tests_properties(${entries} PROPERTIES TIMEOUT ${T_TIMEOUT})
    else()
        set(T_TIMEOUT 300) # as the test presets say
    endif()
    if(OUTBOX_SANITIZE)
        foreach(entry IN LISTS entries)
            outbox_sanitized(${entry} ${T_TIMEOUT})
        endforeach()
    endif()
    if(T_ALONE) # it measures, and nothing else may take the processor
        set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
endfunction()
