# cmake --install: headers, both libraries, the program, a CMake package and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/wsim)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wsim TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(TARGETS wsim_static wsim_shared wsim_harness EXPORT wsim-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET wsim)
    install(TARGETS wsim RUNTIME)
endif()

install(EXPORT wsim-targets NAMESPACE wsim:: DESTINATION ${package_dir})
configure_package_config_file(cmake/wsim-config.cmake.in ${PROJECT_BINARY_DIR}/wsim-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wsim-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wsim-config.cmake
              ${PROJECT_BINARY_DIR}/wsim-config-version.cmake DESTINATION ${package_dir})

# The prefix is found from the place of the .pc file, so that a moved tree still works.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/wsim.pc.in ${PROJECT_BINARY_DIR}/wsim.pc @ONLY)
configure_file(cmake/wsim-harness.pc.in ${PROJECT_BINARY_DIR}/wsim-harness.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/wsim.pc ${PROJECT_BINARY_DIR}/wsim-harness.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
