package bundle

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/fault"
)

// Reorder numbers sibling records of a section from 1 on.
type Reorder struct {
	Action  string            // the name of the mutation, for the audit log
	Section string            // categories or sliders
	Name    string            // the member that identifies them: slug or key
	Key     map[string]string // the other identifying members
	First   []string          // the names of those that come first, in this order; the others keep theirs
	Now     time.Time
}

// Apply changes the positions in one transaction. siblings returns the names of all siblings in their present
// order. A name in First that is unknown or occurs twice is a fault of the member slugs or keys.
func (r Reorder) Apply(
	ctx context.Context, client *ent.Client, tenant uuid.UUID,
	siblings func(ctx context.Context, tx *ent.Tx) ([]string, error),
) error {
	return inShop(ctx, client, tenant, nil, func(ctx context.Context, tx *ent.Tx) error {
		names, err := siblings(ctx, tx)
		if err != nil {
			return err
		}
		if names, err = r.ordered(names); err != nil || len(names) == 0 {
			return err
		}
		im, err := newEdit(ctx, tx.Client(), tenant, Edit{Action: r.Action, Section: r.Section, Now: r.Now})
		if err != nil {
			return err
		}
		items := make([]map[string]any, len(names))
		for i, name := range names {
			items[i] = map[string]any{r.Name: name, "position": i + 1}
			for key, value := range r.Key {
				items[i][key] = value
			}
		}
		objects, err := im.elements(items)
		if err != nil {
			return err
		}
		if err := im.read(ctx, objects); err != nil {
			return err
		}
		return im.writeEdit(ctx, tx)
	})
}

// ordered returns names with those in First before the others.
func (r Reorder) ordered(names []string) ([]string, error) {
	var bad fault.Fields
	for i, name := range r.First {
		switch at := r.Name + "s." + strconv.Itoa(i); {
		case !slices.Contains(names, name) && i > 0 && r.Section == "categories":
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
