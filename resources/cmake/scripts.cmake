# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# outbox_scripts(TARGET header namespace FILE...): Lua files as text constants in a generated header, so
# that a program carries its scripts without a resource system. worker-done.lua becomes workerDoneLua.
function(outbox_scripts target header namespace)
    set(constants "")
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
        file(READ ${PROJECT_SOURCE_DIR}/${file} text)
        get_filename_component(stem ${file} NAME_WE)
        string(REGEX MATCHALL "[a-z]+" words ${stem})
        list(POP_FRONT words name)
        foreach(word IN LISTS words)
            string(SUBSTRING ${word} 0 1 first)
            string(SUBSTRING ${word} 1 -1 rest)
            string(TOUPPER ${first} first)
            string(APPEND name ${first}${rest})
        endforeach()
        string(APPEND constants "inline constexpr char ${name}Lua[] = R\"lua(${text})lua\";\n")
    endforeach()
    set(folder ${CMAKE_BINARY_DIR}/generated)
    file(CONFIGURE OUTPUT ${folder}/${header}
         CONTENT "#pragma once\nnamespace ${namespace} {\n@constants@}\n" @ONLY)
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
