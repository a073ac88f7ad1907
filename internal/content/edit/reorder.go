package edit

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/deliverymethod"
	"storefront/ent/slider"
	"storefront/internal/content/derive"
	"storefront/internal/content/plan"
	"storefront/internal/fault"
	"storefront/internal/list"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// Reorder numbers sibling categories, all sliders or all delivery methods from 1 on.
type Reorder struct {
	Action     string            // the name of the mutation, for the audit log
	Section    string            // of the bundle
	EntityType record.EntityType // of categories
	First      []string          // the slugs or keys of those that come first, in this order; the others keep theirs
	Now        time.Time
}

// Apply changes the positions in one transaction. A name in First that is unknown or occurs twice is a fault of the
// member slugs or keys.
func (r Reorder) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) error {
	name, siblings := "key", r.sliders
	switch r.Section {
	case "categories":
		name, siblings = "slug", r.categories
	case "deliveryMethods":
		siblings = r.deliveryMethods
	}
	return derive.InShop(ctx, client, tenant, func(ctx context.Context, tx *ent.Tx) error {
		names, err := siblings(ctx, tx)
		if err != nil {
			return err
		}
		if names, err = r.ordered(names, name+"s"); err != nil || len(names) == 0 {
			return err
		}
		items := make([]map[string]any, len(names))
		for i, sibling := range names {
			items[i] = map[string]any{name: sibling, "position": i + 1}
			if r.EntityType != "" {
				items[i]["entityType"] = r.EntityType
			}
		}
		p := planner(tx.Client(), tenant, r.Now)
		elements, err := build(p.Faults, items)
		if err != nil {
			return err
		}
		unit, err := p.Plan(ctx, r.Section, elements)
		if err != nil {
			return err
		}
		return write(ctx, tx, p, unit, r.Action)
	})
}

// categories returns the slugs of the first one's siblings, in their present order.
func (r Reorder) categories(ctx context.Context, tx *ent.Tx) (slugs []string, err error) {
	found, err := tx.Category.Query().Where(category.EntityTypeEQ(r.EntityType)).Order(category.ByID()).
		Select(category.FieldSlug, category.FieldParentID, category.FieldPosition, category.FieldName).All(ctx)
	list.SortByPosition(found,
		func(c *ent.Category) int { return c.Position }, func(c *ent.Category) string { return c.Name })
	first := slices.IndexFunc(found, func(c *ent.Category) bool { return len(r.First) > 0 && c.Slug == r.First[0] })
	for _, c := range found {
		if first >= 0 && plan.ParentOf(c) == plan.ParentOf(found[first]) {
			slugs = append(slugs, c.Slug)
		}
	}
	return slugs, err
}

// sliders returns the keys of all sliders, in their present order.
func (Reorder) sliders(ctx context.Context, tx *ent.Tx) ([]string, error) {
	found, err := tx.Slider.Query().Order(slider.ByID()).Select(slider.FieldKey, slider.FieldPosition).All(ctx)
	list.SortByPosition(found,
		func(s *ent.Slider) int { return s.Position }, func(s *ent.Slider) string { return s.Key })
	return convert.All(found, func(s *ent.Slider) string { return s.Key }), err
}

// deliveryMethods returns the keys of all delivery methods, in their present order.
func (Reorder) deliveryMethods(ctx context.Context, tx *ent.Tx) ([]string, error) {
	found, err := tx.DeliveryMethod.Query().Order(deliverymethod.ByPosition(), deliverymethod.ByKey()).
		Select(deliverymethod.FieldKey).All(ctx)
	return convert.All(found, func(m *ent.DeliveryMethod) string { return m.Key }), err
}

// ordered returns names with those in First before the others. member has First in the request.
func (r Reorder) ordered(names []string, member string) ([]string, error) {
	var bad fault.Fields
	for i, name := range r.First {
		switch at := member + "." + strconv.Itoa(i); {
		case !slices.Contains(names, name) && i > 0 && r.EntityType != "":
			bad.Add(at, "names no category beside the first one")
		case !slices.Contains(names, name):
			bad.Add(at, "is not known")
		case slices.Contains(r.First[:i], name):
			bad.Add(at, "is the one of another item")
		}
	}
	others := slices.DeleteFunc(names, func(name string) bool { return slices.Contains(r.First, name) })
	return slices.Concat(r.First, others), bad.Err()
}
