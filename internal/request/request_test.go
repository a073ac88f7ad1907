package request

import (
	"context"
	"reflect"
	"testing"

	"github.com/google/uuid"
)

// TestWith checks that a context keeps its request, whatever is made of it.
func TestWith(t *testing.T) {
	outside := context.Background()
	of := WithStaff(WithClient(outside, Client{Name: "a host"}), Staff{Business: uuid.Max})
	inside := With(of, func(r *Request) { r.Client.Known, r.Staff, r.Tenant = true, nil, uuid.Max })
	if got := Of(of); got.Client != (Client{Name: "a host"}) || got.Staff == nil || got.Tenant != uuid.Nil {
		t.Errorf("got %+v, want it as it was", got)
	}
	if got := Of(inside); got.Client != (Client{Name: "a host", Known: true}) || got.Staff != nil {
		t.Errorf("got %+v, want it changed", got)
	}
	if got := *Of(outside); !reflect.ValueOf(got).IsZero() {
		t.Errorf("got %+v outside of a request, want nothing", got)
	}
	if n := testing.AllocsPerRun(10, func() { _ = Of(outside).Note }); n > 0 {
		t.Errorf("a look outside of a request takes %v allocations, want none", n)
	}
}
