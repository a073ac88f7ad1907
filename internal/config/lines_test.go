package config

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// written records each write.
type written struct {
	mu     sync.Mutex
	writes []string
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes = append(w.writes, string(b))
	return len(b), nil
}

func (w *written) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.writes)
}

func asText(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }

func TestLinesAreGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(written)
		handler, lines := gatherLines(out, asText)
		log := slog.New(handler).With("a", 1).WithGroup("g")
		log.Info("one")
		log.Info("two")
		synctest.Wait()
		if writes := out.all(); len(writes) > 0 {
			t.Errorf("wrote %q at once", writes)
		}
		time.Sleep(linesWait)
		synctest.Wait()
		log.Info("three")
		log.Warn("four")
		time.Sleep(1)
		synctest.Wait()
		log.Info("five")
		lines.Close()
		for range linesBytes / 40 {
			log.Info("many")
			time.Sleep(1)
			synctest.Wait()
		}
		writes := out.all()
		if len(writes) < 4 {
			t.Fatalf("%d writes", len(writes))
		}
		for i, want := range []string{"one two", "three four", "five"} {
			for word := range strings.SplitSeq(want, " ") {
				if !strings.Contains(writes[i], "msg="+word+" a=1") {
					t.Errorf("write %d has no line %q: %q", i, word, writes[i])
				}
			}
		}
		if size := len(writes[3]); size < linesBytes || size > linesBytes+200 {
			t.Errorf("a write of %d bytes", size)
		}
		lines.Close()
	})
}

// stuck is a writer whose reader has gone away.
type stuck struct{ written chan struct{} }

func (s stuck) Write([]byte) (int, error) {
	<-s.written
	return 0, io.ErrClosedPipe
}

// TestNobodyWaitsForTheLog logs much more than is kept while nobody reads: all callers go on, what is beyond the bound
// is counted, and the end waits for a second.
func TestNobodyWaitsForTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := stuck{make(chan struct{})}
		handler, lines := gatherLines(out, asText)
		log, long := slog.New(handler), strings.Repeat("x", 1000)
		began := time.Now()
		for range 2 * linesMost / 1000 {
			log.Warn(long)
		}
		synctest.Wait()
		if took := time.Since(began); took > 0 {
			t.Errorf("logging took %v", took)
		}
		if n := lines.Dropped(); n < linesMost/1100 || n > linesMost/900 {
			t.Errorf("%d lines were dropped, want about %d", n, linesMost/1000)
		}
		lines.Close()
		if took := time.Since(began); took != lastWrite {
			t.Errorf("the end took %v, want %v", took, lastWrite)
		}
		close(out.written)
		lines.Close()
	})
}

// TestNoLineIsLost logs from many goroutines at once, and checks that all lines are whole and in the order of
// each.
func TestNoLineIsLost(t *testing.T) {
	const loggers, lines = 8, 1000 // less than may wait
	out := new(written)
	handler, log := gatherLines(out, asText)
	var all sync.WaitGroup
	for logger := range loggers {
		all.Go(func() {
			for n := range lines {
				slog.New(handler).Info("line", "of", logger, "n", n)
			}
		})
	}
	all.Wait()
	log.Close()
	next := [loggers]int{}
	for line := range strings.Lines(strings.Join(out.all(), "")) {
		var of, n int
		_, rest, _ := strings.Cut(line, "msg=line ")
		if _, err := fmt.Sscanf(rest, "of=%d n=%d\n", &of, &n); err != nil || n != next[of] {
			t.Fatalf("%q: %v; want n=%d", line, err, next[of])
		}
		next[of]++
	}
	for logger, n := range next {
		if n != lines {
			t.Errorf("%d lines of %d", n, logger)
		}
	}
}
