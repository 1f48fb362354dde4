# wsim_room(NAME [ON LOWER...] [HARNESS]): compiles sim/NAME into libwsim, or harness/NAME into
# libwsim-harness. LOWER lists the rooms that it may use.
function(wsim_room name)
    cmake_parse_arguments(PARSE_ARGV 1 room "HARNESS" "" "ON")
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
    # A path of kernels takes a quarter of a minute with sanitizers, and minutes with those checks of
    # pointers which the address sanitizer makes anyway, byte by byte: it does not have them.
    if(WSIM_SANITIZE)
        file(GLOB kernels ${PROJECT_SOURCE_DIR}/sim/${name}/kernel_avx*.c
             ${PROJECT_SOURCE_DIR}/sim/${name}/kernel_vectors*.c)
        set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS
            -fno-sanitize=null,alignment,object-size,pointer-overflow,nonnull-attribute)
    endif()
    if(WSIM_STACK_USAGE)
        target_compile_options(wsim_${name} PRIVATE -fstack-usage)
    endif()
    list(TRANSFORM room_ON PREPEND wsim_)
    target_link_libraries(wsim_${name} PRIVATE ${room_ON})
    set_property(GLOBAL APPEND PROPERTY ${into} $<TARGET_OBJECTS:wsim_${name}>)
endfunction()

# wsim_library(TARGET KIND): all rooms but those of the harness as one libwsim.
function(wsim_library target kind)
    get_property(objects GLOBAL PROPERTY WSIM_OBJECTS)
    add_library(${target} ${kind} ${objects})
    add_library(wsim::${target} ALIAS ${target})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME wsim LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    set(THREADS_PREFER_PTHREAD_FLAG ON)
    find_package(Threads)
    if(Threads_FOUND)
        target_link_libraries(${target} PUBLIC Threads::Threads)
    endif()
endfunction()

# libwsim-harness: cases, plans, streams and traces, on top of the static libwsim: its rooms refuse
# with the rules of base and read the tables of isa, which the shared library does not show.
function(wsim_harness_library)
    get_property(objects GLOBAL PROPERTY WSIM_HARNESS_OBJECTS)
    add_library(wsim_harness STATIC ${objects})
    add_library(wsim::wsim_harness ALIAS wsim_harness)
    add_library(wsim::harness ALIAS wsim_harness)
    set_target_properties(wsim_harness PROPERTIES OUTPUT_NAME wsim-harness LINKER_LANGUAGE C)
    target_link_libraries(wsim_harness PUBLIC wsim_static)
endfunction()
