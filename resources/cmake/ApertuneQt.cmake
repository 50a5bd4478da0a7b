# SPDX-License-Identifier: GPL-3.0-or-later
# Qt and QCustomPlot for widgets/ and app/gui. PrintSupport comes before QCustomPlot, whose package names it without
# finding it.
find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg DBus PrintSupport)
find_package(QCustomPlotQt6 REQUIRED)

add_library(apertune_qt INTERFACE)
target_link_libraries(apertune_qt INTERFACE Qt6::Widgets)
target_compile_definitions(apertune_qt INTERFACE
  QT_NO_CONTEXTLESS_CONNECT QT_NO_CAST_FROM_ASCII QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
# qcustomplot.h itself uses signals, slots and foreach, so widgets/plots goes without these.
add_library(apertune_qt_strict INTERFACE)
target_link_libraries(apertune_qt_strict INTERFACE apertune_qt)
target_compile_definitions(apertune_qt_strict INTERFACE QT_NO_KEYWORDS QT_NO_FOREACH)

# apertune_use_moc(target): moc 6.4 cannot parse libstdc++'s C++20 headers that core's headers pull in, and needs
# nothing from them.
function(apertune_use_moc target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTORCC ON
    AUTOMOC_MOC_OPTIONS "-D_COMPARE;-D_GLIBCXX_CONCEPTS")
endfunction()

# apertune_add_qt_module(name SOURCES file... [DEPENDS public targets...] [PRIVATE private targets...])
function(apertune_add_qt_module name)
  apertune_add_module(${name} ${ARGN})
  target_link_libraries(apertune_${name} PUBLIC apertune_qt)
  apertune_use_moc(apertune_${name})
endfunction()
