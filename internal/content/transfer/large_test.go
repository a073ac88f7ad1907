package transfer

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/request"
)

// random returns data that cannot be compressed.
func random() io.Reader { return rand.NewChaCha8([32]byte{}) }

// slow sends a part of its body each second, until it is cut.
type slow struct {
	body io.Reader
	cut  <-chan struct{}
}

func (s slow) Read(to []byte) (int, error) {
	select {
	case <-s.cut:
		return 0, io.ErrUnexpectedEOF
	case <-time.After(time.Second):
		return s.body.Read(to)
	}
}

// crowded returns a service with the maximum number of large sheets of slow clients, and their results.
func crowded(t *testing.T) (s *Service, ended <-chan error, cut func()) {
	s = &Service{large: share.NewYielding(mostLarge, mostLarge, fairTime)}
	ends, clients := make(chan error, mostLarge), make(chan struct{})
	for range mostLarge {
		go func() {
			_, err := s.arrive(t.Context(), slow{random(), clients}, func() {})
			ends <- err
		}()
	}
	time.Sleep(50 * time.Second) // 1.5 MiB each
	synctest.Wait()
	if got := s.large.Stats().Taken; got != mostLarge {
		t.Errorf("got %d large sheets, want %d", got, mostLarge)
	}
	return s, ends, sync.OnceFunc(func() { close(clients) })
}

// TestALargeSheetCanAlwaysBegin uploads sheets beside the maximum number of large ones of slow clients.
func TestALargeSheetCanAlwaysBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ended, cut := crowded(t)
		defer cut()
		began := time.Now()
		small, err := s.arrive(t.Context(), io.LimitReader(random(), smallSheet/2), func() {})
		if err != nil || small.text.Len() == 0 || time.Since(began) > 0 {
			t.Errorf("a small one: got %v after %v", err, time.Since(began))
		}
		hasty, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := s.arrive(hasty, io.LimitReader(random(), 2*smallSheet), func() {}); !errors.Is(err, hasty.Err()) {
			t.Errorf("a large one whose time is over: got %v", err)
		}
		for range 2 { // the second one need not wait
			large, err := s.arrive(t.Context(), io.LimitReader(random(), 2*smallSheet), func() {})
			if waited := time.Since(began); err != nil || waited < time.Second || waited > fairTime {
				t.Fatalf("a large one: got %v after %v", err, waited)
			}
			if err := <-ended; !fault.Is(err, fault.Unavailable) {
				t.Errorf("the slowest: got %v, want that it gave way", err)
			}
			defer large.held.Leave()
		}
		cut()
		for range mostLarge - 2 {
			if err := <-ended; !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("another one: got %v", err)
			}
		}
		if got := s.large.Stats().Taken; got != 2 {
			t.Errorf("got %d large sheets, want the 2 that came", got)
		}
	})
}

// TestOneClientFillsTheLine has one client send more large sheets than there are places and waiters.
func TestOneClientFillsTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{large: share.NewYielding(mostLarge, mostLarge, fairTime)}
		ctx := request.WithClient(t.Context(), request.Client{Name: "an agency"})
		var all sync.WaitGroup
		for range 2 * mostLarge { // the first half is held, and gives way to the second one
			all.Go(func() {
				if _, err := s.arrive(ctx, io.LimitReader(random(), 2*smallSheet), func() {}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		_, err := s.arrive(ctx, io.LimitReader(random(), 2*smallSheet), func() {})
		if got := transaction.Fault(err); got.Code != fault.Unavailable {
			t.Errorf("got %v", got)
		}
		if all.Wait(); time.Since(began) != fairTime {
			t.Errorf("the others began after %v", time.Since(began))
		}
	})
}

// TestASheetThatGivesWayIsCut makes a large sheet give way while its client sends only a byte at a time:
// its read must end.
func TestASheetThatGivesWayIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Service{large: share.NewYielding(mostLarge, mostLarge, fairTime)}
		cut := make(chan struct{})
		dawdles := io.MultiReader(io.LimitReader(random(), 2*smallSheet), slow{iotest.OneByteReader(random()), cut})
		ended := make(chan error)
		go func() {
			_, err := s.arrive(t.Context(), dawdles, func() { close(cut) })
			ended <- err
		}()
		time.Sleep(time.Second)
		for range mostLarge {
			large, err := s.arrive(t.Context(), io.LimitReader(random(), 2*smallSheet), func() {})
			if err != nil {
				t.Fatal(err)
			}
			defer large.held.Leave()
		}
		select {
		case err := <-ended:
			if !fault.Is(err, fault.Unavailable) {
				t.Errorf("got %v, want that it gave way", err)
			}
		case <-time.After(time.Second / 2):
			t.Error("it is still there")
			close(cut)
		}
	})
}

// TestALargeSheetComesWhenAnotherEnds waits for a place that becomes free before its minute is over.
func TestALargeSheetComesWhenAnotherEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, cut := crowded(t)
		defer cut()
		began := time.Now()
		time.AfterFunc(2*time.Second, cut)
		if _, err := s.arrive(t.Context(), io.LimitReader(random(), 2*smallSheet), func() {}); err != nil {
			t.Error(err)
		}
		if got := time.Since(began); got != 2*time.Second {
			t.Errorf("got it after %v, want 2s", got)
		}
	})
}

// TestImportsTakeTurns has one shop's import pass its slot between transactions to a waiting import of
// another shop, and continue when that passes it back.
func TestImportsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := share.New(1, 1)
		of := func(n byte) context.Context { return tenancy.In(t.Context(), uuid.UUID{n}) }
		long, err := takeTurn(of(1), slots)
		if err != nil {
			t.Fatal(err)
		}
		long.pass() // nobody waits
		hangUp, cancel := context.WithCancel(of(3))
		cancel()
		if _, err := takeTurn(hangUp, slots); err == nil {
			t.Error("two have the slot")
		}
		time.Sleep(time.Minute) // of work
		worked := make(chan time.Duration, 1)
		began := time.Now()
		go func() {
			short, err := new(arrival).worked(of(2), slots)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Second)
			worked <- time.Since(began)
			short.end()
		}()
		time.Sleep(time.Second)
		long.pass()
		select {
		case took := <-worked:
			if took != 2*time.Second {
				t.Errorf("the short one took %v, want 2s", took)
			}
		default:
			t.Error("the long one did not let the short one have its slot")
		}
		long.end()
	})
}

// TestALargeSheetGivesWayWhileItWaits has a large sheet wait for its turn to be processed.
func TestALargeSheetGivesWayWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := share.New(1, 1)
		busy, _ := takeTurn(t.Context(), slots)
		large := share.NewYielding(1, 1, fairTime)
		held, err := large.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		a := &arrival{held: held}
		time.AfterFunc(time.Second, func() {
			if another, err := large.Begin(t.Context()); err == nil {
				another.Leave()
			}
		})
		if _, err := a.worked(t.Context(), slots); !fault.Is(err, fault.Unavailable) {
			t.Errorf("got %v, want that it gave way", err)
		}
		busy.end()
	})
}
