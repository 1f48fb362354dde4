# cmake -DPROGRAM=wsim -DOUT=DIR [-DGZIP=gzip] -P manual.cmake - the manual pages of the program and of all
# its commands, which it knows itself: `wsim complete` lists them.
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})

function(page file)
    execute_process(COMMAND ${PROGRAM} help --man ${ARGN} OUTPUT_FILE ${OUT}/${file} RESULT_VARIABLE status)
    if(status)
        message(FATAL_ERROR "wsim help --man ${ARGN}: exit status ${status}")
    endif()
endfunction()

execute_process(COMMAND ${PROGRAM} complete help "" OUTPUT_VARIABLE lines)
string(REPLACE ";" "," lines "${lines}") # what would end an element of a list
string(REGEX MATCHALL "[^\t\n]+\t[^\n]*" lines "${lines}")
foreach(line ${lines})
    string(REGEX REPLACE "\t.*" "" command ${line})
    page(wsim-${command}.1 ${command})
endforeach()
page(wsim.1)
if(GZIP)
    file(GLOB pages ${OUT}/*.1)
    execute_process(COMMAND ${GZIP} -9nk ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
