package contract_test

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// together calls f with 0 to n-1 concurrently and returns the results.
func together[T any](n int, f func(i int) T) []T {
	results := make([]T, n)
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-begin
			results[i] = f(i)
		})
	}
	close(begin)
	all.Wait()
	return results
}

// tallied counts equal results.
func tallied(outcomes []string) map[string]int {
	counts := map[string]int{}
	for _, one := range outcomes {
		counts[one]++
	}
	return counts
}

// sides are REST and GraphQL of each of some instances of the service.
func sides(instances ...*accounts) (all []door) {
	for _, a := range instances {
		all = append(all, a.rest(), a.graphQL())
	}
	return all
}

// TestAccountRegistrationsRace registers one cell many times at once: one account results.
func TestAccountRegistrationsRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		cell := all[0].cell(1)
		got := together(16, func(i int) reply {
			return all[i%len(all)].ask(t, "register", registering(cell, goodPassword, toolsShop))
		})
		made := slices.DeleteFunc(slices.Clone(got), func(r reply) bool { return r.code != "" })
		for _, r := range got {
			if r.code != "" && r.code != "CELL_ALREADY_REGISTERED" {
				t.Errorf("%d %s", r.status, r.body)
			}
		}
		if len(made) != 1 {
			t.Fatalf("%d registrations of one cell", len(made))
		}
		if id := all[0].login(t, cell, goodPassword).id; id != made[0].member(t, "user.id") {
			t.Error("the account is another one than was answered")
		}

		// At two shops at once, with one password, it is one account and a member of both.
		cell = all[0].cell(2)
		ids := together(2, func(i int) string {
			return asCustomer(t, all[i].right(t, "register", registering(cell, goodPassword,
				[]string{toolsShop, mugsShop}[i]))).id
		})
		if ids[0] != ids[1] || !all[0].isMember(t, cell, toolsShop) || !all[0].isMember(t, cell, mugsShop) {
			t.Errorf("accounts %v", ids)
		}
	})
}

// TestAccountCodeRace uses one code a hundred times at once, through every operation: one call signs in or resets, and
// before it one at most verifies.
func TestAccountCodeRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell := d.cell(1)
		d.register(t, cell)
		ways := append(a.everywhere(), a.instance(t).everywhere()...)
		for range 2 {
			code := d.code(t, cell)
			got := tallied(together(100, func(i int) string {
				use := map[bool]string{true: "verify ", false: "sign in "}[i%3 == 1] // as everywhere orders them
				return use + ways[i%len(ways)](t, cell, code)
			}))
			if got["sign in right"] != 1 || got["verify right"] > 1 || got["sign in wrong"] != 66 ||
				got["verify right"]+got["verify wrong"] != 33 {
				t.Errorf("%v", got)
			}
		}
	})
}

// TestAccountGuessesRace guesses at codes concurrently: no more than five guesses at each are compared and counted,
// and after the 15 of an hour the right code fails too.
func TestAccountGuessesRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		cell := d.cell(1)
		d.register(t, cell)
		ways := append(a.everywhere(), a.instance(t).everywhere()...)
		for round := range 3 {
			code := d.code(t, cell)
			got := tallied(together(30, func(i int) string { return ways[i%len(ways)](t, cell, anotherCode(code)) }))
			// The fifth guess of the last round is the hour's fifteenth: one that runs beside it may meet that limit.
			last := round == 2
			if got["wrong"] != 30 && !(last && got["wrong"] >= 5 && got["wrong"]+got["RATE_LIMITED"] == 30) {
				t.Errorf("%v", got)
			}
			for _, way := range ways {
				if got := way(t, cell, code); got != "wrong" {
					t.Errorf("the right code after too many guesses: %s", got)
				}
			}
		}
		code := d.code(t, cell)
		for _, way := range ways {
			if got := way(t, cell, code); got != "RATE_LIMITED" {
				t.Errorf("the right code: %s", got)
			}
		}
	})
}

// TestAccountPasswordsRace guesses at one password concurrently: ten guesses are compared.
func TestAccountPasswordsRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		cell := all[0].cell(1)
		mine := all[0].register(t, cell)
		got := tallied(together(48, func(i int) string {
			d := all[i%len(all)]
			switch i / len(all) % 3 {
			case 0:
				return d.ask(t, "login", byPassword(cell, "wrong password")).code
			case 1:
				return d.ask(t, "register", registering(cell, "wrong password", mugsShop)).code
			}
			return d.with(mine.access).ask(t, "changePassword", changing("wrong password", otherPassword)).code
		}))
		if compared := got["INVALID_CREDENTIALS"] + got["CELL_EXISTS_OTHER_SITE"] +
			got["CURRENT_PASSWORD_INCORRECT"]; compared != 10 || got["RATE_LIMITED"] != 38 {
			t.Errorf("%v", got)
		}
		for _, d := range all {
			d.wrong(t, "login", byPassword(cell, goodPassword), 429, "RATE_LIMITED")
		}
	})
}

// TestAccountSignInsRace signs one customer in many times at once from one address. Guesses are counted
// before they are compared, and still none of these is refused.
func TestAccountSignInsRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t), a.instance(t), a.instance(t))
		cell := all[0].cell(1)
		all[0].register(t, cell)
		for _, c := range together(16, func(i int) customer {
			return all[i%len(all)].login(t, cell, goodPassword)
		}) {
			all[0].lives(t, c.access, true)
		}
		all[0].wrongLogins(t, cell, 9)
		all[0].login(t, cell, goodPassword)
	})
}

// TestAccountSendingRace requests codes concurrently: one is sent.
func TestAccountSendingRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		cell := all[0].cell(1)
		all[0].register(t, cell)
		got := tallied(together(24, func(i int) string {
			return all[i%len(all)].ask(t, "sendOtp", toCell(cell)).code
		}))
		if got[""] != 1 || got["RATE_LIMITED"] != 23 {
			t.Errorf("%v", got)
		}
		all[0].right(t, "loginOtp", byCode(cell, a.phones.code(t, cell)))
	})
}

// TestAccountEndRace signs in while the password is replaced: no session begun with the old password
// survives, no matter which came first.
func TestAccountEndRace(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		all := sides(a, a.instance(t))
		d := all[0]
		for n, replace := range []func(cell, code string) reply{
			func(cell, code string) reply {
				return d.right(t, "resetPassword", resetting(cell, code, otherPassword))
			},
			// the first sign-in by code, and late
			func(cell, code string) reply { return d.right(t, "loginOtp", byCode(cell, code)) },
		} {
			for round := range 4 {
				cell := d.cell(10*n + round)
				d.register(t, cell)
				d.clock.pass(time.Hour)
				code := d.code(t, cell)
				got := together(5, func(i int) reply {
					if i == 0 {
						return replace(cell, code)
					}
					return all[i%len(all)].ask(t, "login", byPassword(cell, goodPassword))
				})
				for _, r := range got[1:] {
					if r.code == "" {
						d.lives(t, r.member(t, "accessToken"), false)
					} else if r.code != "INVALID_CREDENTIALS" {
						t.Errorf("%s", r.body)
					}
				}
			}
		}
	})
}
