# wsim_add_test(NAME name KIND [OPTIONS option...] [ARGUMENTS argument...] [LABELS label...]) adds a test that needs no
# GPU. It fails when wsim finds a mistake, a difference, or something that it does not model. KIND is one of
#     LAUNCH file.json     a launch file: kernels, arguments, expected results
#     KERNEL file          a kernel of a .ptx or .cu file; OPTIONS are those of wsim run: --grid, --block, --arg ...
#     PROGRAM target       an executable, or the path of one, that uses CUDA; ARGUMENTS are its own
#     LINT file...         inline assembly and PTX of files and folders
# OPTIONS are put before the file. WSIM_EXECUTABLE is the program wsim; it is looked for beside this package first.
find_program(WSIM_EXECUTABLE wsim HINTS ${PACKAGE_PREFIX_DIR}/bin)

function(wsim_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;LAUNCH;KERNEL;PROGRAM" "LINT;OPTIONS;ARGUMENTS;LABELS")
    set(kinds "")
    foreach(kind LAUNCH KERNEL PROGRAM LINT)
        if(DEFINED test_${kind})
            list(APPEND kinds ${kind})
        endif()
    endforeach()
    list(LENGTH kinds n)
    if(NOT DEFINED test_NAME OR NOT n EQUAL 1)
        message(FATAL_ERROR "wsim_add_test: give NAME and one of LAUNCH, KERNEL, PROGRAM and LINT")
    elseif(DEFINED test_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "wsim_add_test(${test_NAME}): unknown argument '${test_UNPARSED_ARGUMENTS}'")
    elseif(DEFINED test_ARGUMENTS AND NOT kinds STREQUAL PROGRAM)
        message(FATAL_ERROR "wsim_add_test(${test_NAME}): ARGUMENTS go with PROGRAM; options of wsim are OPTIONS")
    elseif(NOT WSIM_EXECUTABLE)
        message(FATAL_ERROR "wsim_add_test(${test_NAME}): the program wsim is not on the PATH; "
                            "set WSIM_EXECUTABLE to it")
    endif()
    set(command ${WSIM_EXECUTABLE} run ${test_OPTIONS})
    if(kinds STREQUAL LINT)
        set(command ${WSIM_EXECUTABLE} check ${test_OPTIONS} ${test_LINT})
    elseif(kinds STREQUAL LAUNCH)
        list(APPEND command --launch ${test_LAUNCH})
    elseif(kinds STREQUAL KERNEL)
        list(APPEND command ${test_KERNEL})
    elseif(TARGET ${test_PROGRAM})
        list(APPEND command $<TARGET_FILE:${test_PROGRAM}> ${test_ARGUMENTS})
    else()
        list(APPEND command ${test_PROGRAM} ${test_ARGUMENTS})
    endif()
    add_test(NAME ${test_NAME} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set_tests_properties(${test_NAME} PROPERTIES LABELS "wsim;${test_LABELS}")
endfunction()
