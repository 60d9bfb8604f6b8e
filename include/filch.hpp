// SPDX-License-Identifier: MIT
//
// Filch for C++: the algorithms of filch/for.h, filch/sort.h and so on, with lambdas and
// iterators. It needs C++17, and libfilch is all there is to link.
//
//   filch::for_(0, n, [&](int i) { a[i] *= 2; });
//   double sum = filch::reduce(v.begin(), v.end());
//   filch::sort(people.begin(), people.end(),
//               [](const auto &a, const auto &b) { return a.age < b.age; });
//
//   run([pool,] f)                        f() as a task of a pool, from any thread
//   both(f, g), invoke(f, g, h ...)       calls all of them, at the same time if it helps
//   for_(begin, end, f [, grain{n}])      f(i) for integers, or f(from, to)
//   for_2d(rows, columns, f)              f(row, column), or f(tile), see filch/for.h
//   for_each, transform                   |
//   reduce, transform_reduce              |
//   inclusive_scan, exclusive_scan        |  as in the standard library, for
//   find_if, find                         |  iterators with random access
//   min_element, max_element              |
//   copy_if, partition                    |
//   sort, stable_sort                     |
//   reduce(begin, end, init, map, combine)    of map(i), for integers
//   histogram(begin, end, count, bins, f)     count[f(i)]++
//   pipeline(tokens, serial(f), parallel(g) ...)
//
// Results do not depend on the number of workers. The loops are in this header, so that
// the compiler sees what they call, and no memory is allocated except by the C functions
// and by std::inplace_merge(). A callable may do what a task may: wait, spawn, call these
// functions again; it may run on several threads at once.
//
// An exception that leaves a callable ends the algorithm and is thrown again to its
// caller (only the first one, if there are several). Elements that are being sorted or
// partitioned are then in an unspecified order. The callables of for_(), for_2d() and
// for_each() may also return an int or a bool: a nonzero result (true) ends the loop,
// which returns it.
//
// If the group that the calling task belongs to is cancelled, for_(), for_2d(),
// for_each(), histogram() and pipeline() return -ECANCELED. transform() and all
// reductions, scans, searches and copies that run in the C functions throw a
// filch::error. Without exceptions (-fno-exceptions) they return the result for an empty
// range, and transform() returns the end of the output; filch_cancelled() then tells the
// difference. The other algorithms do all their work.
//
// Elements that can be copied byte by byte, in contiguous memory, are sorted, partitioned
// and filtered by the C functions. Other elements are moved: for them sort()
// and stable_sort() are a parallel quicksort and merge sort; partition(), copy_if() and
// the scans are plain loops.
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
