package shoptest

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"sync"
	"testing"

	"storefront/ent"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/testkit/testdb"
)

// Names maps the ids of a database to names that are the same in every database: <tools:product:drill> is the
// product with the slug "drill" of the shop "tools", <location:city:karaj> is a place. They are read again
// for an unknown name, because tests add records.
type Names struct {
	ids map[string]string // by name
	Of  map[string]string // by id
}

// initial has the Names of the copies of templates, by nameKey, which tests have not changed yet. Reading them in
// each test would take longer than many a test.
var initial sync.Map

type nameKey struct {
	template *testdb.Template
	dialect  string
}

// readInitial gives a place, whose database is a new copy of a template, the names of all records.
func (p *Place) readInitial(t testing.TB, template *testdb.Template) {
	t.Helper()
	key := nameKey{template, p.Store.Dialect}
	if names, ok := initial.Load(key); ok {
		p.Names = names.(Names)
		return
	}
	p.readNames(t)
	initial.Store(key, p.Names)
}

func (n *Names) add(name, id string) {
	if other, taken := n.ids[name]; taken && other != id {
		name += " again"
	}
	n.ids[name], n.Of[id] = id, name
}

var placeholder = regexp.MustCompile(`<[a-z-]+:[^<> ]+>`)

// Named replaces names by ids.
func (p *Place) Named(t testing.TB, text string) string {
	t.Helper()
	p.naming.Lock()
	defer p.naming.Unlock()
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		found := p.Names.ids[name]
		if found == "" {
			p.readNames(t)
			found = p.Names.ids[name]
		}
		if found == "" {
			t.Fatalf("nothing is named %s", name)
		}
		return found
	})
}

// withNames replaces ids by names. An id without a name, because the test created it, is numbered.
func (p *Place) withNames(t testing.TB, text []byte) []byte {
	t.Helper()
	p.naming.Lock()
	defer p.naming.Unlock()
	if p.Names.Of == nil {
		p.readNames(t)
	}
	numbers := map[string]int{}
	return ID.ReplaceAllFunc(text, func(found []byte) []byte {
		if name := p.Names.Of[string(found)]; name != "" {
			return []byte(name)
		}
		if numbers[string(found)] == 0 {
			numbers[string(found)] = len(numbers) + 1
		}
		return fmt.Appendf(nil, "<new %d>", numbers[string(found)])
	})
}

// readNames reads the names of all records of the database.
func (p *Place) readNames(t testing.TB) {
	t.Helper()
	p.Names = Names{ids: map[string]string{}, Of: map[string]string{}}
	ctx, client := t.Context(), p.Store.Client
	for _, l := range Must(client.Location.Query().All(ctx))(t) {
		p.Names.add(fmt.Sprintf("<location:%s:%s>", l.Level, l.Slug), l.ID.String())
	}
	for _, shop := range Must(client.Tenant.Query().All(ctx))(t) {
		p.Names.add("<tenant:"+shop.Slug+">", shop.ID.String())
		p.readShop(t, tenancy.In(ctx, shop.ID), shop.Slug)
	}
}

func (p *Place) readShop(t testing.TB, ctx context.Context, shop string) {
	t.Helper()
	client, add := p.Store.Client, p.Names.add
	name := func(kind string, parts ...any) string {
		text := "<" + shop + ":" + kind
		for _, part := range parts {
			text += fmt.Sprintf(":%v", part)
		}
		return text + ">"
	}
	media := func(kind, slug string, images []record.Media) {
		for _, m := range images {
			if ID.MatchString(m.MediaID) {
				add(name("media", kind, slug, path.Base(m.URL)), m.MediaID)
			}
		}
	}
	for _, r := range Must(client.Brand.Query().All(ctx))(t) {
		add(name("brand", r.Slug), r.ID.String())
	}
	for _, r := range Must(client.Category.Query().All(ctx))(t) {
		add(name("category", r.EntityType, r.Slug), r.ID.String())
		if r.Form != nil {
			add(name("form", r.Slug), r.Form.ID)
		}
	}
	for _, r := range Must(client.Product.Query().All(ctx))(t) {
		add(name("product", r.Slug), r.ID.String())
		media("product", r.Slug, r.Images)
		for _, v := range r.Variations {
			add(name("variation", r.Slug, v.Key), v.ID)
			for _, choice := range v.Values {
				add(name("choice", r.Slug, v.Key, choice.Key), choice.ID)
			}
		}
	}
	for _, r := range Must(client.Variant.Query().All(ctx))(t) {
		add(name("variant", r.Sku), r.ID.String())
	}
	for _, r := range Must(client.UserProduct.Query().All(ctx))(t) {
		add(name("userproduct", r.Slug), r.ID.String())
		media("userproduct", r.Slug, r.Images)
	}
	for _, r := range Must(client.Blog.Query().All(ctx))(t) {
		add(name("blog", r.Slug), r.ID.String())
		media("blog", r.Slug, r.Images)
	}
	for _, r := range Must(client.Portfolio.Query().All(ctx))(t) {
		add(name("portfolio", r.Slug), r.ID.String())
		media("portfolio", r.Slug, r.Images)
	}
	p.readHome(t, ctx, name)
}

func (p *Place) readHome(t testing.TB, ctx context.Context, name func(kind string, parts ...any) string) {
	t.Helper()
	client, add := p.Store.Client, p.Names.add
	for _, r := range Must(client.Slider.Query().All(ctx))(t) {
		add(name("slider", r.Key), r.ID.String())
		for _, s := range r.Slides {
			add(name("slide", r.Key, path.Base(s.ImageURL)), s.ID)
		}
	}
	for _, r := range Must(client.CategoryGroup.Query().All(ctx))(t) {
		add(name("categorygroup", r.Key), r.ID.String())
	}
	for _, r := range Must(client.BrandGroup.Query().All(ctx))(t) {
		add(name("brandgroup", r.Key), r.ID.String())
	}
	for _, r := range Must(client.StoreSpecial.Query().All(ctx))(t) {
		add(name("special", r.Key), r.ID.String())
	}
	for _, r := range Must(client.Comment.Query().Order(ent.Asc("id")).All(ctx))(t) {
		add(name("comment", r.AuthorName), r.ID.String())
	}
	for _, r := range Must(client.ExpertReview.Query().Order(ent.Asc("id")).All(ctx))(t) {
		add(name("review", r.AuthorName), r.ID.String())
	}
}

// Must returns a function that returns value, or fails the test if err is not nil.
func Must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
