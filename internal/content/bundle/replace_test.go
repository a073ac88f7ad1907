package bundle_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
)

// values returns where each value of a JSON text begins and ends, nested ones included.
func values(t *testing.T, text string) [][2]int {
	t.Helper()
	var places [][2]int
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	var open []int // indexes in places of the objects and lists being read
	for {
		kind := decoder.PeekKind()
		token, err := decoder.ReadToken()
		if err != nil {
			return places
		}
		end := int(decoder.InputOffset())
		_, read := decoder.StackIndex(decoder.StackDepth())
		inObject, _ := decoder.StackIndex(decoder.StackDepth())
		switch {
		case kind == '{' || kind == '[':
			open = append(open, len(places))
			places = append(places, [2]int{end - 1, 0})
		case kind == '}' || kind == ']':
			places[open[len(open)-1]][1] = end
			open = open[:len(open)-1]
		case inObject == '{' && read%2 == 1: // a name
		default:
			size := len(token.String())
			if kind == '"' {
				quoted, err := jsontext.AppendQuote(nil, token.String())
				if err != nil {
					t.Fatal(err)
				}
				size = len(quoted)
			}
			places = append(places, [2]int{end - size, end})
		}
	}
}

// fewLocations deletes all locations except Tehran, its province and its country, which shop names. Each
// import reads all locations, which would take most of the time of a test with thousands of imports.
func fewLocations(t *testing.T, s *store.Store) {
	t.Helper()
	for _, text := range []string{
		"DELETE FROM locations WHERE level = 'city' AND slug <> 'tehran'",
		"DELETE FROM locations WHERE level = 'province' AND slug <> 'tehran'",
		"DELETE FROM locations WHERE level = 'country' AND slug <> 'iran'",
	} {
		if err := s.Driver().Exec(t.Context(), text, []any{}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryValueReplaced replaces each value in turn by others. The bundle is either refused with nothing
// written, or imported as it then is.
func TestEveryValueReplaced(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		fewLocations(t, s)
		accepted := 0
		for _, place := range values(t, shop)[1:] {
			for _, other := range []string{"null", "-1", `""`, `"a\u0000b"`, "[]", "{}"} {
				changed := shop[:place[0]] + other + shop[place[1]:]
				summary, err := bundle.Import(t.Context(), s, text(changed), nil)
				if err != nil {
					checkRefused(t, []byte(changed), err)
					continue
				}
				accepted++
				first := export(t, s, summary.Domain)
				if again := mustImport(t, s, bundle.Bytes(first)); again.Changed() {
					t.Errorf("%s for %s: importing the export changes what is there: %+v", other,
						shop[place[0]:place[1]], again)
				}
				if again := export(t, s, summary.Domain); !bytes.Equal(again, first) {
					t.Errorf("%s for %s: %s", other, shop[place[0]:place[1]], firstDifference(again, first))
				}
				s.Client.Tenant.DeleteOneID(summary.Tenant).ExecX(t.Context())
			}
		}
		checkEmpty(t, s)
		if accepted < 100 {
			t.Errorf("only %d bundles were imported", accepted)
		}
	})
}
