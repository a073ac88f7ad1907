// Package figures keeps what bench measures, in a file that is committed: each figure with its ratios to the references
// of the same run, so that figures of other days and other machines can be compared.
package figures

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Run says when, where and how figures were measured.
type Run struct {
	Date    time.Time `json:"date"`
	Commit  string    `json:"commit"`
	Command string    `json:"command"`
	Machine Machine   `json:"machine"`
}

// Figure is the performance of the service under one load. Values that were not measured are 0.
type Figure struct {
	Group       string    `json:"group"`
	Database    string    `json:"database"`
	Shop        string    `json:"shop"`
	Operation   string    `json:"operation"`
	Clients     int       `json:"clients,omitempty"`
	PerSecond   float64   `json:"perSecond,omitempty"`
	P50         float64   `json:"p50,omitempty"`         // milliseconds
	P99         float64   `json:"p99,omitempty"`         // milliseconds
	CPU         float64   `json:"cpu,omitempty"`         // microseconds of the server process for one request
	Seconds     float64   `json:"seconds,omitempty"`     // for all the work
	Memory      float64   `json:"memory,omitempty"`      // MiB peak of the server process
	Allocations float64   `json:"allocations,omitempty"` // of one request
	WAL         float64   `json:"wal,omitempty"`         // bytes of WAL for one write
	IndexWrites float64   `json:"indexWrites,omitempty"` // changes of indexes by one write
	Against     []Against `json:"against"`
	Measured    time.Time `json:"measured"` // the date of the run
}

// Against compares a figure with a reference or a limit.
type Against struct {
	Name      string  `json:"name"`
	PerSecond float64 `json:"perSecond,omitempty"` // of the reference
	CPU       float64 `json:"cpu,omitempty"`       // of the reference, in microseconds
	Ratio     float64 `json:"ratio"`               // the median of all turns
	Lowest    float64 `json:"lowest"`              // of the turns
	Highest   float64 `json:"highest"`
	Was       float64 `json:"was,omitempty"`    // the committed ratio; 0: none
	Aim       float64 `json:"aim,omitempty"`    // 0: there is none
	AtMost    bool    `json:"atMost,omitempty"` // the ratio should be the aim at most; otherwise at least
}

// Met reports whether the figure reaches its aim, if there is one.
func (a Against) Met() bool {
	return a.Aim == 0 || a.AtMost && a.Ratio <= a.Aim || !a.AtMost && a.Ratio >= a.Aim
}

// File is the figures of several runs, the newest of each kind.
type File struct {
	Runs    []Run    `json:"runs"`
	Figures []Figure `json:"figures"`
}

// Read reads a file. A missing file is an empty one.
func Read(path string) (f File, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

// Write writes the file.
func (f File) Write(path string) error {
	text, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// index returns the place of the figure that measures the same as another, or -1.
func (f File) index(like Figure) int {
	return slices.IndexFunc(f.Figures, func(one Figure) bool {
		return one.Group == like.Group && one.Database == like.Database && one.Shop == like.Shop &&
			one.Operation == like.Operation && one.Clients == like.Clients
	})
}

// Add adds the figures of a run. They replace older ones of the same. Runs without figures are removed.
func (f *File) Add(r Run, measured []Figure) {
	for _, one := range measured {
		one.Measured = r.Date
		if i := f.index(one); i >= 0 {
			f.Figures[i] = one
		} else {
			f.Figures = append(f.Figures, one)
		}
	}
	f.Runs = append(f.Runs, r)
	f.Runs = slices.DeleteFunc(f.Runs, func(r Run) bool {
		return !slices.ContainsFunc(f.Figures, func(one Figure) bool { return one.Measured.Equal(r.Date) })
	})
	slices.SortStableFunc(f.Figures, func(a, b Figure) int {
		return cmp.Or(cmp.Compare(groupOf(a), groupOf(b)), cmp.Compare(b.Database, a.Database))
	})
}

// Machine describes the machine of a run.
type Machine struct {
	Cores     int      `json:"cores"`
	Model     string   `json:"model"`
	System    string   `json:"system"`
	Go        string   `json:"go"`
	Databases []string `json:"databases"` // with their versions
}

// ThisMachine describes the machine, as far as Linux shows it.
func ThisMachine() Machine {
	return Machine{
		Cores:  runtime.NumCPU(),
		Model:  valueIn("/proc/cpuinfo", "model name", ":"),
		System: strings.Trim(valueIn("/etc/os-release", "PRETTY_NAME", "="), `"`),
		Go:     runtime.Version(),
	}
}

// valueIn returns the value after a name in a file of lines.
func valueIn(path, name, between string) string {
	text, _ := os.ReadFile(path) // a missing file has no lines
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, between); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// tolerance is how much worse than the committed one a ratio may be before it counts as a loss. Smaller
// differences are noise in short runs.
const tolerance = 0.15

// Name returns the name of what a figure measures.
func (f Figure) Name() string {
	name := fmt.Sprintf("%s, %s, %s", f.Database, f.Shop, f.Operation)
	if f.Clients > 1 {
		name += fmt.Sprintf(", %d clients", f.Clients)
	}
	return name
}

// Was returns the committed ratio of a figure to a reference.
func (f File) Was(now Figure, reference string) (Against, bool) {
	if i := f.index(now); i >= 0 {
		for _, a := range f.Figures[i].Against {
			if a.Name == reference {
				return a, true
			}
		}
	}
	return Against{}, false
}

// Note sets the committed ratios of a figure.
func (f File) Note(now *Figure) {
	for i := range now.Against {
		was, _ := f.Was(*now, now.Against[i].Name)
		now.Against[i].Was = was.Ratio
	}
}

// Losses returns the names of ratios that are worse than the committed ones by more than noise: by more than
// the tolerance, and outside the range of the committed turns.
func (f File) Losses(measured []Figure) (all []string) {
	for _, now := range measured {
		for _, a := range now.Against {
			if was, ok := f.Was(now, a.Name); ok && a.worse(was) {
				all = append(all, fmt.Sprintf("%s: %.2f of %s, was %.2f", now.Name(), a.Ratio, a.Name, was.Ratio))
			}
		}
	}
	return all
}

func (a Against) worse(was Against) bool {
	if a.AtMost {
		return a.Ratio > was.Ratio*(1+tolerance) && a.Ratio > was.Highest
	}
	return a.Ratio < was.Ratio*(1-tolerance) && a.Ratio < was.Lowest
}

// Median returns the median of values, the upper of two.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// Compare returns the ratios of ours to theirs, turn by turn.
func Compare(name string, ours, theirs []float64, aim float64) Against {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / theirs[i]
	}
	return Against{Name: name, PerSecond: Median(theirs), Ratio: Median(ratios), Lowest: slices.Min(ratios),
		Highest: slices.Max(ratios), Aim: aim}
}

// Within returns the measured values, turn by turn, as a fraction of a bound that they should not exceed.
func Within(name string, measured []float64, bound float64) Against {
	bounds := make([]float64, len(measured))
	for i := range bounds {
		bounds[i] = bound
	}
	a := Compare(name, measured, bounds, 1)
	a.PerSecond, a.AtMost = 0, true
	return a
}
