package lookup

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
)

var shops = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	for i := range 250 {
		name := fmt.Sprintf("shop%d", i)
		err := s.Client.Tenant.Create().SetDomain(name + ".example").SetSlug(name).SetName(name).SetNameFa(name).
			Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
})

// each runs f with a database and a second connection to it, as another instance has.
func each(t *testing.T, f func(t *testing.T, s, other *store.Store)) {
	t.Parallel()
	shops.Each(t, func(t *testing.T, url string) {
		var opened [2]*store.Store
		for i := range opened {
			s := storetest.Open(t, url)
			opened[i] = s
		}
		f(t, opened[0], opened[1])
	})
}

func TestFind(t *testing.T) {
	each(t, func(t *testing.T, s, other *store.Store) {
		tenants := NewTenants(s.DB)
		found, err := tenants.Find(t.Context(), "shop7.example")
		if err != nil || found.Domain != "shop7.example" || found.Name != "shop7" || found.DefaultLocale != "fa" {
			t.Fatalf("got %v, %v", found, err)
		}
		again, err := tenants.Find(t.Context(), "shop7.example")
		if err != nil || again != found {
			t.Errorf("a row that did not change was read again: %v, %v", again, err)
		}
		if _, err := tenants.Find(t.Context(), "nobody.example"); !errors.Is(err, ErrUnknown) {
			t.Errorf("an unknown domain: %v", err)
		}
		other.Client.Tenant.UpdateOneID(found.ID).SetName("renamed").AddContentVersion(1).
			ExecX(derive.Alone(t.Context()))
		if again, err = tenants.Find(t.Context(), "shop7.example"); err != nil || again.Name != "renamed" {
			t.Errorf("after a change elsewhere: %v, %v", again, err)
		}
		other.Client.Tenant.UpdateOneID(found.ID).SetDomain("moved.example").AddContentVersion(1).
			ExecX(derive.Alone(t.Context()))
		if _, err := tenants.Find(t.Context(), "shop7.example"); !errors.Is(err, ErrUnknown) {
			t.Errorf("a domain that was given up: %v", err)
		}
		if again, err = tenants.Find(t.Context(), "moved.example"); err != nil || again.ID != found.ID {
			t.Errorf("a domain that was taken: %v, %v", again, err)
		}
		for _, alias := range []string{"shop7.example", "shop8.example"} {
			other.Client.DomainAlias.Create().SetBusinessID(found.ID).SetDomain(alias).ExecX(derive.Alone(t.Context()))
		}
		both, err := tenants.FindAll(t.Context(), []string{"moved.example", "shop7.example", "shop8.example"})
		if err != nil || both["shop7.example"] != both["moved.example"] || both["moved.example"].ID != found.ID {
			t.Errorf("an alias: %v, %v", both, err)
		}
		if both["shop8.example"].Domain != "shop8.example" {
			t.Errorf("an alias that another shop has as its own domain leads to %v", both["shop8.example"])
		}
	})
}

// TestFindAll looks up more domains than a statement has, some of them unknown; nothing is kept of those.
func TestFindAll(t *testing.T) {
	each(t, func(t *testing.T, s, _ *store.Store) {
		tenants := NewTenants(s.DB)
		for _, n := range []int{1, 2, fewDomains, fewDomains + 1, manyDomains, 2*manyDomains + 1, 250} {
			var domains []string
			for i := range n {
				domains = append(domains, fmt.Sprintf("shop%d.example", i), fmt.Sprintf("nobody%d.example", i))
			}
			found, err := tenants.FindAll(t.Context(), domains)
			if err != nil || len(found) != n {
				t.Fatalf("got %d shops, %v; want %d", len(found), err, n)
			}
			for i := range n {
				if domain := fmt.Sprintf("shop%d.example", i); found[domain] == nil || found[domain].Domain != domain {
					t.Errorf("of %d: %s is %v", n, domain, found[domain])
				}
			}
		}
		if len(tenants.kept) != 250 {
			t.Errorf("%d rows are kept of 250 tenants", len(tenants.kept))
		}
	})
}

// TestKeptRowsAreBounded looks up more tenants than may be kept.
func TestKeptRowsAreBounded(t *testing.T) {
	tenants := Tenants{kept: map[uuid.UUID]*ent.Tenant{}}
	for i := range maxKept + 10 {
		row := &ent.Tenant{}
		row.ID[0], row.ID[1] = byte(i), byte(i>>8)
		tenants.keep(row)
		if tenants.kept[row.ID] != row {
			t.Fatalf("row %d is not kept", i)
		}
	}
	if len(tenants.kept) != maxKept {
		t.Errorf("%d rows are kept", len(tenants.kept))
	}
}

// TestFindSeesCommits commits through one store while many look through another: nobody may find a lower
// version than was committed before they asked.
func TestFindSeesCommits(t *testing.T) {
	each(t, func(t *testing.T, s, other *store.Store) {
		tenants := NewTenants(s.DB)
		row, err := tenants.Find(t.Context(), "shop1.example")
		if err != nil {
			t.Fatal(err)
		}
		var committed atomic.Int64
		var all sync.WaitGroup
		over := make(chan struct{})
		for i := range 4 {
			all.Go(func() {
				for {
					select {
					case <-over:
						return
					default:
					}
					domains := []string{"shop1.example", fmt.Sprintf("shop%d.example", 10+i)}
					least := committed.Load()
					found, err := tenants.FindAll(t.Context(), domains)
					if err != nil || found[domains[0]] == nil || found[domains[0]].ContentVersion < least {
						t.Errorf("asked at version %d: %v, %v", least, found[domains[0]], err)
						return
					}
				}
			})
		}
		for version := range int64(200) {
			other.Client.Tenant.UpdateOneID(row.ID).SetContentVersion(version + 1).
				ExecX(derive.Alone(t.Context()))
			committed.Store(version + 1)
		}
		close(over)
		all.Wait()
	})
}

// BenchmarkFind looks up a domain from as many goroutines as a busy service has.
func BenchmarkFind(b *testing.B) {
	for name, url := range map[string]string{"sqlite": shops.SQLite(b), "postgres": shops.Postgres(b)} {
		b.Run(name, func(b *testing.B) {
			s := storetest.Open(b, url)
			tenants := NewTenants(s.DB)
			b.SetParallelism(8)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := tenants.Find(b.Context(), "shop7.example"); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
