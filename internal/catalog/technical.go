package catalog

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/internal/record"
)

// formsByCategory holds the forms that apply to the product categories of a tenant.
type formsByCategory map[uuid.UUID]*record.Form

// Bytes returns the memory of the forms. A form counts once, because descendants share it.
func (f formsByCategory) Bytes() int {
	n := 80 * len(f)
	seen := map[*record.Form]bool{}
	for _, form := range f {
		if form == nil || seen[form] {
			continue
		}
		seen[form] = true
		for _, field := range form.Fields {
			n += 300 + len(field.Key) + len(field.Label) + len(field.LabelFa)
			for _, option := range field.Options {
				n += 100 + len(option.Value) + len(option.Label) + len(option.LabelFa)
			}
		}
	}
	return n
}

// categoryIDs are ids of categories, marshaled as a JSON list.
type categoryIDs []string

func (c categoryIDs) String() string {
	text, _ := json.Marshal([]string(c)) // never fails
	return string(text)
}

// asking returns the categories whose form has a field, by the JSON kind of its values, sorted by id.
func (f formsByCategory) asking(key string) map[record.JSONKind]categoryIDs {
	categories := map[record.JSONKind]categoryIDs{}
	for id, form := range f {
		if form == nil {
			continue
		}
		for _, field := range form.Fields {
			if kind := field.Type.JSONKind(); field.Key == key {
				categories[kind] = append(categories[kind], id.String())
			}
		}
	}
	for _, ids := range categories {
		slices.Sort(ids)
	}
	return categories
}

// Forms returns for every product category of a tenant the form that applies to it: its own, or that of the
// nearest ancestor with one.
func (r *Catalog) Forms(ctx context.Context, tenant uuid.UUID) (formsByCategory, error) {
	of := subject{tenant: tenant, what: "forms"}
	return contentCount(ctx, r, of, func(ctx context.Context) (formsByCategory, time.Time, error) {
		found, err := r.Store.Category.Query().Where(category.EntityTypeEQ(record.Product)).
			Select(category.FieldParentID, category.FieldForm).All(ctx)
		return inheritedForms(found), time.Time{}, err
	})
}

func inheritedForms(categories []*ent.Category) formsByCategory {
	byID := make(map[uuid.UUID]*ent.Category, len(categories))
	for _, c := range categories {
		byID[c.ID] = c
	}
	forms := make(formsByCategory, len(categories))
	for _, c := range categories {
		holder := c
		for range categories { // no path is longer
			if holder.Form != nil || holder.ParentID == nil || byID[*holder.ParentID] == nil {
				break
			}
			holder = byID[*holder.ParentID]
		}
		forms[c.ID] = holder.Form
	}
	return forms
}

// TechnicalInfo is the form that applies to a record, nil without one, and the record's answers in the form's order.
type TechnicalInfo struct {
	Form   *record.Form
	Values []*TechnicalValue
}

// TechnicalValue is an answer to a field of a form.
type TechnicalValue struct {
	Key                string
	Value              json.RawMessage // a string, number, boolean or list of strings
	Display, DisplayFa string
}

// TechnicalInfoOf joins the form of a category with a record's values, in the form's order. A value that was
// given when the field had another type is hidden.
func TechnicalInfoOf(forms map[uuid.UUID]*record.Form, category *uuid.UUID, values record.Values) *TechnicalInfo {
	info := &TechnicalInfo{}
	if category == nil || forms[*category] == nil {
		return info
	}
	info.Form = forms[*category]
	for _, field := range info.Form.Fields {
		if value := values[field.Key]; field.Type.Fits(value) {
			display, displayFa := field.Display(value)
			info.Values = append(info.Values, &TechnicalValue{
				Key: field.Key, Value: value, Display: display, DisplayFa: displayFa,
			})
		}
	}
	return info
}
