// SPDX-License-Identifier: MIT
// A pipeline with a way to stop it, in Go.
package main

import "fmt"

func count(numbers chan<- int, stop <-chan struct{}) {
	defer close(numbers)
	for n := 1; ; n++ {
		select {
		case numbers <- n:
		case <-stop:
			return
		}
	}
}

func square(numbers <-chan int, squares chan<- int) {
	defer close(squares)
	for n := range numbers {
		squares <- n * n
	}
}

func main() {
	numbers := make(chan int, 8)
	squares := make(chan int, 8)
	stop := make(chan struct{})
	sum := 0

	go count(numbers, stop)
	go square(numbers, squares)
	for i := 0; i < 100; i++ {
		sum += <-squares
	}
	close(stop)
	for range squares { // what is still under way
	}
	fmt.Println("squares:", sum)
}
