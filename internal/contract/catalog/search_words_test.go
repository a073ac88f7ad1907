package catalog_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent/product"
	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/locale/search"
)

// catalogue are the titles of a shop's products, Persian and English, by slug.
type catalogue map[string][2]string

// write gives products of a catalogue new titles, and imports them into a shop.
func (c catalogue) write(t *testing.T, s *store.Store, domain string, random *rand.Rand, slugs ...string) {
	t.Helper()
	var products []map[string]any
	for _, slug := range slugs {
		c[slug] = [2]string{
			someTitle(random, "ابپتچدرزژسشصعفقکگلمنوهیآ\u200c\u200c  «»"),
			someTitle(random, "abcdeilmnorst0123456789 '\"-*"),
		}
		products = append(products, map[string]any{"slug": slug, "titleFa": c[slug][0], "titleEn": c[slug][1],
			"publishedAt": "2026-01-01T00:00:00Z"})
	}
	text, err := json.Marshal(map[string]any{
		"format": "storefront-bundle/1", "tenant": map[string]any{"domain": domain}, "products": products,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Import(t.Context(), s, bundle.Bytes(text), nil); err != nil {
		t.Fatal(err)
	}
}

func someTitle(random *rand.Rand, alphabet string) string {
	letters := []rune(alphabet)
	title := []rune{letters[random.IntN(4)]}
	for range 5 + random.IntN(30) {
		title = append(title, letters[random.IntN(len(letters))])
	}
	return string(title)
}

// query returns a search text, mostly a piece of a title and sometimes a text that no title contains.
func (c catalogue) query(random *rand.Rand) string {
	slugs := sortedKeys(c)
	title := []rune(c[slugs[random.IntN(len(slugs))]][random.IntN(2)])
	from := random.IntN(len(title))
	asked := string(title[from:min(len(title), from+1+random.IntN(12))])
	switch random.IntN(8) {
	case 0:
		asked += " " + string(title[:min(len(title), 4)])
	case 1:
		asked = strings.ToUpper(asked) + "\u200c"
	case 2:
		asked += []string{`"`, "'", "🛠", "*", " OR x", "NEAR(a b)", "zzz"}[random.IntN(7)]
	}
	return asked
}

// finds compares the results of searches with the titles of the catalogue.
func (c catalogue) finds(t *testing.T, p *shoptest.Place, domain string, random *rand.Rand) {
	t.Helper()
	for range 50 {
		asked := c.query(random)
		pieces := search.Pieces(asked)
		if len(pieces) == 0 && search.IsBlank(asked) { // all are found
			continue
		}
		var want []string
		for slug, titles := range c {
			text := derive.SearchText(titles[0], titles[1])
			if len(pieces) > 0 && !slices.ContainsFunc(pieces,
				func(piece string) bool { return !strings.Contains(text, piece) }) {
				want = append(want, slug)
			}
		}
		slices.Sort(want)
		var got struct {
			Items []struct{ Slug string }
			Total int
		}
		path := fmt.Sprintf("/tenants/%s/products?pageSize=100&name=%s", domain, url.QueryEscape(asked))
		if err := json.Unmarshal(p.Get(t, path).Body, &got); err != nil {
			t.Fatal(err)
		}
		var slugs []string
		for _, item := range got.Items {
			if strings.HasPrefix(item.Slug, "word-") { // the others are the shop's own
				slugs = append(slugs, item.Slug)
			} else {
				got.Total--
			}
		}
		slices.Sort(slugs)
		if len(got.Items) < 100 && (!slices.Equal(slugs, want) || got.Total != len(want)) {
			t.Errorf("%s: %q finds %v, %d in all, want %v", domain, asked, slugs, got.Total, want)
		}
	}
}

// TestSearchFindsWhatTitlesHold searches for pieces of random titles in two shops that have the same slugs:
// after products are created, renamed, deleted, not yet in SQLite's index, and in a copy of the database.
func TestSearchFindsWhatTitlesHold(t *testing.T) {
	t.Parallel()
	shoptest.Shops.Each(t, func(t *testing.T, url string) {
		random := rand.New(rand.NewPCG(1, uint64(len(url))))
		s, counter := shoptest.OpenCounted(t, url)
		command := storetest.Open(t, url)
		var slugs []string
		for i := range 300 {
			slugs = append(slugs, fmt.Sprint("word-", i))
		}
		domains := []string{"tools.example", "mugs.example"}
		catalogues := map[string]catalogue{domains[0]: {}, domains[1]: {}}
		byIndex := 0
		check := func(s *store.Store) {
			t.Helper()
			p := shoptest.StartWith(t, s, shoptest.Uncached)
			for _, domain := range domains {
				catalogues[domain].finds(t, p, domain, random)
			}
			for _, text := range counter.Taken() {
				if strings.Contains(text, "instr") && strings.Contains(text, "product_words") {
					byIndex++
				}
			}
		}
		for _, domain := range domains {
			catalogues[domain].write(t, command, domain, random, slugs...)
		}
		check(s)
		for i, domain := range domains {
			catalogues[domain].write(t, command, domain, random, slugs[50*i:50*i+90]...)
		}
		check(s)
		shop := command.Client.Tenant.Query().Where(tenant.Domain(domains[0])).OnlyX(t.Context())
		here := derive.Alone(tenancy.In(t.Context(), shop.ID)) // derives nothing, so the index is not updated
		command.Client.Product.Delete().Where(product.SlugIn(slugs[:20]...)).ExecX(here)
		for _, slug := range slugs[:20] {
			delete(catalogues[domains[0]], slug)
		}
		renamed := someTitle(random, "پچژگ")
		catalogues[domains[0]][slugs[20]] = [2]string{renamed, ""}
		command.Client.Product.Update().Where(product.Slug(slugs[20])).
			SetSearchText(derive.SearchText(renamed)).ExecX(here)
		check(s)
		if (byIndex > 100) != (s.Dialect == dialect.SQLite) {
			t.Errorf("%d statements use SQLite's index", byIndex)
		}

		catalogues[domains[0]].write(t, command, domains[0], random, slugs[:30]...)
		if s.Dialect == dialect.SQLite {
			file := filepath.Join(t.TempDir(), "copy.db")
			if err := command.Backup(t.Context(), file, func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			copied := storetest.Open(t, "sqlite://"+file)
			check(copied)
			catalogues[domains[0]].write(t, copied, domains[0], random, slugs[40:80]...)
			check(copied)
		}
	})
}
