package main

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/ent/category"
	"storefront/ent/product"
	"storefront/internal/derive"
	"storefront/internal/record"
	"storefront/internal/store/storetest"
	"storefront/internal/tenancy"
)

// TestMigrateInSeveralProcesses migrates one empty database in several processes at once. Each must succeed.
func TestMigrateInSeveralProcesses(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		s := on(database)
		var all sync.WaitGroup
		for i := range 6 {
			args := []string{"migrate"}
			if i%3 == 0 {
				args = []string{"tenant", "list"} // which migrates too
			}
			all.Go(func() {
				code, out, stderr := ended(t, s.process(t.Context(), args...))
				if code != 0 || stderr != "" || args[0] == "migrate" && out != "the database is up to date\n" {
					t.Errorf("%q: exit %d, %q, %q", args, code, out, stderr)
				}
			})
		}
		all.Wait()
		if out := s.succeed(t, "migrate"); out != "the database is up to date\n" {
			t.Errorf("again: %q", out)
		}
		if list := s.succeed(t, "tenant", "list"); strings.Count(list, "\n") != 1 {
			t.Errorf("tenants:\n%s", list)
		}
	})
}

// TestMigrateNamesANewerVersion checks that this version warns of a database migrated by a newer one, and
// works.
func TestMigrateNamesANewerVersion(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		db := storetest.Open(t, database)
		err := db.Driver().Exec(t.Context(), "INSERT INTO schema_migrations VALUES ('20990101000000_later.sql', $1)",
			[]any{time.Now()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out := s.succeed(t, "migrate"); !strings.Contains(out, "20990101000000_later.sql") {
			t.Errorf("got %q, want the migration that is unknown", out)
		}
	})
}

// TestMigrateFinish writes rows as a server of the previous version does during an upgrade, and checks that
// the command completes them.
func TestMigrateFinish(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "own.example", "Own", "خودم")
		s.succeed(t, "import", write(t, "shop.json", `{
			"format": "storefront-bundle/1", "tenant": {"domain": "own.example"},
			"categories": [{"entityType": "product", "slug": "above", "name": "A", "nameFa": "ا"},
				{"entityType": "product", "slug": "below", "parentSlug": "above", "name": "B", "nameFa": "ب"}],
			"products": [{"slug": "pan", "titleFa": "تابه", "titleEn": "Pan", "category": "below"},
				{"slug": "draft", "titleFa": "پیش‌نویس", "status": "draft"},
				{"slug": "dated", "titleFa": "تاریخ‌دار", "status": "draft"}]}`))
		db := storetest.Open(t, database)
		to := db.Client
		shop := to.Tenant.Query().OnlyIDX(t.Context())
		ctx := derive.Alone(tenancy.In(t.Context(), shop))
		pan := to.Product.Query().Where(product.Slug("pan")).OnlyX(ctx)
		to.Product.UpdateOne(pan).SetSearchText("pan").SetSortTitle([]byte("pan")).ExecX(ctx)
		moves := to.Category.Query().Where(category.Slug("below")).OnlyX(ctx).Moves
		worker := to.User.Create().SetCellNumber("+989350000001").SetFirstName("Émile").SaveX(ctx)
		customer := to.User.Create().SetCellNumber("+989350000002").SaveX(ctx)
		to.StaffMember.Create().SetUserID(worker.ID).SetBusinessID(shop).SetRole(record.Owner).ExecX(ctx)
		for id, user := range map[string]uuid.UUID{"staff": worker.ID, "customer": customer.ID} {
			to.IdempotencyKey.Create().SetID(id).SetUserID(user).SetFingerprint([]byte("x")).SetAnswer("whsec_secret").
				SetExpiresAt(time.Now().Add(time.Hour)).ExecX(ctx)
		}
		for _, one := range []struct {
			kind, slug string
			record     uuid.UUID
		}{
			{"product", "stays", pan.ID}, {"product", "pan", uuid.New()}, {"product", "gone", uuid.New()},
			{"category product", "above", *pan.CategoryID}, {"category blog", "above", *pan.CategoryID},
			{"brand", "gone", uuid.New()},
		} {
			err := to.MovedSlug.Create().SetKind(one.kind).SetSlug(one.slug).SetRecordID(one.record).Exec(ctx)
			if err != nil {
				t.Fatal(err)
			}
		}
		began := pan.CreatedAt.Add(-time.Minute)
		draft := to.Product.Query().Where(product.Slug("draft")).OnlyX(ctx)
		dated := to.Product.Query().Where(product.Slug("dated")).OnlyX(ctx)
		chosen := began.AddDate(-1, 0, 0)
		for id, at := range map[uuid.UUID]time.Time{draft.ID: began, dated.ID: chosen} {
			_, err := to.ExecContext(ctx, "UPDATE products SET published_at = $1 WHERE tenant_id = $2 AND id = $3",
				at, shop, id)
			if err != nil {
				t.Fatal(err)
			}
		}
		withdrawn, gone := uuid.New(), uuid.New()
		entry := func(listing uuid.UUID, action, before string) uuid.UUID {
			return to.AuditEntry.Create().SetBusinessID(shop).SetAction(action).SetKind("userProduct").
				SetRecordID(listing).SetBefore([]byte(before)).SaveX(ctx).ID
		}
		named := []uuid.UUID{
			entry(withdrawn, "updateUserProduct", `{"titleFa":"lathe"}`),
			entry(withdrawn, "deleteUserProduct", `{"titleFa":"lathe","userId":"`+customer.ID.String()+`"}`),
		}
		renamed := to.AuditEntry.Create().SetBusinessID(shop).SetAction("updateBrand").SetKind("brand").
			SetRecordName("Écrin").SaveX(ctx).ID
		of := entry(gone, "deleteUserProduct", `{"titleFa":"saw","userId":"`+uuid.NewString()+`"}`)
		for range 2 {
			if out := s.succeed(t, "migrate", "-finish"); out != "the database is up to date\n" {
				t.Errorf("it says %q", out)
			}
			got := to.Product.GetX(ctx, pan.ID)
			if got.SearchText != pan.SearchText || string(got.SortTitle) != string(pan.SortTitle) {
				t.Errorf("the product is searched by %q, want %q", got.SearchText, pan.SearchText)
			}
			if got := to.Product.GetX(ctx, draft.ID); !got.PublishedAt.Equal(got.CreatedAt) {
				t.Errorf("a draft that nobody dated has %v, want %v", got.PublishedAt, got.CreatedAt)
			}
			if got := to.Product.GetX(ctx, dated.ID); !got.PublishedAt.Equal(chosen) {
				t.Errorf("a draft with a date has %v, want %v", got.PublishedAt, chosen)
			}
			if text := to.User.GetX(ctx, worker.ID).SearchText; text != "emile" {
				t.Errorf("the account is searched by %q, want emile", text)
			}
			if text := to.AuditEntry.GetX(ctx, renamed).SearchText; text != "ecrin" {
				t.Errorf("the entry is searched by %q, want ecrin", text)
			}
			below := to.Category.Query().Where(category.Slug("below")).OnlyX(ctx)
			if !below.Moving || below.Moves <= moves {
				t.Errorf("the category is %v, want one that moves", below)
			}
			if kept := to.IdempotencyKey.GetX(ctx, "staff").Answer; kept != nil {
				t.Errorf("an answer to staff is kept: %s", *kept)
			}
			if to.IdempotencyKey.GetX(ctx, "customer").Answer == nil {
				t.Error("an answer to a customer is gone")
			}
			owned := to.AuditEntry.Query().Where(auditentry.IDIn(named...), auditentry.CustomerID(customer.ID))
			if n := owned.CountX(ctx); n != 2 {
				t.Errorf("%d entries say whose listing it was, want 2", n)
			}
			var slugs []string
			rows, err := to.MovedSlug.Query().All(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				slugs = append(slugs, row.Kind+" "+row.Slug)
			}
			slices.Sort(slugs)
			if got, want := strings.Join(slugs, ", "), "category blog above, product stays"; got != want {
				t.Errorf("the slugs of before: got %s, want %s", got, want)
			}
			if e := to.AuditEntry.GetX(ctx, of); e.CustomerID != nil || e.Before != nil {
				t.Errorf("of a customer who is gone there is %v", e)
			}
		}
	})
}
