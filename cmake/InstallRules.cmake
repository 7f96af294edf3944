# What `cmake --install` puts where: program, library, headers, data, manual page, completions, and
# the files behind find_package(gpu_advisor).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The commands translate flags and belong to the program; the library ends at `render`.
get_property(libraries GLOBAL PROPERTY GPU_ADVISOR_LIBRARIES)
list(REMOVE_ITEM libraries gpu_advisor_commands)
install(TARGETS ${libraries} gpu_advisor_embedded gpu_advisor
        EXPORT gpu_advisor-targets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/gpu_advisor"
                  "${PROJECT_BINARY_DIR}/generated/gpu_advisor"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING
        PATTERN "*.hpp"
        PATTERN "commands" EXCLUDE)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/data" DESTINATION "${CMAKE_INSTALL_DATADIR}/gpu_advisor")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gpu_advisor")
install(EXPORT gpu_advisor-targets NAMESPACE gpu_advisor:: DESTINATION "${package_folder}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/gpu_advisor-config.cmake.in"
  "${PROJECT_BINARY_DIR}/gpu_advisor-config.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpu_advisor-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpu_advisor-config.cmake"
              "${PROJECT_BINARY_DIR}/gpu_advisor-config-version.cmake"
        DESTINATION "${package_folder}")

if(TARGET gpu_advisor_program)
  install(TARGETS gpu_advisor_program RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # Completions and manual page come from the program itself, so that they cannot fall behind it.
  install(
    CODE "set(PROGRAM \"$<TARGET_FILE:gpu_advisor_program>\")
          set(VERSION \"${PROJECT_VERSION}\")
          set(PREFIX \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
          set(MANUAL_FOLDER \"\${PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
          set(SHARE \"\${PREFIX}/${CMAKE_INSTALL_DATADIR}\")")
  install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/InstallGenerated.cmake")
endif()
