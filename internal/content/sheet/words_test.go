package sheet

import (
	"strings"
	"testing"

	"storefront/ent/variant"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// TestWordsOfChoices prefers keys to labels, and labels to those in other letter case.
func TestWordsOfChoices(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		apply(t, s, of, "wall", `{"variations":[{"key":"size","name":"Size","nameFa":"اندازه","values":[
			{"key":"38","label":"40","labelFa":"40"},{"key":"40","label":"42","labelFa":"42"},
			{"key":"big","label":"Big","labelFa":"بزرگی"}]}],
			"variants":[{"sku":"W-1","options":{"size":"40"}}]}`)
		if done, err := imported(t, s, of, exported(t, s, of, Products), false); err != nil || done.Changed() {
			t.Errorf("got %+v, %v", done.Sections, err)
		}
		for word, want := range map[string]string{"40": "40", "42": "40", "38": "38", "۳۸": "38", "BIG": "big",
			"بزرگي": "big", "38½": "38½", "Big+": "Big+", "Very Big": "very-big"} {
			_, err := imported(t, s, of, "slug,sku,option.size\nwall,W-1,"+word+"\n", false)
			got := s.Client.Variant.Query().Where(variant.Sku("W-1")).OnlyX(tenancy.In(t.Context(), of.ID)).Options
			if err != nil || got["size"] != want {
				t.Errorf("%s: got %v, %v, want %s", word, got, err, want)
			}
		}
		if got := productOf(t, s, of, "wall").Variations[0].Values; len(got) != 6 {
			t.Errorf("got %+v, want three more", got)
		}
		if _, err := imported(t, s, of, "slug,sku,option.size\nwall,W-1,\n", false); err != nil {
			t.Fatal(err)
		}
		if got := exported(t, s, of, Offers); !strings.Contains(got, "W-1,دیواری,") {
			t.Errorf("an empty cell: got %s", got)
		}
	})
}

// TestLineEndsComeBack checks that line ends in texts are unchanged by export and import.
func TestLineEndsComeBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		const text = "one\r\ntwo\rthree\n\nfour\r\r\n=five"
		apply(t, s, of, "wall", string(encoded(map[string]string{"description": text})))
		sheet := exported(t, s, of, Products)
		if done, err := imported(t, s, of, sheet, false); err != nil || done.Changed() {
			t.Errorf("got %+v, %v", done.Sections, err)
		}
		if _, err := imported(t, s, of, strings.ReplaceAll(sheet, "دیواری", "دیوار"), false); err != nil {
			t.Fatal(err)
		}
		if got := productOf(t, s, of, "wall"); *got.Description != text || got.TitleFa != "دیوار" {
			t.Errorf("got %q", *got.Description)
		}
	})
}

// TestCellNumbers checks that cell numbers are written so that spreadsheets do not change them.
func TestCellNumbers(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{"+989121110005": "0912 111 0005", "+447911123456": "00 447911123456",
		"": ""} {
		if got := string(dialled(cell)); got != want || safe(got) != got {
			t.Errorf("%s: got %q, want %q", cell, got, want)
		}
	}
}
