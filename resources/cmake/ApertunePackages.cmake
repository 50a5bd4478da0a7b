# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's packages, by CPack (`make deb`): apertune, apertune-gui with the window, and apertune-dev with the header for plugins.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME apertune)
set(CPACK_PACKAGE_CONTACT "The Apertune authors <apertune@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds the fastest safe way to run a vision model")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/../deb)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_tree.cmake)

file(GLOB folders RELATIVE ${PROJECT_SOURCE_DIR}/plugins ${PROJECT_SOURCE_DIR}/plugins/*/CMakeLists.txt)
set(CPACK_COMPONENTS_ALL apertune shell manual dev)
if(APERTUNE_GUI)
  list(APPEND CPACK_COMPONENTS_ALL gui)
endif()
set(CPACK_COMPONENT_APERTUNE_GROUP apertune)
set(CPACK_COMPONENT_SHELL_GROUP apertune)
set(CPACK_COMPONENT_MANUAL_GROUP apertune)
set(CPACK_COMPONENT_GUI_GROUP gui)
set(CPACK_COMPONENT_DEV_GROUP dev)
foreach(folder IN LISTS folders)
  get_filename_component(plugin ${folder} DIRECTORY)
  # A backend that is not built has its description at most; the one of the tests has none.
  if(EXISTS ${APERTUNE_PLUGIN_DIR}/${plugin}.json OR EXISTS ${APERTUNE_PLUGIN_DIR}/${plugin}.requirements)
    list(APPEND CPACK_COMPONENTS_ALL plugin_${plugin})
    string(TOUPPER plugin_${plugin} upper)
    set(CPACK_COMPONENT_${upper}_GROUP apertune)
  endif()
endforeach()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Engines are no packages of Debian: their libraries are found at run time.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "")
if(TorchWheel_PACKAGE_DIR)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${TorchWheel_PACKAGE_DIR}/lib)
endif()
apertune_find_engine(openvino package)
if(package)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${package}/libs)
endif()

set(CPACK_DEBIAN_APERTUNE_PACKAGE_NAME apertune)
set(CPACK_DEBIAN_APERTUNE_PACKAGE_RECOMMENDS "python3, python3-pip")
set(CPACK_DEBIAN_APERTUNE_PACKAGE_SUGGESTS "apertune-gui, g++")
set(CPACK_DEBIAN_APERTUNE_DESCRIPTION
"Apertune sweeps optimization levels, batch sizes, precisions, engines and
single switches across the GPUs and the CPU of a machine. It measures each
configuration in a process of its own, compares the outputs with those of the
unoptimized model, and exports the winning one as a program.
.
This package has the command line. Inference engines are added with
'apertune engine add'.")
set(CPACK_DEBIAN_GUI_PACKAGE_NAME apertune-gui)
set(CPACK_DEBIAN_GUI_PACKAGE_DEPENDS "apertune (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_GUI_PACKAGE_RECOMMENDS "fonts-inter, fonts-jetbrains-mono, fonts-dejavu-core")
set(CPACK_DEBIAN_GUI_DESCRIPTION
"Apertune finds the fastest safe way to run a vision model on a machine, and
shows by measurement that it is the fastest.
.
This package has the window: sweeps, trade-offs, timelines, comparisons.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME apertune-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS apertune)
set(CPACK_DEBIAN_DEV_DESCRIPTION
"Apertune finds the fastest safe way to run a vision model on a machine.
.
This package has the C header of its plugins, through which it drives
inference engines.")
include(CPack)
foreach(group apertune gui dev)
  cpack_add_component_group(${group})
endforeach()
