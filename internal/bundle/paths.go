package bundle

import (
	"slices"
	"strconv"
	"strings"
)

// numberedPath is a compact path. That of products[12].variants[0] is a form, which many paths share, and two
// numbers.
type numberedPath struct {
	form    uint32 // 1 + its index among the forms; 0: none
	numbers [2]uint32
}

// numberedPaths holds the forms, such as products[].variants[].
type numberedPaths struct{ forms []string }

// add returns the compact form of a path. A third number stays in the form.
func (p *numberedPaths) add(path string) (numbered numberedPath) {
	form, rest := "", path
	for i := range numbered.numbers {
		before, after, _ := strings.Cut(rest, "[")
		number, behind, _ := strings.Cut(after, "]")
		value, err := strconv.ParseUint(number, 10, 32)
		if err != nil {
			break
		}
		numbered.numbers[i] = uint32(value)
		form, rest = form+before+"[]", behind
	}
	form += rest
	i := slices.Index(p.forms, form)
	if i < 0 {
		i, p.forms = len(p.forms), append(p.forms, form)
	}
	numbered.form = uint32(i) + 1
	return numbered
}

// text returns the path of a compact form.
func (p *numberedPaths) text(numbered numberedPath) string {
	text, rest := "", p.forms[numbered.form-1]
	for _, number := range numbered.numbers {
		before, after, found := strings.Cut(rest, "[]")
		if !found {
			break
		}
		text, rest = text+before+"["+strconv.FormatUint(uint64(number), 10)+"]", after
	}
	return text + rest
}
