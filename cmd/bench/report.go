package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"storefront/cmd/bench/figures"
	"storefront/cmd/internal/must"
)

// report prints what is measured, as soon as it is, and keeps it for the file of figures.
type report struct {
	to        io.Writer
	o         options
	run       figures.Run
	measured  []figures.Figure
	committed figures.File // that today's figures are compared with
	group     string       // of the last figure
}

func newReport(to io.Writer, o options, args []string) *report {
	r := &report{to: to, o: o, run: figures.Run{
		Date: time.Now().UTC().Truncate(time.Second), Commit: commit(),
		Command: strings.Join(append([]string{"bench"}, measuring(args)...), " "), Machine: figures.ThisMachine(),
	}}
	if o.compare != "" {
		r.committed = must.Get(figures.Read(o.compare))
		must.Hold(len(r.committed.Figures) > 0, "%s has no figures to compare with", o.compare)
	}
	return r
}

// measuring leaves out the flags that only name files and folders.
func measuring(args []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		name, _, whole := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !slices.Contains([]string{"keep", "record", "compare", "profile"}, name) {
			kept = append(kept, args[i])
		} else if !whole {
			i++ // its value
		}
	}
	return kept
}

// commit is the commit that is measured.
func commit() string {
	name, err := exec.CommandContext(context.Background(), "git", "describe", "--always", "--dirty",
		"--exclude=*").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(name))
}

// add takes a figure.
func (r *report) add(f figures.Figure) {
	r.committed.Note(&f)
	if f.Group != r.group {
		r.group = f.Group
		fmt.Fprintf(r.to, "\n%s\n", strings.ToUpper(f.Group))
	}
	fmt.Fprintf(r.to, "%s: %s\n", f.Name(), f.Values())
	for _, a := range f.Against {
		fmt.Fprintf(r.to, "    %s (%.2f to %.2f)\n", strings.ReplaceAll(a.String(), "**", ""), a.Lowest, a.Highest)
	}
	r.measured = append(r.measured, f)
}

// close records the figures, and fails where a ratio is worse than the committed one.
func (r *report) close() {
	if r.o.record != "" {
		file := must.Get(figures.Read(r.o.record))
		file.Add(r.run, r.measured)
		must.Do(file.Write(r.o.record))
	}
	losses := r.committed.Losses(r.measured)
	must.Hold(len(losses) == 0, "%d ratios are worse than in %s\n%s", len(losses), r.o.compare,
		strings.Join(losses, "\n"))
}
