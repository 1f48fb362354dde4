# wsim_room(NAME [ON LOWER...] [HARNESS] [ONCE]): compiles sim/NAME into libwsim, or harness/NAME into
# libwsim-harness. LOWER lists the rooms that it may use. ONCE: it works once for an instruction or a module, not for
# each execution, so its code is small rather than unrolled.
function(wsim_room name)
    cmake_parse_arguments(PARSE_ARGV 1 room "HARNESS;ONCE" "" "ON")
    set(folder sim)
    set(into WSIM_OBJECTS)
    if(room_HARNESS)
        set(folder harness)
        set(into WSIM_HARNESS_OBJECTS)
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${name}/*.c)
    add_library(wsim_${name} OBJECT ${sources})
    target_include_directories(wsim_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(wsim_${name} PRIVATE WSIM_BUILDING)
    # A path of kernels compiles for minutes with checks of pointers and bounds. The address sanitizer
    # checks these accesses byte by byte anyway, so kernels are compiled without them. Its checks are
    # calls there, which halves the rest.
    if(WSIM_SANITIZE)
        # Tests and programs have -O0, which compiles in a third of the time.
        target_compile_options(wsim_${name} PRIVATE -O1)
        file(GLOB kernels ${PROJECT_SOURCE_DIR}/sim/${name}/avx*.c
             ${PROJECT_SOURCE_DIR}/sim/${name}/vectors*.c ${PROJECT_SOURCE_DIR}/sim/${name}/quick_*.c)
        set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS
            -fno-sanitize=null,alignment,object-size,pointer-overflow,nonnull-attribute,bounds)
        # Unoptimised they compile in a sixth of the time, which no test of them loses again, and all accesses are still there.
        set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS -O0)
        set(calls asan-instrumentation-with-call-threshold=0)
        if(CMAKE_C_COMPILER_ID MATCHES "Clang")
            set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS -mllvm -${calls})
        elseif(CMAKE_C_COMPILER_ID STREQUAL "GNU")
            set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS --param ${calls})
        endif()
    endif()
    # On x86-64 only machines without AVX2 (before 2013) run these two: optimise them for size, not -O3.
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/sim/${name}/vectors.c
            APPEND PROPERTY COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-Os;-DWSIM_KERNELS_SMALL>)
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/sim/${name}/quick_plain.c
            APPEND PROPERTY COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-Os>)
        # Steps of 8 lanes an instruction are as fast in loops as unrolled, in two thirds of the text.
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/sim/${name}/quick_v3.c
            APPEND PROPERTY COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O2>)
    endif()
    if(room_ONCE AND CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(wsim_${name} PRIVATE $<$<CONFIG:Release>:-O2>)
    endif()
    if(WSIM_STACK_USAGE)
        target_compile_options(wsim_${name} PRIVATE -fstack-usage)
    endif()
    list(TRANSFORM room_ON PREPEND wsim_)
    target_link_libraries(wsim_${name} PRIVATE ${room_ON})
    set_property(GLOBAL APPEND PROPERTY ${into} $<TARGET_OBJECTS:wsim_${name}>)
endfunction()

# wsim_hot(ROOM [NAME...]): the code of these files of a room may grow for speed. All others of the room run once a launch, for
# findings, or for instructions of few kernels, so their code is small. A room without a line is hot.
function(wsim_hot room)
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        file(GLOB cold CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/${room}/*.c)
        foreach(name IN LISTS ARGN)
            set(hot ${PROJECT_SOURCE_DIR}/sim/${room}/${name}.c)
            if(NOT hot IN_LIST cold)
                message(FATAL_ERROR "wsim_hot: room ${room} has no ${name}.c")
            endif()
            list(REMOVE_ITEM cold ${hot})
        endforeach()
        set_property(SOURCE ${cold} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
    endif()
endfunction()

# wsim_library(TARGET KIND): all rooms but those of the harness as one libwsim.
function(wsim_library target kind)
    get_property(objects GLOBAL PROPERTY WSIM_OBJECTS)
    add_library(${target} ${kind} ${objects})
    add_library(wsim::${target} ALIAS ${target})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME wsim LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    wsim_link_interface(${target})
    if(kind STREQUAL "STATIC")
        wsim_prefix_names(${target})
    endif()
endfunction()

# wsim_harness_library(): libwsim-harness needs the static libwsim. Its rooms use the rules of base and
# the tables of isa, which the shared library does not export.
function(wsim_harness_library)
    get_property(objects GLOBAL PROPERTY WSIM_HARNESS_OBJECTS)
    add_library(wsim_harness STATIC ${objects})
    add_library(wsim::wsim_harness ALIAS wsim_harness)
    add_library(wsim::harness ALIAS wsim_harness)
    set_target_properties(wsim_harness PROPERTIES OUTPUT_NAME wsim-harness LINKER_LANGUAGE C)
    target_link_libraries(wsim_harness PUBLIC wsim_static)
    wsim_prefix_names(wsim_harness wsim_static)
endfunction()

# wsim_rooms_library(): all rooms in one archive with the short names of the sources. The program, tools and tests of
# this project link it; it is not installed.
function(wsim_rooms_library)
    get_property(objects GLOBAL PROPERTY WSIM_OBJECTS)
    get_property(harness GLOBAL PROPERTY WSIM_HARNESS_OBJECTS)
    add_library(wsim_rooms STATIC EXCLUDE_FROM_ALL ${objects} ${harness})
    set_target_properties(wsim_rooms PROPERTIES LINKER_LANGUAGE C)
    wsim_link_interface(wsim_rooms)
endfunction()

function(wsim_link_interface target)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    set(THREADS_PREFER_PTHREAD_FLAG ON)
    find_package(Threads)
    if(Threads_FOUND)
        target_link_libraries(${target} PUBLIC Threads::Threads)
    endif()
endfunction()

# wsim_prefix_names(TARGET [USED]): every global name of an archive begins with wsim_ (cmake/prefix.sh). USED
# is the archive whose names it uses. Without objcopy the short names stay.
function(wsim_prefix_names target)
    if(NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
        message(STATUS "No objcopy: ${target} keeps the short names of the sources")
        return()
    endif()
    set(names ${PROJECT_BINARY_DIR}/${target}.names)
    list(TRANSFORM ARGN REPLACE "(.+)" "${PROJECT_BINARY_DIR}/\\1.names" OUTPUT_VARIABLE used)
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM
        COMMAND ${PROJECT_SOURCE_DIR}/cmake/prefix.sh ${CMAKE_NM} ${CMAKE_OBJCOPY} ${names}
                $<TARGET_FILE:${target}> ${used})
endfunction()
