package must_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"storefront/cmd/internal/must"
)

// TestRun checks that Run returns the error that ends work, and does not recover other panics.
func TestRun(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		work func()
		want string // "": no error
	}{
		"nothing":            {func() { must.Do(nil, nil) }, ""},
		"an error":           {func() { must.Do(nil, broken) }, "broken"},
		"a value":            {func() { must.Hold(must.Get(7, nil) == 7, "not 7") }, ""},
		"no value":           {func() { must.Get(7, broken) }, "broken"},
		"what does not hold": {func() { must.Hold(false, "%d orders: %w", 2, broken) }, "2 orders: broken"},
		"a part":             {func() { must.In("crash 3", func() { must.Do(broken) }) }, "crash 3: broken"},
		"a part that holds":  {func() { must.In("crash 3", func() {}) }, ""},
	} {
		err := must.Run(c.work)
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if strings.HasSuffix(c.want, "broken") && !errors.Is(err, broken) {
			t.Errorf("%s: got %v, which does not wrap the error", name, err)
		}
	}
	defer func() {
		if got := fmt.Sprint(recover()); got != "another" {
			t.Errorf("got %s, want the panic that is no failure", got)
		}
	}()
	_ = must.Run(func() { panic("another") })
}
