package bundle

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/record"
)

// form reads a category's technical form, which may be null. A form keeps its id.
func (o *object) form(dst **record.Form) {
	given, null := o.object("form")
	if null {
		putDeep(o, dst, nil)
	}
	if given == nil {
		return
	}
	form := record.Form{ID: newID().String()}
	if *dst == nil {
		given.require("title", "titleFa", "fields")
	} else {
		form = **dst
	}
	given.text("title", &form.Title, titleLimit)
	given.text("titleFa", &form.TitleFa, titleLimit)
	given.formFields(&form.Fields)
	given.refuseUnknown()
	if given.changed {
		*dst, o.changed = &form, true
	}
}

func (o *object) formFields(dst *[]record.FormField) {
	items, ok := o.objects("fields", mostFields)
	if !ok {
		return
	}
	fields := make([]record.FormField, 0, len(items))
	keys := map[string]bool{}
	for _, item := range items {
		var one record.FormField
		item.require("key", "label", "labelFa", "type")
		item.key("key", &one.Key, keys, checkKey)
		item.text("label", &one.Label, titleLimit)
		item.text("labelFa", &one.LabelFa, titleLimit)
		choose(item, "type", &one.Type, one.Type.Values())
		item.optionalText("unit", &one.Unit, keyLimit)
		item.optionalText("unitFa", &one.UnitFa, keyLimit)
		item.boolean("required", &one.Required)
		item.formOptions(&one.Options)
		item.refuseUnknown()
		switch chosen := one.Type == record.Select || one.Type == record.Multiselect; {
		case chosen && len(one.Options) == 0:
			item.faults.addMissing(item.node, "options")
		case one.Type != "" && !chosen && len(one.Options) > 0:
			item.faults.add(item.member("options"), "must not be given for a field of type %s", one.Type)
		}
		fields = append(fields, one)
	}
	putDeep(o, dst, fields)
}

func (o *object) formOptions(dst *[]record.FormOption) {
	items, _ := o.objects("options", mostChoices)
	values := map[string]bool{}
	for _, item := range items {
		var one record.FormOption
		item.require("value", "label", "labelFa")
		item.key("value", &one.Value, values, checkKey)
		item.text("label", &one.Label, titleLimit)
		item.text("labelFa", &one.LabelFa, titleLimit)
		item.refuseUnknown()
		*dst = append(*dst, one)
	}
}

// values reads a record's answers to the form of its category. They are replaced as a whole; an answer that
// is null is not given.
func (o *object) values(dst *record.Values, form *record.Form) {
	given, _ := o.object("values")
	if given == nil {
		return
	}
	values := record.Values{}
	for _, m := range given.children {
		switch field := fieldOf(form, m.name); {
		case m.kind == 'n':
		case form == nil:
			o.faults.add(m, "cannot be given: the category and those above it have no form")
		case field == nil:
			o.faults.add(m, "is not a field of the category's form")
		default:
			if value, err := formValue(*field, m); err != nil {
				o.faults.addError(m, err)
			} else {
				values[m.name] = value
			}
		}
	}
	before := valuesInForm(*dst, form)
	if len(before) != len(*dst) || !maps.EqualFunc(before, values, func(a,
		b json.RawMessage) bool {
		return string(a) == string(b)
	}) {
		*dst, o.changed = values, true
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

// formValue returns a field's value in the one way in which it is written, or says what is wrong with it.
func formValue(field record.FormField, n *node) (json.RawMessage, error) {
	switch field.Type {
	case record.Text:
		if n.kind != '"' || n.text == "" || hasNull(n.text) || len(n.text) > bodyLimit {
			return nil, wrongly("must be a text that is not empty")
		}
		return quoted(n.text), nil
	case record.Number:
		return numberValue(n)
	case record.Boolean:
		if n.kind != 't' && n.kind != 'f' {
			return nil, wrongly("must be true or false")
		}
		return json.RawMessage(strconv.FormatBool(n.kind == 't')), nil
	case record.Select:
		if n.kind != '"' || !hasOption(field, n.text) {
			return nil, wrongly("must be the value of one of the field's options")
		}
		return quoted(n.text), nil
	default:
		return optionValues(field, n)
	}
}

// numberValue takes the numbers that both databases and every client write alike.
func numberValue(n *node) (json.RawMessage, error) {
	const largest, finest = 1e15, 1e-6
	number, err := strconv.ParseFloat(n.text, 64)
	if n.kind != '0' {
		return nil, wrongly("must be a number")
	}
	size := max(number, -number)
	if err != nil || size > largest || size < finest && size != 0 {
		return nil, wrongly("must be 0, or a number whose size is from 0.000001 to 1000000000000000")
	}
	if number == 0 {
		return json.RawMessage("0"), nil // not -0
	}
	return strconv.AppendFloat(nil, number, 'f', -1, 64), nil
}

// optionValues takes a list of options.
func optionValues(field record.FormField, n *node) (json.RawMessage, error) {
	wrong := wrongly("must be a list of values of the field's options, each once")
	if n.kind != '[' {
		return nil, wrong
	}
	value := []byte{'['}
	seen := map[string]bool{}
	for i, item := range n.children {
		if item.kind != '"' || seen[item.text] || !hasOption(field, item.text) {
			return nil, wrong
		}
		seen[item.text] = true
		if i > 0 {
			value = append(value, ',')
		}
		value = append(value, quoted(item.text)...)
	}
	return append(value, ']'), nil
}

func hasOption(field record.FormField, value string) bool {
	return slices.ContainsFunc(field.Options, func(o record.FormOption) bool { return o.Value == value })
}

// quoted writes a text, which is valid UTF-8, as JSON.
func quoted(text string) json.RawMessage {
	value, _ := jsontext.AppendQuote(nil, text)
	return value
}

// valuesInForm returns those answers that fit a form, written in the one way: what two databases keep of the
// same values differs in spaces and escapes.
func valuesInForm(values record.Values, form *record.Form) record.Values {
	fit := record.Values{}
	parser := newTree(&Faults{})
	for key, value := range values {
		field := fieldOf(form, key)
		if field == nil {
			continue
		}
		if n := parser.parse(value, nil, key, -1, 1, 1); n != nil {
			if one, err := formValue(*field, n); err == nil {
				fit[key] = one
			}
		}
	}
	return fit
}
