package delivery

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/locale/money"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

var (
	iran, tehran, alborz = uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
	tehranCity, karaj    = uuid.UUID{4}, uuid.UUID{5}

	known = placesOf([]*ent.Location{
		{ID: iran, Level: record.Country, Name: "Iran", NameFa: "ایران"},
		{ID: tehran, Level: record.Province, Name: "Tehran", NameFa: "تهران", ParentID: &iran},
		{ID: alborz, Level: record.Province, Name: "Alborz", NameFa: "البرز", ParentID: &iran},
		{ID: tehranCity, Level: record.City, Name: "Tehran", NameFa: "تهران", ParentID: &tehran},
		{ID: karaj, Level: record.City, Name: "Karaj", NameFa: "کرج", ParentID: &alborz},
	}, 1)
)

func flat(price int64) *ent.DeliveryMethod {
	return &ent.DeliveryMethod{Kind: record.DeliveryFlat, PriceCurrency: "IRT", Price: &price}
}

func TestOptions(t *testing.T) {
	steps := &ent.DeliveryMethod{Kind: record.DeliveryBySteps, PriceCurrency: "IRT", Steps: []record.DeliveryStep{
		{UpTo: 1000, Price: 40}, {UpTo: 5000, Price: 90}, {UpTo: record.MostGrams, Price: 700}}}
	light := &ent.DeliveryMethod{Kind: record.DeliveryBySteps, PriceCurrency: "IRT",
		Steps: []record.DeliveryStep{{UpTo: 1000, Price: 40}}}
	free := flat(50)
	free.FreeFrom = new(int64(1_000))
	dollars := flat(50)
	dollars.PriceCurrency = "USD"
	collect := &ent.DeliveryMethod{Kind: record.DeliveryCollect, PriceCurrency: "USD"}
	irt := func(grams, subtotal int64) Parcel { return Parcel{grams, subtotal, "IRT"} }
	for name, c := range map[string]struct {
		method *ent.DeliveryMethod
		parcel Parcel
		want   string
	}{
		"flat":                           {flat(50), irt(1, 1), "50"},
		"flat and free":                  {flat(0), irt(1, 1), "0"},
		"flat at the most":               {flat(money.Max), irt(1, 1), fmt.Sprint(money.Max)},
		"the first step, at its end":     {steps, irt(1000, 1), "40"},
		"the second step":                {steps, irt(1001, 1), "90"},
		"nothing weighs anything":        {steps, irt(0, 1), "40"},
		"the last step, at its end":      {steps, irt(record.MostGrams, 1), "700"},
		"beyond the last step":           {light, irt(1001, 1), "TOO_HEAVY"},
		"beyond what any method takes":   {flat(50), irt(record.MostGrams+1, 1), "TOO_HEAVY"},
		"below the subtotal":             {free, irt(1, 999), "50"},
		"at the subtotal":                {free, irt(1, 1_000), "0"},
		"another currency":               {dollars, irt(1, 1), "OTHER_CURRENCY"},
		"collected, in another currency": {collect, irt(1, 1), "0"},
		"collected and too heavy":        {collect, irt(record.MostGrams+1, 1), "TOO_HEAVY"},
	} {
		got := (&Terms{methods: []*ent.DeliveryMethod{c.method}, places: known}).Options(c.parcel, nil)[0]
		if text := said(got); text != c.want {
			t.Errorf("%s: got %s, want %s", name, text, c.want)
		}
	}
	if got := (*Terms)(nil).Options(irt(1, 1), nil); got != nil {
		t.Errorf("a shop without methods has the options %v", got)
	}
}

// said returns the price of an option, or why there is none.
func said(o *Option) string {
	if o.Refusal != nil {
		return string(*o.Refusal)
	}
	return o.Price.String()
}

func TestPlaces(t *testing.T) {
	at := func(countries, provinces, cities []uuid.UUID) *ent.DeliveryMethod {
		m := flat(1)
		m.CountryIds, m.ProvinceIds, m.CityIds = countries, provinces, cities
		return m
	}
	all := &Terms{methods: []*ent.DeliveryMethod{
		at(nil, nil, nil), at([]uuid.UUID{iran}, nil, nil), at(nil, []uuid.UUID{alborz}, nil),
		at(nil, nil, []uuid.UUID{karaj}), at(nil, []uuid.UUID{alborz}, []uuid.UUID{tehranCity}),
	}, places: known}
	named := func(province, city string) *record.ShippingAddress {
		return &record.ShippingAddress{Province: province, City: city}
	}
	chosen := func(id uuid.UUID) *record.ShippingAddress {
		return &record.ShippingAddress{Province: "Tehran", City: "Tehran", LocationID: &id}
	}
	for name, c := range map[string]struct {
		to   *record.ShippingAddress
		want string // the methods that deliver there
	}{
		"no address":              {nil, "0"},
		"Farsi":                   {named("البرز", "کرج"), "0 1 2 3 4"},
		"Arabic letters, joined":  {named("ألبرز ", "كرج"), "0 1 2 3 4"},
		"English in another case": {named("ALBORZ", "karaj"), "0 1 2 3 4"},
		"the word for a province": {named("استان البرز", "کرج"), "0 1 2 3 4"},
		"one language each":       {named("Alborz", "کرج"), "0 1 2 3 4"},
		"an unknown city":         {named("البرز", "کردان"), "0 1 2 4"},
		"the city of another":     {named("البرز", "تهران"), "0 1 2 4"},
		"a province and its city": {named("تهران", "تهران"), "0 1 4"},
		"an unknown province":     {named("تهران بزرگ", "تهران"), "0"},
		"nothing":                 {named("", ""), "0"},
		"a city that was chosen":  {chosen(karaj), "0 1 2 3 4"},
		"a province":              {chosen(alborz), "0 1 2 4"},
		"a country":               {chosen(iran), "0 1"},
		"a location that is gone": {chosen(uuid.UUID{9}), "0"},
	} {
		var got []string
		for i, option := range all.Options(Parcel{Currency: "IRT"}, c.to) {
			if option.Refusal == nil {
				got = append(got, fmt.Sprint(i))
			} else if *option.Refusal != record.DeliveryElsewhere {
				t.Errorf("%s: refused for %s", name, *option.Refusal)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", name, got, c.want)
		}
	}
}

func TestParcelOf(t *testing.T) {
	line := func(quantity int, price int64, weight *int) *cart.Line {
		return &cart.Line{Quantity: quantity, Available: quantity, OnSale: true, SeenCurrency: "IRT", SeenPrice: price,
			Looked: cart.Looked{Price: &price, Currency: "IRT", Weight: weight}}
	}
	gone := line(1, 5, nil)
	gone.OnSale = false
	got := ParcelOf([]*cart.Line{line(3, 10, new(200)), line(2, 5, nil), line(1, 0, new(0)), gone}, 500)
	if want := (Parcel{1600, 40, "IRT"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var most []*cart.Line
	for range 100 {
		most = append(most, line(9_999, money.Max/9_999, new(record.MostGrams)))
	}
	got = ParcelOf(most, 0)
	if got.Grams != 100*9_999*record.MostGrams || got.Subtotal != 100*9_999*(money.Max/9_999) {
		t.Errorf("the heaviest cart is %+v", got)
	}
}
