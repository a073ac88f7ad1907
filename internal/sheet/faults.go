package sheet

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/bundle"
)

// Fault is one thing that is wrong with a sheet.
type Fault struct {
	Row     int    // as a spreadsheet counts: the names of the columns are row 1
	Column  string // its name; empty: the whole row
	Message string // reads after them
}

func (f Fault) String() string {
	if f.Column == "" {
		return fmt.Sprintf("row %d: %s", f.Row, f.Message)
	}
	return fmt.Sprintf("row %d, %s: %s", f.Row, f.Column, f.Message)
}

// mostFaults are listed; the rest is only counted.
const mostFaults = 1000

// Faults is the error of a sheet that is refused. Nothing of it was written.
type Faults struct {
	List []Fault
	More int // beyond those in List
}

func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, one := range f.List {
		lines[i] = one.String()
	}
	text := "the sheet has a fault:\n  "
	if n := len(f.List) + f.More; n > 1 {
		text = fmt.Sprintf("the sheet has %d faults:\n  ", n)
	}
	text += strings.Join(lines, "\n  ")
	if f.More > 0 {
		text += fmt.Sprintf("\n  and %d more", f.More)
	}
	return text
}

func (f *Faults) add(one Fault) {
	if len(f.List) == mostFaults {
		f.More++
		return
	}
	f.List = append(f.List, one)
}

func (f *Faults) any() bool { return len(f.List) > 0 }

// sorted returns the faults in the order of the sheet.
func (f *Faults) sorted() *Faults {
	slices.SortStableFunc(f.List, func(a, b Fault) int { return cmp.Compare(a.Row, b.Row) })
	return f
}

// places are the rows from which the products of a bundle were made: for each product that of each of its variants, or
// its own where it has none.
type places [][]int32

var pathOfProduct = regexp.MustCompile(`^products\[(\d+)\](?:\.variants\[(\d+)\])?\.?(.*)$`)

// note adds a bundle's faults, where they are in the sheet.
func (p places) note(found *bundle.Faults, faults *Faults) {
	faults.More += found.More
	for _, one := range found.List {
		at := Fault{Row: 1, Message: one.Message}
		if m := pathOfProduct.FindStringSubmatch(one.Path); m != nil {
			product, _ := strconv.Atoi(m[1])
			variant, _ := strconv.Atoi(m[2])
			if product < len(p) && variant < len(p[product]) {
				at.Row = int(p[product][variant])
			}
			at.Column = columnOf(m[3])
		} else if one.Path != "" {
			at.Message = one.Path + " " + one.Message
		}
		faults.add(at)
	}
}

// columnOf returns the column of a member of a product or variant: "images[1].url" is of images, "options.colour" of
// option.colour.
func columnOf(member string) string {
	first, rest, _ := strings.Cut(member, ".")
	first, _, _ = strings.Cut(first, "[")
	switch first {
	case "values":
		return valueColumn + rest
	case "options":
		return optionColumn + rest
	case "seo":
		return "seo." + rest
	case "variations":
		return "option"
	}
	return first
}
