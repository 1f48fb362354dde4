# cmake --install: headers, both libraries, the program with its manual pages and completion, a CMake
# package and pkg-config files. Components are what packaging/debian.cmake makes packages
# of: lib (what linked programs need), dev (files to link them), bin.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(WSIM_ZSH_FUNCTIONS site-functions CACHE STRING "Folder of zsh below share/zsh (Debian: vendor-completions)")
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wsim)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wsim TYPE INCLUDE COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS wsim_static wsim_shared wsim_harness EXPORT wsim-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lib NAMELINK_COMPONENT dev
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lib)
if(TARGET wsim)
    install(TARGETS wsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bin)
    set(complete ${PROJECT_SOURCE_DIR}/tools/complete)
    install(FILES ${complete}/wsim.bash RENAME wsim COMPONENT bin
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${complete}/_wsim COMPONENT bin
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${WSIM_ZSH_FUNCTIONS})
    install(FILES ${complete}/wsim.fish COMPONENT bin
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(TARGET wsim_manual)
    set(page "*.1")
    if(WSIM_GZIP)
        set(page "*.1.gz")
    endif()
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT bin
            FILES_MATCHING PATTERN ${page})
endif()

install(EXPORT wsim-targets NAMESPACE wsim:: DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/wsim-config.cmake.in ${PROJECT_BINARY_DIR}/wsim-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wsim-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wsim-config.cmake
              ${PROJECT_BINARY_DIR}/wsim-config-version.cmake cmake/wsim-test.cmake DESTINATION ${package_dir} COMPONENT dev)

# The prefix is found from the place of the .pc file, so that a moved tree still works.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/wsim.pc.in ${PROJECT_BINARY_DIR}/wsim.pc @ONLY)
configure_file(cmake/wsim-harness.pc.in ${PROJECT_BINARY_DIR}/wsim-harness.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wsim.pc ${PROJECT_BINARY_DIR}/wsim-harness.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
if(WSIM_DEBIAN)
    include(packaging/debian.cmake)
endif()
