package figures

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// groups are the kinds of figures, in the order of the tables.
var groups = []string{Lists, Cached, Pages, Orders, Writes, Buyers, Sizes, Handler, Memory, Imports}

// The kinds of figures.
const (
	Lists   = "lists and records"
	Cached  = "lists and records, cached"
	Pages   = "whole pages"
	Orders  = "carts and orders"
	Writes  = "what is written ahead"
	Buyers  = "first-time buyers"
	Sizes   = "sizes of shops"
	Handler = "one request in process"
	Memory  = "memory"
	Imports = "imports"
)

func groupOf(f Figure) int { return slices.Index(groups, f.Group) }

// Markdown writes all figures as tables, and the runs they are of.
func (f File) Markdown(w io.Writer) error {
	var b strings.Builder
	for _, group := range groups {
		var rows []Figure
		for _, one := range f.Figures {
			if one.Group == group {
				rows = append(rows, one)
			}
		}
		if len(rows) > 0 {
			fmt.Fprintf(&b, "### %s%s\n\n", strings.ToUpper(group[:1]), group[1:])
			f.table(&b, rows)
			b.WriteString("\n")
		}
	}
	b.WriteString("### Runs\n\n| date (UTC) | commit | command | machine |\n|---|---|---|---|\n")
	for _, r := range f.Runs {
		m := r.Machine
		fmt.Fprintf(&b, "| %s | %s | `%s` | %d × %s, %s, %s, %s |\n", r.Date.UTC().Format("2006-01-02 15:04"),
			r.Commit, r.Command, m.Cores, m.Model, m.System, m.Go, strings.Join(m.Databases, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// column is a value of a figure.
type column struct {
	title  string
	format string
	value  func(Figure) float64
}

var columns = []column{
	{"per second", "%.0f", func(f Figure) float64 { return f.PerSecond }},
	{"p50 ms", "%.2f", func(f Figure) float64 { return f.P50 }},
	{"p99 ms", "%.1f", func(f Figure) float64 { return f.P99 }},
	{"CPU µs", "%.0f", func(f Figure) float64 { return f.CPU }},
	{"seconds", "%.1f", func(f Figure) float64 { return f.Seconds }},
	{"MiB", "%.0f", func(f Figure) float64 { return f.Memory }},
	{"allocations", "%.0f", func(f Figure) float64 { return f.Allocations }},
	{"bytes of WAL", "%.0f", func(f Figure) float64 { return f.WAL }},
	{"index writes", "%.1f", func(f Figure) float64 { return f.IndexWrites }},
}

// Values returns the measured values as text, such as "826 per second, 17.01 p50 ms".
func (f Figure) Values() string {
	var values []string
	for _, c := range columns {
		if v := c.value(f); v != 0 {
			values = append(values, fmt.Sprintf(c.format+" ", v)+c.title)
		}
	}
	return strings.Join(values, ", ")
}

// table writes the figures of a kind, with the columns that one of them has.
func (file File) table(b *strings.Builder, rows []Figure) {
	used := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return !slices.ContainsFunc(rows, func(f Figure) bool { return c.value(f) != 0 })
	})
	b.WriteString("| |")
	for _, c := range used {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString(" beside | commit |\n|---|" + strings.Repeat("---:|", len(used)) + "---|---|\n")
	for _, f := range rows {
		b.WriteString("| " + f.Name() + " |")
		for _, c := range used {
			if v := c.value(f); v != 0 {
				fmt.Fprintf(b, " "+c.format, v)
			}
			b.WriteString(" |")
		}
		beside := make([]string, len(f.Against))
		for i, a := range f.Against {
			beside[i] = a.String()
		}
		fmt.Fprintf(b, " %s | %s |\n", strings.Join(beside, "; "), file.commitOf(f))
	}
}

// commitOf returns the commit at which a figure was measured.
func (f File) commitOf(one Figure) string {
	for _, r := range f.Runs {
		if r.Date.Equal(one.Measured) {
			return r.Commit
		}
	}
	return ""
}

// String returns a text such as "0.42 of by hand (2651/s), was 0.33, aim at least 1.0: missed".
func (a Against) String() string {
	text := fmt.Sprintf("%.2f of %s", a.Ratio, a.Name)
	if a.PerSecond > 0 {
		text += fmt.Sprintf(" (%.0f/s)", a.PerSecond)
	}
	if a.Was > 0 {
		text += fmt.Sprintf(", was %.2f", a.Was)
	}
	if a.Aim == 0 {
		return text
	}
	least, met := "at least", "met"
	if a.AtMost {
		least = "at most"
	}
	if !a.Met() {
		met = "**missed**"
	}
	return fmt.Sprintf("%s, aim %s %.1f: %s", text, least, a.Aim, met)
}
