package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/lib/pq"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// conflicting is a database in which every other commit is a conflict.
type conflicting struct {
	dialect.Driver
	commits *int
}

func (c conflicting) Tx(ctx context.Context) (dialect.Tx, error) {
	tx, err := c.Driver.Tx(ctx)
	return conflictingTx{mortalTx{Tx: tx}, c.commits}, err
}

type conflictingTx struct {
	mortalTx
	commits *int
}

func (t conflictingTx) Commit() error {
	if *t.commits++; *t.commits%2 == 1 {
		return errors.Join(&pq.Error{Code: "40001"}, t.Tx.Rollback())
	}
	return t.Tx.Commit()
}

// TestImportIsRunAgain checks that an import of which each transaction is run twice writes, counts and notes the same
// as another.
func TestImportIsRunAgain(t *testing.T) {
	run := func(t *testing.T, s *store.Store, domain string) (all string) {
		commits := 0
		conflicts := *s
		if domain == "two.ir" {
			conflicts.Client = tenancy.Guard(ent.NewClient(ent.Driver(conflicting{s.Driver(), &commits})))
		}
		renamed := strings.NewReplacer(`"domain":"shop.ir"`, `"domain":"`+domain+`"`, `"slug":"shop"`,
			`"slug":"`+strings.ReplaceAll(domain, ".", "-")+`"`)
		for _, file := range []string{shop, changed, shop} {
			for _, how := range []bundle.Option{bundle.OneByOne, bundle.Atomic} {
				open := text(renamed.Replace(file))
				done, err := bundle.Import(t.Context(), &conflicts, open, nil, how, bundle.Noted("f"))
				if err != nil {
					t.Fatal(err)
				}
				all += fmt.Sprintln(done)
				notes := s.Client.AuditEntry.Query().Where(auditentry.BusinessID(done.Tenant)).Order(ent.Asc("id"))
				for _, one := range notes.AllX(t.Context()) {
					all += fmt.Sprintf("%s %s\n", one.Action, one.After)
				}
			}
			checkConsistent(t, s, domain, 1)
			all += drawn.ReplaceAllString(string(export(t, s, domain)), "")
		}
		if domain == "two.ir" && commits < 20 {
			t.Errorf("there were %d commits", commits)
		}
		return strings.NewReplacer(domain, "shop.ir", strings.ReplaceAll(domain, ".", "-"), "shop").Replace(all)
	}
	eachStore(t, func(t *testing.T, s *store.Store) {
		if want, got := run(t, s, "one.ir"), run(t, s, "two.ir"); got != want {
			t.Error(firstDifference([]byte(got), []byte(want)))
		}
	})
}
