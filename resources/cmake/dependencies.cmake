# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Finds every library. Whoever lacks one is told the whole apt line once, not one name at a time.

set(OUTBOX_APT_LINE "sudo apt-get install -y --no-install-recommends g++ cmake ninja-build pkg-config qt6-base-dev libgl-dev libqt6opengl6-dev qt6-charts-dev libqt6svg6 libqt6sql6-sqlite libqt6sql6-psql libqt6sql6-mysql libexpected-dev libhiredis-dev libprotobuf-dev protobuf-compiler libpq-dev zlib1g-dev libzstd-dev redis-server fonts-dejavu-core")

macro(outbox_find name)
    find_package(${name} QUIET ${ARGN})
    if(NOT ${name}_FOUND)
        message(FATAL_ERROR "${name} (${ARGN}) was not found. On Debian 12 this installs all that is needed:\n  ${OUTBOX_APT_LINE}")
    endif()
endmacro()

outbox_find(Qt6 6.4 COMPONENTS Core Sql Network Gui Widgets OpenGL Charts)
outbox_find(tl-expected)
outbox_find(Protobuf)   # module mode: Debian ships no config package
outbox_find(PostgreSQL)
outbox_find(ZLIB)
outbox_find(PkgConfig)
# Debian's HiredisConfig.cmake is broken; pkg-config is not.
pkg_check_modules(HIREDIS QUIET IMPORTED_TARGET hiredis)
if(NOT HIREDIS_FOUND)
    message(FATAL_ERROR "hiredis was not found. On Debian 12 this installs all that is needed:\n  ${OUTBOX_APT_LINE}")
endif()
pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
if(NOT ZSTD_FOUND)
    message(FATAL_ERROR "libzstd was not found. On Debian 12 this installs all that is needed:\n  ${OUTBOX_APT_LINE}")
endif()
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    outbox_find(Qt6Test)
endif()
qt_standard_project_setup()

# Fifty test programs with debug information are linked in seconds instead of minutes.
find_program(OUTBOX_MOLD mold)
if(OUTBOX_MOLD AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.1))
    add_link_options(-fuse-ld=mold)
endif()
