# Debian packages by CPack, a package a component: packaging/debian.sh. Each minor version has its own ABI. The
# library package has both numbers in its name, so several can be installed together.
set(abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(names libwsim${abi} libwsim-dev wsim) # of the components
set(components lib dev bin)

set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The wsim authors <wsim@users.noreply.github.com>"
    CACHE STRING "Who is responsible for the Debian packages")
set(revision 0upstream1) # built from the sources, not by the distribution
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(CPACK_PACKAGE_NAME wsim)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${CPACK_DEBIAN_PACKAGE_MAINTAINER})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SOURCE wsim)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of the matrix instructions of NVIDIA GPUs")
set(about "wsim executes the matrix instructions of NVIDIA GPUs (mma, wgmma, wmma,\n\
ldmatrix, TMA copies) and whole PTX kernels bit for bit on any machine,\n\
says which lane and register holds which element, and counts the bank\n\
conflicts of shared memory.\n\n\
This package has ")

# package(COMPONENT NAME SECTION CONTENTS)
macro(package component name section contents)
    string(TOUPPER ${component} key)
    set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${key}_DESCRIPTION "${about}${contents}")
endmacro()
package(lib libwsim${abi} libs "the shared library.")
package(dev libwsim-dev libdevel "the headers for C and C++, and the static libraries.")
package(bin wsim utils "the program, its manual pages, and completion for shells.")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_LIB_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libwsim${abi} (= ${PROJECT_VERSION}-${revision}), libc6-dev")

# Every package has its licence and its changes.
string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(TIMESTAMP year "%Y" UTC)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REGEX REPLACE "^MIT License\n\nCopyright[^\n]*\n\n" "" license "${license}")
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
set(doc ${PROJECT_BINARY_DIR}/packaging)
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${doc}/copyright @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${doc}/changelog.Debian @ONLY)
execute_process(COMMAND ${WSIM_GZIP} -9nf changelog.Debian WORKING_DIRECTORY ${doc}
                COMMAND_ERROR_IS_FATAL ANY)
foreach(name component IN ZIP_LISTS names components)
    install(FILES ${doc}/copyright ${doc}/changelog.Debian.gz COMPONENT ${component}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name})
endforeach()
install(FILES ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides RENAME wsim COMPONENT bin
        DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides)
include(CPack)
