package plan

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

const (
	mostSteps = 100
	mostDays  = 365
)

func (p *Planner) takeDeliveryMethods(ctx context.Context, batch []*document.Object) error {
	if err := p.loadLocations(ctx); err != nil {
		return err
	}
	create := func(o *document.Object, id uuid.UUID, key string) *ent.DeliveryMethod {
		o.Require("name", "nameFa", "kind", "priceCurrency")
		return &ent.DeliveryMethod{ID: id, Key: key, CountryIds: []uuid.UUID{}, ProvinceIds: []uuid.UUID{},
			CityIds: []uuid.UUID{}, Steps: []record.DeliveryStep{}, Active: true}
	}
	err := takeKeyed(ctx, p, "deliveryMethods", batch, create, readDeliveryMethod(p.Memory.locations))
	p.raiseSale()
	return err
}

// raiseSale raises the version of what orders cost besides their lines, if something is written.
func (p *Planner) raiseSale() {
	if !p.unit.IsEmpty() {
		p.unit.Do(func(ctx context.Context, tx *ent.Tx) error {
			return derive.RaiseSale(ctx, tx, tenant.ID(p.Shop))
		})
	}
}

// readDeliveryMethod returns a function that reads the members of a method; all are the locations there are.
func readDeliveryMethod(all *locations) func(o *document.Object, row *ent.DeliveryMethod, isThere bool) {
	return func(o *document.Object, row *ent.DeliveryMethod, _ bool) {
		o.Bilingual("name", &row.Name, &row.NameFa, document.TitleLimit)
		document.Choose(o, "kind", &row.Kind, record.DeliveryKind("").Values())
		all.readPlaces(o, row)
		readDeliveryPrice(o, row)
		o.OptionalInteger("daysFrom", &row.DaysFrom, 0, mostDays)
		o.OptionalInteger("daysTo", &row.DaysTo, 0, mostDays)
		if row.DaysFrom != nil && row.DaysTo != nil && *row.DaysFrom > *row.DaysTo {
			o.Faults.Add(cmp.Or(o.Member("daysTo"), o.Node), "must not be below daysFrom")
		}
		o.Integer("position", &row.Position, -mostPosition, mostPosition)
		o.Boolean("active", &row.Active)
	}
}

// readDeliveryPrice reads what a method costs. It may have amounts that its kind does not use.
func readDeliveryPrice(o *document.Object, row *ent.DeliveryMethod) {
	var first *int64
	if len(row.Steps) > 0 {
		first = &row.Steps[0].Price
	}
	readCurrency(o, &row.PriceCurrency, member{"price", row.Price}, member{"freeFrom", row.FreeFrom},
		member{"steps", first})
	o.Price("price", &row.Price, row.PriceCurrency)
	o.Price("freeFrom", &row.FreeFrom, row.PriceCurrency)
	before := 0 // grams of the step before
	document.ListOf(o, "steps", &row.Steps, mostSteps, func(item *document.Object) (step record.DeliveryStep) {
		var price *int64
		item.Require("upTo", "price")
		item.Integer("upTo", &step.UpTo, 1, record.MostGrams)
		if m := item.Member("upTo"); step.UpTo > 0 && step.UpTo <= before {
			item.Faults.Add(m, "must be above %d, the weight of the step before", before)
		}
		before = max(before, step.UpTo)
		item.Price("price", &price, row.PriceCurrency)
		step.Price = convert.Value(price)
		return step
	})
	switch {
	case row.Kind == record.DeliveryFlat && row.Price == nil:
		o.Faults.AddMissing(o.Node, "price")
	case row.Kind == record.DeliveryBySteps && len(row.Steps) == 0:
		o.Faults.AddMissing(o.Node, "steps")
	}
}
