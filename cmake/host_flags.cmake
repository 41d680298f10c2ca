# Flags of all host code. Strict arithmetic, so that a result depends on neither thread count nor kernel order:
# no contraction, no reassociation; errno and traps off, so that sqrt and conditionals vectorise.
# GCC 12's SLP vectoriser fuses products into alternating sums (vfmaddsub) even so, which rounds a function differently where it is inlined
# differently: off, but for files that need it and come out clean (tools/check_no_fma tests the libraries).
set(SCREE_HOST_FLAGS -fno-math-errno -fno-trapping-math -ffp-contract=off -fno-tree-slp-vectorize -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # It knows not all of g++'s warnings that are turned off in places, and warns of each loop that it leaves scalar.
  list(APPEND SCREE_HOST_FLAGS -Wno-unknown-warning-option -Wno-pass-failed)
endif()
if(SCREE_HOST_ARCH)
  list(APPEND SCREE_HOST_FLAGS -march=${SCREE_HOST_ARCH})
  if(SCREE_HOST_ARCH STREQUAL "native")
    # g++ 12 takes new processors for narrower ones: ask for the full vector width.
    list(APPEND SCREE_HOST_FLAGS -mprefer-vector-width=512)
  endif()
endif()
if(SCREE_SANITIZE)
  list(APPEND SCREE_HOST_FLAGS -fsanitize=${SCREE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SCREE_SANITIZE})
endif()
if(SCREE_FUZZ)
  list(APPEND SCREE_HOST_FLAGS -fsanitize=fuzzer-no-link)
endif()
if(SCREE_COVERAGE)
  list(APPEND SCREE_HOST_FLAGS --coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(SCREE_AUDIT OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(SCREE_AUDIT=1)
  set(CMAKE_CXX_FLAGS_RELEASE "-O3")
endif()
if(SCREE_SANITIZE OR SCREE_COVERAGE)
  # Quick to compile, with the lines of what is found.
  string(REPLACE "-O3" "-O1 -g1" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endif()
find_package(OpenMP REQUIRED COMPONENTS CXX)

add_library(scree_flags INTERFACE)
if(SCREE_WERROR)
  target_compile_options(scree_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
target_compile_options(scree_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${SCREE_HOST_FLAGS}>")
string(REPLACE ";" "," SCREE_HOST_FLAGS_COMMAS "${SCREE_HOST_FLAGS}")
target_compile_options(scree_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=${SCREE_HOST_FLAGS_COMMAS}>")
target_include_directories(scree_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
