package goroutine

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPanicsEndNothingElse checks that a panic in each kind of goroutine is logged and counted, and that
// Keep runs its work again.
func TestPanicsEndNothingElse(t *testing.T) {
	var log bytes.Buffer
	usual := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(usual)
	before := Panics()
	synctest.Test(t, func(t *testing.T) {
		Start("a single", func() { panic("a single was wrong") })
		synctest.Wait()
		var group Group
		others := 0
		group.Start("a member", func() { panic("a member was wrong") })
		group.Start("another member", func() { others++ })
		group.Wait()
		runs := 0
		began := time.Now()
		<-Keep(t.Context(), "a loop", func(context.Context) {
			if runs++; runs < 3 {
				panic("a loop was wrong")
			}
		})
		if runs != 3 || others != 1 || time.Since(began) != 2*pause {
			t.Errorf("%d runs within %v, %d others", runs, time.Since(began), others)
		}
		ctx, stop := context.WithCancel(t.Context())
		over := Keep(ctx, "a loop", func(context.Context) { stop(); panic("a loop was wrong") })
		<-over
	})
	if n := Panics() - before; n != 5 {
		t.Errorf("%d panics counted, want 5", n)
	}
	for _, want := range []string{
		"a single was wrong", "a member was wrong", "a loop was wrong", "work=\"a loop\"", "goroutine_test.go",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("got the log\n%s\nwant %q in it", log.String(), want)
		}
	}
}
