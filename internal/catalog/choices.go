package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/graph/model"
	"storefront/internal/record"
	"storefront/internal/search"
)

// choice is a list of values of which a record must have one: sorted, one per line. Unlike a slice it is
// comparable, so that requests with equal filters share one count.
type choice struct {
	values string
	given  bool
}

// choiceOf returns the choice of an argument's values. Without values it is no condition.
func choiceOf(values []string) choice {
	if len(values) == 0 {
		return choice{}
	}
	return choice{strings.Join(slices.Compact(slices.Sorted(slices.Values(values))), "\n"), true}
}

func (c choice) list() []string {
	if c.values == "" {
		return nil
	}
	return strings.Split(c.values, "\n")
}

// single empties a choice of one value and returns that value. It reports false for other choices. For a
// single value a filter can use an index in the order of the list.
func (c *choice) single() (value string, ok bool) {
	if !c.given || c.values == "" || strings.Contains(c.values, "\n") {
		return "", false
	}
	value = c.values
	*c = choice{}
	return value, true
}

// singleID is single for a choice of records.
func (c *choice) singleID(into *optional[uuid.UUID]) {
	if into.given {
		return
	}
	if text, ok := c.single(); ok {
		*into = optional[uuid.UUID]{value: uuid.MustParse(text), given: true}
	}
}

// slugsAmong splits ids and slugs. A text with the form of an id is an id.
func slugsAmong(given []string) (ids, slugs []string) {
	for _, text := range given {
		if id, err := uuid.Parse(text); err == nil && id.String() == text {
			ids = append(ids, text)
		} else {
			slugs = append(slugs, LookupSlug(text))
		}
	}
	return ids, slugs
}

// someCategories reads an argument with slugs or ids of categories of a kind. An unknown category has no
// records.
func (r *Catalog) someCategories(
	ctx context.Context, t *ent.Tenant, kind record.EntityType, given []string,
) (choice, error) {
	ids, slugs := slugsAmong(given)
	if len(slugs) > 0 {
		found, err := r.store.Category.Query().Where(category.EntityTypeEQ(kind), category.SlugIn(slugs...)).
			Select(category.FieldID, category.FieldSlug).All(InTenant(ctx, t.ID))
		if err != nil {
			return choice{}, err
		}
		named := map[string]uuid.UUID{}
		for _, c := range found {
			named[c.Slug] = c.ID
		}
		all, err := r.withMoved(ctx, t, record.SlugCategory(kind), slugs, named)
		if err != nil {
			return choice{}, err
		}
		ids = append(ids, textsOf(all)...)
	}
	c := choiceOf(ids)
	c.given = len(given) > 0
	return c, nil
}

// someBrands reads an argument with slugs or ids of brands. An unknown brand has no products.
func (r *Catalog) someBrands(ctx context.Context, t *ent.Tenant, given []string) (choice, error) {
	ids, slugs := slugsAmong(given)
	if len(slugs) > 0 {
		found, err := r.store.Brand.Query().Where(brand.SlugIn(slugs...)).Select(brand.FieldID, brand.FieldSlug).
			All(InTenant(ctx, t.ID))
		if err != nil {
			return choice{}, err
		}
		named := map[string]uuid.UUID{}
		for _, b := range found {
			named[b.Slug] = b.ID
		}
		all, err := r.withMoved(ctx, t, record.SlugBrand, slugs, named)
		if err != nil {
			return choice{}, err
		}
		ids = append(ids, textsOf(all)...)
	}
	c := choiceOf(ids)
	c.given = len(given) > 0
	return c, nil
}

// someTags reads an argument with tags.
func someTags(given []string) choice {
	folded := make([]string, len(given))
	for i, tag := range given {
		folded[i] = search.Tag(tag)
	}
	return choiceOf(folded)
}

func textsOf(ids []uuid.UUID) []string {
	all := make([]string, len(ids))
	for i, id := range ids {
		all[i] = id.String()
	}
	return all
}

// optionFilter holds conditions on the options of variants. It is the JSON of []optionCondition sorted by
// key, so that it is comparable; empty for no conditions.
type optionFilter string

// optionCondition is a condition on the value of one variation.
type optionCondition struct {
	Key   string   `json:"k"`
	AnyOf []string `json:"o"`
}

// optionFilterOf reads the argument `options`.
func optionFilterOf(given []*model.OptionFilter) optionFilter {
	var all []optionCondition
	for _, one := range given {
		if len(one.AnyOf) > 0 {
			all = append(all, optionCondition{one.Key, slices.Compact(slices.Sorted(slices.Values(one.AnyOf)))})
		}
	}
	return optionFilterFrom(all)
}

func optionFilterFrom(all []optionCondition) optionFilter {
	if len(all) == 0 {
		return ""
	}
	slices.SortStableFunc(all, func(a, b optionCondition) int { return cmp.Compare(a.Key, b.Key) })
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings can always be marshaled
	}
	return optionFilter(text)
}

func (f optionFilter) conditions() (all []optionCondition) {
	if f != "" {
		if err := json.Unmarshal([]byte(f), &all); err != nil {
			panic(err) // optionFilterFrom wrote it
		}
	}
	return all
}

// without returns the filter without the conditions on one variation.
func (f optionFilter) without(key string) optionFilter {
	return optionFilterFrom(slices.DeleteFunc(f.conditions(), func(c optionCondition) bool { return c.Key == key }))
}
