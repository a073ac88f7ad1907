package sheet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// recorded returns the entries of a shop's audit log about single records: kind, name, before and after.
func recorded(t *testing.T, s *store.Store, of *ent.Tenant) (all []string) {
	t.Helper()
	for _, e := range s.Client.AuditEntry.Query().Where(auditentry.BusinessID(of.ID), auditentry.RecordIDNotNil(),
		auditentry.Action("importSheet")).Order(auditentry.ByID()).AllX(tenancy.In(t.Context(), of.ID)) {
		all = append(all, fmt.Sprintf("%s %s %s %s", e.Kind, *e.RecordName, plain(e.Before), plain(e.After)))
	}
	return all
}

// plain formats JSON without blanks and in a fixed order, however the database formats it.
func plain(text json.RawMessage) []byte {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	text, _ = json.Marshal(value)
	return text
}

// TestEachRecordOfASheetIsNoted imports sheets: each record that changes has an entry in the audit log, and
// no other has. An import of a bundle has only the entry of the whole.
func TestEachRecordOfASheetIsNoted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		sheet := "slug,titleFa,value.watts,seo.title,sku,price,option.colour\n" +
			"desk,x,7,S,D-1,1350000,red\nwall,دیواری,,,W-1,12.50,\n"
		for range 2 { // the second time nothing differs
			if _, err := imported(t, s, of, sheet, false); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{
			`product x {"seo":{},"titleFa":"=چراغ؛ \"میز\"","values":{"dims":true,"note":"-12",` +
				`"rooms":["bath","hall"],"watts":12.5}}` +
				` {"seo":{"title":"S"},"titleFa":"x","values":{"dims":true,"note":"-12",` +
				`"rooms":["bath","hall"],"watts":7}}`,
			`variant D-1 {"price":1250000} {"price":1350000}`,
		}
		if got := recorded(t, s, of); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		floor := "slug,titleFa,sku,priceCurrency\nfloor,کف,F-1,EUR\n"
		if _, err := imported(t, s, of, floor, false); err != nil {
			t.Fatal(err)
		}
		got := recorded(t, s, of)[2:]
		if len(got) != 2 || !strings.HasPrefix(got[0], `product کف  {`) ||
			!strings.Contains(got[0], `"slug":"floor"`) || !strings.HasPrefix(got[1], `variant F-1  {`) ||
			!strings.Contains(got[1], `"priceCurrency":"EUR"`) {
			t.Errorf("new records: got %q", got)
		}
		before := s.Client.AuditEntry.Query().CountX(t.Context())
		file := strings.Replace(lamps, `"price":1250000`, `"price":1`, 1)
		_, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(file)), nil, bundle.Noted("shop.json"))
		if err != nil {
			t.Fatal(err)
		}
		if after := s.Client.AuditEntry.Query().CountX(t.Context()); after != before+1 {
			t.Errorf("a bundle leaves %d entries, want one", after-before)
		}
	})
}

// TestTheStockBeforeASheetIsTheLockedOne sells of a variant while a sheet that sets its stock waits for the row.
func TestTheStockBeforeASheetIsTheLockedOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		if err := soldMeanwhile(t, s, of, "sku,stock\nD-1,9\n"); err != nil {
			t.Fatal(err)
		}
		want := []string{`variant D-1 {"stock":2} {"stock":9}`}
		if got := recorded(t, s, of); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
