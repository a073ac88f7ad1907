package bundle_test

import (
	"bytes"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// TestUndatedDraftsArePublishedByAFile publishes a draft without a publishedAt by importing an edited export.
// The draft is public from then on, and a second import of the file changes nothing.
func TestUndatedDraftsArePublishedByAFile(t *testing.T) {
	const file = `{"format": "storefront-bundle/1", "tenant": {"domain": "dated.example", "slug": "dated", "name": "D",
		"nameFa": "د", "defaultLocale": "fa"}, "blogs": [
		{"slug": "undated", "type": "news", "titleFa": "ب", "body": "b", "status": "draft"},
		{"slug": "chosen", "type": "news", "titleFa": "ب", "body": "b", "status": "draft",
			"publishedAt": "2020-01-01T00:00:00Z"}]}`
	eachStore(t, func(t *testing.T, s *store.Store) {
		ctx := tenancy.In(t.Context(), mustImport(t, s, text(file)).Tenant)
		drafts := export(t, s, "dated.example")
		if n := bytes.Count(drafts, []byte(`"publishedAt"`)); n != 1 {
			t.Errorf("got %d times in %s, want that which was chosen", n, drafts)
		}
		made := s.Client.Blog.Query().AllX(ctx)
		edited := []byte(strings.ReplaceAll(string(drafts), `"draft"`, `"published"`))
		mustImport(t, s, bundle.Bytes(edited))
		if again := mustImport(t, s, bundle.Bytes(edited)); again.Changed() {
			t.Errorf("the same file again changes what is there: %+v", again)
		}
		for i, now := range s.Client.Blog.Query().AllX(ctx) {
			if moved := now.PublishedAt.After(made[i].PublishedAt); moved != (now.Slug == "undated") {
				t.Errorf("%s was made with %v and is published with %v", now.Slug, made[i].PublishedAt,
					now.PublishedAt)
			}
		}
	})
}
