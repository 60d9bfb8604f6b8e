// SPDX-License-Identifier: MIT
// The same as C++20 and without exceptions (-fno-exceptions).
#if defined(__cpp_exceptions) || __cplusplus <= 201703L
#error "see tests/CMakeLists.txt"
#endif
#include "algo.cc"
