# Linking rules for Debian's packages of LLVM and MLIR.
#
# The static MLIR archives name the shared libLLVM in their link interface. A
# program that holds both copies of LLVM crashes at run time, so the shared
# libraries are removed from every imported archive and tools name the LLVM
# archives they want.

function(_attn_strip_shared_llvm)
  get_property(imported DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS imported)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "STATIC_LIBRARY")
      continue()
    endif()
    get_target_property(libs ${target} INTERFACE_LINK_LIBRARIES)
    if(libs)
      list(REMOVE_ITEM libs LLVM MLIR)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libs}")
    endif()
  endforeach()
endfunction()
_attn_strip_shared_llvm()

# Compiles a target's files in batches: each batch is one translation unit, which reads
# its headers once.
function(attn_compile_in_batches name)
  set_target_properties(${name} PROPERTIES
    UNITY_BUILD ${ATTN_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# attn_add_library(Name source... [WITHOUT_MLIR] [DEPENDS target...])
# An OBJECT library: the target that links it chooses static or shared MLIR.
function(attn_add_library name)
  cmake_parse_arguments(ARG "WITHOUT_MLIR" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  attn_compile_in_batches(${name})
  add_dependencies(${name} attn-headers ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY ATTN_LIBS ${name})
  if(NOT ARG_WITHOUT_MLIR)
    target_precompile_headers(${name} REUSE_FROM AttnPrecompiled)
  endif()
endfunction()

# Links a target to all of the project's libraries and to static archives.
function(_attn_link_static name)
  cmake_parse_arguments(ARG "" "" "LIBS;COMPONENTS" ${ARGN})
  attn_compile_in_batches(${name})
  add_dependencies(${name} attn-headers)
  # Programs are compiled with the flags of libraries, since the precompiled headers are valid
  # only for code with these flags.
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM AttnPrecompiled)
  get_property(attn_libs GLOBAL PROPERTY ATTN_LIBS)
  llvm_map_components_to_libnames(llvm_libs ${ARG_COMPONENTS})
  list(REMOVE_ITEM llvm_libs LLVM)
  target_link_libraries(${name} PRIVATE ${attn_libs} attnrt ${ARG_LIBS} ${llvm_libs})
  target_link_options(${name} PRIVATE -fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed)
endfunction()

# attn_add_tool(name source... [LIBS archive...] [COMPONENTS llvm-component...])
# A static executable on all of the project's libraries.
function(attn_add_tool name)
  cmake_parse_arguments(ARG "" "" "LIBS;COMPONENTS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  _attn_link_static(${name} LIBS ${ARG_LIBS} COMPONENTS ${ARG_COMPONENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# attn_add_shared(name source...)
# A shared library that holds all of the compiler.
function(attn_add_shared name)
  add_library(${name} SHARED ${ARGN})
  _attn_link_static(${name}
    LIBS ${ATTN_DRIVER_LIBS} COMPONENTS ${ATTN_DRIVER_COMPONENTS})
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
endfunction()

# The archives of MLIR and LLVM that the pipelines need; CMake adds those that these depend on.
set(ATTN_MLIR_LIBS
  MLIRAffineDialect MLIRAffineToStandard MLIRAffineTransforms
  MLIRArithDialect MLIRArithToLLVM MLIRArithTransforms
  MLIRArithValueBoundsOpInterfaceImpl
  MLIRBufferizationTransforms
  MLIRBuiltinToLLVMIRTranslation
  MLIRControlFlowToLLVM
  MLIRFuncDialect MLIRFuncInlinerExtension MLIRFuncToLLVM
  MLIRGPUDialect MLIRGPUToLLVMIRTranslation MLIRGPUToNVVMTransforms MLIRGPUTransforms
  MLIRIndexToLLVM MLIRNVVMDialect
  MLIRNVVMToLLVM MLIRNVVMToLLVMIRTranslation
  MLIRLinalgTransforms MLIRLLVMDialect MLIRLLVMToLLVMIRTranslation
  MLIRMathToLLVM MLIRMathToLibm MLIRMathTransforms
  MLIRMemRefToLLVM MLIRMemRefTransforms
  MLIRReconcileUnrealizedCasts
  MLIRSCFToControlFlow MLIRSCFTransforms
  MLIRTensorTransforms MLIRTensorInferTypeOpInterfaceImpl
  MLIRTransforms
  MLIRUBToLLVM
  MLIRVectorToLLVMPass MLIRVectorToSCF MLIRVectorTransforms)

# The archives and LLVM components of a program that compiles and runs modules in process.
set(ATTN_DRIVER_LIBS ${ATTN_MLIR_LIBS} MLIRParser MLIRPass MLIRTargetLLVMIRExport)
set(ATTN_DRIVER_COMPONENTS
  Core NVPTXCodeGen NVPTXDesc NVPTXInfo OrcJIT Passes Support Target TargetParser
  X86CodeGen X86Desc X86Info)
