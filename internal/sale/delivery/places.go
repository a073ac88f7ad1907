package delivery

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

// places are the locations of all shops, by id and by name.
type places struct {
	version int64 // of the installation's locations
	byID    map[uuid.UUID]*ent.Location
	named   map[named][]*ent.Location
}

// named is a folded name of a province, or of a city of a province.
type named struct {
	province uuid.UUID // uuid.Nil: it is that of a province
	name     string
}

func placesOf(all []*ent.Location, version int64) *places {
	p := &places{version, make(map[uuid.UUID]*ent.Location, len(all)), map[named][]*ent.Location{}}
	for _, one := range all {
		p.byID[one.ID] = one
		var within uuid.UUID
		switch {
		case one.Level == record.Country:
			continue
		case one.Level == record.City && one.ParentID != nil:
			within = *one.ParentID
		}
		for _, name := range []string{search.Compact(one.Name), search.Compact(one.NameFa)} {
			p.named[named{within, name}] = append(p.named[named{within, name}], one)
		}
	}
	return p
}

// find returns the ids of the place of an address and of all above it; none if the place is not known. An address
// without a location is found by the names of its province and city. If the city is not known, the place is the
// province.
func (p *places) find(to *record.ShippingAddress) (at []uuid.UUID) {
	if to == nil {
		return nil
	}
	var place *ent.Location
	if to.LocationID != nil {
		place = p.byID[*to.LocationID]
	} else {
		name := search.Compact(to.Province)
		bare := strings.TrimSuffix(strings.TrimPrefix(name, "استان"), "province")
		for _, province := range slices.Concat(p.named[named{uuid.Nil, name}], p.named[named{uuid.Nil, bare}]) {
			if cities := p.named[named{province.ID, search.Compact(to.City)}]; len(cities) > 0 {
				place = cities[0]
				break
			}
			if place == nil {
				place = province
			}
		}
	}
	for place != nil {
		at = append(at, place.ID)
		if place.ParentID == nil {
			break
		}
		place = p.byID[*place.ParentID]
	}
	return at
}
