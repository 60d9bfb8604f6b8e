# cmake -DSOURCES=DIR -DHEADER=FILE -P commit.cmake: the commit that DIR is at, for what is built from it to
# tell. FILE changes only if that has. Of sources within another project's repository nothing is known.
set(commit unknown)
execute_process(COMMAND git -C ${SOURCES} rev-parse --show-prefix
  OUTPUT_VARIABLE below RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT failed AND below STREQUAL "")
  execute_process(COMMAND git -C ${SOURCES} describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE commit RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define FILCH_COMMIT \"${commit}\"\n" @ONLY)
