package transfer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/content/bundle"
	"storefront/internal/content/sheet"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/demo"
	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/testkit/testdb/isolation"
)

// TestMain refuses statements that touch a shop's tables without saying of which shop.
func TestMain(m *testing.M) { isolation.Main(m, "internal/content/transfer") }

var shops = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	for _, one := range demo.Bundles() {
		if _, err := bundle.Import(ctx, s, bundle.Bytes(one.Data), nil); err != nil {
			return err
		}
	}
	return nil
})

// TestImportsOfTwoShopsEnd has two shops import sheets at once with one slot, which they take in turn.
func TestImportsOfTwoShopsEnd(t *testing.T) {
	shops.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		var text strings.Builder
		text.WriteString("slug,titleFa\n")
		for i := range 500 {
			fmt.Fprintf(&text, "many-%d,x\n", i)
		}
		slots := share.New(1, 1)
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		var all sync.WaitGroup
		defer all.Wait()
		both, err := s.Client.Tenant.Query().Limit(2).All(ctx)
		if err != nil || len(both) != 2 {
			t.Fatal(both, err)
		}
		for _, of := range both {
			all.Go(func() {
				turn, err := takeTurn(tenancy.In(ctx, of.ID), slots)
				if err != nil {
					t.Error(err)
					return
				}
				defer turn.end()
				one := sheet.Import{Kind: sheet.Products, File: "x", AtOnce: true, Between: turn.between(s)}
				got, err := one.Into(ctx, s, of, strings.NewReader(text.String()))
				if err != nil || got.Sections["products"].Created != 500 {
					t.Errorf("%s: got %v %v", of.Domain, got, err)
				}
			})
		}
	})
}

// TestALostAnswerIsSaid checks the result of an import that lost the answer to a commit.
func TestALostAnswerIsSaid(t *testing.T) {
	for by, want := range map[*bundle.Stopped]string{
		{Maybe: true, Cause: errors.New("lost")}:  "may be written",
		{Maybe: false, Cause: errors.New("lost")}: "before anything of it was written",
	} {
		err := new(Service).stopped(t.Context(), by)
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		said, ok := errors.AsType[*fault.Error](err)
		if !ok || said.Details.(result).Stopped.Unsure != by.Maybe {
			t.Errorf("got %+v, want unsure: %t", said, by.Maybe)
		}
	}
}
