package answercache

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"storefront/ent"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// shop is a tenant with one number as its content.
type shop struct {
	*Cache
	registry *prometheus.Registry
	version  atomic.Int64
	gone     atomic.Bool
	lost     atomic.Bool // the database does not answer
	fails    atomic.Bool // the database answers with an error
	computed atomic.Int64
}

var tenant = uuid.UUID{1}

func newShop(bytes uint64) *shop {
	s := &shop{registry: prometheus.NewRegistry()}
	s.Cache = New(bytes, s.find, s.registry)
	return s
}

func (s *shop) find(_ context.Context, domains []string) (map[string]*ent.Tenant, error) {
	if s.lost.Load() {
		return nil, driver.ErrBadConn
	}
	if s.fails.Load() {
		return nil, errors.New("the database has no such table")
	}
	found := map[string]*ent.Tenant{}
	for _, domain := range domains {
		if domain == "shop.example" && !s.gone.Load() {
			found[domain] = &ent.Tenant{ID: tenant, Domain: domain, ContentVersion: s.version.Load()}
		}
	}
	return found, nil
}

// compute reads the version, which is the content as well.
func (s *shop) compute(context.Context) (Answer, bool) {
	s.computed.Add(1)
	source := Source{Domain: "shop.example", Tenant: tenant, Version: s.version.Load()}
	return Answer{Body: wire.NewPublic(fmt.Append(nil, s.version.Load())), Sources: []Source{source}}, true
}

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func (s *shop) asked(key string) Asked {
	return Asked{Key: key, Now: func() time.Time { return noon }, Compute: s.compute}
}

// ask returns the body of a kept answer, or "" if it was computed.
func (s *shop) ask(t testing.TB, asked Asked) string {
	t.Helper()
	kept, left := s.Give(t.Context(), asked)
	if left {
		t.Error("the request has left")
	}
	return textOf(kept.Body)
}

func textOf(body *wire.Public) string {
	if body == nil {
		return ""
	}
	w := httptest.NewRecorder()
	body.Write(w, httptest.NewRequest("GET", "/", nil), "text/plain")
	return w.Body.String()
}

// is checks that the answer is a kept one with a given text, or is computed.
func (s *shop) is(t *testing.T, asked Asked, want string) {
	t.Helper()
	if got := s.ask(t, asked); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

const computed = ""

func TestAnswersAreGivenUntilTheContentChanges(t *testing.T) {
	s := newShop(1 << 20)
	asked := s.asked("list")
	s.is(t, asked, computed)
	s.is(t, asked, "0")
	s.is(t, s.asked("another list"), computed)
	s.version.Add(1)
	s.is(t, asked, computed)
	s.is(t, asked, "1")
	s.gone.Store(true)
	s.is(t, asked, computed)
	s.gone.Store(false)
	s.is(t, asked, "1")
	s.fails.Store(true)
	s.is(t, asked, computed) // computing it fails as well, and says why
	w := httptest.NewRecorder()
	promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{"answer_cache_hits_total 3", "answer_cache_misses_total 5",
		fmt.Sprint("answer_cache_bytes ", s.kept.Weight())} {
		if !strings.Contains(w.Body.String(), line+"\n") {
			t.Errorf("got the metrics\n%s\nwant the line %q", w.Body, line)
		}
	}
}

// TestAnswersWhileTheDatabaseIsAway checks that a kept answer is given and marked as stale only while the
// database does not answer, for a minute, and only if it has the last version that was seen.
func TestAnswersWhileTheDatabaseIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		s.is(t, s.asked("list"), computed)
		s.lost.Store(true)
		s.is(t, s.asked("another list"), computed)
		for _, age := range []time.Duration{0, time.Minute} {
			time.Sleep(age)
			ctx, noted := request.WithNote(t.Context())
			kept, _ := s.Give(ctx, s.asked("list"))
			if textOf(kept.Body) != "0" || !noted.Read().Stale || noted.Read().Age != age {
				t.Errorf("got %q, %+v, want the kept answer, marked as %v old", textOf(kept.Body), noted.Read(), age)
			}
		}
		time.Sleep(time.Second)
		s.is(t, s.asked("list"), computed)

		s.lost.Store(false)
		s.version.Add(1)
		s.is(t, s.asked("a third list"), computed)
		s.is(t, s.asked("a third list"), "1")
		s.lost.Store(true)
		s.is(t, s.asked("list"), computed) // the kept answer is older than the last version
		s.is(t, s.asked("a third list"), "1")
	})
}

// TestASilentDatabaseIsWaitedForOnce has a database that says nothing: the first request waits as long as it has
// time for the versions, later ones a moment, and none once the database answers.
func TestASilentDatabaseIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		s.is(t, s.asked("list"), computed)
		find := s.current
		s.current = func(ctx context.Context, _ []string) (map[string]*ent.Tenant, error) {
			limited, stop := context.WithTimeout(ctx, 4*time.Second)
			defer stop()
			<-limited.Done()
			return nil, limited.Err()
		}
		for i, want := range []time.Duration{4 * time.Second, lostWait, lostWait} {
			began := time.Now()
			s.is(t, s.asked("list"), "0")
			if took := time.Since(began); took != want {
				t.Errorf("request %d waited %v, want %v", i+1, took, want)
			}
		}
		s.current = find
		ctx, noted := request.WithNote(t.Context())
		if kept, _ := s.Give(ctx, s.asked("list")); textOf(kept.Body) != "0" || noted.Read().Stale {
			t.Errorf("got %q, %+v, want an answer that is not stale", textOf(kept.Body), noted.Read())
		}
	})
}

// TestAnswersHoldForAWhile keeps an answer that changes at one o'clock, while the clock may be set back.
func TestAnswersHoldForAWhile(t *testing.T) {
	s := newShop(1 << 20)
	now := noon
	asked := s.asked("list")
	asked.Now = func() time.Time { return now }
	asked.Compute = func(ctx context.Context) (Answer, bool) {
		a, keep := s.compute(ctx)
		a.From, a.Until = now, noon.Add(time.Hour)
		return a, keep
	}
	s.is(t, asked, computed)
	for _, moment := range []struct {
		at   time.Duration
		want string
	}{{0, "0"}, {time.Hour - 1, "0"}, {time.Hour, computed}, {-1, computed}, {0, "0"}} {
		now = noon.Add(moment.at)
		s.is(t, asked, moment.want)
	}
}

func TestAnswersThatAreNotKept(t *testing.T) {
	s := newShop(1 << 20)
	for name, change := range map[string]func(Answer) (Answer, bool){
		"not to be kept": func(a Answer) (Answer, bool) { return a, false },
		"no source":      func(a Answer) (Answer, bool) { a.Sources = nil; return a, true },
		"too large": func(a Answer) (Answer, bool) {
			a.Body = wire.NewPublic(make([]byte, 1<<20))
			return a, true
		},
	} {
		asked := s.asked(name)
		asked.Compute = func(ctx context.Context) (Answer, bool) {
			a, _ := s.compute(ctx)
			return change(a)
		}
		for range 3 {
			s.is(t, asked, computed)
		}
	}
}

// TestMemoryIsBounded checks that frequent reads stay in a full cache while others are displaced.
func TestMemoryIsBounded(t *testing.T) {
	const most = 1 << 20
	s := newShop(most)
	body := strings.Repeat("x", 2000)
	asked := func(key string) Asked {
		a := s.asked(key)
		a.Compute = func(ctx context.Context) (Answer, bool) {
			answer, keep := s.compute(ctx)
			answer.Body = wire.NewPublic([]byte(body))
			return answer, keep
		}
		return a
	}
	missed := 0
	for i := range 20_000 {
		s.ask(t, asked(fmt.Sprint("made up ", i)))
		if s.ask(t, asked(fmt.Sprint("often ", i%50))) == computed {
			missed++
		}
	}
	s.kept.Evict()
	if size := s.kept.Weight(); size > most || size < most/2 {
		t.Errorf("%d bytes are kept, at most %d", size, most)
	}
	if missed > 500 {
		t.Errorf("a frequent request was computed %d times of 20,000", missed)
	}
}

// TestNobodyGetsAnOldAnswer raises the version while many requests come: none gets an answer of an earlier
// version than the one at its arrival.
func TestNobodyGetsAnOldAnswer(t *testing.T) {
	s := newShop(1 << 20)
	var all sync.WaitGroup
	over := make(chan struct{})
	var hits atomic.Int64
	for i := range 6 {
		all.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				least := s.version.Load()
				kept, _ := s.Give(t.Context(), s.asked(fmt.Sprint("list ", i%2)))
				if kept.Body == nil {
					continue
				}
				hits.Add(1)
				var got int64
				if _, err := fmt.Sscan(textOf(kept.Body), &got); err != nil || got < least {
					t.Errorf("asked at version %d, got %d (%v)", least, got, err)
					return
				}
			}
		})
	}
	for hits.Load() < 20_000 && !t.Failed() {
		s.version.Add(1)
		s.ask(t, s.asked("list 0"))
		s.ask(t, s.asked("list 0"))
	}
	close(over)
	all.Wait()
}
