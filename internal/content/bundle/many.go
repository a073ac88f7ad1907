package bundle

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"storefront/internal/content/document"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
)

// manyAtOnce is how many records a transaction of Many processes, and about how many variants one of Offers
// changes. It is small because SQLite has one writer, for which customers wait.
const manyAtOnce = 100

// Many makes the same change to many records: each is edited as by Edit or deleted as by Remove. Records for
// which this fails are unchanged.
type Many struct {
	Action              string         // the name of the mutation, for the audit log
	Section             string         // products, userProducts, blogs or portfolios
	Members             map[string]any // of each element, as decoded JSON
	AddTags, RemoveTags []string
	Delete              bool
	Now                 time.Time
}

// Unchanged is a record that could not be changed.
type Unchanged struct {
	Chosen
	Why *fault.Error
}

// Step is the result of one transaction.
type Step struct {
	Changed int
	Faults  []Unchanged
	Last    uuid.UUID // the last record processed; uuid.Nil if none is left
}

// Step changes up to manyAtOnce records of a selection after the given one, in one transaction. If the change
// is invalid for every record of the section, it fails with one VALIDATION_FAILED, with fields that begin
// with "change".
func (m Many) Step(
	ctx context.Context, client *ent.Client, tenant uuid.UUID, of Selection, after uuid.UUID,
) (done Step, err error) {
	err = inShop(ctx, client, tenant, nil, func(ctx context.Context, tx *ent.Tx) error {
		done = Step{}
		found, missing, last, err := of.after(ctx, tx.Client(), after)
		if done.Last = last; err != nil {
			return err
		}
		for _, id := range missing {
			why := fault.New(fault.NotFound, "there is no such record")
			done.Faults = append(done.Faults, Unchanged{Chosen{ID: id}, why})
		}
		if len(found) == 0 && after == uuid.Nil { // without a record the change is not checked yet
			return m.checkCategory(ctx, tx.Client(), tenant)
		}
		if len(found) == 0 {
			return nil
		}
		if m.Delete {
			return m.delete(ctx, tx, tenant, found, &done)
		}
		return m.edit(ctx, tx, tenant, found, &done)
	})
	return done, err
}

// checkCategory refuses a category that does not exist.
func (m Many) checkCategory(ctx context.Context, client *ent.Client, tenant uuid.UUID) error {
	slug, given := m.Members["category"]
	if !given {
		return nil
	}
	im, err := newEdit(ctx, client, tenant, Edit{Section: m.Section, Now: m.Now})
	if err != nil {
		return err
	}
	objects, err := im.elements([]map[string]any{{"category": slug}})
	if err != nil {
		return err
	}
	if err := im.loadMovedCategories(ctx, categoriesOf[m.Section], document.SlugsOf(objects, "category")); err != nil {
		return err
	}
	im.category(objects[0], m.Section, new(*uuid.UUID))
	_, err = m.faultsOf(im.faults)
	return err
}

// edit changes existing records. It first finds out which of them can be changed, and then writes.
func (m Many) edit(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, found []Chosen, done *Step) error {
	for len(found) > 0 {
		im, err := newEdit(ctx, tx.Client(), tenant, Edit{Action: m.Action, Section: m.Section, Now: m.Now})
		if err != nil {
			return err
		}
		items := convert.All(found, m.element)
		objects, err := im.elements(items)
		if err != nil {
			return err
		}
		if err := im.read(ctx, objects); err != nil {
			return err
		}
		if !im.faults.Any() {
			for _, o := range objects {
				if o.Changed {
					done.Changed++
				}
			}
			return im.writeEdit(ctx, tx)
		}
		bad, err := m.faultsOf(im.faults)
		if err != nil {
			return err
		}
		rest := make([]Chosen, 0, len(found))
		for i, one := range found {
			if why := bad[i]; why != nil {
				done.Faults = append(done.Faults, Unchanged{one, fault.From(why.Err())})
			} else {
				rest = append(rest, one)
			}
		}
		found = rest
	}
	return nil
}

// element returns the element that changes a record.
func (m Many) element(one Chosen) map[string]any {
	element := map[string]any{"slug": one.Slug}
	maps.Copy(element, m.Members)
	if len(m.AddTags)+len(m.RemoveTags) > 0 {
		element["tags"] = m.retag(one.tags)
	}
	return element
}

// retag returns tags with the added and without the removed ones. Tags are compared as lists compare them.
func (m Many) retag(tags []string) []string {
	without := func(tags, these []string) []string {
		return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool {
			return slices.ContainsFunc(these, func(one string) bool { return search.Tag(one) == search.Tag(tag) })
		})
	}
	after := without(tags, m.RemoveTags)
	for _, tag := range m.AddTags {
		if len(without([]string{tag}, after)) > 0 {
			after = append(after, strings.TrimSpace(tag))
		}
	}
	return append([]string{}, after...) // not null
}

// faultsOf returns faults by the index of their element. It returns faults of members that all elements share
// as an error.
func (m Many) faultsOf(faults document.Faults) (byElement map[int]*fault.Fields, err error) {
	byElement = map[int]*fault.Fields{}
	for _, one := range faults.List {
		place, path, _ := strings.Cut(strings.TrimPrefix(one.Path, "input["), "]")
		i, err := strconv.Atoi(place)
		if err != nil {
			return nil, faults.Fields()
		}
		path = strings.NewReplacer("[", ".", "]", "").Replace(strings.TrimPrefix(path, "."))
		if _, shared := m.Members[path]; shared {
			var bad fault.Fields
			bad.AddText("change."+path, one.Text())
			return nil, bad.Err()
		}
		if byElement[i] == nil {
			byElement[i] = new(fault.Fields)
		}
		byElement[i].AddText(path, one.Text())
	}
	return byElement, nil
}

// delete deletes existing records. It locks all their variants at once, in the order in which checkouts lock
// them.
func (m Many) delete(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, found []Chosen, done *Step) error {
	if m.Section == "products" {
		ids := convert.All(found, func(one Chosen) uuid.UUID { return one.ID })
		if err := lockVariants(ctx, tx, sql.LockUpdate, tenant, nil, ids); err != nil {
			return err
		}
	}
	for _, one := range found {
		remove := Remove{Action: m.Action, Section: m.Section, Key: map[string]string{"slug": one.Slug}}
		_, err := remove.in(ctx, tx, tenant)
		if fault.Is(err, fault.Conflict) {
			done.Faults = append(done.Faults, Unchanged{one, fault.From(err)})
			continue
		}
		if err != nil {
			return err
		}
		done.Changed++
	}
	if done.Changed == 0 {
		return nil
	}
	return derive.Raise(ctx, tx, tenant)
}
