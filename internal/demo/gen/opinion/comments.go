package opinion

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/chance"
	"storefront/internal/demo/gen/words"
)

// Comments makes comments from the sections of lists that the targets' voices name, [tail] (may follow) and
// [spam] (what is rejected), oldest first.
func Comments(r *rand.Rand, lists words.Lists, people []Person, targets []Target,
	share Share) []bundle.Comment {
	targets = chance.Shuffled(r, targets)
	speakers := chance.NewDeck(r, people)
	lines := map[string]*chance.Deck[string]{}
	for _, t := range targets {
		if lines[t.Voice] == nil {
			lines[t.Voice] = chance.NewDeck(r, lists.Get(t.Voice))
		}
	}
	spam := chance.NewDeck(r, lists.Get("spam"))
	var out []bundle.Comment
	for _, status := range share.statuses(r) {
		t, who := favoured(r, targets), speakers.Deal()
		text := words.Fill(lines[t.Voice].Deal(), "name", t.Title)
		switch {
		case status == "rejected":
			text = spam.Deal()
		case r.IntN(3) == 0:
			text += " " + chance.Pick(r, lists.Get("tail"))
		}
		out = append(out, bundle.Comment{
			EntityType: t.Type, Entity: t.Slug,
			AuthorName: who.Name, AuthorEmail: email(r, who),
			Text: text, Status: status, CreatedAt: moment(r, t.Since),
		})
	}
	slices.SortStableFunc(out, func(a, b bundle.Comment) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Entity, b.Entity))
	})
	return out
}
