package plan

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
)

// OffersByProduct returns the elements of the products whose variants are changed by the given ones, for the section
// "variants". It adds the faults of those of unknown variants.
func (p *Planner) OffersByProduct(ctx context.Context, offers []*document.Node) ([]*document.Node, error) {
	named := p.objects(offers)
	rows, err := p.Client.Variant.Query().Where(stored.Among(variant.FieldSku, document.TextsOf(named, "sku"))).
		WithProduct(func(q *ent.ProductQuery) { q.Select(product.FieldID, product.FieldSlug) }).
		Select(variant.FieldID, variant.FieldSku, variant.FieldProductID).All(tenancy.In(ctx, p.Shop))
	if err != nil {
		return nil, err
	}
	slugs := map[string]string{}
	for _, row := range rows {
		slugs[row.Sku] = row.Edges.Product.Slug
	}
	var products []*document.Node
	bySlug := map[string]*document.Node{} // the lists of variants
	for i, o := range named {
		sku := o.Member("sku")
		slug, ok := slugs[strings.TrimSpace(sku.Text)]
		if !ok {
			p.Faults.AddText(sku.PositionInFile(), "names no variant", fault.Say("names no %s", fault.Say("variant")))
			found := &ent.Variant{} // to find its other faults
			_, _ = p.readStock(o, found, true)
			p.readVariant(o, found, &ent.Product{})
			continue
		}
		if bySlug[slug] == nil {
			element := &document.Node{Kind: jsontext.KindBeginObject, Parent: o.Parent, Index: i}
			variants := &document.Node{Kind: jsontext.KindBeginArray, Parent: element, Name: "variants", Index: -1}
			key := &document.Node{Kind: jsontext.KindString, Text: slug, Parent: element, Name: "slug", Index: -1}
			element.Children = []*document.Node{key, variants}
			bySlug[slug] = variants
			products = append(products, element)
		}
		bySlug[slug].Children = append(bySlug[slug].Children, o.Node)
	}
	return products, nil
}
