package demo_test

import (
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"storefront/internal/demo/pictures"
)

var end = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// checker reports what breaks a limit of the contract.
type checker struct{ testing.TB }

func (c checker) text(where, s string, low, high int) {
	if n := utf8.RuneCountInString(s); n < low || n > high {
		c.Errorf("%s: %d characters, want %d to %d", where, n, low, high)
	}
	if s != strings.TrimSpace(s) || !norm.NFC.IsNormalString(s) || strings.ContainsRune(s, 0) ||
		!utf8.ValidString(s) {
		c.Errorf("%s: not trimmed NFC: %q", where, s)
	}
	if strings.ContainsAny(s, "{}") {
		c.Errorf("%s: a template was not filled: %q", where, s)
	}
}

func (c checker) slug(s string) {
	c.text("slug", s, 1, 100)
	if s != slugOf(s) {
		c.Errorf("slug %q, want %q", s, slugOf(s))
	}
}

func (c checker) time(where string, at time.Time) {
	if at.IsZero() || at.Location() != time.UTC || at.Nanosecond() != 0 || at.After(end) && at.Year() < 2099 {
		c.Errorf("%s: at %v", where, at)
	}
}

func (c checker) amount(where string, a Amount) {
	if a == "" {
		return
	}
	v, err := strconv.ParseFloat(string(a), 64)
	if err != nil || v < 0 || v > 1<<53-1 {
		c.Errorf("%s: price %s", where, a)
	}
}

func (c checker) oneOf(where, s string, allowed ...string) {
	if !slices.Contains(allowed, s) {
		c.Errorf("%s: got %q, want one of %v", where, s, allowed)
	}
}

func (c checker) email(s string) {
	if s == "" {
		return
	}
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s || len(s) > 254 {
		c.Errorf("e-mail %q", s)
	}
}

func TestLimits(t *testing.T) {
	for _, b := range shops(t) {
		t.Run(b.Tenant.Domain, func(t *testing.T) {
			c := checker{t}
			for _, brand := range b.Brands {
				c.slug(brand.Slug)
				c.text(brand.Slug, brand.Name, 1, 200)
				c.text(brand.Slug, brand.NameFa, 1, 200)
			}
			for _, p := range b.Products {
				c.product(p)
			}
			for _, u := range b.UserProducts {
				c.listing(u)
			}
			for _, p := range b.Blogs {
				c.oneOf(p.Slug, p.Type, "news", "article", "blog")
				c.page(p.Slug, p.TitleFa, p.TitleEn, p.Body, p.PublishedAt)
			}
			for _, p := range b.Portfolios {
				c.page(p.Slug, p.TitleFa, p.TitleEn, p.Body, p.PublishedAt)
				if _, err := time.Parse(time.DateOnly, p.CompletedOn); err != nil && p.CompletedOn != "" {
					c.Errorf("%s: completed on %s", p.Slug, p.CompletedOn)
				}
			}
			for _, o := range b.Comments {
				c.opinion(o.AuthorName, o.AuthorEmail, o.Text, o.Status, o.CreatedAt)
				c.oneOf("comment", o.EntityType, "product", "blog", "portfolio")
			}
			for _, o := range b.ExpertReviews {
				c.opinion(o.AuthorName, o.AuthorEmail, o.Text, o.Status, o.CreatedAt)
				c.review(o)
			}
			checkImages(t, b)
		})
	}
}

func (c checker) product(p Product) {
	c.slug(p.Slug)
	c.text(p.Slug, p.TitleFa, 1, 200)
	c.text(p.Slug, p.TitleEn, 0, 200)
	c.text(p.Slug, p.Summary, 0, 1000)
	c.text(p.Slug, p.Description, 0, 5000)
	c.oneOf(p.Slug, p.Status, "draft", "published", "archived")
	c.time(p.Slug, p.PublishedAt)
	for _, v := range p.Variants {
		c.text(v.SKU, v.SKU, 1, 200)
		c.amount(v.SKU, v.Price)
		c.amount(v.SKU, v.CompareAtPrice)
		c.oneOf(v.SKU, v.PriceCurrency, "IRT", "USD")
		if v.Stock < 0 || v.MaxOrderQuantity != nil && *v.MaxOrderQuantity < 1 {
			c.Errorf("%s: stock %d", v.SKU, v.Stock)
		}
		if v.PriceCurrency == "IRT" && strings.Contains(string(v.Price), ".") {
			c.Errorf("%s: toman has no decimals: %s", v.SKU, v.Price)
		}
	}
}

func (c checker) listing(u UserProduct) {
	c.slug(u.Slug)
	c.text(u.Slug, u.TitleFa, 1, 200)
	c.text(u.Slug, u.TitleEn, 0, 200)
	c.text(u.Slug, u.Description, 0, 5000)
	c.text(u.Slug, u.DeliveryNotes, 0, 1000)
	c.text(u.Slug, u.TechnicalNotes, 0, 1000)
	c.oneOf(u.Slug, u.Status, "draft", "pending", "published", "rejected", "archived")
	c.oneOf(u.Slug, u.Condition, "new", "stock", "needs_repair", "scrap")
	c.amount(u.Slug, u.Price)
	c.time(u.Slug, u.PublishedAt)
}

func (c checker) page(slug, titleFa string, titleEn string, body string, at time.Time) {
	c.slug(slug)
	c.text(slug, titleFa, 1, 200)
	c.text(slug, titleEn, 1, 200)
	c.text(slug, body, 1, 5000)
	c.time(slug, at)
}

func (c checker) opinion(name string, email string, text, status string, at time.Time) {
	c.text("author", name, 1, 100)
	c.text("opinion", text, 1, 5000)
	c.email(email)
	c.oneOf("opinion", status, "approved", "pending", "rejected")
	c.time("opinion of "+name, at)
	if at.After(end) {
		c.Errorf("opinion of %s in the future", name)
	}
}

func (c checker) review(r Review) {
	if r.Rate < 1 || r.Rate > 10 {
		c.Errorf("rate %d", r.Rate)
	}
	for _, side := range [][]string{r.PositivePoints, r.NegativePoints} {
		if side == nil || len(side) > 20 {
			c.Errorf("review of %s: %d points", r.Product, len(side))
		}
		for _, point := range side {
			c.text("point", point, 1, 200)
		}
	}
}

// checkImages checks that every image address is that of a picture of the shop, with its size and colour,
// and that a media id stands for one address.
func checkImages(t *testing.T, b Bundle) {
	home := pictures.Path + strings.TrimSuffix(b.Tenant.Domain, ".example") + "/"
	var all []Image
	for _, p := range b.Products {
		all = append(all, p.Images...)
	}
	for _, u := range b.UserProducts {
		all = append(all, u.Images...)
	}
	for _, p := range b.Blogs {
		all = append(all, p.Images...)
	}
	for _, p := range b.Portfolios {
		all = append(all, p.Images...)
	}
	drawn, err := pictures.All()
	if err != nil {
		t.Fatal(err)
	}
	fits := func(url string, is Size) bool {
		size := fmt.Sprintf(` width="%d" height="%d">`, is.Width, is.Height)
		return strings.Contains(drawn[strings.TrimPrefix(url, pictures.Path)], size) && len(is.PlaceholderColor) == 7
	}
	seen := map[string]bool{}
	for _, image := range all {
		if !strings.HasPrefix(image.URL, home) || seen[image.MediaID] || !fits(image.URL, image.Size) {
			t.Errorf("image %q at %s: %v", image.MediaID, image.URL, image.Size)
		}
		seen[image.MediaID] = true
	}
	for _, slider := range b.Sliders {
		for _, slide := range slider.Slides {
			if !fits(slide.ImageURL, slide.Size) || slide.Alt != slide.Title {
				t.Errorf("slide %q: %v %q", slide.Title, slide.Size, slide.Alt)
			}
		}
	}
}
