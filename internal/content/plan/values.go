package plan

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/content/document"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// readValues reads a record's values for the form of its category, and otherValues, which the form would refuse.
// A null value is left out. Each of the two members replaces its own kind: values those that the public sees,
// otherValues the hidden ones. Values of a sheet are added to the present ones.
func readValues(o *document.Object, dst *record.Values, form *record.Form, sheet *Sheet) {
	given, _ := o.Inner("values")
	others, _ := o.Inner("otherValues")
	if given == nil && others == nil {
		return
	}
	fit, misfit := SplitValues(*dst, form)
	before := record.Values{}
	maps.Copy(before, fit)
	maps.Copy(before, misfit)
	after := maps.Clone(before)
	maps.DeleteFunc(after, func(key string, value json.RawMessage) bool {
		if form.Asks(key, value) {
			return given != nil && (sheet == nil || cmp.Or(given.Member(key), &document.Node{}).Kind == 'n')
		}
		return others != nil
	})
	if given != nil {
		for _, m := range given.Children {
			switch field := fieldOf(form, m.Name); {
			case m.Kind == 'n':
			case form == nil:
				o.Faults.Add(m, "cannot be given: the category and those above it have no form")
			case field == nil:
				o.Faults.Add(m, "is not a field of the category's form")
			default:
				if value, err := formValue(*field, sheet.value(*field, m)); err != nil {
					o.Faults.AddError(m, err)
				} else {
					after[m.Name] = value
				}
			}
		}
	}
	if others != nil {
		for _, m := range others.Children {
			if m.Kind == 'n' {
				continue
			}
			if value, err := anyValue(m); err != nil {
				o.Faults.AddError(m, err)
			} else if given != nil && given.Member(m.Name) != nil {
				o.Faults.Add(m, "is among the values already")
			} else if checkName(o, m) {
				after[m.Name] = value
			}
		}
	}
	addUntrimmed(before, *dst)
	if !maps.EqualFunc(before, after, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		*dst, o.Changed = after, true
	}
}

// addUntrimmed adds the stored texts that earlier versions did not trim, so that they differ from the trimmed ones.
func addUntrimmed(values, stored record.Values) {
	parser := document.NewTree(&document.Faults{})
	for key, value := range stored {
		n := parser.Parse(value, nil, key, -1, 1, 1)
		if n != nil && n.Kind == '"' && (search.IsBlank(n.Text) || n.Text != strings.TrimSpace(n.Text)) {
			values[key] = quoted(n.Text)
		}
	}
}

// mustAnswer reports whether an edit must leave the required fields of a form filled in. This holds for
// listings of customers, for records that the edit publishes, and for published records that get other values
// or another category. A file may hold records that are older than the form, and a draft may be incomplete.
func (p *Planner) mustAnswer(o *document.Object, wasPublished, isPublished bool) bool {
	switch {
	case !p.Terms.Edit:
		return false
	case p.Terms.Owner != nil:
		return true
	}
	return isPublished &&
		(!wasPublished || cmp.Or(o.Member("values"), o.Member("otherValues"), o.Member("category")) != nil)
}

// requireValues adds faults for required fields of a form without a value.
func requireValues(o *document.Object, values record.Values, form *record.Form) {
	if form == nil {
		return
	}
	fit, _ := SplitValues(values, form)
	at := cmp.Or(o.Member("values"),
		&document.Node{Parent: o.Node, Name: "values", Index: -1, Line: o.Line, Column: o.Column})
	for _, field := range form.Fields {
		value, given := fit[field.Key]
		refused := at.Member(field.Key) != nil && at.Member(field.Key).Kind != 'n' // its fault has been added already
		if field.Required && !refused && (!given || string(value) == "[]") {
			o.Faults.AddMissing(at, field.Key)
		}
	}
}

func fieldOf(form *record.Form, key string) *record.FormField {
	if form == nil {
		return nil
	}
	if i := slices.IndexFunc(form.Fields, func(f record.FormField) bool { return f.Key == key }); i >= 0 {
		return &form.Fields[i]
	}
	return nil
}

// formValue returns a field's value as canonical JSON, or the error of its rule.
func formValue(field record.FormField, n *document.Node) (json.RawMessage, error) {
	switch field.Type {
	case record.Text:
		text := strings.TrimSpace(n.Text)
		if n.Kind != '"' || search.IsBlank(text) || document.HasNull(text) || len(text) > bodyLimit {
			return nil, document.Errorf("must be a text that is not empty")
		}
		return quoted(text), nil
	case record.Number:
		return numberValue(n)
	case record.Boolean:
		if n.Kind != 't' && n.Kind != 'f' {
			return nil, document.Errorf("must be true or false")
		}
		return json.RawMessage(strconv.FormatBool(n.Kind == 't')), nil
	case record.Select:
		if n.Kind != '"' || !hasOption(field, n.Text) {
			return nil, document.Errorf("must be the value of one of the field's options")
		}
		return quoted(n.Text), nil
	default:
		return optionValues(field, n)
	}
}

// numberValue returns a number as canonical JSON. It refuses numbers that databases or clients may represent
// differently.
func numberValue(n *document.Node) (json.RawMessage, error) {
	const largest, finest = 1e15, 1e-6
	number, err := strconv.ParseFloat(n.Text, 64)
	if n.Kind != '0' {
		return nil, document.Errorf("must be a number")
	}
	size := max(number, -number)
	tiny := size < finest && money.Compare(n.Text, "0") != 0 // even if its float64 is 0
	if err != nil || size > largest || tiny {
		return nil, document.Errorf("must be 0, or a number whose size is from 0.000001 to 1000000000000000")
	}
	if number == 0 {
		return json.RawMessage("0"), nil // not -0
	}
	return strconv.AppendFloat(nil, number, 'f', -1, 64), nil
}

// optionValues returns a list of options as canonical JSON.
func optionValues(field record.FormField, n *document.Node) (json.RawMessage, error) {
	wrong := document.Errorf("must be a list of values of the field's options, each once")
	if n.Kind != '[' {
		return nil, wrong
	}
	value := []byte{'['}
	seen := map[string]bool{}
	for i, item := range n.Children {
		if item.Kind != '"' || seen[item.Text] || !hasOption(field, item.Text) {
			return nil, wrong
		}
		seen[item.Text] = true
		if i > 0 {
			value = append(value, ',')
		}
		value = append(value, quoted(item.Text)...)
	}
	return append(value, ']'), nil
}

func hasOption(field record.FormField, value string) bool {
	return slices.ContainsFunc(field.Options, func(o record.FormOption) bool { return o.Value == value })
}

// quoted returns a text as JSON. The text must be valid UTF-8.
func quoted(text string) json.RawMessage {
	value, _ := jsontext.AppendQuote(nil, text)
	return value
}

// checkName adds a fault for a member whose name cannot be a key.
func checkName(o *document.Object, m *document.Node) bool {
	_, ok := o.TextOf(&document.Node{
		Kind: '"', Text: m.Name, Parent: m.Parent, Name: m.Name, Index: -1, Line: m.Line, Column: m.Column,
	},
		1, document.KeyLimit, checkKey)
	return ok
}

// anyValue returns a value of any kind that a field may have, as formValue does.
func anyValue(n *document.Node) (json.RawMessage, error) {
	field := record.FormField{Type: record.Text}
	switch n.Kind {
	case '0':
		field.Type = record.Number
	case 't', 'f':
		field.Type = record.Boolean
	case '[':
		field.Type = record.Multiselect
		if len(n.Children) > mostChoices {
			return nil, document.Errorf("must have at most %d items", mostChoices)
		}
		for _, item := range n.Children {
			field.Options = append(field.Options, record.FormOption{Value: item.Text})
		}
	}
	return formValue(field, n)
}

// SplitValues splits values into those that a form accepts and the others. Both are returned as canonical
// JSON, because the two databases store the same values with different spaces and escapes.
func SplitValues(values record.Values, form *record.Form) (fit, others record.Values) {
	fit, others = record.Values{}, record.Values{}
	parser := document.NewTree(&document.Faults{})
	for key, value := range values {
		n := parser.Parse(value, nil, key, -1, 1, 1)
		if n == nil || n.Kind == '"' && search.IsBlank(n.Text) {
			continue // not JSON, or no answer: earlier versions stored blank texts
		}
		if field := fieldOf(form, key); field != nil {
			if one, err := formValue(*field, n); err == nil {
				fit[key] = one
				continue
			}
		}
		others[key] = value
		if one, err := anyValue(n); err == nil {
			others[key] = one
		}
	}
	return fit, others
}
