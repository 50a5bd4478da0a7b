# SPDX-License-Identifier: GPL-3.0-or-later
# Inference engines as their Python wheels ship them. An engine is optional twice: without its headers its backend is
# not built, and without its libraries it is not run; both are said in `apertune device list`, with what to do.

set(APERTUNE_ENGINES_ROOT "" CACHE PATH
  "Environment with the engines' wheels; empty: APERTUNE_ENGINES, else the one the set-up made")
define_property(GLOBAL PROPERTY APERTUNE_ENGINE_FOLDERS BRIEF_DOCS "site-packages folders that are searched")

if(APERTUNE_ENGINES_ROOT)
  set(roots "${APERTUNE_ENGINES_ROOT}")
elseif(NOT "$ENV{APERTUNE_ENGINES}" STREQUAL "")
  string(REPLACE ":" ";" roots "$ENV{APERTUNE_ENGINES}")
else()
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../setup/setup --print-engines
    OUTPUT_VARIABLE roots OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(folders "")
foreach(root IN LISTS roots)
  file(GLOB found "${root}/lib/python3.*/site-packages")
  list(APPEND folders "${root}" ${found})
endforeach()
set_property(GLOBAL PROPERTY APERTUNE_ENGINE_FOLDERS "${folders}")

# apertune_find_engine(package result): the folder of a Python package, or nothing.
function(apertune_find_engine package result)
  set(${result} "" PARENT_SCOPE)
  get_property(folders GLOBAL PROPERTY APERTUNE_ENGINE_FOLDERS)
  foreach(folder IN LISTS folders)
    if(IS_DIRECTORY "${folder}/${package}")
      set(${result} "${folder}/${package}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# apertune_require_packages(name LIST file PACKAGES package...) writes lib/apertune/plugins/<name>.requirements: what
# `apertune engine add name` installs, in the versions of that list of the set-up.
function(apertune_require_packages name)
  cmake_parse_arguments(ARG "" "LIST" "PACKAGES" ${ARGN})
  set(lines "")
  foreach(package IN LISTS ARG_PACKAGES)
    file(STRINGS ${ARG_LIST} line REGEX "^${package}==")
    string(APPEND lines "${line}\n")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARG_LIST})
  file(CONFIGURE OUTPUT ${APERTUNE_PLUGIN_DIR}/${name}.requirements @ONLY CONTENT "@lines@")
  install(FILES ${APERTUNE_PLUGIN_DIR}/${name}.requirements DESTINATION ${CMAKE_INSTALL_LIBDIR}/apertune/plugins
    COMPONENT plugin_${name})
endfunction()

# apertune_describe_engine(name [SYSTEM] TITLE text PACKAGE package FORMATS format... LIBRARIES pattern...
#   [COMPANIONS package...] [INT8_ACTIVATIONS symmetric] [NOT_BUILT reason] [REMEDY text])
# writes lib/apertune/plugins/<name>.json, which core/worker/backend_manifest.h reads. LIBRARIES are below the package;
# '*' stands for a version. The version that pip gets is the one in resources/setup/engines.txt. SYSTEM: without the
# package the plugin looks for the system's own libraries. INT8_ACTIVATIONS symmetric: models are quantized for it with
# signed activations and zero point 0. COMPANIONS: packages that reading its model files takes. REMEDY: how it comes into a build, where the set-up does not.
function(apertune_describe_engine name)
  cmake_parse_arguments(ARG "SYSTEM" "TITLE;PACKAGE;INT8_ACTIVATIONS;NOT_BUILT;REMEDY" "FORMATS;LIBRARIES;COMPANIONS" ${ARGN})
  set(system false)
  if(ARG_SYSTEM)
    set(system true)
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/resources/setup/engines.txt requirement REGEX "^${ARG_PACKAGE}==")
  if(requirement)
    apertune_require_packages(${name} LIST ${PROJECT_SOURCE_DIR}/resources/setup/engines.txt
      PACKAGES ${ARG_PACKAGE} ${ARG_COMPANIONS})
  endif()
  foreach(list FORMATS LIBRARIES)
    string(REPLACE ";" "\", \"" ${list} "${ARG_${list}}")
  endforeach()
  file(CONFIGURE OUTPUT ${APERTUNE_PLUGIN_DIR}/${name}.json @ONLY CONTENT [[{
  "schema": "apertune.backend/1",
  "title": "@ARG_TITLE@",
  "package": "@ARG_PACKAGE@",
  "requirement": "@requirement@",
  "libraries": ["@LIBRARIES@"],
  "formats": ["@FORMATS@"],
  "int8_activations": "@ARG_INT8_ACTIVATIONS@",
  "not_built": "@ARG_NOT_BUILT@",
  "remedy": "@ARG_REMEDY@",
  "system": @system@
}
]])
  install(FILES ${APERTUNE_PLUGIN_DIR}/${name}.json DESTINATION ${CMAKE_INSTALL_LIBDIR}/apertune/plugins
    COMPONENT plugin_${name})
endfunction()

# apertune_add_export_files(file...) registers files of the calling folder for `apertune export` (plugins/export.md).
# They are taken into the build whether the engine's library is built or not, so call it before any return().
function(apertune_add_export_files)
  foreach(file IN LISTS ARGN)
    get_filename_component(path "${file}" ABSOLUTE)
    set_property(GLOBAL APPEND PROPERTY APERTUNE_EXPORT_FILES "${path}")
  endforeach()
endfunction()
