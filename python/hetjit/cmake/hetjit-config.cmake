# Functions of Python in C++ programs: `find_package(hetjit CONFIG)`, where hetjit_DIR is what
# `python -m hetjit export --cmake` prints.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

# hetjit_add_device_functions(target module.py FUNCTIONS name… [FOR signature…] [TARGET cpu:native] [KIND kind])
#
# Compiles functions of a file of Python's when it has changed, and links them to `target`, whose sources include
# `name.hpp`. FOR: their parameters' types, one text for each, "(float32x3, float)"; else hints say them. For NVIDIA
# (TARGET cuda:sm_90) they are linked by nvlink, as CUDA_SEPARABLE_COMPILATION has it, for real architectures: 90-real.
function(hetjit_add_device_functions target module)
  cmake_parse_arguments(PARSE_ARGV 2 asked "" "TARGET;KIND" "FUNCTIONS;FOR")
  if(NOT asked_TARGET)
    set(asked_TARGET cpu:native)
  endif()
  if(NOT asked_KIND)
    set(asked_KIND object)
    if(asked_TARGET MATCHES "^cuda:")
      set(asked_KIND cubin)
    endif()
  endif()
  if(asked_KIND STREQUAL object)
    set(suffix o)
  elseif(asked_KIND STREQUAL cubin)
    set(suffix cubin)
  else()
    message(FATAL_ERROR "hetjit_add_device_functions: KIND is object or cubin, not ${asked_KIND}")
  endif()
  list(LENGTH asked_FUNCTIONS functions)
  list(LENGTH asked_FOR signatures)
  if(signatures AND NOT signatures EQUAL functions)
    message(FATAL_ERROR "hetjit_add_device_functions: ${functions} functions and ${signatures} signatures")
  endif()
  get_filename_component(module ${module} ABSOLUTE)
  string(REGEX REPLACE "^.*:" "" architecture ${asked_TARGET})
  string(MAKE_C_IDENTIFIER "${asked_TARGET}" place)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hetjit/${target}/${place})
  foreach(function signature IN ZIP_LISTS asked_FUNCTIONS asked_FOR)
    set(types "")
    if(signature)
      set(types --for "${signature}")
    endif()
    set(code ${folder}/${function}.${suffix})
    add_custom_command(
      OUTPUT ${code} BYPRODUCTS ${folder}/${function}.hpp DEPENDS ${module} VERBATIM
      COMMAND ${Python3_EXECUTABLE} -m hetjit export ${module}:${function} ${types} --target ${asked_TARGET}
              --kind ${asked_KIND} -o ${folder})
    if(suffix STREQUAL cubin)
      # As nvcc's own objects are: the host's, with the GPU's code in it.
      add_custom_command(
        OUTPUT ${code}.o DEPENDS ${code} VERBATIM
        COMMAND ${CMAKE_CUDA_COMPILER} -rdc=true -arch=${architecture} -c ${code} -o ${code}.o)
      set(code ${code}.o)
    endif()
    list(APPEND made ${code})
  endforeach()
  set_source_files_properties(${made} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${target} PRIVATE ${made})
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
