package sheet

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// TestRowsOfManyCells checks that rows of separators are refused before they use memory: as the header, and
// below it.
func TestRowsOfManyCells(t *testing.T) {
	many := strings.Repeat(",", 4<<20)
	for _, text := range []string{many, "slug,sku\n" + many + "\n", "slug,sku\na,b\n\"x\"" + many} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		faults := new(Faults)
		r, err := newReader(strings.NewReader(text), faults)
		for err == nil {
			_, err = r.next()
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%.20q: got %d bytes, want at most 1 MiB", text, used)
		}
		if known, ok := errors.AsType[*Faults](err); ok {
			faults = known
		} else if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if len(faults.List) != 1 || !strings.HasPrefix(faults.List[0].Text.String(), "has more than 4000 cells") {
			t.Errorf("%.20q: got %v", text, faults.List)
		}
	}
}
