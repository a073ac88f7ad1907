package report

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/google/uuid"
)

var aDay = day{
	currencies: []string{"IRR", "USD"}, provinces: []string{"", "تهران"},
	orders: []placed{
		{at: 86_400_000_000, customer: uuid.UUID{1}, known: true, before: true, payment: paid, currency: 1, province: 1,
			units: 3, total: math.MaxInt64, refunded: 5, due: 3, discount: 7},
		{at: 86_400_000_000, cancelled: true, payment: refunded},
		{at: 172_799_999_999, units: 1, total: -1},
	},
	sales: []sale{{uuid.UUID{2}, 1, 3, 1 << 60}, {uuid.UUID{3}, 0, 1, 0}},
}

func TestDay(t *testing.T) {
	for _, want := range []day{aDay, {}} {
		var got day
		if err := got.read(want.append(nil, 86_400_000_000), 86_400_000_000); err != nil {
			t.Fatal(err)
		}
		if len(want.orders) == 0 {
			got = day{}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	if err := new(day).read([]byte{form + 1}, 0); err != errForm {
		t.Errorf("got %v, want errForm", err)
	}
}

// FuzzDay checks that figures that are accepted encode to the same bytes, and that everything else is
// refused.
func FuzzDay(f *testing.F) {
	f.Add(aDay.append(nil, 0))
	f.Add([]byte{form, 0, 0, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, b []byte) {
		var d, again day
		if d.read(b, 0) != nil {
			return
		}
		written := d.append(nil, 0)
		if err := again.read(written, 0); err != nil || !bytes.Equal(again.append(nil, 0), written) {
			t.Errorf("%x was read, and %x was not: %v", b, written, err)
		}
	})
}
