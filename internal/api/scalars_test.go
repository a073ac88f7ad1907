package api

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"
)

// TestScalarsAreWritten checks the form of the schema's own scalars.
func TestScalarsAreWritten(t *testing.T) {
	tehran := time.FixedZone("", 3*3600+1800)
	id := uuid.MustParse("0190163d-8694-739b-aea5-966c26f8ad91")
	for _, c := range []struct {
		marshaler graphql.Marshaler
		want      string
	}{
		{MarshalID(id), `"0190163d-8694-739b-aea5-966c26f8ad91"`},
		{MarshalID(uuid.Nil), `"00000000-0000-0000-0000-000000000000"`},
		{MarshalID(uuid.Max), `"ffffffff-ffff-ffff-ffff-ffffffffffff"`},
		{MarshalTime(time.Date(2026, 11, 15, 12, 0, 0, 0, tehran)), `"2026-11-15T08:30:00Z"`},
		{MarshalTime(time.Date(2026, 1, 2, 3, 4, 5, 120_000_000, time.UTC)), `"2026-01-02T03:04:05.12Z"`},
		{MarshalTime(time.Time{}), `"0001-01-01T00:00:00Z"`},
		{MarshalJSON(json.RawMessage(` {"a" : [1, "x y"]} `)), `{"a":[1,"x y"]}`},
		{MarshalJSON(json.RawMessage(`{`)), `null`},
		{MarshalJSON(nil), `null`},
	} {
		var got bytes.Buffer
		if c.marshaler.MarshalGQL(&got); got.String() != c.want {
			t.Errorf("%s, want %s", &got, c.want)
		}
	}
}
