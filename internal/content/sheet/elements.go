package sheet

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// product returns the element of a product and records its row.
func (m *maker) product(rows []row) map[string]any {
	made := map[string]any{}
	first := rows[0]
	for _, name := range m.rows.header {
		c, fixed := columnNamed(name)
		if c.variant || strings.HasPrefix(name, optionColumn) {
			continue
		}
		for _, other := range rows[1:] {
			if cell := other.cells[name]; cell != "" && cell != first.cells[name] {
				m.faults.add(other.number, name, "is not as in row %d, the first of the product", first.number)
			}
		}
		if !fixed { // a technical value
			continue
		}
		value, given := c.member(first.cells[name])
		if of, member, nested := strings.Cut(name, "."); nested { // of seo
			inner, _ := made[of].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				made[of] = inner
			}
			inner[member] = value
		} else if given {
			made[name] = value
		}
	}
	made["slug"] = first.cells["slug"] // a sheet of offers has no such column
	if slices.ContainsFunc(rows, func(one row) bool { return one.cells["expectedStock"] != "" }) {
		made["exported"] = true
	}
	if len(m.values) > 0 {
		made["values"] = cellsOf(first, valueColumn, m.values)
	}
	numbers := []int32{int32(first.number)}
	variants := []map[string]any{}
	for _, one := range rows {
		if made := m.variant(one); made != nil {
			variants, numbers = append(variants, made), append(numbers, int32(one.number))
		}
	}
	if len(variants) > 0 {
		made["variants"] = variants
	}
	m.sources = append(m.sources, numbers)
	return made
}

// variant returns the element of a row's variant, or nil if the row describes only the product.
func (m *maker) variant(line row) map[string]any {
	made, says := map[string]any{}, false
	for _, name := range m.rows.header {
		cell := line.cells[name]
		c, fixed := columnNamed(name)
		if !fixed || !c.variant {
			says = says || strings.HasPrefix(name, optionColumn) && cell != ""
			continue
		}
		// a product without variants is exported with an expectedStock, too
		says = says || cell != "" && c.kind != ignored && name != "expectedStock"
		switch value, given := c.member(cell); {
		case c.isNumber() && withComma.MatchString(search.Digits(cell)):
			m.faults.add(line.number, name,
				"has a comma, which some take for decimals and others for thousands; write 1250000 or 12.5")
		case c.isNumber() && m.rows.isAmbiguous(cell):
			m.faults.add(line.number, name, "has a point before three digits, which some take for decimals and others "+
				"for thousands; write 1250000 or 12.5")
		case given:
			made[name] = value
		}
	}
	if !says {
		return nil
	}
	if len(m.options) > 0 {
		made["options"] = cellsOf(line, optionColumn, m.options)
	}
	return made
}

// cellsOf returns the cells of the columns that are named after keys, null for empty cells.
func cellsOf(line row, prefix string, keys []string) map[string]*string {
	made := make(map[string]*string, len(keys))
	for _, key := range keys {
		made[key] = nil
		if cell := line.cells[prefix+key]; cell != "" {
			made[key] = &cell
		}
	}
	return made
}

// withComma matches a number in ASCII digits with commas.
var withComma = regexp.MustCompile(`^-?[0-9]+([.,٫٬][0-9]+)*,[0-9]+([.,٫٬][0-9]+)*$`)

// withPoint matches a number in ASCII digits whose points may separate thousands: 1.250, but not 0.125.
var withPoint = regexp.MustCompile(`^-?[1-9][0-9]{0,2}(\.[0-9]{3})+$`)

// isAmbiguous reports whether a cell may be a number with points between thousands, as spreadsheets write them that
// separate cells by semicolons.
func (r *reader) isAmbiguous(cell string) bool {
	return r.rows.Comma == ';' && withPoint.MatchString(search.Digits(cell))
}

// technical returns the JSON of a technical value.
func technical(kind record.FieldType, cell string) []byte {
	switch kind {
	case record.Number:
		return number(cell)
	case record.Boolean:
		return boolean(cell)
	case record.Multiselect:
		return encoded(list(cell))
	}
	return json.RawMessage(text(cell))
}
