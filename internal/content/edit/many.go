package edit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/platform/convert"
)

// manyAtOnce is how many records a transaction of Many processes, and about how many variants one of Offers
// changes. It is small because SQLite has one writer, for which customers wait.
const manyAtOnce = 100

// Many makes the same change to many records: each is edited as by One or deleted as by Remove. Records for which
// this fails are unchanged.
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
	ctx context.Context, client *ent.Client, tenant uuid.UUID, selection Selection, after uuid.UUID,
) (done Step, err error) {
	err = derive.InShop(ctx, client, tenant, func(ctx context.Context, tx *ent.Tx) error {
		done = Step{}
		found, missing, last, err := selection.after(ctx, tx.Client(), after)
		if done.Last = last; err != nil {
			return err
		}
		for _, id := range missing {
			why := fault.New(fault.NotFound, "there is no such record")
			done.Faults = append(done.Faults, Unchanged{Chosen{ID: id}, why})
		}
		if category, given := m.Members["category"]; len(found) == 0 && after == uuid.Nil && given {
			// Without a record the change is not checked yet. A record that does not exist has faults, so that
			// nothing is written.
			m.Members = map[string]any{"category": category}
			return m.edit(ctx, tx, tenant, []Chosen{{}}, new(Step))
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

// edit changes existing records. It first finds out which of them can be changed, and then writes.
func (m Many) edit(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, chosen []Chosen, done *Step) error {
	for len(chosen) > 0 {
		p := planner(tx.Client(), tenant, m.Now)
		elements, err := build(p.Faults, convert.All(chosen, m.element))
		if err != nil {
			return err
		}
		unit, err := p.Plan(ctx, m.Section, elements)
		if err != nil {
			return err
		}
		if !p.Faults.Any() {
			for _, one := range unit.Outcomes {
				if one.Fate != stored.Unchanged { // of a record of the section: the change names no variants
					done.Changed++
				}
			}
			return write(ctx, tx, p, unit, m.Action)
		}
		if err := m.sharedFault(p.Faults); err != nil {
			return err
		}
		bad, rest := p.Faults.ByElement(), make([]Chosen, 0, len(chosen))
		for i, one := range chosen {
			if why := bad[i]; why != nil {
				done.Faults = append(done.Faults, Unchanged{one, fault.From(why.Err())})
			} else {
				rest = append(rest, one)
			}
		}
		chosen = rest
	}
	return nil
}

// sharedFault returns the fault of a member that all elements share, or that is of none of them.
func (m Many) sharedFault(faults *document.Faults) error {
	for _, one := range faults.List {
		if one.Element < 0 {
			return faults.Fields()
		}
		if _, shared := m.Members[one.Inside]; shared {
			var bad fault.Fields
			bad.AddText("change."+one.Inside, one.Text())
			return bad.Err()
		}
	}
	return nil
}

// element returns the element that changes a record.
func (m Many) element(chosen Chosen) map[string]any {
	element := map[string]any{"slug": chosen.Slug}
	maps.Copy(element, m.Members)
	if len(m.AddTags)+len(m.RemoveTags) > 0 {
		element["tags"] = m.retag(chosen.tags)
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

// delete deletes existing records. It locks all their variants at once, in the order in which checkouts lock
// them.
func (m Many) delete(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, chosen []Chosen, done *Step) error {
	if m.Section == "products" {
		ids := convert.All(chosen, func(one Chosen) uuid.UUID { return one.ID })
		if err := stored.LockVariants(ctx, tx, sql.LockUpdate, nil, ids); err != nil {
			return err
		}
	}
	for _, one := range chosen {
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
