# Files that become part of the program.

# The files that `wsim try` writes.
get_filename_component(root ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(WSIM_TRY_FILES ${root}/examples/kernels/reverse.cu ${root}/examples/kernels/reverse.ptx
    ${root}/examples/kernels/saxpy.json ${root}/examples/kernels/saxpy.ptx ${root}/tests/lint/garbage.cu)

# wsim_bytes(OUT ROW FILE...) writes OUT: for each file a line ROW("its name", {its bytes}). It changes with the files.
function(wsim_bytes out row)
    set(text "")
    foreach(file ${ARGN})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        get_filename_component(name ${file} NAME)
        file(READ ${file} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
        string(APPEND text "${row}(\"${name}\", ${bytes})\n")
    endforeach()
    file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
endfunction()
