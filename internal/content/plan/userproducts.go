package plan

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/userproduct"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/record"
)

// userProductStatuses are the statuses of a listing.
var userProductStatuses = []string{"draft", "pending", "published", "rejected", "archived"}

func (p *Planner) takeUserProducts(ctx context.Context, batch []*document.Object) error {
	if err := p.loadLocations(ctx); err != nil {
		return err
	}
	create := func(o *document.Object, id uuid.UUID, slug string) *ent.UserProduct {
		requireTitle(o)
		o.Require("priceCurrency", "condition")
		return &ent.UserProduct{ID: id, Slug: slug, Images: []record.Media{},
			Values: record.Values{}, Status: userproduct.StatusPublished, CreatedAt: p.Now,
			PublishedAt: p.Now}
	}
	read := func(o *document.Object, row *ent.UserProduct, isThere bool) {
		if !isThere {
			row.UserID = p.Terms.Owner
		}
		was := row.Status
		p.readUserProduct(o, row)
		wasPublished := isThere && was == userproduct.StatusPublished
		if p.mustAnswer(o, wasPublished, row.Status == userproduct.StatusPublished) {
			requireValues(o, row.Values, p.categories.Form(row.CategoryID))
		}
		p.noteListed(o, isThere, listed{kind: listing.KindUserProduct, id: row.ID, category: row.CategoryID,
			published: row.Status == userproduct.StatusPublished, publishedAt: row.PublishedAt})
	}
	return takeKeyed(ctx, p, "userProducts", batch, create, read)
}

// readUserProduct reads the members of a listing except its slug.
func (p *Planner) readUserProduct(o *document.Object, row *ent.UserProduct) {
	readTitles(o, &row.TitleFa, &row.TitleEn)
	o.OptionalBilingual("description", &row.Description, &row.DescriptionFa, bodyLimit)
	readCurrency(o, &row.PriceCurrency, member{"price", row.Price})
	o.Price("price", &row.Price, row.PriceCurrency)
	document.Choose(o, "condition", &row.Condition, row.Condition.Values())
	p.readCategoryReference(o, "userProducts", &row.CategoryID)
	p.Memory.locations.readInto(o, row)
	p.readImages(o, &row.Images)
	o.Boolean("promoted", &row.Promoted)
	was := row.Status
	document.Choose(o, "status", &row.Status, userProductStatuses)
	readRejection(o, &row.RejectionReason, row.Status == userproduct.StatusRejected)
	p.readPublishedAt(o, row.CreatedAt, &row.PublishedAt, string(was), string(row.Status))
	readValues(o, &row.Values, p.categories.Form(row.CategoryID), nil)
	o.OptionalText("deliveryNotes", &row.DeliveryNotes, summaryLimit)
	o.OptionalText("technicalNotes", &row.TechnicalNotes, summaryLimit)
	document.Put(o, &row.SearchText, derive.SearchText(row.TitleFa, record.TextOf(row.TitleEn),
		record.TextOf(row.Description), record.TextOf(row.DescriptionFa)))
}
