// Testtimes reads the output of `go test -json` and prints a summary: a line for each package with its
// seconds, the whole output of tests that failed, and at the end the slowest tests. It exits with 1 if
// anything failed, so that `make test` can pipe into it.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// slowest is how many tests are listed at the end.
const slowest = 20

// event is a line of `go test -json` (go doc test2json). A test without a name is the package itself.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64 // seconds
}

// test identifies a test, or a package if name is empty.
type test struct{ pkg, name string }

// report is the summary so far.
type report struct {
	out     io.Writer
	output  map[test][]string // of tests that have not ended
	seconds map[test]float64  // of tests that have ended; waiting for a parallel turn counts
	failed  bool
}

func main() {
	r := report{out: os.Stdout, output: map[test][]string{}, seconds: map[test]float64{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testtimes:", err)
		os.Exit(1)
	}
	r.printSlowest()
	if r.failed {
		os.Exit(1)
	}
}

// read handles all events. A line that is not an event is printed unchanged.
func (r *report) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(r.out, lines.Text())
			continue
		}
		r.add(e)
	}
	if len(r.seconds) == 0 {
		r.failed = true // nothing ran at all
	}
	return lines.Err()
}

func (r *report) add(e event) {
	t := test{e.Package, e.Test}
	switch e.Action {
	case "output":
		r.output[t] = append(r.output[t], e.Output)
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed = true
	case "pass", "skip", "fail":
		r.seconds[t] = e.Elapsed
		if e.Action == "fail" {
			r.failed = true
			for _, line := range r.output[t] {
				fmt.Fprint(r.out, line)
			}
		}
		delete(r.output, t)
		if e.Test == "" && e.Action != "skip" { // a package without tests
			fmt.Fprintf(r.out, "%-4s %7.1fs  %s\n", e.Action, e.Elapsed, e.Package)
		}
	}
}

func (r *report) printSlowest() {
	tests := make([]test, 0, len(r.seconds))
	for t := range r.seconds {
		if t.name != "" {
			tests = append(tests, t)
		}
	}
	slices.SortFunc(tests, func(a, b test) int { return cmp.Compare(r.seconds[b], r.seconds[a]) })
	fmt.Fprintln(r.out, "\nThe slowest tests:")
	for _, t := range tests[:min(slowest, len(tests))] {
		fmt.Fprintf(r.out, "     %7.1fs  %s %s\n", r.seconds[t], t.pkg, t.name)
	}
}
