# SPDX-License-Identifier: GPL-3.0-or-later
# apertune_embed_text(target NAMESPACE a::b HEADER generated.h FILES constant=file...)
# Turns text files into std::string_view constants of `target`, so that a program needs no data folder for
# them. The header is included by its name; a change of a file configures again.
function(apertune_embed_text target)
  cmake_parse_arguments(ARG "" "NAMESPACE;HEADER" "FILES" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(declarations "")
  set(definitions "")
  foreach(entry IN LISTS ARG_FILES)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${entry}")
    set(name ${CMAKE_MATCH_1})
    get_filename_component(file "${CMAKE_MATCH_2}" ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND declarations "extern const std::string_view ${name};\n")
    string(APPEND definitions "const std::string_view ${name} = R\"~embed~(${text})~embed~\";\n")
  endforeach()
  file(GENERATE OUTPUT ${folder}/${ARG_HEADER} CONTENT
    "#pragma once\n\n#include <string_view>\n\nnamespace ${ARG_NAMESPACE} {\n${declarations}}\n")
  get_filename_component(stem ${ARG_HEADER} NAME_WE)
  file(CONFIGURE OUTPUT ${folder}/${stem}.cpp @ONLY CONTENT
    "#include \"${ARG_HEADER}\"\n\nnamespace ${ARG_NAMESPACE} {\n@definitions@}\n")
  target_sources(${target} PRIVATE ${folder}/${stem}.cpp)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()

# apertune_embed_table(target NAMESPACE a::b HEADER generated.h TABLE constant BASE folder FILES file...)
# Gives users of the INTERFACE library `target` a header with one table of (path below BASE, text), for files that
# folders bring along.
function(apertune_embed_table target)
  cmake_parse_arguments(ARG "" "NAMESPACE;HEADER;TABLE;BASE" "FILES" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(rows "")
  foreach(file IN LISTS ARG_FILES)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    file(RELATIVE_PATH name "${ARG_BASE}" "${file}")
    string(APPEND rows "    {\"${name}\", R\"~embed~(${text})~embed~\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/${ARG_HEADER} @ONLY CONTENT
    "#pragma once\n\n#include <string_view>\n#include <utility>\n#include <vector>\n\nnamespace @ARG_NAMESPACE@ {\ninline const std::vector<std::pair<std::string_view, std::string_view>> @ARG_TABLE@{\n@rows@};\n}\n")
  target_include_directories(${target} INTERFACE ${folder})
endfunction()
