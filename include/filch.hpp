// SPDX-License-Identifier: MIT
//
// Filch for C++: the algorithms of filch/for.h, filch/sort.h and so on, with lambdas and
// iterators. C++17, and nothing to link but the C library.
//
//   filch::for_(0, n, [&](int i) { a[i] *= 2; });
//   double sum = filch::reduce(v.begin(), v.end());
//   filch::sort(people.begin(), people.end(),
//               [](const auto &a, const auto &b) { return a.age < b.age; });
//
//   run([pool,] f)                        f() as a task of a pool, from any thread
//   both(f, g), invoke(f, g, h ...)       all of them, at the same time if it helps
//   for_(begin, end, f [, grain{n}])      f(i) for whole numbers, or f(from, to)
//   for_2d(rows, columns, f)              f(row, column), or f(tile), see filch/for.h
//   for_each, transform                   |
//   reduce, transform_reduce              |
//   inclusive_scan, exclusive_scan        |  as in the standard library, for
//   find_if, find                         |  iterators with random access
//   min_element, max_element              |
//   copy_if, partition                    |
//   sort, stable_sort                     |
//   reduce(begin, end, init, map, combine)    of map(i), for whole numbers
//   histogram(begin, end, count, bins, f)     count[f(i)]++
//   pipeline(tokens, serial(f), parallel(g) ...)
//
// Results do not depend on the number of workers. The loops are in this header, so that
// the compiler sees what they call, and nothing is allocated but what the C functions, or
// std::inplace_merge(), need. A callable may do what a task may: wait, spawn, call these
// functions again; it may run on several threads at once.
//
// An exception that leaves a callable ends the algorithm, and is thrown again where that
// was called; the first one, if there are several. What is being sorted or partitioned is
// then in some order. What for_(), for_2d() and for_each()
// call may return an int or a bool, too: not zero (true) ends the loop, which returns it.
// If the group that the calling task belongs to is cancelled, these, histogram() and
// pipeline() return -ECANCELED; transform(), and reductions, scans, searches and copy_if()
// of what C handles, throw a filch::error, or, without exceptions (-fno-exceptions), return
// what they return for an empty range, transform() the end of the output: ask
// filch_cancelled(). The others do all their work.
//
// Elements that can be copied byte by byte, in contiguous memory, are sorted, partitioned
// and filtered by the C library's own methods. For others, which are moved, sort() and
// stable_sort() are a parallel quicksort and merge sort, partition(), copy_if() and the
// scans plain loops.
#ifndef FILCH_HPP
#define FILCH_HPP

#include <filch/cxx/base.hpp>
#include <filch/cxx/loop.hpp>
#include <filch/cxx/pipeline.hpp>
#include <filch/cxx/reduce.hpp>
#include <filch/cxx/scan.hpp>
#include <filch/cxx/select.hpp>
#include <filch/cxx/sort.hpp>

#endif
