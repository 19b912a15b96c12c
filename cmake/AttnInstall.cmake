# The files that `cmake --install` installs: the tools, the C interface with its package
# files, and for C++ one archive of all libraries with its headers.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/attn-mlir)

install(TARGETS attnc attn-opt)
install(TARGETS attn-plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})

install(TARGETS attn-c EXPORT attn-c-targets
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT attn-c-targets NAMESPACE attn-mlir:: DESTINATION ${config_dir})

# The archive has no MLIR and LLVM: targets that link it also link the shared ones.
get_property(attn_libs GLOBAL PROPERTY ATTN_LIBS)
set(objects $<TARGET_OBJECTS:attnrt>)
foreach(lib IN LISTS attn_libs)
  list(APPEND objects $<TARGET_OBJECTS:${lib}>)
endforeach()
add_library(attn-mlir STATIC ${objects})
set_target_properties(attn-mlir PROPERTIES LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
target_link_libraries(attn-mlir INTERFACE MLIR LLVM)
target_compile_features(attn-mlir INTERFACE cxx_std_17)
install(TARGETS attn-mlir EXPORT attn-mlir-targets
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT attn-mlir-targets NAMESPACE attn-mlir:: DESTINATION ${config_dir})

install(DIRECTORY include/attn include/attn-c ${PROJECT_BINARY_DIR}/include/attn
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)

configure_package_config_file(cmake/attn-mlir-config.cmake.in
  ${PROJECT_BINARY_DIR}/attn-mlir-config.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/attn-mlir-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/attn-mlir-config.cmake
  ${PROJECT_BINARY_DIR}/attn-mlir-config-version.cmake DESTINATION ${config_dir})

configure_file(cmake/attn-c.pc.in ${PROJECT_BINARY_DIR}/attn-c.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/attn-c.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
