package bundle

import "storefront/internal/record"

// form reads a category's technical form, which may be null. A form keeps its id.
func (o *object) form(dst **record.Form) {
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
