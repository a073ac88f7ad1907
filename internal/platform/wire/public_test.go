package wire_test

import (
	"context"
	"net/netip"
	"testing"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// TestAnswersShareMemory holds large answers of one client until one is refused. Small answers, and another client's
// large ones, are not.
func TestAnswersShareMemory(t *testing.T) {
	client := func(host byte) context.Context {
		return request.WithClient(t.Context(), request.ClientAt(netip.AddrFrom4([4]byte{203, 0, 113, host})))
	}
	large, small := wire.NewPublic(make([]byte, 15<<20)), wire.NewPublic(make([]byte, 100_000))
	var held []func()
	for range 4 {
		free, err := large.Hold(client(1))
		if err != nil {
			t.Fatalf("%d: %v", len(held)+1, err)
		}
		held = append(held, free)
	}
	for range 2 { // what was refused holds nothing
		if _, err := large.Hold(client(1)); !fault.Is(err, fault.Unavailable) {
			t.Errorf("the fifth: %v", err)
		}
	}
	for name, hold := range map[string]func() (func(), error){
		"small":           func() (func(), error) { return small.Hold(client(1)) },
		"another's large": func() (func(), error) { return large.Hold(client(2)) },
	} {
		free, err := hold()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		free()
	}
	for _, free := range held {
		free()
	}
	free, err := wire.NewPublic(make([]byte, 100<<20)).Hold(client(1)) // above what a client has
	if err != nil {
		t.Fatal(err)
	}
	free()
}
