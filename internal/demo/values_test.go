package demo_test

import (
	"slices"
	"strings"
	"testing"
)

// TestValuesFitTheirForms checks that every value belongs to a field of its category's form, and has the
// field's type.
func TestValuesFitTheirForms(t *testing.T) {
	for _, b := range shops(t) {
		forms := formsOf(b)
		for _, p := range b.Products {
			checkValues(t, p.Slug, forms[p.Category], p.Values)
		}
		for _, u := range b.UserProducts {
			checkValues(t, u.Slug, forms[u.Category], u.Values)
		}
		for _, c := range b.Categories {
			if c.Form != nil {
				checkForm(t, *c.Form)
			}
		}
	}
}

// formsOf returns the form of each product category: its own or that of its nearest ancestor.
func formsOf(b Bundle) map[string]*Form {
	forms := map[string]*Form{}
	for _, c := range b.Categories {
		if c.EntityType != "product" {
			continue
		}
		forms[c.Slug] = forms[c.ParentSlug]
		if c.Form != nil {
			forms[c.Slug] = c.Form
		}
	}
	return forms
}

func checkForm(t *testing.T, form Form) {
	seen := map[string]bool{}
	for _, f := range form.Fields {
		if seen[f.Key] || f.Label == "" || f.LabelFa == "" {
			t.Errorf("%s: field %q", form.Title, f.Key)
		}
		seen[f.Key] = true
		choice := f.Type == "select" || f.Type == "multiselect"
		if !choice && !slices.Contains([]string{"text", "number", "boolean"}, f.Type) ||
			choice != (len(f.Options) > 0) {
			t.Errorf("%s: field %s of type %q with %d options", form.Title, f.Key, f.Type, len(f.Options))
		}
	}
}

func checkValues(t *testing.T, slug string, form *Form, values map[string]any) {
	if form == nil {
		if len(values) > 0 {
			t.Errorf("%s has values, but no form", slug)
		}
		return
	}
	for key, value := range values {
		i := slices.IndexFunc(form.Fields, func(f Field) bool { return f.Key == key })
		if i < 0 {
			t.Errorf("%s: form %q has no field %q", slug, form.Title, key)
			continue
		}
		if f := form.Fields[i]; !fits(f, value) {
			t.Errorf("%s: %s %q is %T %v", slug, f.Type, key, value, value)
		}
	}
}

func fits(f Field, value any) bool {
	option := func(s string) bool {
		return slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == s })
	}
	switch v := value.(type) {
	case float64:
		return f.Type == "number"
	case bool:
		return f.Type == "boolean"
	case string:
		return f.Type == "select" && option(v) || f.Type == "text" && strings.TrimSpace(v) != ""
	case []any:
		return f.Type == "multiselect" && !slices.ContainsFunc(v, func(item any) bool {
			s, text := item.(string)
			return !text || !option(s)
		})
	default:
		return false
	}
}
