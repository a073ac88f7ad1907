package sanat

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// Counts of customer listings by status, and how many of the published ones are promoted. What was sold is
// archived.
const (
	published, pending, rejected, archived = 220, 40, 20, 20
	promoted                               = 25
)

// seller makes listings.
type seller struct {
	r      *rand.Rand
	park   park
	lists  words.Lists
	decks  map[string]*chance.Deck[string]
	cities *chance.Deck[words.Row]
	abroad *chance.Deck[words.Row]
}

// listings makes the ordinary listings, so many that odd completes the counts.
func listings(texts fs.FS, p park, odd []bundle.UserProduct) []bundle.UserProduct {
	r := chance.New("sanat/listings")
	places := words.ReadLists(texts, "cities.txt")
	s := seller{r: r, park: p, lists: words.ReadLists(texts, "listings.txt"),
		decks:  map[string]*chance.Deck[string]{},
		cities: chance.NewDeck(r, weighted(places.Rows("cities"))), abroad: chance.NewDeck(r,
			places.Rows("abroad"))}
	for section, lines := range s.lists {
		s.decks[section] = chance.NewDeck(r, lines)
	}
	count := published + pending + rejected + archived - len(odd)
	models := chance.NewDeck(r, p.models)
	times := chance.Times(r, count, time.Date(2026, 5, 2, 5, 0, 0, 0, time.UTC), chance.Now)
	out := make([]bundle.UserProduct, 0, count)
	for i := range count {
		out = append(out, s.listing(i, models.Deal(), times[i]))
	}
	setStatuses(r, out, odd)
	return out
}

// weighted repeats each city as often as its line says.
func weighted(rows []words.Row) []words.Row {
	var out []words.Row
	for _, row := range rows {
		n, err := strconv.Atoi(row[3])
		if err != nil {
			panic(err)
		}
		out = append(out, slices.Repeat([]words.Row{row}, n)...)
	}
	return out
}

func (s seller) listing(i int, m model, at time.Time) bundle.UserProduct {
	r := s.r
	condition := chance.Pick(r, []string{"stock", "stock", "stock", "stock", "stock", "needs_repair",
		"needs_repair", "scrap", "new"})
	if !m.used && r.IntN(2) == 0 {
		condition = "new"
	}
	year := chance.Between(r, 2007, 2020)
	if condition == "new" {
		year = 2025
	}
	u := bundle.UserProduct{Condition: condition, Category: bundle.Text(m.category), PriceCurrency: currency,
		PublishedAt: at}
	where := s.place(i, &u)
	fill := func(section string) string {
		return m.fill(s.decks[section].Deal(), "year", words.Digits(strconv.Itoa(year)), "city", where)
	}
	number := 4100 + i
	u.TitleFa = fill("title " + condition)
	u.TitleEn = bundle.Text(fill("english"))
	u.Slug = fmt.Sprintf("%s-%d", words.Slug(u.TitleFa), number)
	u.Description = bundle.Text(s.story(m, condition, fill))
	u.Values = m.with(map[string]string{"year": strconv.Itoa(year),
		"hours": strconv.Itoa(chance.Between(r, 40, 220) * 100)})
	u.Images = images("listings", strconv.Itoa(number), u.TitleFa, r.IntN(5))
	u.Price = s.price(m, condition, year)
	if r.IntN(3) > 0 && u.DeliveryNotes == "" {
		u.DeliveryNotes = bundle.Text(fill("delivery"))
	}
	if r.IntN(3) > 0 {
		u.TechnicalNotes = bundle.Text(fill("technical " + s.yard(m)))
	}
	return u
}

// place puts the listing somewhere and says where, in Persian.
func (s seller) place(i int, u *bundle.UserProduct) string {
	if i%16 == 7 {
		row := s.abroad.Deal()
		u.Country, u.DeliveryNotes = bundle.Text(row[0]), bundle.Text(s.decks["delivery abroad"].Deal())
		return row[1]
	}
	row := s.cities.Deal()
	u.City, u.Province, u.Country = bundle.Text(row[0]), bundle.Text(row[1]), "iran"
	return row[2]
}

func (s seller) story(m model, condition string, fill func(string) string) string {
	text := fill("text "+condition) + " "
	if condition == "needs_repair" {
		text += fill("text needs_repair "+s.yard(m)) + " "
	} else if s.r.IntN(2) == 0 {
		text += fill("text "+condition) + " "
	}
	return text + fill("closing")
}

func (s seller) yard(m model) string {
	if s.park.road(m) {
		return "road"
	}
	return "shop"
}

// price is what the owner asks: less for age and damage, sometimes nothing but "call me".
func (s seller) price(m model, condition string, year int) bundle.Amount {
	if s.r.IntN(12) == 0 {
		return ""
	}
	percent := map[string]int64{"new": 96, "stock": 80, "needs_repair": 45, "scrap": 14}[condition]
	toman := m.million * 10_000 * percent * int64(100-max(0, 2015-year)*3) / 100 * int64(chance.Between(s.r, 90,
		112)) / 100
	return bundle.Whole(toman / 500_000 * 500_000)
}

// setStatuses returns listings the statuses that odd leaves open, the older ones archived more often, and
// promotes some.
func setStatuses(r *rand.Rand, list, odd []bundle.UserProduct) {
	left := map[string]int{"pending": pending, "rejected": rejected, "archived": archived}
	for _, u := range odd {
		left[u.Status]--
	}
	order := r.Perm(len(list))
	for _, i := range order {
		u := &list[i]
		switch {
		case i < len(list)/2 && left["archived"] > 0:
			u.Status = "archived"
		case i > len(list)/2 && left["pending"] > 0:
			u.Status = "pending"
		case left["rejected"] > 0:
			u.Status = "rejected"
		default:
			u.Status = "published"
		}
		left[u.Status]--
	}
	star := promoted
	for _, i := range r.Perm(len(list)) {
		if list[i].Status == "published" && list[i].Condition != "scrap" && star > 0 {
			list[i].Promoted = true
			star--
		}
	}
}
