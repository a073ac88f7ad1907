package sheet

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
)

// The prefixes of columns of products that are named after keys of the shop's own.
const (
	valueColumn  = "value."  // followed by the key of a technical field
	optionColumn = "option." // followed by the key of a variation
)

// kind is how a column's cells are read.
type kind int

const (
	ofText   kind = iota // empty: it is cleared
	ofWord               // empty: it stays as it is
	ofNumber             // empty: it is cleared
	ofCount              // a number; empty: it stays as it is
	ofSwitch             // true or false; empty: it stays as it is
	ofList               // separated by |
	ofImages             // addresses, separated by blanks
	ignored              // only for people
)

// column is a member of a product or of a variant.
type column struct {
	name    string
	kind    kind
	variant bool
}

// columns are those of products, in the order in which they are written.
var columns = []column{
	{"slug", ofWord, false}, {"titleFa", ofText, false}, {"titleEn", ofText, false}, {"summary", ofText, false},
	{"summaryFa", ofText, false}, {"description", ofText, false}, {"descriptionFa", ofText, false},
	{"category", ofText, false}, {"brand", ofText, false}, {"tags", ofList, false}, {"images", ofImages, false},
	{"seo.title", ofText, false}, {"seo.titleFa", ofText, false}, {"seo.description", ofText, false},
	{"seo.descriptionFa", ofText, false},
	{"status", ofWord, false}, {"publishedAt", ofWord, false},
	{"sku", ofWord, true}, {"priceCurrency", ofWord, true}, {"price", ofNumber, true},
	{"compareAtPrice", ofNumber, true}, {"stock", ofCount, true}, {"expectedStock", ofCount, true},
	{"lowStockAt", ofNumber, true}, {"maxOrderQuantity", ofNumber, true}, {"weight", ofNumber, true},
	{"taxCategory", ofWord, true}, {"isFestival", ofSwitch, true},
	{"onSale", ofSwitch, true}, {"imageUrl", ofText, true},
	{"title", ignored, true}, // only in sheets of offers
}

// isNumber reports whether the cells of a column are numbers.
func (c column) isNumber() bool { return c.kind == ofNumber || c.kind == ofCount }

// columnNamed finds a column; options and values have columns of their own.
func columnNamed(name string) (column, bool) {
	i := slices.IndexFunc(columns, func(c column) bool { return c.name == name })
	if i < 0 {
		return column{}, false
	}
	return columns[i], true
}

// columnAs returns the proper name of a column that a sheet has in other letter case. The keys of options
// and values stay as they are.
func columnAs(name string) string {
	for _, own := range []string{optionColumn, valueColumn} {
		if len(name) > len(own) && strings.EqualFold(name[:len(own)], own) {
			return own + name[len(own):]
		}
	}
	i := slices.IndexFunc(columns, func(c column) bool { return strings.EqualFold(c.name, name) })
	if i < 0 {
		return name
	}
	return columns[i].name
}

// offerColumns are the columns of sheets of offers: what updateOffers accepts, and the title, which is for
// people.
var offerColumns = []string{"sku", "title", "priceCurrency", "price", "compareAtPrice", "stock",
	"expectedStock", "lowStockAt", "onSale"}

// The signs of numbers in Persian and Arabic.
const (
	thousands = "٬"
	decimals  = "٫"
)

var (
	aNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	grouped = regexp.MustCompile(`^-?[1-9][0-9]{0,2}(٬[0-9]{3})+(\.[0-9]+)?$`)
)

// number returns a cell as a JSON number. A cell that is not a number is returned as a text, which the
// bundle refuses; so is one with a comma, which may separate thousands or decimals.
func number(cell string) json.RawMessage {
	plain := strings.Replace(search.Digits(cell), decimals, ".", 1)
	if grouped.MatchString(plain) {
		plain = strings.ReplaceAll(plain, thousands, "")
	}
	if aNumber.MatchString(plain) {
		return json.RawMessage(plain)
	}
	return text(cell)
}

var yes, no = []string{"true", "yes", "1", "بله"}, []string{"false", "no", "0", "خیر"}

// boolean returns a cell as true or false, else as a text.
func boolean(cell string) json.RawMessage {
	switch word := strings.ToLower(search.Digits(cell)); {
	case slices.Contains(yes, word):
		return json.RawMessage("true")
	case slices.Contains(no, word):
		return json.RawMessage("false")
	}
	return text(cell)
}

// list splits a cell at |, except at \|, which stands for the sign itself.
func list(cell string) []string {
	parts, part := []string{}, strings.Builder{}
	end := func() {
		if one := strings.TrimSpace(part.String()); one != "" {
			parts = append(parts, one)
		}
		part.Reset()
	}
	escaped := false
	for _, sign := range cell {
		switch {
		case !escaped && sign == '\\':
			escaped = true
			continue
		case !escaped && sign == '|':
			end()
			continue
		}
		part.WriteRune(sign)
		escaped = false
	}
	end()
	return parts
}

var escapes = strings.NewReplacer(`\`, `\\`, "|", `\|`)

// joined returns the cell of a list.
func joined(parts []string) string {
	cells := convert.All(parts, escapes.Replace)
	return strings.Join(cells, "|")
}

func text(s string) json.RawMessage { return encoded(s) }

// encoded returns a value that can be encoded as JSON.
func encoded(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // a bug: only texts and lists of them are passed
	}
	return out
}

// member returns the JSON of a cell, and whether there is any.
func (c column) member(cell string) (json.RawMessage, bool) {
	switch {
	case c.kind == ofList:
		return encoded(list(cell)), true
	case c.kind == ofImages:
		image := func(url string) map[string]string { return map[string]string{"url": url} }
		return encoded(convert.All(strings.Fields(cell), image)), true
	case cell == "" && (c.kind == ofText || c.kind == ofNumber):
		return json.RawMessage("null"), true
	case cell == "" || c.kind == ignored:
		return nil, false
	case c.isNumber():
		return number(cell), true
	case c.kind == ofSwitch:
		return boolean(cell), true
	}
	return text(cell), true
}
