# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Red when a sanitizer has left a report, of a test or of a program that a test has started.
# cmake -DREPORTS=<folder> [-DANEW=ON] -P reports.cmake: ANEW empties the folder instead.
if(ANEW)
    file(REMOVE_RECURSE ${REPORTS})
    file(MAKE_DIRECTORY ${REPORTS})
    return()
endif()
file(GLOB reports ${REPORTS}/*)
foreach(report IN LISTS reports)
    file(READ ${report} text LIMIT 20000)
    message("${report}\n${text}")
endforeach()
list(LENGTH reports count)
if(count)
    message(FATAL_ERROR "${count} reports of a sanitizer in ${REPORTS}")
endif()
