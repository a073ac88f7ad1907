package report

import (
	"cmp"
	"context"
	"slices"

	"storefront/ent"
	"storefront/ent/location"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// provinces are the provinces that orders are sent to. Customers type their addresses, so a text that is not
// the name of a province in the tree of locations is not shown.
type provinces struct {
	all   []*ent.Location // the first is nil, for unknown ones
	known map[string]int  // indexes in all, by folded name
	to    []destination
}

type destination struct {
	orders   int
	revenues revenues
}

// provincesOf reads all provinces; nil if they are not requested.
func provincesOf(ctx context.Context, tx *ent.Tx, requested bool) (*provinces, error) {
	if !requested {
		return nil, nil
	}
	rows, err := tx.Location.Query().Where(location.LevelEQ(record.Province)).Order(location.BySlug()).All(ctx)
	if err != nil {
		return nil, err
	}
	p := &provinces{all: []*ent.Location{nil}, known: map[string]int{}, to: make([]destination, len(rows)+1)}
	for _, row := range rows {
		for _, name := range []string{row.Name, row.NameFa, row.Slug} {
			if form := search.Compact(name); form != "" && p.known[form] == 0 {
				p.known[form] = len(p.all)
			}
		}
		p.all = append(p.all, row)
	}
	return p, nil
}

// find returns the index of a province by its name in an address; 0 if it is unknown.
func (p *provinces) find(name string) int { return p.known[search.Compact(name)] }

func (p *provinces) add(at, currency int, total int64) error {
	p.to[at].orders++
	return p.to[at].revenues.add(currency, total)
}

// shown returns the provinces with orders, those with the most first.
func (p *provinces) shown(currencies []string) []*ProvinceSales {
	shown := []*ProvinceSales{}
	for i, d := range p.to {
		if d.orders == 0 {
			continue
		}
		one := &ProvinceSales{Orders: d.orders, Revenue: d.revenues.shown(currencies)}
		if at := p.all[i]; at != nil {
			one.Slug, one.Name, one.NameFa = &at.Slug, &at.Name, &at.NameFa
		}
		shown = append(shown, one)
	}
	slices.SortStableFunc(shown, func(a, b *ProvinceSales) int { return cmp.Compare(b.Orders, a.Orders) })
	return shown
}
