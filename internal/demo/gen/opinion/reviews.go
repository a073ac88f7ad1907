package opinion

import (
	"math/rand/v2"
	"slices"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// Reviews makes reviews of products from the sections [plus VOICE], [minus VOICE] and [text high|middle|low
// VOICE] of lists, oldest first. With a section [trade], some sign with what it appends to a name.
func Reviews(r *rand.Rand, lists words.Lists, people []Person, targets []Target,
	share Share) []bundle.Review {
	targets = slices.DeleteFunc(chance.Shuffled(r, targets), func(t Target) bool { return t.Type != "product" })
	speakers := chance.NewDeck(r, people)
	var out []bundle.Review
	for _, status := range share.statuses(r) {
		t, who, rate := favoured(r, targets), speakers.Deal(), mark(r)
		name := who.Name
		if trades := lists["trade"]; len(trades) > 0 && r.IntN(3) == 0 {
			name += chance.Pick(r, trades)
		}
		out = append(out, bundle.Review{
			Product: t.Slug, AuthorName: name, AuthorEmail: email(r, who), Rate: rate,
			PositivePoints: points(r, lists.Get("plus "+t.Voice), (rate+1)/3),
			NegativePoints: points(r, lists.Get("minus "+t.Voice), (11-rate)/3),
			Text:           words.Fill(chance.Pick(r, lists.Get("text "+mood(rate)+" "+t.Voice)), "name", t.Title),
			Status:         status, CreatedAt: moment(r, t.Since),
		})
	}
	slices.SortStableFunc(out, func(a, b bundle.Review) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out
}

// mark is a rate, mostly good.
func mark(r *rand.Rand) int {
	return chance.Pick(r, []int{10, 10, 9, 9, 9, 8, 8, 8, 8, 7, 7, 7, 6, 6, 5, 4, 3, 2, 1})
}

func mood(rate int) string {
	switch {
	case rate >= 8:
		return "high"
	case rate >= 5:
		return "middle"
	default:
		return "low"
	}
}

func points(r *rand.Rand, list []string, most int) []string {
	return append([]string{}, chance.Some(r, list, chance.Between(r, min(1, most), most))...)
}
