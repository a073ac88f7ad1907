package facets

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/product"
	"storefront/internal/catalog"
	"storefront/internal/record"
	"storefront/internal/request"
)

// answerCount counts the values of one field of a form.
type answerCount struct {
	key      string
	kind     record.FieldType
	count    int
	options  map[string]int // by value; for booleans "true" and "false"
	numbers  bool           // whether any is a number
	min, max float64        // of numbers
}

func (a *answerCount) bytes() int {
	n := 200 + len(a.key)
	for option := range a.options {
		n += 80 + len(option)
	}
	return n
}

// Fields counts the values of the fields of the category's form. Each field is counted without the condition on it.
func (f *ProductFacets) Fields(ctx context.Context) ([]*FieldFacet, error) {
	facets := []*FieldFacet{}
	category := f.filter.Category()
	if category == nil {
		return facets, nil
	}
	forms, err := f.c.Forms(ctx, f.filter.Tenant())
	if err != nil || forms[*category] == nil {
		return facets, err
	}
	form := forms[*category]
	all, err := f.answers(ctx, form, forms, f.filter)
	if err != nil {
		return nil, err
	}
	for _, field := range form.Fields {
		if field.Type == record.Text {
			continue
		}
		answers := all
		if others := f.filter.Without(catalog.Answers, field.Key); others != f.filter {
			if answers, err = f.answers(ctx, form, forms, others); err != nil {
				return nil, err
			}
		}
		own := &answerCount{}
		if i := slices.IndexFunc(answers, func(a *answerCount) bool { return a.key == field.Key }); i >= 0 {
			own = answers[i]
		}
		facets = append(facets, fieldFacet(field, own))
	}
	return facets, nil
}

// answers counts the technical values of the products that match a filter. A value that is not in the form of
// the product's own category is hidden, and not counted.
func (f *ProductFacets) answers(
	ctx context.Context, form *record.Form, forms map[uuid.UUID]*record.Form, filter catalog.Filter,
) (counted[*answerCount], error) {
	return catalog.CountList(ctx, f.c, filter, catalog.Answers, func(
		ctx context.Context,
	) (counts counted[*answerCount], err error) {
		var rows []struct {
			Values     []byte
			CategoryID *uuid.UUID `json:"category_id"`
		}
		err = f.scan(ctx, &rows, filter.Narrow(request.Of(ctx).Now), func(s *sql.Selector) {
			s.Select(s.C(product.FieldValues), s.C(product.FieldCategoryID))
		})
		if err != nil {
			return nil, err
		}
		for _, field := range form.Fields {
			if field.Type != record.Text {
				counts = append(counts, &answerCount{key: field.Key, kind: field.Type, options: map[string]int{}})
			}
		}
		for _, row := range rows {
			own := form
			if row.CategoryID != nil {
				own = forms[*row.CategoryID]
			}
			var values record.Values
			if err := json.Unmarshal(row.Values, &values); err != nil {
				return nil, err
			}
			for _, one := range counts {
				if value := values[one.key]; one.kind.Fits(value) && (own == form || own.Asks(one.key, value)) {
					one.add(value)
				}
			}
		}
		return counts, nil
	})
}

// add counts a value. For an option that the form no longer has it counts only that a value is given.
func (a *answerCount) add(value json.RawMessage) {
	a.count++
	switch value[0] {
	case '"':
		var option string
		if json.Unmarshal(value, &option) == nil {
			a.options[option]++
		}
	case '[':
		var options []string
		if json.Unmarshal(value, &options) == nil {
			for _, option := range options {
				a.options[option]++
			}
		}
	case 't', 'f':
		a.options[string(value)]++
	default:
		number, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return
		}
		if !a.numbers {
			a.min, a.max, a.numbers = number, number, true
		}
		a.min, a.max = min(a.min, number), max(a.max, number)
	}
}

// FieldFacet is a field of forms with the number of records of a list that answer it.
type FieldFacet struct {
	record.FormField
	Count    int
	Options  []*OptionFacet // of a select field all, in the form's order; of a boolean true and false
	Min, Max *float64       // the smallest and the largest answer; nil unless they are numbers
}

// OptionFacet is an option of a field with the number of records that have it.
type OptionFacet struct {
	record.FormOption
	Count int
}

// fieldFacet returns the facet of the counted values of a field.
func fieldFacet(field record.FormField, counted *answerCount) *FieldFacet {
	facet := &FieldFacet{FormField: field, Count: counted.count, Options: []*OptionFacet{}}
	switch field.Type {
	case record.Number:
		if counted.numbers {
			facet.Min, facet.Max = &counted.min, &counted.max
		}
	case record.Boolean:
		for _, value := range []string{"true", "false"} {
			label, labelFa := field.Display(json.RawMessage(value))
			shown := record.FormOption{Value: value, Label: label, LabelFa: labelFa}
			facet.Options = append(facet.Options, &OptionFacet{shown, counted.options[value]})
		}
	default:
		for _, o := range field.Options {
			facet.Options = append(facet.Options, &OptionFacet{o, counted.options[o.Value]})
		}
	}
	return facet
}
