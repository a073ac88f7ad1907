package list

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/request"
)

var (
	newest   = Order{Name: "things.newest", Time: "created_at"}
	ranked   = Order{Name: "things.price", Key: "price", Time: "created_at"}
	titled   = Order{Name: "things.title", Key: "title", Texts: true, Ascending: true, Time: "created_at"}
	midnight = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
)

func TestCursors(t *testing.T) {
	id := uuid.MustParse("0197a1e0-0000-7000-8000-000000000001")
	for _, tt := range []struct {
		order Order
		key   any
	}{{newest, nil}, {ranked, int64(-7)}, {ranked, int64(0)}, {titled, []byte("b")}, {titled, []byte{}}} {
		want := Position{Key: tt.key, Time: midnight.Add(time.Microsecond), ID: id}
		text := tt.order.cursor(want)
		if got, err := tt.order.position(text); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, %v, want %v", tt.order.Name, got, err, want)
		}
		for _, other := range []Order{newest, ranked, titled} {
			if _, err := other.position(text); (err == nil) != (other.Name == tt.order.Name) {
				t.Errorf("a cursor of %s in %s: %v", tt.order.Name, other.Name, err)
			}
		}
	}
	const good = `{"v":1,"l":"things.newest","t":0,"i":"0197a1e0-0000-7000-8000-000000000001"}`
	for name, text := range map[string]string{
		"an older version": strings.Replace(good, `"v":1`, `"v":0`, 1),
		"a rank":           strings.Replace(good, `"t"`, `"r":1,"t"`, 1),
		"a title":          strings.Replace(good, `"t"`, `"n":"YQ==","t"`, 1),
		"another member":   strings.Replace(good, `"t"`, `"x":1,"t"`, 1),
		"a later year":     strings.Replace(good, `"t":0`, `"t":300000000000000000`, 1),
		"more behind it":   good + "{}",
		"no JSON":          "cursor",
	} {
		if _, err := newest.position(base64.RawURLEncoding.EncodeToString([]byte(text))); err != errCursor {
			t.Errorf("%s: got %v, want %v", name, err, errCursor)
		}
	}
	if _, err := newest.position(base64.RawURLEncoding.EncodeToString([]byte(good))); err != nil {
		t.Error(err)
	}
}

// inMemory is a list of numbers, the greatest first, that counts how often it is read and counted.
type inMemory struct{ size, reads, counts int }

func (m *inMemory) list() List[*int] {
	at := func(n *int) Position { return Position{Time: midnight.Add(time.Duration(*n) * time.Second)} }
	outside := func(n int, end *bound, after bool) bool {
		if end == nil {
			return false
		}
		c := at(&n).Time.Compare(end.Time)
		return c == 0 && !end.inclusive || c > 0 == after && c != 0
	}
	return List[*int]{Order: newest, Position: at,
		Read: func(_ context.Context, part Span) (found []*int, _ error) {
			m.reads++
			for n := m.size; n > 0; n-- {
				if !outside(n, part.After, true) && !outside(n, part.Before, false) {
					found = append(found, &n)
				}
			}
			if part.backward {
				slices.Reverse(found)
			}
			found = found[min(part.Offset, len(found)):]
			return found[:min(part.Limit, len(found))], nil
		},
		Total: func(context.Context) (int, error) {
			m.counts++
			return m.size, nil
		},
	}
}

// shown writes numbers like "5 4 3".
func shown(numbers []*int) string {
	var text []string
	for _, n := range numbers {
		text = append(text, fmt.Sprint(*n))
	}
	return strings.Join(text, " ")
}

func TestPages(t *testing.T) {
	for _, tt := range []struct {
		size, number, pageSize int
		want                   string
		reads, counts          int
	}{
		{5, 1, 2, "5 4", 1, 0}, {5, 2, 2, "3 2", 1, 1}, {5, 3, 2, "1", 1, 1},
		{5, 4, 2, "", 0, 1}, // past the end: it is not read
		{0, 1, 2, "", 1, 0}, {150, 1, 200, shown(numbersFrom(150, 100)), 1, 0},
	} {
		m := &inMemory{size: tt.size}
		got, err := NewPage(m.list(), tt.number, tt.pageSize).Items(t.Context())
		if err != nil || shown(got) != tt.want || m.reads != tt.reads || m.counts != tt.counts {
			t.Errorf("page %d of %d: got %q after %d reads and %d counts (%v), want %q after %d and %d", tt.number,
				tt.size, shown(got), m.reads, m.counts, err, tt.want, tt.reads, tt.counts)
		}
	}
}

func numbersFrom(first, count int) (all []*int) {
	for n := first; n > first-count; n-- {
		all = append(all, &n)
	}
	return all
}

// TestTotalAgreesWithItems counts a list while its records come and go.
func TestTotalAgreesWithItems(t *testing.T) {
	for _, tt := range []struct{ number, counted, size, want int }{
		{1, 5, 5, 5}, {1, 1, 3, 2}, {1, 9, 1, 1}, {2, 4, 3, 3}, {2, 4, 2, 2}, {2, 2, 9, 2}, {2, 3, 9, 4},
	} {
		m := &inMemory{size: tt.size}
		l := m.list()
		l.Total = func(context.Context) (int, error) { return tt.counted, nil }
		p := NewPage(l, tt.number, 2)
		p.together = &together[*int]{}
		if got, err := p.Total(t.Context()); err != nil || got != tt.want {
			t.Errorf("page %d of %d, counted as %d: got %d, %v, want %d", tt.number, tt.size, tt.counted, got, err,
				tt.want)
		}
	}
}

func TestWindows(t *testing.T) {
	l := (&inMemory{size: 5}).list()
	at := func(n int) *string { return new(newest.cursor(l.Position(&n))) }
	for _, tt := range []struct {
		Window
		want      string
		next, was bool // whether records follow, and whether there are any before
	}{
		{Window{}, "5 4 3", true, false},
		{Window{First: new(2)}, "5 4", true, false},
		{Window{First: new(2), After: at(4)}, "3 2", true, true},
		{Window{First: new(2), After: at(3)}, "2 1", false, true},
		{Window{First: new(2), After: at(1)}, "", false, true},
		{Window{First: new(9), Before: at(3)}, "5 4", true, false},
		{Window{Last: new(2)}, "2 1", false, true},
		{Window{Last: new(2), Before: at(2)}, "4 3", true, true},
		{Window{Last: new(2), After: at(4), Before: at(1)}, "3 2", true, true},
		{Window{First: new(0)}, "", true, false},
	} {
		ctx := request.With(t.Context(), RememberIn)
		c, err := NewConnection(ctx, l, tt.Window, 3)
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := c.Nodes(ctx)
		next, _ := c.PageInfo().HasNextPage(ctx)
		was, _ := c.PageInfo().HasPreviousPage(ctx)
		if err != nil || shown(nodes) != tt.want || next != tt.next || was != tt.was {
			t.Errorf("%+v: got %q, %v, %v (%v), want %q, %v, %v", tt.Window, shown(nodes), next, was, err, tt.want,
				tt.next, tt.was)
		}
	}
	for _, bad := range []Window{
		{First: new(1), Last: new(1)}, {After: new("3")}, {Before: new(ranked.cursor(Position{Key: int64(1)}))},
	} {
		if _, err := NewConnection(t.Context(), l, bad, 3); !fault.Is(err, fault.ValidationFailed) {
			t.Errorf("%+v: got %v, want %s", bad, err, fault.ValidationFailed)
		}
	}
}

func TestGroupArrangeTallies(t *testing.T) {
	a, b, c := uuid.New(), uuid.New(), uuid.New()
	self := func(id uuid.UUID) uuid.UUID { return id }
	got, want := Group([]uuid.UUID{a, b, c}, []uuid.UUID{c, a, c}, self), [][]uuid.UUID{{a}, {}, {c, c}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("grouped as %v, want %v", got, want)
	}
	lists := [][]uuid.UUID{{b, a}, {c}, {a}}
	got, want = Arrange(lists, []uuid.UUID{a, b}, self), [][]uuid.UUID{{b, a}, nil, {a}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("arranged as %v, want %v", got, want)
	}
	if got, want := Flatten(lists), []uuid.UUID{b, a, c}; !slices.Equal(got, want) {
		t.Errorf("flattened to %v, want %v", got, want)
	}
	if got := Tallies([]uuid.UUID{a, b}, []Tally{{&b, 2}}); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("counted %v, want 0 and 2", got)
	}
}
