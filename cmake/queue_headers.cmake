# The headers of the queues for programs that use them without the runtime, in ${FILCH_MADE}/filch/queue. They
# are those of src/queue and the parts of src/base that these need, which have short names; here every name
# begins with filch. All of them keep their include guards, except for the operations, which get other names; so
# a program may include both sets. A file is written only when its text changes.
set(FILCH_MADE ${PROJECT_BINARY_DIR}/include)
set(below queue/block queue/order base/atomic base/cpu base/random)
set(public queue/queue queue/bwos_lifo queue/bwos_fifo queue/chase_lev queue/abp queue/locked queue/runq)

file(READ src/base/atomic.h text)
string(REGEX MATCHALL "#define [a-z_]+[(]" operations "${text}")
list(TRANSFORM operations REPLACE "#define ([a-z_]+)." "\\1")

foreach(header ${below} ${public})
  set(from src/${header}.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${from})
  file(READ ${from} text)
  foreach(name ${operations})
    string(REGEX REPLACE "([^a-z_])${name}[(]" "\\1filch__queue_${name}(" text "${text}")
  endforeach()
  foreach(name ${below})
    get_filename_component(file ${name} NAME)
    string(REPLACE "#include \"${name}.h\"" "#include <filch/queue/detail/${file}.h>" text "${text}")
  endforeach()
  string(REGEX REPLACE "#include \"(queue/[a-z_]+[.]h)\"" "#include <filch/\\1>" text "${text}")
  string(REPLACE "FILCH_BASE_ATOMIC_H" "FILCH_QUEUE_DETAIL_ATOMIC_H" text "${text}")
  string(REGEX REPLACE "\n#ifndef ([A-Z_]+_H)\n"
    "\n#ifdef __cplusplus\n#error \"The queues of Filch are for C alone; C++ has no _Atomic.\"\n#elif !defined(\\1)\n"
    text "${text}")
  string(REPLACE "/* SPDX-License-Identifier: MIT */\n" "/* SPDX-License-Identifier: MIT */
/* Made from ${from} by the build of Filch. The manual page is filch_queue(3). */\n" text "${text}")
  get_filename_component(file ${header} NAME)
  if(header IN_LIST below)
    set(file detail/${file})
  endif()
  file(CONFIGURE OUTPUT ${FILCH_MADE}/filch/queue/${file}.h CONTENT "${text}" @ONLY)
endforeach()
