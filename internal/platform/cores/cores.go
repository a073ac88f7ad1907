// Package cores counts the processors that the program may keep busy, to size pools by them, and lets a server
// run on more threads than that.
package cores

import "runtime"

var count = runtime.GOMAXPROCS(0) // before Oversubscribe

// Count returns the number of processors that the program may keep busy, at least 1: those of the machine, of its
// control group, or what GOMAXPROCS says at the start.
func Count() int { return count }

// threadsPerCore is how many threads may run Go code for each core. With 4, honest customers beside the attacks of
// `make hostile` waited a fifth as long as with 1 (medians of 370 and 65 ms on PostgreSQL), with 2 a fourth.
const threadsPerCore = 4

// Oversubscribe lets Go run on more threads than there are cores.
//
// Go gives a goroutine 10 ms before another has its turn, and does not prefer one for which an answer of the
// database has come. A few requests that compute for long (a password's hash, a large body) then add their 10
// ms to every round trip of every other request. The operating system shares cores out between threads in
// smaller parts, and prefers those that have slept.
//
// Where a quota or GOMAXPROCS gives the program less than the machine has, nothing changes: more threads would
// use up the quota at the beginning of its period, and then stand still.
func Oversubscribe() {
	if count == runtime.NumCPU() {
		runtime.GOMAXPROCS(threadsPerCore * count)
	}
}
