package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/userproduct"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/search"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// manyAtOnce is how many records a transaction of Many looks at, and about how many offers one of Offers changes.
// SQLite has one writer, for which customers wait.
const manyAtOnce = 100

// Many makes the same change of many records. Each is an element of the shop's bundle, as by Edit, or is deleted, as by
// Remove; one that cannot be stays as it was.
type Many struct {
	Action              string         // the name of the mutation, for the audit log
	Section             string         // products, userProducts, blogs or portfolios
	Members             map[string]any // of each element, as JSON shows them
	AddTags, RemoveTags []string
	Delete              bool
	Now                 time.Time
}

// Selection is some records of a section.
type Selection struct {
	Section string
	IDs     []uuid.UUID         // of those there are; nil: those that fit Where
	Where   func(*sql.Selector) // on the table of the section
}

// Chosen is one of them.
type Chosen struct {
	ID   uuid.UUID
	Slug string
	tags []string
}

// Unchanged is a record that stays as it was.
type Unchanged struct {
	Chosen
	Why *fault.Error
}

// Step is what one transaction did.
type Step struct {
	Changed int
	Faults  []Unchanged
	Last    uuid.UUID // of those it has looked at; uuid.Nil: there are none any more
}

// Step changes the records of a selection that come after one, up to a hundred, in one transaction. Members that no
// record of the section may have are one VALIDATION_FAILED, whose fields begin with "change".
func (m Many) Step(
	ctx context.Context, client *ent.Client, tenant uuid.UUID, of Selection, after uuid.UUID,
) (done Step, err error) {
	ctx = tenancy.In(ctx, tenant)
	err = transaction.Run(ctx, client, func(tx *ent.Tx) error {
		done = Step{}
		ctx, err := derive.Lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		found, missing, last, err := of.after(ctx, tx.Client(), after)
		if done.Last = last; err != nil {
			return err
		}
		for _, id := range missing {
			why := fault.New(fault.NotFound, "there is no such record")
			done.Faults = append(done.Faults, Unchanged{Chosen{ID: id}, why})
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

// edit changes records that are there. It writes once it has found those that can be changed.
func (m Many) edit(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, found []Chosen, done *Step) error {
	for len(found) > 0 {
		im := newEdit(tx.Client(), tenant, Edit{Action: m.Action, Section: m.Section, Now: m.Now})
		if err := im.loadCategories(ctx); err != nil {
			return err
		}
		objects, err := im.elementsOf(m, found)
		if err != nil {
			return err
		}
		if err := im.takers()[m.Section](ctx, objects); err != nil {
			return fmt.Errorf("edit %s: %w", m.Section, err)
		}
		im.finishChoices()
		im.finishCurrencies()
		if im.edit.refused != nil {
			return im.edit.refused
		}
		if !im.faults.any() {
			for _, o := range objects {
				if o.changed {
					done.Changed++
				}
			}
			im.edit.object = &object{}
			return im.writeEdit(ctx, tx, im.unit)
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

// elementsOf makes the elements of records.
func (im *importer) elementsOf(m Many, found []Chosen) ([]*object, error) {
	list := &node{kind: jsontext.KindBeginArray, parent: &node{}, name: "input", index: -1}
	objects := make([]*object, len(found))
	for i, one := range found {
		element := map[string]any{"slug": one.Slug}
		for name, value := range m.Members {
			element[name] = value
		}
		if len(m.AddTags)+len(m.RemoveTags) > 0 {
			element["tags"] = m.retag(one.tags)
		}
		text, err := json.Marshal(element)
		if err != nil {
			return nil, fmt.Errorf("edit %s: %w", m.Section, err)
		}
		n := newTree(&im.faults).parse(text, list, "", i, i, 0)
		if n == nil {
			return nil, im.faults.fields()
		}
		objects[i] = &object{node: n, faults: &im.faults}
	}
	return objects, nil
}

// retag returns tags with those that are added, without those that are removed. Two are the same if lists take them for
// the same.
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

// faultsOf sorts faults by the place of their element. Those of a member that all elements share refuse the change.
func (m Many) faultsOf(faults Faults) (byElement map[int]*fault.Fields, err error) {
	byElement = map[int]*fault.Fields{}
	for _, one := range faults.List {
		place, path, _ := strings.Cut(strings.TrimPrefix(one.Path, "input["), "]")
		i, err := strconv.Atoi(place)
		if err != nil {
			return nil, faults.fields()
		}
		path = strings.NewReplacer("[", ".", "]", "").Replace(strings.TrimPrefix(path, "."))
		if _, shared := m.Members[path]; shared {
			var bad fault.Fields
			bad.AddText("change."+path, one.text)
			return nil, bad.Err()
		}
		if byElement[i] == nil {
			byElement[i] = new(fault.Fields)
		}
		byElement[i].AddText(path, one.text)
	}
	return byElement, nil
}

// delete deletes records that are there. Offers are locked together, in the order in which checkouts lock them.
func (m Many) delete(ctx context.Context, tx *ent.Tx, tenant uuid.UUID, found []Chosen, done *Step) error {
	if m.Section == "products" {
		locked := new(unit)
		for _, one := range found {
			locked.change.Changed = append(locked.change.Changed, one.ID)
		}
		if err := newWriter(tx.Client(), tenant, mostShare).lockVariants(ctx, tx, []*unit{locked}); err != nil {
			return err
		}
	}
	for _, one := range found {
		remove := Remove{Action: m.Action, Section: m.Section, Key: map[string]string{"slug": one.Slug}}
		err := remove.in(ctx, tx, tenant)
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

// after returns the records after one, up to a hundred, the ids that are not there, and the last id it has come to.
func (s Selection) after(
	ctx context.Context, client *ent.Client, after uuid.UUID,
) (found []Chosen, missing []uuid.UUID, last uuid.UUID, err error) {
	if s.IDs == nil {
		found, err = s.read(ctx, client, s.beyond(after), manyAtOnce)
		if len(found) > 0 {
			last = found[len(found)-1].ID
		}
		return found, nil, last, err
	}
	ids := s.idsAfter(after)
	ids = ids[:min(len(ids), manyAtOnce)]
	if len(ids) == 0 {
		return nil, nil, uuid.Nil, nil
	}
	found, err = s.read(ctx, client, func(q *sql.Selector) {
		q.Where(amongList(client.Raw().Dialect(), q.C("id"), "uuid", ids))
	}, len(ids))
	for _, id := range ids {
		if !slices.ContainsFunc(found, func(one Chosen) bool { return one.ID == id }) {
			missing = append(missing, id)
		}
	}
	return found, missing, ids[len(ids)-1], err
}

// idsAfter returns the ids after one, in their order.
func (s Selection) idsAfter(after uuid.UUID) []uuid.UUID {
	inOrder := func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
	ids := slices.Clone(s.IDs)
	slices.SortFunc(ids, inOrder)
	ids = slices.Compact(ids)
	return slices.DeleteFunc(ids, func(id uuid.UUID) bool { return inOrder(id, after) <= 0 })
}

// beyond narrows a query to those that fit and come after one.
func (s Selection) beyond(after uuid.UUID) func(*sql.Selector) {
	return func(q *sql.Selector) {
		s.Where(q)
		q.Where(sql.GT(q.C("id"), after))
	}
}

// Left counts the records after one.
func (s Selection) Left(ctx context.Context, client *ent.Client, tenant, after uuid.UUID) (int, error) {
	if s.IDs != nil {
		return len(s.idsAfter(after)), nil
	}
	ctx = tenancy.In(ctx, tenant)
	switch s.Section {
	case "products":
		return client.Product.Query().Where(s.beyond(after)).Count(ctx)
	case "userProducts":
		return client.UserProduct.Query().Where(s.beyond(after)).Count(ctx)
	case "blogs":
		return client.Blog.Query().Where(s.beyond(after)).Count(ctx)
	}
	return client.Portfolio.Query().Where(s.beyond(after)).Count(ctx)
}

// read reads records in the order of their ids.
func (s Selection) read(
	ctx context.Context, client *ent.Client, where func(*sql.Selector), limit int,
) (found []Chosen, err error) {
	switch s.Section {
	case "products":
		rows, err := client.Product.Query().Where(where).Order(product.ByID()).Limit(limit).
			Select(product.FieldID, product.FieldSlug, product.FieldTags).All(ctx)
		for _, row := range rows {
			found = append(found, Chosen{row.ID, row.Slug, row.Tags})
		}
		return found, err
	case "userProducts":
		rows, err := client.UserProduct.Query().Where(where).Order(userproduct.ByID()).Limit(limit).
			Select(userproduct.FieldID, userproduct.FieldSlug).All(ctx)
		for _, row := range rows {
			found = append(found, Chosen{row.ID, row.Slug, nil})
		}
		return found, err
	case "blogs":
		rows, err := client.Blog.Query().Where(where).Order(blog.ByID()).Limit(limit).
			Select(blog.FieldID, blog.FieldSlug, blog.FieldTags).All(ctx)
		for _, row := range rows {
			found = append(found, Chosen{row.ID, row.Slug, row.Tags})
		}
		return found, err
	}
	rows, err := client.Portfolio.Query().Where(where).Order(portfolio.ByID()).Limit(limit).
		Select(portfolio.FieldID, portfolio.FieldSlug, portfolio.FieldTags).All(ctx)
	for _, row := range rows {
		found = append(found, Chosen{row.ID, row.Slug, row.Tags})
	}
	return found, err
}
