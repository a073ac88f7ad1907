package bundle

import "storefront/internal/record"

// form reads a category's technical form, which may be null. A form keeps its id.
func readForm(o *object, dst **record.Form) {
	given, null := o.object("form")
	if null {
		putDeep(o, dst, nil)
	}
	if given == nil {
		return
	}
	form := record.Form{ID: record.NewID().String()}
	if *dst == nil {
		given.require("title", "titleFa", "fields")
	} else {
		form = **dst
	}
	given.bilingual("title", &form.Title, &form.TitleFa, titleLimit)
	listOf(given, "fields", &form.Fields, mostFields, readField())
	given.refuseUnknown()
	if given.changed {
		*dst, o.changed = &form, true
	}
}

// readField returns a function that reads the fields of a form.
func readField() func(o *object) record.FormField {
	keys := map[string]bool{}
	return func(o *object) (one record.FormField) {
		o.require("key", "label", "labelFa", "type")
		o.key("key", &one.Key, keys, checkKey)
		o.bilingual("label", &one.Label, &one.LabelFa, titleLimit)
		choose(o, "type", &one.Type, one.Type.Values())
		o.optionalBilingual("unit", &one.Unit, &one.UnitFa, keyLimit)
		o.boolean("required", &one.Required)
		values := map[string]bool{}
		listOf(o, "options", &one.Options, mostChoices, func(o *object) (option record.FormOption) {
			o.require("value", "label", "labelFa")
			o.key("value", &option.Value, values, checkKey)
			o.bilingual("label", &option.Label, &option.LabelFa, titleLimit)
			return option
		})
		switch chosen := one.Type == record.Select || one.Type == record.Multiselect; {
		case len(one.Options) == 0:
			one.Options = nil // as it is stored
			if chosen {
				o.faults.addMissing(o.node, "options")
			}
		case one.Type != "" && !chosen:
			o.faults.add(o.member("options"), "must not be given for a field of type %s", one.Type)
		}
		return one
	}
}
