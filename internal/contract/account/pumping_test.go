package account_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// few sets low limits for a network: 10 codes in one minute, 40 in ten.
func few(o *app.Options) { o.CodesToAddress, o.CodesInMinute = 5, 80 }

// cellOfBlock returns the nth cell of a series that hardly ever share a block of numbers.
func cellOfBlock(n int) string { return fmt.Sprintf("+989%02d%03d%04d", n%100, n*7%1000, n) }

// asksForCodes requests codes for the given number of cells, from the nth on. It returns how many were
// promised, and how often each limit refused one.
func asksForCodes(t testing.TB, d shoptest.API, from func(i int) string, n, codes int) (promised int,
	refused map[string]int) {
	t.Helper()
	refused = map[string]int{}
	for i := range codes {
		got := d.From(from(i)).Ask(t, "sendOtp", shoptest.ToCell(cellOfBlock(n+i)))
		switch {
		case got.Code == "":
			promised++
		case got.Code == "RATE_LIMITED":
			said, _, _ := strings.Cut(got.Message(t), ";")
			refused[said]++
		default:
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	return promised, refused
}

// TestAccountNetworksOfCodes checks that a network with any number of addresses uses up only its own share,
// so that everybody else gets codes, at either of two servers.
func TestAccountNetworksOfCodes(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t, few))
		for n, one := range []struct {
			address              string
			inMinute, inTen, own int
		}{
			{"2001:db8:%[2]x:1%02[1]x::1", 10, 10, 5},      // addresses of a home, in a /56
			{"2001:db8:%[2]x:%[1]x00::1", 10, 40, 5},       // and of a datacentre, in a /48
			{"203.%[2]d.113.%[1]d", 10, 40, 5},             // a network of IPv4
			{"2001:db8:%[2]x:0:%[1]x::1", 5, 5, 5},         // one address
			{"2001:db8:%[2]x:%[1]x00:1::%[1]x", 10, 40, 5}, // a datacentre again
		} {
			d := all[n%len(all)]
			d.Clock.Pass(time.Hour)
			from := func(i int) string { return fmt.Sprintf(one.address, i%30, n) }
			promised, refused := asksForCodes(t, d, from, 1000*n, 100)
			if promised != one.inMinute {
				t.Errorf("%s: %d codes in a minute, want %d; refused %v", one.address, promised, one.inMinute,
					refused)
			}
			if refused["the service sends no more codes at the moment"] > 0 {
				t.Errorf("%s: %v", one.address, refused)
			}
			if more, _ := asksForCodes(t, all[(n+1)%len(all)], func(int) string { return shoptest.OwnerAt },
				1000*n+900, 5); more != 5 {
				t.Errorf("%s: others had %d codes meanwhile, want 5", one.address, more)
			}
			for minute := range 8 {
				d.Clock.Pass(time.Minute)
				more, _ := asksForCodes(t, d, from, 1000*n+100*(minute+1), 30)
				promised += more
			}
			if promised != one.inTen {
				t.Errorf("%s: %d codes in ten minutes, want %d", one.address, promised, one.inTen)
			}
		}
	}, few)
}

// TestAccountReserveOfCodes checks that strangers from many networks leave a quarter of the codes of a
// minute to customers at an address from which they have signed in, and that other clients' requests in the
// same network do not count against these customers.
func TestAccountReserveOfCodes(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t, few))
		d := all[0]
		owner := d.From("203.9.113.7")
		var cells []string
		for n := range 25 {
			d.Clock.Pass(2 * time.Minute)
			cells = append(cells, fmt.Sprintf("+98931%03d%04d", 7*n, n))
			home := d.From(fmt.Sprintf("192.0.2.%d", n))
			if n < 21 {
				home = owner
			}
			home.Register(t, cells[n])
			home.Right(t, "loginOtp", shoptest.ByCode(cells[n], home.Code(t, cells[n])))
		}
		d.Clock.Pass(time.Hour)
		from := func(i int) string { return fmt.Sprintf("203.%d.113.%d", i%9+1, i/9) }
		elsewhere := func(i int) string { return fmt.Sprintf("203.%d.113.1", 100+i%100) }
		promised, refused := asksForCodes(t, d, from, 1000, 200) // two each, and 30 between them
		if promised != 48 || refused["the service sends no more codes at the moment"] == 0 {
			t.Errorf("nine networks of strangers had %d codes, want 48; refused %v", promised, refused)
		}
		if promised, refused = asksForCodes(t, d, elsewhere, 3000, 12); promised != 12 {
			t.Errorf("other networks had %d codes, want 12; refused %v", promised, refused)
		}
		if promised, _ = asksForCodes(t, d, elsewhere, 3100, 5); promised != 0 {
			t.Errorf("strangers had %d more codes than theirs", promised)
		}
		for n, cell := range cells[:20] {
			all[n%len(all)].From("203.9.113.7").Right(t, "sendOtp", shoptest.ToCell(cell)).Is(t, codeSent)
		}
		for n, want := range map[int]string{ // the limits of one address and of all
			20: "too many codes for one client address", 21: "the service sends no more codes",
		} {
			home := map[int]shoptest.API{20: owner, 21: d.From("192.0.2.21")}[n]
			got := home.Wrong(t, "sendOtp", shoptest.ToCell(cells[n]), 429, "RATE_LIMITED")
			if said := got.Message(t); !strings.HasPrefix(said, want) {
				t.Errorf("said %q, want %q", said, want)
			}
		}
		d.Clock.Pass(time.Minute)
		more, _ := asksForCodes(t, d, from, 2000, 200)
		if got := owner.Ask(t, "sendOtp", shoptest.ToCell(cells[23])); more != 48 || got.Code != "RATE_LIMITED" {
			t.Errorf("strangers had %d codes; the cell of an account from an unknown address: got %q", more, got.Code)
		}
	}, few)
}

// TestAccountBlocksOfNumbers checks how many codes strangers may have sent to one block of numbers, from
// one network and in total. Premium numbers are rented in blocks.
func TestAccountBlocksOfNumbers(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		all := shoptest.Sides(a, a.Instance(t, few))
		d := all[0]
		n := 0
		ask := func(network int, block string, want bool) {
			t.Helper()
			n++
			got := all[n%len(all)].From(fmt.Sprintf("203.%d.113.%d", network, n%200)).
				Ask(t, "sendOtp", shoptest.ToCell(fmt.Sprintf("%s%04d", block, n)))
			if (got.Code == "") != want {
				t.Errorf("code %d, to %s, from network %d: %q, want %v", n, block, network, got.Code, want)
			}
		}
		for network := range 4 {
			for range 5 {
				ask(network, "+44207183", true)
			}
			ask(network, "+44207183", false)
			ask(network, "+44207184", true)
		}
		ask(9, "+44207183", false)
		for block := range 56 { // with those above 80 of the million
			if block%8 == 0 {
				d.Clock.Pass(time.Minute)
			}
			ask(10+block%8, fmt.Sprintf("+442071%02d", block), true)
		}
		ask(30, "+44207190", false)
		ask(30, "+44307190", true)
		d.Clock.Pass(10 * time.Minute)
		ask(9, "+44207183", true)
	}, few)
}
