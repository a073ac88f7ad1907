package bundle

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// Offers changes stock and prices of many variants, in one transaction. Each is an element of a product's variants.
type Offers struct {
	Action   string           // the name of the mutation, for the audit log
	Variants []map[string]any // with their SKU; as JSON shows them
	Now      time.Time
}

// Apply makes the changes, all or none. What is wrong with them is one VALIDATION_FAILED, whose fields begin with
// "input" and the place in the list. Variants are locked only while they are written, in the order of their ids, as
// checkouts lock them.
func (f Offers) Apply(ctx context.Context, client *ent.Client, tenant uuid.UUID) error {
	ctx = tenancy.In(ctx, tenant)
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, tenant)
		if err != nil {
			return err
		}
		im := newEdit(tx, tenant, Edit{Action: f.Action, Section: "variants", Now: f.Now})
		if err := im.loadCategories(ctx); err != nil {
			return err
		}
		products, err := im.offersByProduct(ctx, f.Variants)
		if err != nil {
			return err
		}
		if err := im.takeProducts(ctx, products); err != nil {
			return fmt.Errorf("edit variants: %w", err)
		}
		im.finishChoices()
		im.finishCurrencies()
		if im.edit.refused != nil {
			return im.edit.refused
		}
		if im.faults.any() {
			return im.faults.fields()
		}
		im.edit.object = &object{}
		return im.writeEdit(ctx, tx, im.unit)
	})
}

// offersByProduct makes an element of each product whose variants are named.
func (im *importer) offersByProduct(ctx context.Context, items []map[string]any) ([]*object, error) {
	list := &node{kind: jsontext.KindBeginArray, parent: &node{}, name: "input", index: -1}
	named := make([]*object, len(items))
	for i, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			return nil, fmt.Errorf("edit variants: %w", err)
		}
		n := newTree(&im.faults).parse(text, list, "", i, i, 0)
		if n == nil {
			return nil, im.faults.fields()
		}
		named[i] = &object{node: n, faults: &im.faults}
	}
	rows, err := im.client.Variant.Query().Where(im.among(variant.FieldSku, textsOf(named, "sku"))).
		WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) }).
		Select(variant.FieldID, variant.FieldSku, variant.FieldProductID).All(ctx)
	if err != nil {
		return nil, err
	}
	slugs := map[string]string{}
	for _, row := range rows {
		slugs[row.Sku] = row.Edges.Product.Slug
	}
	var products []*object
	bySlug := map[string]*node{} // the lists of variants
	for i, o := range named {
		sku := o.member("sku")
		slug, ok := slugs[strings.TrimSpace(sku.text)]
		if !ok {
			im.faults.addText(sku.placeInFile(), "names no variant", fault.Say("names no %s", fault.Say("variant")))
			im.variant(o, &ent.Variant{}, &ent.Product{}) // for what else is wrong with it
			continue
		}
		if bySlug[slug] == nil {
			element := &node{kind: jsontext.KindBeginObject, parent: list, index: i}
			variants := &node{kind: jsontext.KindBeginArray, parent: element, name: "variants", index: -1}
			key := &node{kind: jsontext.KindString, text: slug, parent: element, name: "slug", index: -1}
			element.children = []*node{key, variants}
			bySlug[slug] = variants
			products = append(products, &object{node: element, faults: &im.faults})
		}
		bySlug[slug].children = append(bySlug[slug].children, o.node)
	}
	return products, nil
}
