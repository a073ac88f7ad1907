package derive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/ent/listing"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/store"
)

// make runs a step of the migration, each part of it in a transaction, and returns the number of parts.
func (s *shop) make(t *testing.T, step database.Step) (parts int) {
	t.Helper()
	for from := ""; parts == 0 || from != ""; parts++ {
		tx, err := s.DB.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if from, err = step.Part(t.Context(), tx, from); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return parts
}

// TestNamesAnew migrates accounts and entries of the audit log, more of them than one part takes.
func TestNamesAnew(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		const some = 501
		a, ctx := newShop(t, s, "a"), t.Context()
		var users []*ent.UserCreate
		var entries []*ent.AuditEntryCreate
		for i := range some {
			users = append(users, s.Client.User.Create().SetCellNumber(fmt.Sprintf("+98912000%04d", i)).
				SetFirstName("Émile").SetEmail(fmt.Sprintf("e%d@mail.example", i)).SetSearchText("older"))
			entries = append(entries, s.Client.AuditEntry.Create().SetBusinessID(a.tenant).SetAction("a").SetKind("k").
				SetRecordName("زيبا"))
		}
		s.Client.User.CreateBulk(users...).ExecX(ctx)
		s.Client.AuditEntry.CreateBulk(entries...).ExecX(ctx)
		s.Client.AuditEntry.Create().SetBusinessID(a.tenant).SetAction("a").SetKind("k").SetRecordName("زيبا").
			SetSearchText("زیبا beautiful").ExecX(ctx) // it can be found in English, too
		nameless := s.Client.User.Create().SetCellNumber("+989120009999").SetSearchText("older").SaveX(ctx)
		for range 2 { // the second time there is nothing to do
			if parts := a.make(t, derive.NamesAnew(s.Dialect)); parts != 6 {
				t.Errorf("got %d parts, want 6", parts)
			}
			for i, u := range s.Client.User.Query().Order(ent.Asc("cell_number")).AllX(ctx) {
				if want := fmt.Sprintf("emile e%dmailexample", i); u.ID != nameless.ID && u.SearchText != want {
					t.Fatalf("got the account searched by %q, want %q", u.SearchText, want)
				} else if u.ID == nameless.ID && u.SearchText != "" {
					t.Errorf("got the account without names searched by %q", u.SearchText)
				}
			}
			if n := s.Client.AuditEntry.Query().Where(auditentry.SearchText("زیبا")).CountX(ctx); n != some {
				t.Errorf("got %d entries, want %d", n, some)
			}
			if n := s.Client.AuditEntry.Query().Where(auditentry.SearchText("زیبا beautiful")).CountX(ctx); n != 1 {
				t.Errorf("got %d entries with more words than their name, want 1", n)
			}
		}
	})
}

// TestTextsAnew migrates what an older version made of titles, tags and SKUs.
func TestTextsAnew(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a, b := newShop(t, s, "a"), newShop(t, s, "b")
		for _, in := range []*shop{a, b} {
			for i, p := range in.products {
				in.products[i] = p.Update().SetTitleFa("پرده").SetTitleEn(fmt.Sprintf("Straße %d", i)).
					SetSearchText(derive.SearchText("پرده", fmt.Sprintf("Strasse %d", i))).
					SetTags([]string{"C#", "C++"}).
					SetTagKeys([]string{"c#", "c++"}).SaveX(in.ctx)
				in.variant(p, fmt.Sprint("ß-", i), 5, true)
			}
			in.derive(t, nil)
		}
		right := a.sorted() + a.texts(t)
		for _, in := range []*shop{a, b} {
			in.exec(t, "UPDATE products SET sort_title = NULL, search_text = REPLACE(search_text, 'ss', 'ß')")
			in.exec(t, "UPDATE variants SET sku_text = REPLACE(sku_text, 'ss', 'ß')")
			s.Client.Product.Update().SetTagKeys([]string{"c"}).ExecX(in.ctx)
			in.derive(t, nil)
		}
		if right == a.sorted()+a.texts(t) {
			t.Fatal("the older version made the same")
		}
		version := s.Client.Tenant.GetX(a.ctx, a.tenant).ContentVersion
		updated := s.Client.Product.Query().Order(ent.Asc("id")).FirstX(a.ctx).UpdatedAt
		a.make(t, derive.TextsAnew(s.Dialect))
		if got := a.sorted() + a.texts(t); got != right {
			t.Errorf("migrated are %s\nwant %s", got, right)
		}
		if got := b.texts(t); got != a.texts(t) {
			t.Errorf("of another shop are %s\nwant %s", got, a.texts(t))
		}
		after := s.Client.Tenant.GetX(a.ctx, a.tenant).ContentVersion
		if after <= version {
			t.Errorf("the content version stays %d", after)
		}
		if got := s.Client.Product.Query().Order(ent.Asc("id")).FirstX(a.ctx).UpdatedAt; !got.Equal(updated) {
			t.Errorf("an edit of staff at version %v meets %v", updated, got)
		}
		a.make(t, derive.TextsAnew(s.Dialect))
		if again := s.Client.Tenant.GetX(a.ctx, a.tenant).ContentVersion; again != after {
			t.Errorf("made once more: got the content version %d, want %d", again, after)
		}
	})
}

// texts returns the search texts of products and variants, and the facets of the first product.
func (s *shop) texts(t *testing.T) (all string) {
	t.Helper()
	for _, p := range s.Client.Product.Query().Order(ent.Asc("slug")).AllX(s.ctx) {
		all += fmt.Sprintln(p.SearchText, p.TagKeys)
	}
	for _, v := range s.Client.Variant.Query().Order(variant.BySku()).AllX(s.ctx) {
		all += fmt.Sprintln(v.SearchText, v.SkuText)
	}
	var facets []string
	for _, row := range s.Client.Listing.Query().Where(listing.EntityID(s.products[0].ID)).AllX(s.ctx) {
		if strings.HasPrefix(row.Facet, "tag:") {
			facets = append(facets, row.Facet)
		}
	}
	slices.Sort(facets)
	return all + fmt.Sprint(facets)
}
