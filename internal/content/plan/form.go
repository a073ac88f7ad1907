package plan

import (
	"storefront/internal/content/document"
	"storefront/internal/record"
)

// readForm reads a category's technical form, which may be null. A form keeps its id.
func readForm(o *document.Object, dst **record.Form) {
	given, null := o.Inner("form")
	if null {
		document.PutDeep(o, dst, nil)
	}
	if given == nil {
		return
	}
	form := record.Form{ID: record.NewID().String()}
	if *dst == nil {
		given.Require("title", "titleFa", "fields")
	} else {
		form = **dst
	}
	given.Bilingual("title", &form.Title, &form.TitleFa, document.TitleLimit)
	document.ListOf(given, "fields", &form.Fields, mostFields, readField())
	given.RefuseUnknown()
	if given.Changed {
		*dst, o.Changed = &form, true
	}
}

// readField returns a function that reads the fields of a form.
func readField() func(o *document.Object) record.FormField {
	keys := map[string]bool{}
	return func(o *document.Object) (one record.FormField) {
		o.Require("key", "label", "labelFa", "type")
		o.Key("key", &one.Key, keys, checkKey)
		o.Bilingual("label", &one.Label, &one.LabelFa, document.TitleLimit)
		document.Choose(o, "type", &one.Type, one.Type.Values())
		o.OptionalBilingual("unit", &one.Unit, &one.UnitFa, document.KeyLimit)
		o.Boolean("required", &one.Required)
		values := map[string]bool{}
		document.ListOf(o, "options", &one.Options, mostChoices, func(o *document.Object) (option record.FormOption) {
			o.Require("value", "label", "labelFa")
			o.Key("value", &option.Value, values, checkKey)
			o.Bilingual("label", &option.Label, &option.LabelFa, document.TitleLimit)
			return option
		})
		switch chosen := one.Type == record.Select || one.Type == record.Multiselect; {
		case len(one.Options) == 0:
			one.Options = nil // as it is stored
			if chosen {
				o.Faults.AddMissing(o.Node, "options")
			}
		case one.Type != "" && !chosen:
			o.Faults.Add(o.Member("options"), "must not be given for a field of type %s", one.Type)
		}
		return one
	}
}
