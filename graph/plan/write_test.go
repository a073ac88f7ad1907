package plan_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"storefront/graph/plan"
)

// TestStrings compares AppendString with gqlgen's marshaler, on every byte, alone and among others, and on
// random texts.
func TestStrings(t *testing.T) {
	texts := []string{"", "plain", "فارسی\u200c", "\u2028\u2029\ufffd", "<script>&'", "\xff", "a\xc3",
		"\xed\xa0\x80", "🙂", "\x7f"}
	for c := range 256 {
		texts = append(texts, string([]byte{byte(c)}), "a"+string([]byte{byte(c)})+"b")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		text := make([]byte, r.IntN(40))
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
		texts = append(texts, string(text))
	}
	for _, text := range texts {
		var want bytes.Buffer
		graphql.MarshalString(text).MarshalGQL(&want)
		if got := plan.AppendString([]byte("before"), text); string(got) != "before"+want.String() {
			t.Errorf("%q is %q, want %q", text, got, want.Bytes())
		}
	}
}

// TestFloats compares AppendFloat with gqlgen's marshaler.
func TestFloats(t *testing.T) {
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 4.5, 0.1, 1e20, 1e21, 1e-5, 1e-7,
		123456789.123, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Pi, 35.6892, 51.389}
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		floats = append(floats, math.Float64frombits(r.Uint64()))
	}
	for _, f := range floats {
		var want bytes.Buffer
		err := graphql.MarshalFloatContext(f).MarshalGQLContext(t.Context(), &want)
		got, ok := plan.AppendFloat(nil, f)
		if ok != (err == nil) || ok && string(got) != want.String() {
			t.Errorf("%v is %s (%v), want %s (%v)", f, got, ok, want.Bytes(), err)
		}
	}
}
