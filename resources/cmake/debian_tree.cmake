# SPDX-License-Identifier: GPL-3.0-or-later
# Run by CPack over the installed files, before it packs them: what Debian's policy wants and other systems do not.
file(GLOB roots ${CPACK_TEMPORARY_DIRECTORY}/*)
set(pages usr/share/man/man1)
# The page of the verb that opens the window is that of the window's program.
if(EXISTS ${CPACK_TEMPORARY_DIRECTORY}/gui AND EXISTS ${CPACK_TEMPORARY_DIRECTORY}/apertune/${pages}/apertune-gui.1)
  file(MAKE_DIRECTORY ${CPACK_TEMPORARY_DIRECTORY}/gui/${pages})
  file(RENAME ${CPACK_TEMPORARY_DIRECTORY}/apertune/${pages}/apertune-gui.1 ${CPACK_TEMPORARY_DIRECTORY}/gui/${pages}/apertune-gui.1)
endif()
set(epoch $ENV{SOURCE_DATE_EPOCH})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH, when it is set
foreach(root IN LISTS roots)
  get_filename_component(group ${root} NAME)
  set(name apertune-${group})
  if(group STREQUAL "apertune")
    set(name apertune)
  endif()
  set(doc ${root}/usr/share/doc/${name})
  file(REMOVE ${root}/usr/share/doc/apertune/LICENSE)
  file(MAKE_DIRECTORY ${doc})
  file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Apertune

Files: *
Copyright: 2026 The Apertune authors
License: GPL-3+
 Apertune is free software: you can redistribute it and/or modify it under the
 terms of the GNU General Public License as published by the Free Software
 Foundation, either version 3 of the License, or (at your option) any later
 version.
 .
 On Debian systems, the full text is in /usr/share/common-licenses/GPL-3.
")
  file(WRITE ${doc}/changelog "apertune (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB texts ${root}/${pages}/*.1 ${doc}/changelog)
  foreach(text IN LISTS texts)
    execute_process(COMMAND gzip -9nf ${text} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  # Libraries are the system's own here.
  file(GLOB programs ${root}/usr/bin/*)
  foreach(program IN LISTS programs)
    file(RPATH_REMOVE FILE ${program})
  endforeach()
  # CPack packs the files with their own permissions and times.
  execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
  if(epoch)
    execute_process(COMMAND find ${root} -exec touch --no-dereference --date=@${epoch} {} + COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
