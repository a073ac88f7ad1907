package sheet

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/content/document"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
)

// Fault is an error in a sheet.
type Fault struct {
	Row    int        // as a spreadsheet counts: the header is row 1
	Column string     // its name; empty: the whole row
	Text   fault.Text // reads after them
}

func (f Fault) String() string {
	if f.Column == "" {
		return fmt.Sprintf("row %d: %s", f.Row, f.Text)
	}
	return fmt.Sprintf("row %d, %s: %s", f.Row, f.Column, f.Text)
}

// mostFaults is how many faults are listed; the rest is only counted.
const mostFaults = 1000

// Faults is the error of a refused sheet. Nothing of it was written, unless Written says that everything
// else was.
type Faults struct {
	List    []Fault
	More    int // beyond those in List
	Written bool
}

// Total is how many faults there are.
func (f *Faults) Total() int { return len(f.List) + f.More }

func (f *Faults) Error() string {
	lines := convert.All(f.List, func(one Fault) string { return one.String() })
	text := "the sheet has a fault:\n  "
	if n := f.Total(); n > 1 {
		text = fmt.Sprintf("the sheet has %d faults:\n  ", n)
	}
	if f.Written {
		text = "the shop was changed during the import, and what does not fit any more was left out; run it again:\n  "
	}
	text += strings.Join(lines, "\n  ")
	if f.More > 0 {
		text += fmt.Sprintf("\n  and %d more", f.More)
	}
	return text
}

// add adds a fault. format must be a constant, as of fault.Say.
func (f *Faults) add(row int, column, format string, args ...any) {
	f.note(Fault{row, column, fault.Say(format, args...)})
}

func (f *Faults) note(add Fault) {
	if len(f.List) == mostFaults {
		f.More++
		return
	}
	f.List = append(f.List, add)
}

func (f *Faults) any() bool { return len(f.List) > 0 }

// sorted returns the faults in the order of the sheet, whose columns are in header. Faults of a whole row, or of a
// column that the sheet lacks, come last in their row.
func (f *Faults) sorted(header []string) *Faults {
	at := map[string]int{}
	for i, name := range header {
		at[name] = i - len(header)
	}
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(at[a.Column], at[b.Column]))
	})
	return f
}

// sourceRows are the rows from which a bundle's products were made: for each product its first row, and then the
// rows of its variants.
type sourceRows [][]int32

var pathOfProduct = regexp.MustCompile(`^products\[(\d+)\](?:\.variants\[(\d+)\])?\.?(.*)$`)

// join adds a bundle's faults with their positions in the sheet. top is the row of the header; options are
// the keys of its option columns.
func (s sourceRows) join(refused *document.Faults, faults *Faults, top int, options []string) {
	faults.More += refused.More
	for _, one := range refused.List {
		at := Fault{Row: top, Text: one.Text()}
		if row, member, ok := s.row(one.Path); ok {
			at.Row, at.Column = row, columnOf(member)
		} else if one.Path != "" {
			at.Text = fault.Say("%s %s", one.Path, at.Text)
		}
		switch {
		case at.Column != "options":
		case len(options) == 1:
			at.Column = optionColumn + options[0]
		default: // the row's, all together
			at.Column, at.Text = "", fault.Say("the options %s", at.Text)
		}
		at.Text = s.named(at.Text)
		faults.note(at)
	}
}

// row finds the row of an element of the bundle, and the member of the element.
func (s sourceRows) row(path string) (row int, member string, ok bool) {
	m := pathOfProduct.FindStringSubmatch(path)
	if m == nil {
		return 0, "", false
	}
	product, _ := strconv.Atoi(m[1])
	at := 0 // the product itself
	if m[2] != "" {
		variant, _ := strconv.Atoi(m[2])
		at = 1 + variant
	}
	if product >= len(s) || at >= len(s[product]) {
		return 0, "", false
	}
	return int(s[product][at]), m[3], true
}

// named returns a text in which the name of an element of the bundle is replaced by its row.
func (s sourceRows) named(text fault.Text) fault.Text {
	for _, arg := range text.Args {
		path, _ := arg.(string)
		row, _, ok := s.row(path)
		switch {
		case !ok:
		case strings.Contains(path, "variants"):
			return fault.Say("is the SKU of row %d already", row)
		default:
			return fault.Say("is the slug of row %d already; the rows of a product stand together", row)
		}
	}
	return text
}

// columnOf returns the column of a member of a product or variant: "images[1].url" is in images,
// "options.colour" in option.colour.
func columnOf(member string) string {
	first, rest, _ := strings.Cut(member, ".")
	first, _, _ = strings.Cut(first, "[")
	switch first {
	case "values":
		return valueColumn + rest
	case "options":
		if rest != "" {
			return optionColumn + rest
		}
	case "seo":
		return "seo." + rest
	}
	return first
}
