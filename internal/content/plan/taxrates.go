package plan

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/document"
)

// mostRate is what costs as much again as what it is on, in parts per million.
const mostRate = 1_000_000

func (p *Planner) takeTaxRates(ctx context.Context, batch []*document.Object) error {
	create := func(o *document.Object, id uuid.UUID, key string) *ent.TaxRate {
		o.Require("category", "name", "nameFa", "rate")
		return &ent.TaxRate{ID: id, Key: key}
	}
	err := takeKeyed(ctx, p, "taxRates", batch, create, func(o *document.Object, row *ent.TaxRate, _ bool) {
		o.Text("category", &row.Category, document.KeyLimit, checkKey)
		o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
		o.Integer("rate", &row.Rate, 0, mostRate)
		o.OptionalText("from", &row.From, len(time.DateOnly), checkDate)
		o.OptionalText("until", &row.Until, len(time.DateOnly), checkDate)
		if row.From != nil && row.Until != nil && *row.Until <= *row.From {
			o.Faults.Add(cmp.Or(o.Member("until"), o.Node), "must be after from")
		}
	})
	p.raiseSale()
	return err
}
