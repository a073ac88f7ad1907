package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"storefront/internal/content/stored"

	"storefront/internal/content/document"

	"entgo.io/ent/dialect"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
)

// Offers changes stock and prices of many variants. Each change is an element of a product's variants.
type Offers struct {
	Action   string           // the name of the mutation, for the audit log
	Variants []map[string]any // with their SKU, as decoded JSON
	Now      time.Time
}

// Offered is the result of Offers.
type Offered struct {
	Changed int
	Left    []string // the SKUs that were not processed in time, or before an error
	Faults  []OfferUnchanged
	Stopped error // the error after which it stopped, if some were changed
}

// OfferUnchanged is a variant that could not be changed.
type OfferUnchanged struct {
	SKU string
	Why *fault.Error
}

// Apply makes the changes. If any is invalid it changes nothing and fails with one VALIDATION_FAILED, with
// fields that begin with "input" and the place in the list. Up to manyAtOnce changes, or all in a joint
// transaction, are written in one transaction. More are checked together first and then written in several
// transactions, each of which checks again: changes that have become invalid are left out, and an error does
// not undo earlier transactions. Variants are locked only while they are written, in the order of their ids,
// as by checkouts.
func (f Offers) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) (done Offered, err error) {
	ctx = tenancy.In(ctx, tenant)
	if len(f.Variants) <= manyAtOnce || transaction.Joined(ctx) {
		done.Changed, err = f.write(ctx, client, tenant, f.Variants)
		return done, err
	}
	groups, err := f.check(ctx, client, tenant)
	if err != nil {
		return done, err
	}
	for began := time.Now(); len(groups) > 0 && done.Stopped == nil && time.Since(began) <= stepTime; {
		n, _ := upTo(manyAtOnce, groups, func(group []map[string]any) int { return len(group) })
		var rest [][]map[string]any
		if rest, err = f.writeGroups(ctx, client, tenant, groups[:n], &done); err != nil && done.Changed == 0 {
			return done, err
		}
		done.Stopped = err
		groups = slices.Concat(rest, groups[n:])
	}
	for _, offer := range slices.Concat(groups...) {
		done.Left = append(done.Left, skuOf(offer))
	}
	f.sort(&done)
	return done, nil
}

// sort sorts the failures in the order of the request.
func (f Offers) sort(done *Offered) {
	at := map[string]int{}
	for i, offer := range f.Variants {
		at[skuOf(offer)] = i
	}
	slices.SortStableFunc(done.Left, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
	slices.SortStableFunc(done.Faults, func(a, b OfferUnchanged) int { return cmp.Compare(at[a.SKU], at[b.SKU]) })
}

func skuOf(offer map[string]any) string { return strings.TrimSpace(fmt.Sprint(offer["sku"])) }

// check checks all changes without a lock, and returns groups of changes that must be written together.
func (f Offers) check(
	ctx context.Context, client *ent.Client, tenant uuid.UUID,
) (groups [][]map[string]any, err error) {
	im, products, err := f.plan(ctx, client, tenant, f.Variants)
	if err != nil {
		return nil, err
	}
	if _, err := im.compareStock(ctx, client, im.unit); err != nil {
		return nil, err
	}
	for _, p := range products {
		var group []map[string]any
		together := false // one change may depend on another
		for _, n := range p.Member("variants").Children {
			offer := f.Variants[n.Index]
			group = append(group, offer)
			together = together || n.Member("priceCurrency") != nil || n.Member("onSale") != nil
		}
		if together {
			groups = append(groups, group)
		} else {
			groups = slices.AppendSeq(groups, slices.Chunk(group, manyAtOnce))
		}
	}
	return groups, nil
}

// plan reads the elements of some offers and plans their writing.
func (f Offers) plan(ctx context.Context, client *ent.Client, tenant uuid.UUID, offers []map[string]any) (
	im *importer, products []*document.Object, err error,
) {
	im, err = newEdit(ctx, client, tenant, Edit{Action: f.Action, Section: "variants", Now: f.Now})
	if err != nil {
		return nil, nil, err
	}
	if products, err = im.offersByProduct(ctx, offers); err != nil {
		return nil, nil, err
	}
	if err := im.read(ctx, products); err != nil {
		return nil, nil, err
	}
	if im.faults.Any() {
		return nil, nil, im.faults.Fields()
	}
	return im, products, nil
}

// write makes changes in one transaction, all or none, and returns how many variants differ.
func (f Offers) write(
	ctx context.Context, client *ent.Client, tenant uuid.UUID, offers []map[string]any,
) (changed int, err error) {
	err = inShop(ctx, client, tenant, nil, func(ctx context.Context, tx *ent.Tx) error {
		im, _, err := f.plan(ctx, tx.Client(), tenant, offers)
		if err != nil {
			return err
		}
		changed = len(im.unit.variants)
		return im.writeEdit(ctx, tx)
	})
	return changed, err
}

// writeGroups writes groups of changes in a transaction. It leaves out a group that has become invalid. With
// an error it returns the changes that were not written.
func (f Offers) writeGroups(
	ctx context.Context, client *ent.Client, tenant uuid.UUID, groups [][]map[string]any, done *Offered,
) (left [][]map[string]any, err error) {
	if client.Raw().Dialect() == dialect.SQLite {
		if err := rest(ctx, shortPause); err != nil {
			return groups, err
		}
	}
	offers := slices.Concat(groups...)
	changed, err := f.write(ctx, client, tenant, offers)
	if err == nil {
		done.Changed += changed
		return nil, nil
	}
	refused, ok := errors.AsType[*fault.Error](err)
	if !ok || refused.Code != fault.Conflict && refused.Code != fault.ValidationFailed {
		return groups, err
	}
	if stale, ok := refused.Details.([]StockChanged); ok {
		return f.writeGroups(ctx, client, tenant, done.withoutStale(groups, stale), done)
	}
	if len(groups) > 1 {
		half := len(groups) / 2
		if left, err = f.writeGroups(ctx, client, tenant, groups[:half], done); err != nil {
			return slices.Concat(left, groups[half:]), err
		}
		return f.writeGroups(ctx, client, tenant, groups[half:], done)
	}
	for _, offer := range offers {
		done.Faults = append(done.Faults, OfferUnchanged{skuOf(offer), ofElement(refused)})
	}
	return nil, nil
}

// withoutStale removes from groups the changes that expect another stock, and notes them as failed.
func (d *Offered) withoutStale(groups [][]map[string]any, stale []StockChanged) (rest [][]map[string]any) {
	for _, group := range groups {
		rest = append(rest, slices.DeleteFunc(slices.Clone(group), func(offer map[string]any) bool {
			i := slices.IndexFunc(stale, func(one StockChanged) bool { return one.Sku == skuOf(offer) })
			if i < 0 {
				return false
			}
			why := fault.New(fault.Conflict, "the stock of %s is %d by now, not %d; look at it again, then decide",
				stale[i].Sku, stale[i].Stock, stale[i].ExpectedStock)
			d.Faults = append(d.Faults, OfferUnchanged{stale[i].Sku, why})
			return true
		}))
	}
	return rest
}

// ofElement returns the error of an element, with fields that do not name its place in a list.
func ofElement(refused *fault.Error) *fault.Error {
	if len(refused.Fields) == 0 {
		return refused
	}
	var bad fault.Fields
	for _, one := range refused.Fields {
		path := strings.TrimLeft(strings.TrimPrefix(one.Field, "input."), "0123456789")
		bad.AddText(strings.TrimPrefix(path, "."), one.Text())
	}
	return fault.From(bad.Err())
}

// offersByProduct returns an element for each product with variants in items.
func (im *importer) offersByProduct(ctx context.Context, items []map[string]any) ([]*document.Object, error) {
	named, err := im.elements(items)
	if err != nil {
		return nil, err
	}
	rows, err := im.client.Variant.Query().Where(stored.Among(variant.FieldSku, document.TextsOf(named, "sku"))).
		WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) }).
		Select(variant.FieldID, variant.FieldSku, variant.FieldProductID).All(ctx)
	if err != nil {
		return nil, err
	}
	slugs := map[string]string{}
	for _, row := range rows {
		slugs[row.Sku] = row.Edges.Product.Slug
	}
	var products []*document.Object
	bySlug := map[string]*document.Node{} // the lists of variants
	for i, o := range named {
		sku := o.Member("sku")
		slug, ok := slugs[strings.TrimSpace(sku.Text)]
		if !ok {
			im.faults.AddText(sku.PositionInFile(), "names no variant", fault.Say("names no %s", fault.Say("variant")))
			found := &ent.Variant{} // to find its other faults
			_, _ = im.stock(o, found, true)
			im.variant(o, found, &ent.Product{})
			continue
		}
		if bySlug[slug] == nil {
			element := &document.Node{Kind: jsontext.KindBeginObject, Parent: o.Parent, Index: i}
			variants := &document.Node{Kind: jsontext.KindBeginArray, Parent: element, Name: "variants", Index: -1}
			key := &document.Node{Kind: jsontext.KindString, Text: slug, Parent: element, Name: "slug", Index: -1}
			element.Children = []*document.Node{key, variants}
			bySlug[slug] = variants
			products = append(products, &document.Object{Node: element, Faults: &im.faults, Strict: true})
		}
		bySlug[slug].Children = append(bySlug[slug].Children, o.Node)
	}
	return products, nil
}
