package plan

import (
	"cmp"
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/document"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// locations are the countries, provinces and cities of all tenants.
type locations struct {
	bySlug map[locationSlug]*ent.Location
	byID   map[uuid.UUID]*ent.Location
}

type locationSlug struct {
	level record.LocationLevel
	slug  string
}

// loadLocations reads the locations once for all planners of a file.
func (p *Planner) loadLocations(ctx context.Context) error {
	if p.Memory.locations != nil {
		return nil
	}
	p.Memory.locations = &locations{map[locationSlug]*ent.Location{}, map[uuid.UUID]*ent.Location{}}
	all, err := p.Client.Location.Query().All(ctx)
	for _, one := range all {
		p.Memory.locations.bySlug[locationSlug{one.Level, one.Slug}] = one
		p.Memory.locations.byID[one.ID] = one
	}
	return err
}

// readInto reads the location of a listing. If the file gives no province or country, they follow from the city or
// province that the listing has.
func (l *locations) readInto(o *document.Object, row *ent.UserProduct) {
	readReference(o, "city", &row.CityID, fault.Say("city"), l.finder(record.City))
	if above := l.above(record.Province, row.CityID); above != nil && o.Value("province") == nil {
		document.PutPointer(o, &row.ProvinceID, above)
	} else {
		readReference(o, "province", &row.ProvinceID, fault.Say("province"), l.finder(record.Province))
	}
	if above := l.above(record.Country, row.CityID, row.ProvinceID); above != nil && o.Value("country") == nil {
		document.PutPointer(o, &row.CountryID, above)
	} else {
		readReference(o, "country", &row.CountryID, fault.Say("country"), l.finder(record.Country))
	}
	for _, pair := range [][2]*uuid.UUID{{row.CityID, row.ProvinceID}, {row.CityID, row.CountryID},
		{row.ProvinceID, row.CountryID}} {
		if pair[0] == nil || pair[1] == nil || l.isBelow(*pair[0], *pair[1]) {
			continue
		}
		below, top := l.byID[*pair[0]], l.byID[*pair[1]]
		if m := cmp.Or(o.Member(string(below.Level)), o.Member(string(top.Level))); m != nil {
			o.Faults.Add(m, "does not fit: the %s %s is not in the %s %s", below.Level, below.Slug, top.Level,
				top.Slug)
		}
	}
}

// readPlaces reads the lists of places of a delivery method.
func (l *locations) readPlaces(o *document.Object, row *ent.DeliveryMethod) {
	readReferences(o, "countries", &row.CountryIds, mostInGroup, fault.Say("country"), l.finder(record.Country))
	readReferences(o, "provinces", &row.ProvinceIds, mostInGroup, fault.Say("province"), l.finder(record.Province))
	readReferences(o, "cities", &row.CityIds, mostInGroup, fault.Say("city"), l.finder(record.City))
}

func (l *locations) finder(level record.LocationLevel) func(slug string) (uuid.UUID, bool) {
	return func(slug string) (uuid.UUID, bool) {
		if one := l.bySlug[locationSlug{level, slug}]; one != nil {
			return one.ID, true
		}
		return uuid.Nil, false
	}
}

// above returns the location of a level at or above the first of ids that has one.
func (l *locations) above(level record.LocationLevel, ids ...*uuid.UUID) *uuid.UUID {
	for _, id := range ids {
		for id != nil && l.byID[*id] != nil {
			one := l.byID[*id]
			if one.Level == level {
				return &one.ID
			}
			id = one.ParentID
		}
	}
	return nil
}

func (l *locations) isBelow(id, top uuid.UUID) bool {
	for one := l.byID[id]; one != nil && one.ParentID != nil; one = l.byID[*one.ParentID] {
		if *one.ParentID == top {
			return true
		}
	}
	return false
}
