package staff_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestTextsInBothLanguages writes texts in both languages and reads them over both APIs, in public.
func TestTextsInBothLanguages(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		c.WriteBothLanguages(t, owner)

		for path, want := range map[string][]string{
			"/website/business-info": {`"workingHours":"9 to 17","workingHoursFa":"۹ تا ۱۷"`,
				`"title":"Shop","titleFa":"فروشگاه","address":"Lane","addressFa":"کوچه",` +
					`"province":"Tehran","provinceFa":"تهران","city":"Rey","cityFa":"ری"`},
			"/categories": {`"description":"Old","descriptionFa":"کهنه"`},
			"/products":   {`"summary":"Sharp","summaryFa":"تیز"`},
			"/products/both": {`"summaryFa":"تیز"`, `"description":"Long","descriptionFa":"بلند"`, `"altFa":"تصویر"`,
				`"seo":{"title":"A saw","titleFa":"یک اره","description":"Cuts","descriptionFa":"می‌برد"}`},
			"/blogs/both":         {`"summaryFa":"تازه"`, `"body":"Text","bodyFa":"متن"`},
			"/portfolios/both":    {`"summaryFa":"کوشش"`, `"body":"Text","bodyFa":"متن"`},
			"/user-products/both": {`"description":"Spotless","descriptionFa":"پاکیزه"`},
			"/website/sliders": {`"title":"Row","titleFa":"ردیف"`, `"title":"One","titleFa":"یک",` +
				`"subtitle":"Two","subtitleFa":"دو"`, `"buttonText":"Go","buttonTextFa":"برو"`},
			"/website/category-groups": {`"title":"Some","titleFa":"چند"`},
			"/website/brand-groups":    {`"title":"Some","titleFa":"چند"`},
			"/store-specials":          {`"title":"Offer","titleFa":"پیشنهاد"`},
		} {
			got := c.Get(t, shoptest.ToolsPath+path)
			for _, text := range want {
				if !strings.Contains(string(got.Body), text) {
					t.Errorf("%s: got %s, want %s in it", path, got.Body, text)
				}
			}
		}
		for word, n := range map[string]int{"spotless": 1, "پاکيزه": 1, "nowhere": 0} {
			var page struct{ Total int }
			got := c.Get(t, shoptest.ToolsPath+"/user-products?q="+url.QueryEscape(word))
			if err := json.Unmarshal(got.Body, &page); err != nil || page.Total != n {
				t.Errorf("a search for %s: got %s %v, want %d", word, got.Body, err, n)
			}
		}
		var seen struct {
			Tenant struct {
				En, Fa        string
				Product, Blog struct{ En, Fa string }
			}
		}
		owner.Do(t, `{ tenant(domain: "tools.example") { en: jsonLd(locale: en) fa: jsonLd(locale: fa)
			product(slug: "both") { en: jsonLd(locale: en) fa: jsonLd(locale: fa) }
			blog(slug: "both") { en: jsonLd(locale: en) fa: jsonLd(locale: fa) } } }`, nil, &seen)
		for text, want := range map[string]string{
			seen.Tenant.Product.En: `"description":"Sharp"`, seen.Tenant.Product.Fa: `"description":"تیز"`,
			seen.Tenant.En:      `"streetAddress":"Lane","addressLocality":"Rey","addressRegion":"Tehran"`,
			seen.Tenant.Fa:      `"streetAddress":"کوچه","addressLocality":"ری","addressRegion":"تهران"`,
			seen.Tenant.Blog.En: `"description":"News"`, seen.Tenant.Blog.Fa: `"description":"تازه"`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("got %s, want %s in it", text, want)
			}
		}
		c.ComesBack(t)
	})
}

// TestOneLanguageIsShownInBoth checks the data for search engines of a shop with texts in one language.
func TestOneLanguageIsShownInBoth(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for member, slug := range map[string]string{"summary": "first", "summaryFa": "second"} {
			owner.Do(t, `mutation($shop: ID!, $slug: String!) { createProduct(businessId: $shop, slug: $slug,
				input: {titleFa: "اره", `+member+`: "alone"}) { id } }`,
				map[string]any{"shop": c.Tools, "slug": slug}, nil)
			var seen struct {
				Tenant struct{ Product struct{ En, Fa string } }
			}
			owner.Do(t, `{ tenant(domain: "tools.example") { product(slug: "`+slug+`") {
				en: jsonLd(locale: en) fa: jsonLd(locale: fa) } } }`, nil, &seen)
			for _, text := range []string{seen.Tenant.Product.En, seen.Tenant.Product.Fa} {
				if !strings.Contains(text, `"description":"alone"`) {
					t.Errorf("%s: got %s, want the text in it", member, text)
				}
			}
		}
	})
}

// TestUploadsHaveTextsInBothLanguages uses an image whose upload has both texts.
func TestUploadsHaveTextsInBothLanguages(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for _, texts := range []struct{ en, fa, alt, altFa any }{
			{"Saw", "اره", "Saw", "اره"}, {"Saw", nil, "Saw", nil},
			{nil, "اره", "اره", "اره"}, {nil, nil, nil, nil},
		} {
			file := shoptest.MediaFile(t, c.Store.Client, uuid.MustParse(c.Tools), nil)
			owner.Do(t, `mutation($shop: ID!, $id: ID!, $in: MediaFileInput!) {
				updateMediaFile(businessId: $shop, mediaId: $id, input: $in) { mediaFile { id } } }`, map[string]any{
				"shop": c.Tools, "id": file.ID, "in": map[string]any{"altEn": texts.en, "altFa": texts.fa}}, nil)
			type image struct{ Alt, AltFa any }
			var seen struct {
				CreateBlog struct{ ID string }
				StaffBlog  struct{ Images []image }
				MediaFile  struct{ Image image }
			}
			owner.Do(t, `mutation($shop: ID!, $slug: String!, $id: String!) { createBlog(businessId: $shop, slug: $slug,
				input: {type: news, titleFa: "خبر", body: "متن", images: [{mediaId: $id}]}) { id } }`,
				map[string]any{"shop": c.Tools, "slug": file.ID, "id": file.ID}, &seen)
			owner.Do(t, `query($shop: ID!, $slug: String!, $id: ID!) {
				staffBlog(businessId: $shop, slug: $slug) { images { alt altFa } }
				mediaFile(businessId: $shop, mediaId: $id) { image { alt altFa } } }`,
				map[string]any{"shop": c.Tools, "slug": file.ID, "id": file.ID}, &seen)
			want := image{texts.alt, texts.altFa}
			if len(seen.StaffBlog.Images) != 1 || seen.StaffBlog.Images[0] != want || seen.MediaFile.Image != want {
				t.Errorf("%+v: got %+v and %+v, want %+v", texts, seen.StaffBlog.Images, seen.MediaFile.Image, want)
			}
		}
	})
}
