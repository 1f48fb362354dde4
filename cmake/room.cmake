# wsim_room(NAME [ON LOWER...]): compiles sim/NAME; LOWER are the rooms it may use.
function(wsim_room name)
    cmake_parse_arguments(PARSE_ARGV 1 room "" "" "ON")
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/${name}/*.c)
    add_library(wsim_${name} OBJECT ${sources})
    target_include_directories(wsim_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(wsim_${name} PRIVATE WSIM_BUILDING)
    list(TRANSFORM room_ON PREPEND wsim_)
    target_link_libraries(wsim_${name} PRIVATE ${room_ON})
    set_property(GLOBAL APPEND PROPERTY WSIM_OBJECTS $<TARGET_OBJECTS:wsim_${name}>)
endfunction()

# wsim_library(TARGET KIND): all rooms as one libwsim.
function(wsim_library target kind)
    get_property(objects GLOBAL PROPERTY WSIM_OBJECTS)
    add_library(${target} ${kind} ${objects})
    add_library(wsim::${target} ALIAS ${target})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME wsim LINKER_LANGUAGE C
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
endfunction()
