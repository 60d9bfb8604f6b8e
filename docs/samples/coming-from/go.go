// SPDX-License-Identifier: MIT
// The program of docs/coming-from.md in Go.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	depth = 16
	most  = 100000
)

type node struct {
	value       int
	left, right *node
}

var used int

func build(depth int) *node {
	used++
	n := &node{value: used}
	if depth > 1 {
		n.left = build(depth - 1)
		n.right = build(depth - 1)
	}
	return n
}

func sum(n *node, depth int) int {
	if n == nil {
		return 0
	}
	if depth > 8 { // a goroutine costs too much for less
		return n.value + sum(n.left, depth+1) + sum(n.right, depth+1)
	}
	left := make(chan int, 1)
	go func() { left <- sum(n.left, depth+1) }()
	right := sum(n.right, depth+1)
	return n.value + <-left + right
}

func steps(n int) int {
	s := 0
	for ; n != 1; s++ {
		if n%2 == 1 {
			n = 3*n + 1
		} else {
			n = n / 2
		}
	}
	return s
}

func allSteps() int64 {
	var total, next int64
	var wg sync.WaitGroup
	for i := 0; i < runtime.GOMAXPROCS(0); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			part := 0
			for {
				begin := int(atomic.AddInt64(&next, 100)) - 99
				if begin > most {
					break
				}
				for n := begin; n < begin+100 && n <= most; n++ {
					part += steps(n)
				}
			}
			atomic.AddInt64(&total, int64(part))
		}()
	}
	wg.Wait()
	return total
}

func main() {
	fmt.Println("tree:", sum(build(depth), 0))
	fmt.Println("steps:", allSteps())
}
