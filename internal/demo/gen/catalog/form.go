package catalog

import (
	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/words"
)

// readForm reads a form: its titles, then a line for each field (key | type | label | Persian label | unit
// | Persian unit | required | options).
func readForm(forms words.Lists, name string) *bundle.Form {
	rows := forms.Rows(name)
	form := &bundle.Form{Title: rows[0][0], TitleFa: rows[0][1]}
	for _, row := range rows[1:] {
		form.Fields = append(form.Fields, bundle.Field{
			Key:      row[0],
			Type:     row[1],
			Label:    row[2],
			LabelFa:  row[3],
			Unit:     row.Cell(4),
			UnitFa:   row.Cell(5),
			Required: row.Cell(6) == "yes",
			Options:  options(row.Cell(7)),
		})
	}
	return form
}

// options reads "value=English=Persian; value=English=Persian".
func options(cell string) []bundle.Option {
	if cell == "" {
		return nil
	}
	var out []bundle.Option
	for _, part := range words.Cells(cell, ";") {
		piece := words.Cells(part, "=")
		out = append(out, bundle.Option{Value: piece[0], Label: piece[1], LabelFa: piece[2]})
	}
	return out
}
