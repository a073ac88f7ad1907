package bundle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
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
	ctx = tenancy.In(ctx, tenant)
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		names, err := siblings(ctx, tx)
		if err != nil {
			return err
		}
		if names, err = r.ordered(names); err != nil || len(names) == 0 {
			return err
		}
		im := newEdit(tx.Client(), tenant, Edit{Action: r.Action, Section: r.Section, Now: r.Now})
		if err := im.loadCategories(ctx); err != nil {
			return err
		}
		objects, err := r.elements(im, names)
		if err != nil {
			return err
		}
		if err := memberKinds[r.Section].take(im, ctx, objects); err != nil {
			return fmt.Errorf("edit %s: %w", r.Section, err)
		}
		if r.Section == "categories" {
			if err := im.saveCategories(ctx); err != nil {
				return err
			}
		}
		if im.faults.any() {
			return im.faults.fields()
		}
		im.edit.object = &object{}
		return im.writeEdit(ctx, tx, im.unit)
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

// elements returns the elements of the records, in their order.
func (r Reorder) elements(im *importer, names []string) ([]*object, error) {
	list := &node{kind: jsontext.KindBeginArray, parent: &node{}, name: "input", index: -1}
	objects := make([]*object, len(names))
	for i, name := range names {
		element := map[string]any{r.Name: name, "position": i + 1}
		for key, value := range r.Key {
			element[key] = value
		}
		text, err := json.Marshal(element)
		if err != nil {
			return nil, fmt.Errorf("edit %s: %w", r.Section, err)
		}
		objects[i] = &object{node: newTree(&im.faults).parse(text, list, "", i, i, 0), faults: &im.faults}
	}
	return objects, nil
}
