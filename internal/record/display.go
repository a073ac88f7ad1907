package record

import (
	"encoding/json"
	"strings"
)

// Display returns an answer to the field as text for people, in English and in Farsi.
func (f FormField) Display(raw json.RawMessage) (en, fa string) {
	switch f.Type {
	case Boolean:
		if string(raw) == "true" {
			return "Yes", "بله"
		}
		return "No", "خیر"
	case Number:
		digits := string(raw)
		return withUnit(digits, f.Unit, nil), withUnit(farsiDigits.Replace(digits), f.UnitFa, f.Unit)
	case Multiselect:
		var chosen []string
		if json.Unmarshal(raw, &chosen) != nil {
			return string(raw), string(raw)
		}
		var labels, labelsFa []string
		for _, value := range chosen {
			label, labelFa := f.labelOf(value)
			labels, labelsFa = append(labels, label), append(labelsFa, labelFa)
		}
		return strings.Join(labels, ", "), strings.Join(labelsFa, "، ")
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw), string(raw)
	}
	if f.Type == Select {
		return f.labelOf(text)
	}
	return withUnit(text, f.Unit, nil), withUnit(text, f.UnitFa, f.Unit)
}

// labelOf returns the labels of an option. An option that the form no longer has is its own label.
func (f FormField) labelOf(value string) (en, fa string) {
	for _, option := range f.Options {
		if option.Value == value {
			return option.Label, option.LabelFa
		}
	}
	return value, value
}

func withUnit(text string, unit, otherwise *string) string {
	if unit == nil {
		unit = otherwise
	}
	if unit == nil || *unit == "" {
		return text
	}
	return text + " " + *unit
}

var farsiDigits = strings.NewReplacer(
	"0", "۰", "1", "۱", "2", "۲", "3", "۳", "4", "۴",
	"5", "۵", "6", "۶", "7", "۷", "8", "۸", "9", "۹", ".", "٫")
