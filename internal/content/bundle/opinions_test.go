package bundle_test

import (
	"errors"
	"maps"
	"testing"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestUndatedOpinions checks that comments and reviews without createdAt are not duplicated when their import
// is interrupted and repeated.
func TestUndatedOpinions(t *testing.T) {
	undated := change(`"comments":[
			{"entityType":"product","entity":"p1","authorName":"U","text":"one"},
			{"entityType":"product","entity":"p1","authorName":"U","text":" two "},
			{"entityType":"blog","entity":"n1","authorName":"U","text":"one","createdAt":null},
			{"entityType":"product","entity":"p1","authorName":"V","text":"one","createdAt":"2026-02-06T00:00:00Z"}],
		"expertReviews":[
			{"product":"p1","authorName":"U","rate":3,"positivePoints":[],"negativePoints":[],"text":"one"},
			{"product":"p2","authorName":"U","rate":4,"positivePoints":[],"negativePoints":[],"text":"one"}]`)
	eachStore(t, func(t *testing.T, s *store.Store) {
		shop := mustImport(t, s, text(shop)).Tenant
		ctx := tenancy.In(t.Context(), shop)
		comments, reviews := s.Client.Comment.Query().CountX(ctx), s.Client.ExpertReview.Query().CountX(ctx)
		for commits := 0; ; commits++ {
			_, err := bundle.Import(t.Context(), mortalStore(s, 1), text(undated), nil, bundle.OneByOne)
			if err == nil {
				break
			}
			if !errors.Is(err, errKilled) || commits > 10 {
				t.Fatal(err)
			}
		}
		again := mustImport(t, s, text(undated)).Sections
		want := map[string]bundle.Counts{
			"tenant": {Unchanged: 1}, "comments": {Unchanged: 4}, "expertReviews": {Unchanged: 2},
		}
		if !maps.Equal(again, want) {
			t.Errorf("the import that was interrupted and completed, again: %+v", again)
		}
		comments, reviews = s.Client.Comment.Query().CountX(ctx)-comments,
			s.Client.ExpertReview.Query().CountX(ctx)-reviews
		if comments != 4 || reviews != 2 {
			t.Errorf("there are %d comments and %d reviews of it", comments, reviews)
		}

		// Of several equal comments an element without createdAt matches the oldest.
		mustImport(t, s, text(change(`"comments":[{"entityType":"product","entity":"p1","authorName":"U","text":"one",
			"createdAt":"2020-01-01T00:00:00Z"}]`)))
		mustImport(t, s, text(change(`"comments":[{"entityType":"product","entity":"p1","authorName":"U","text":"one",
			"status":"rejected"}]`)))
		got := s.Client.Comment.Query().Where(comment.StatusEQ(record.Rejected), comment.AuthorName("U")).AllX(ctx)
		if len(got) != 1 ||
			got[0].CreatedAt.Year() != 2020 {
			t.Errorf("rejected are %v", []*ent.Comment(got))
		}
	})
}
