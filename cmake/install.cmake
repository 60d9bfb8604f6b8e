# What is installed where: headers, libraries, the description of them for pkg-config and CMake,
# the command, its peers, manual pages.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Filch)

install(DIRECTORY include/ ${FILCH_MADE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.h PATTERN *.hpp)

# Two sets of targets: the static library needs to find what it calls, the shared one does not.
install(TARGETS filch EXPORT FilchStatic DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT FilchStatic NAMESPACE Filch:: DESTINATION ${package})
if(FILCH_SHARED)
  install(TARGETS filch_shared EXPORT FilchShared DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT FilchShared NAMESPACE Filch:: DESTINATION ${package})
endif()
configure_package_config_file(cmake/FilchConfig.cmake.in FilchConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(FilchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FilchConfig.cmake ${PROJECT_BINARY_DIR}/FilchConfigVersion.cmake
  DESTINATION ${package})

# pkg-config --static names what the static library calls. By their names, not by Requires.private:
# that would also ask for what only static copies of them would need, which Debian does not have.
set(below ${HWLOC_LDFLAGS} ${URING_LDFLAGS} -lpthread)
foreach(folder ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
  list(REMOVE_ITEM below -L${folder})
endforeach()
list(JOIN below " " FILCH_PC_BELOW)
if(FILCH_SHARED)
  set(FILCH_PC_PRIVATE "\nLibs.private:")
endif()
foreach(folder INCLUDEDIR LIBDIR) # below the prefix, which pkg-config --define-prefix may move
  cmake_path(APPEND FILCH_PC_${folder} "\${prefix}" "${CMAKE_INSTALL_${folder}}")
endforeach()
if(FILCH_EXACT)
  set(FILCH_PC_EXACT " -DFILCH_EXACT")
endif()
configure_file(cmake/filch.pc.in filch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/filch.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The command looks for the peers of its benchmarks, for what writes their report, and for the simulator in
# libexec/filch beside its bin.
if(FILCH_COMMAND)
  install(TARGETS filch_cmd DESTINATION ${CMAKE_INSTALL_BINDIR})
  file(GLOB report CONFIGURE_DEPENDS bench/report/*.py bench/report/*.jinja)
  install(FILES ${report} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/filch/filch-bench-report)
  foreach(peer openmp libomp tbb bwos_lifo bwos_fifo chase_lev abp locked runq)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/filch-bench-${peer}
      DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/filch OPTIONAL)
  endforeach()
  install(PROGRAMS ${PROJECT_BINARY_DIR}/filch-sim DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/filch OPTIONAL)
  foreach(peer openmp gnu tbb)
    install(FILES ${PROJECT_BINARY_DIR}/filch-bench-algo-${peer}.so
      DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/filch OPTIONAL)
  endforeach()
endif()

file(GLOB pages CONFIGURE_DEPENDS man/*.[1-9])
foreach(page ${pages})
  string(REGEX REPLACE ".*\\." "" section ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
# A page for each function, which says in which one it is.
set(links ${PROJECT_BINARY_DIR}/man3)
file(REMOVE_RECURSE ${links})
file(MAKE_DIRECTORY ${links})
execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/man-links ${PROJECT_SOURCE_DIR}/man ${links}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
install(DIRECTORY ${links}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
file(GLOB helpers CONFIGURE_DEPENDS tools/filch-gdb.py)
install(FILES ${helpers} DESTINATION ${CMAKE_INSTALL_DATADIR}/filch)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# In a folder of their own, as here: links between them and README.md hold, and there are two README.md.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN *.md PATTERN *.svg
  PATTERN *.c PATTERN *.cc PATTERN *.go PATTERN *.txt PATTERN CMakeLists.txt EXCLUDE)
