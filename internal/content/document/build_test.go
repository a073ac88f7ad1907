package document

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"
)

// TestBuild compares the nodes of values with those of the JSON that package encoding/json writes for them.
func TestBuild(t *testing.T) {
	type word string
	var none *string
	number := 5
	for _, value := range []any{
		nil, none, map[string]any(nil), json.RawMessage(nil), []string(nil), []*string{none, new("a")}, true,
		&number, int64(math.MaxInt64), 3.25, 1e6, 1e-7, json.Number("1.50"),
		word("w"), "", "a\"b\\\x00<&>\u2028", time.Unix(5, 1000),
		json.RawMessage(`{"a": [1, 2.0, "x"], "b": null}`), []map[string]any{{"z": 1, "a": []any{false, nil}}, {}},
		map[string]any{"deep": json.RawMessage(`[[[[[[[[[[1]]]]]]]]]]`)},
		struct {
			A *int `json:"a"`
			B *int `json:"b,omitempty"`
		}{},
	} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var wanted, found Faults
		want := described(NewTree(&wanted).Parse(text, &Node{}, "input", -1, 1, 1))
		got := described(NewTree(&found).Build(value, &Node{}, "input", -1))
		if got != want || len(found.List) != len(wanted.List) {
			t.Errorf("%T %v: got %s and %v, want %s and %v", value, value, got, found.List, want, wanted.List)
		}
	}
	for _, value := range []any{math.NaN(), make([]int, maxNodes), func() {}} {
		var faults Faults
		if n := NewTree(&faults).Build(value, &Node{}, "input", -1); n != nil || len(faults.List) != 1 {
			t.Errorf("%T: got %v and the faults %v", value, n, faults.List)
		}
	}
}

// described returns a node and all in it as a text.
func described(n *Node) string {
	text := fmt.Sprintf("%c%q", n.Kind, n.Text)
	for _, child := range n.Children {
		text += fmt.Sprintf("(%q %d: %s)", child.Name, child.Index, described(child))
	}
	return text
}
