package contract_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/account"
	"storefront/internal/app"
)

// refresh continues a session.
func (d door) refresh(t testing.TB, c customer) customer {
	t.Helper()
	return asCustomer(t, d.right(t, "refresh", refreshing(c.refresh)))
}

// dead checks that neither token of a session works any more.
func (d door) dead(t testing.TB, c customer) {
	t.Helper()
	d.lives(t, c.access, false)
	d.wrong(t, "refresh", refreshing(c.refresh), 401, "INVALID_CREDENTIALS")
}

func TestAccountAccessToken(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			c := d.register(t, d.cell(1))
			d.with(c.access).right(t, "me", "").is(t, `{"user": `+sara(c.cell)+`}`)
			d.clock.pass(15*time.Minute - time.Microsecond)
			d.lives(t, c.access, true)
			d.clock.pass(time.Microsecond)
			d.lives(t, c.access, false)
			again := d.right(t, "refresh", refreshing(c.refresh))
			again.is(t, signedIn(sara(c.cell)))
			more := d.right(t, "refresh", refreshing(again.member(t, "refreshToken"))) // in the same second
			if more.member(t, "accessToken") == again.member(t, "accessToken") {
				t.Error("a refresh gives the access token that was there")
			}
			d.lives(t, again.member(t, "accessToken"), true)
			if again.member(t, "refreshToken") == c.refresh || again.member(t, "accessToken") == c.access {
				t.Error("a token came again")
			}
		})
	})
}

// TestAccountTokenClaims checks that an access token holds its owner, its session and its times, and
// nothing else.
func TestAccountTokenClaims(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		c := a.rest().register(t, a.rest().cell(1))
		parts := strings.Split(c.access, ".")
		head, _ := base64.RawURLEncoding.DecodeString(parts[0])
		body, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil || tidied(t, string(head)) != tidied(t, `{"alg": "HS256", "typ": "JWT"}`) {
			t.Errorf("head %s, %v", head, err)
		}
		var claims map[string]any
		if err := json.Unmarshal(body, &claims); err != nil {
			t.Fatal(err)
		}
		if names := slices.Sorted(maps.Keys(claims)); !slices.Equal(names, []string{"aud", "exp", "iat", "iss",
			"jti", "sid", "sub", "type"}) {
			t.Errorf("claims %v", names)
		}
		at := float64(today.Unix())
		if claims["sub"] != c.id || claims["iss"] != "storefront" || claims["type"] != "access" ||
			claims["iat"] != at || claims["exp"] != at+900 {
			t.Errorf("claims %v", claims)
		}
	})
}

// TestAccountReplay checks that a refresh token works once, and that using it again ends its session and no
// other.
func TestAccountReplay(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			first := d.register(t, d.cell(1))
			other := d.login(t, d.cell(1), goodPassword)
			second := d.refresh(t, first)
			third := d.refresh(t, second)
			d.lives(t, first.access, true) // it is the same session
			d.clock.pass(account.Defaults.Grace)
			d.wrong(t, "refresh", refreshing(first.refresh), 401, "INVALID_CREDENTIALS")
			for _, c := range []customer{first, second, third} {
				d.dead(t, c)
			}
			d.lives(t, d.refresh(t, other).access, true)
		})
	})
}

func TestAccountRefreshTokens(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			c := d.register(t, d.cell(1))
			for _, wrong := range []string{"", "x", c.access, c.refresh + "=", " " + c.refresh,
				strings.ToUpper(c.refresh), strings.Repeat("x", 100_000), "خ"} {
				d.wrong(t, "refresh", refreshing(wrong), 401, "INVALID_CREDENTIALS")
			}
			d.wrong(t, "refresh", `{}`, 400, "VALIDATION_FAILED", "refreshToken")
			d.wrong(t, "refresh", `{"refreshToken": null}`, 400, "VALIDATION_FAILED", "refreshToken")
			d.wrong(t, "refresh", `{"refreshToken": 5}`, 400, "VALIDATION_FAILED", "refreshToken")
			d.lives(t, c.refresh, false)
			if raw, err := base64.RawURLEncoding.DecodeString(c.refresh); err != nil || len(raw) != 48 {
				t.Errorf("a refresh token of %d bytes, %v", len(raw), err)
			}
			d.refresh(t, c)
		})
	})
}

// TestAccountSessionLife checks that a session lives for 30 days without a refresh and for 90 days at most.
func TestAccountSessionLife(t *testing.T) {
	const day = 24 * time.Hour
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			idle, kept := d.register(t, d.cell(1)), d.register(t, d.cell(2))
			d.clock.pass(30*day - time.Microsecond)
			kept = d.refresh(t, kept)
			d.clock.pass(time.Microsecond)
			d.wrong(t, "refresh", refreshing(idle.refresh), 401, "INVALID_CREDENTIALS")
			d.clock.pass(29 * day)
			kept = d.refresh(t, kept)
			d.clock.pass(29 * day)
			kept = d.refresh(t, kept)
			d.clock.pass(2*day - time.Minute)
			kept = d.refresh(t, kept)
			d.lives(t, kept.access, true)
			d.clock.pass(time.Minute)
			d.dead(t, kept)
		})
	})
}

// TestAccountTimes checks the settings of durations: a grace period keeps a used token valid for a while.
func TestAccountTimes(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		a.eachDoor(t, func(t *testing.T, d door) {
			c := d.register(t, d.cell(1))
			second := d.refresh(t, c)
			d.clock.pass(10*time.Second - time.Microsecond)
			again := d.refresh(t, c)
			d.lives(t, second.access, true)
			d.lives(t, again.access, true)
			again = d.refresh(t, again)
			d.clock.pass(time.Microsecond)
			d.wrong(t, "refresh", refreshing(c.refresh), 401, "INVALID_CREDENTIALS")
			d.dead(t, second)
			d.dead(t, again)

			c = d.login(t, d.cell(1), goodPassword)
			d.clock.pass(20 * time.Second)
			d.lives(t, c.access, false)
			d.refresh(t, c)
			d.right(t, "sendOtp", toCell(c.cell)).is(t, strings.Replace(codeSent, "300", "30", 1))
			d.clock.pass(5 * time.Second)
			d.phones.code(t, c.cell)
			d.right(t, "sendOtp", toCell(c.cell))
			code := d.phones.code(t, c.cell)
			d.clock.pass(30 * time.Second)
			d.refusesCode(t, c.cell, code)
		})
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Access, o.Times.Code, o.Times.Resend = 20*time.Second, 30*time.Second, 5*time.Second
	})
}

// TestAccountLogout ends a session, which GraphQL alone can.
func TestAccountLogout(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a *accounts) {
		d := a.rest()
		c, other := d.register(t, d.cell(1)), d.login(t, d.cell(1), goodPassword)
		logout := func(headers ...string) answer {
			return a.send(t, "POST", "/graphql", asked(`mutation { logout { message } }`, ""), headers...)
		}
		wantGraphQL(t, logout(), 200, "UNAUTHENTICATED")
		wantGraphQL(t, logout("Authorization", "Bearer "+c.access), 200, "")
		wantGraphQL(t, logout("Authorization", "Bearer "+c.access), 200, "UNAUTHENTICATED")
		d.dead(t, c)
		d.lives(t, d.refresh(t, other).access, true)
	})
}
