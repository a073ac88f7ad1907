package loading_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/catalog/loading"
	"storefront/internal/record"
)

// TestJSON checks that the parts of rows are read as encoding/json reads them, which wrote them.
func TestJSON(t *testing.T) {
	text, degrees := "a \"b\" \u2028 ژ", 35.6892
	id := uuid.MustParse("0190163d-8694-739b-aea5-966c26f8ad91")
	readAlike(t, []record.Media{{MediaID: "1", URL: "https://a.example/?a=1&b=<2>", Alt: &text}, {}})
	readAlike(t, []record.Media{})
	readAlike(t, []record.Media(nil))
	readAlike(t, record.SEO{Title: &text})
	readAlike(t, []record.Variation{{ID: text, Values: []record.VariationValue{{Key: text}}}})
	readAlike(t, record.Values{"a": json.RawMessage(`[1, "x"]`), "b": json.RawMessage(`true`)})
	readAlike(t, []uuid.UUID{id, uuid.Nil})
	readAlike(t, map[string]string{"a": text, "": ""})
	readAlike(t, &record.Form{Fields: []record.FormField{{Type: record.Select, Unit: &text}}})
	readAlike(t, record.ShippingAddress{Landline: &text})
	readAlike(t, []record.VariantOption{{Label: text}})
	readAlike(t, []record.Slide{{Title: &text, Position: 5}})
	readAlike(t, []record.BusinessAddress{{Title: &text, Latitude: &degrees}})
	readAlike(t, []record.SocialLink{{URL: text}})
	readAlike(t, []string{text, ""})

	var images []record.Media
	for _, wrong := range []string{`{`, `{}`, `[1]`, `"x"`, ``} {
		if loading.JSON(&images, wrong) == nil {
			t.Errorf("%q is read", wrong)
		}
	}
	var names []string
	if err := loading.JSON(&names, "[\"a\xff\", \"b\"]"); err != nil || len(names) != 2 {
		t.Errorf("what is no UTF-8 is read as %q (%v)", names, err)
	}
}

func readAlike[T any](t *testing.T, part T) {
	t.Helper()
	written, err := json.Marshal(part)
	if err != nil {
		t.Fatal(err)
	}
	var want T
	if err := json.Unmarshal(written, &want); err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{string(written), written} {
		var got T
		if err := loading.JSON(&got, value); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %v (%v)", written, got, err)
		}
	}
}
