# cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake - writes OUT, a header with the commit of DIR and its day. They come
# from git, or in an archive that git made from cmake/commit.txt. OUT changes only if they do. Without either there is
# no commit, and the day is today's, or that of $SOURCE_DATE_EPOCH.
set(commit "")
if(EXISTS ${SOURCE}/.git) # its own, not that of a repository which it happens to lie in
    find_program(GIT git)
    if(GIT)
        execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --tags --abbrev=12
                        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --format=%cs
                        OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
else()
    file(STRINGS ${SOURCE}/cmake/commit.txt line LIMIT_COUNT 1)
    if(line MATCHES "^([0-9a-f]+) ([-0-9]+)$")
        string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
        set(day ${CMAKE_MATCH_2})
    endif()
endif()
if(NOT commit OR NOT day)
    set(commit "")
    string(TIMESTAMP day "%Y-%m-%d" UTC)
endif()
set(text "#define WSIM_COMMIT \"${commit}\"\n#define WSIM_DATE \"${day}\"\n")
if(EXISTS ${OUT})
    file(READ ${OUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
    file(WRITE ${OUT} "${text}")
endif()
