package account_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/account"
)

func TestAccountAccessToken(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			c := d.Register(t, d.Cell(1))
			d.With(c.Access).Right(t, "me", "").Is(t, `{"user": `+sara(c.Cell)+`}`)
			d.Clock.Pass(15*time.Minute - time.Microsecond)
			d.Lives(t, c.Access, true)
			d.Clock.Pass(time.Microsecond)
			d.Lives(t, c.Access, false)
			again := d.Right(t, "refresh", shoptest.Refreshing(c.Refresh))
			again.Is(t, signedIn(sara(c.Cell)))
			more := d.Right(t, "refresh", shoptest.Refreshing(again.Member(t, "refreshToken"))) // in the same second
			if more.Member(t, "accessToken") == again.Member(t, "accessToken") {
				t.Error("a refresh gives the access token that was there")
			}
			d.Lives(t, again.Member(t, "accessToken"), true)
			if again.Member(t, "refreshToken") == c.Refresh || again.Member(t, "accessToken") == c.Access {
				t.Error("a token came again")
			}
		})
	})
}

// TestAccountTokenClaims checks that an access token holds its owner, its session and its times, and
// nothing else.
func TestAccountTokenClaims(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		c := a.REST().Register(t, a.REST().Cell(1))
		parts := strings.Split(c.Access, ".")
		head, _ := base64.RawURLEncoding.DecodeString(parts[0])
		body, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err != nil || shoptest.Tidied(t, string(head)) != shoptest.Tidied(t, `{"alg": "HS256", "typ": "JWT"}`) {
			t.Errorf("head %s, %v", head, err)
		}
		var claims map[string]any
		if err := json.Unmarshal(body, &claims); err != nil {
			t.Fatal(err)
		}
		if names := slices.Sorted(maps.Keys(claims)); !slices.Equal(names, []string{"aud", "exp", "iat", "iss",
			"jti", "num", "sid", "sub", "type"}) {
			t.Errorf("claims %v", names)
		}
		at := float64(shoptest.Today.Unix())
		if claims["sub"] != c.ID || claims["iss"] != "storefront" || claims["type"] != "access" ||
			claims["iat"] != at || claims["exp"] != at+900 {
			t.Errorf("claims %v", claims)
		}
	})
}

// TestAccountReplay checks that a refresh token is used once its successor, or an access token given with that, has
// come back; and that a used one ends its session, and no other, ten seconds after its first use.
func TestAccountReplay(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			first := d.Register(t, d.Cell(1))
			other := d.Login(t, d.Cell(1), shoptest.GoodPassword)
			second := d.Refresh(t, first)
			d.Clock.Pass(24 * time.Hour) // the answer was lost, and the next as well
			if again := d.Refresh(t, first); again.Refresh != second.Refresh {
				t.Error("a token has two successors")
			}
			second = d.Refresh(t, first)
			d.Lives(t, second.Access, true) // it has come back
			d.Wrong(t, "refresh", shoptest.Refreshing(first.Refresh), 401, "INVALID_CREDENTIALS")
			d.Dead(t, second)

			first = d.Login(t, d.Cell(1), shoptest.GoodPassword)
			second = d.Refresh(t, first)
			d.Lives(t, second.Access, true)
			d.Clock.Pass(10 * time.Second)
			d.Lives(t, d.Refresh(t, first).Access, true) // by another tab
			d.Clock.Pass(time.Microsecond)
			d.Wrong(t, "refresh", shoptest.Refreshing(first.Refresh), 401, "INVALID_CREDENTIALS")
			d.Dead(t, second)

			first = d.Login(t, d.Cell(1), shoptest.GoodPassword)
			second = d.Refresh(t, first)
			third := d.Refresh(t, second)
			d.Wrong(t, "refresh", shoptest.Refreshing(first.Refresh), 401, "INVALID_CREDENTIALS") // an older one
			for _, c := range []shoptest.Customer{first, second, third} {
				d.Dead(t, c)
			}
			d.Lives(t, d.Refresh(t, other).Access, true)
		})
	})
}

// TestAccountForgedRefresh checks that a token with other characters is refused and ends nothing.
func TestAccountForgedRefresh(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			first := d.Register(t, d.Cell(1))
			second := d.Refresh(t, first)
			for i := range len(first.Refresh) {
				forged := []byte(first.Refresh)
				forged[i] ^= 1
				d.Wrong(t, "refresh", shoptest.Refreshing(string(forged)), 401, "INVALID_CREDENTIALS")
			}
			d.Lives(t, d.Refresh(t, second).Access, true)
		})
	})
}

func TestAccountRefreshTokens(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			c := d.Register(t, d.Cell(1))
			for _, wrong := range []string{"", "x", c.Access, c.Refresh + "=", " " + c.Refresh,
				strings.ToUpper(c.Refresh), strings.Repeat("x", 100_000), "خ"} {
				d.Wrong(t, "refresh", shoptest.Refreshing(wrong), 401, "INVALID_CREDENTIALS")
			}
			d.Wrong(t, "refresh", `{}`, 400, "VALIDATION_FAILED", "refreshToken")
			d.Wrong(t, "refresh", `{"refreshToken": null}`, 400, "VALIDATION_FAILED", "refreshToken")
			d.Wrong(t, "refresh", `{"refreshToken": 5}`, 400, "VALIDATION_FAILED", "refreshToken")
			d.Lives(t, c.Refresh, false)
			if raw, err := base64.RawURLEncoding.DecodeString(c.Refresh); err != nil || len(raw) != 56 {
				t.Errorf("a refresh token of %d bytes, %v", len(raw), err)
			}
			d.Refresh(t, c)
		})
	})
}

// TestAccountSessionLife checks that a session lives for 30 days without a refresh and for 90 days at most.
func TestAccountSessionLife(t *testing.T) {
	const day = 24 * time.Hour
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			idle, kept := d.Register(t, d.Cell(1)), d.Register(t, d.Cell(2))
			d.Clock.Pass(30*day - time.Microsecond)
			kept = d.Refresh(t, kept)
			d.Clock.Pass(time.Microsecond)
			d.Wrong(t, "refresh", shoptest.Refreshing(idle.Refresh), 401, "INVALID_CREDENTIALS")
			d.Clock.Pass(29 * day)
			kept = d.Refresh(t, kept)
			d.Clock.Pass(29 * day)
			kept = d.Refresh(t, kept)
			d.Clock.Pass(2*day - time.Minute)
			kept = d.Refresh(t, kept)
			d.Lives(t, kept.Access, true)
			d.Clock.Pass(time.Minute)
			d.Dead(t, kept)
		})
	})
}

// TestAccountTimes checks the settings of durations.
func TestAccountTimes(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.EachAPI(t, func(t *testing.T, d shoptest.API) {
			c := d.Register(t, d.Cell(1))
			d.Clock.Pass(20 * time.Second)
			d.Lives(t, c.Access, false)
			d.Refresh(t, c)
			d.Right(t, "sendOtp", shoptest.ToCell(c.Cell)).Is(t, strings.Replace(codeSent, "300", "30", 1))
			d.Clock.Pass(5 * time.Second)
			d.Phones.Code(t, c.Cell)
			d.Right(t, "sendOtp", shoptest.ToCell(c.Cell))
			code := d.Phones.Code(t, c.Cell)
			d.Clock.Pass(30 * time.Second)
			refusesCode(t, d, c.Cell, code)
		})
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Access, o.Times.Code, o.Times.Resend = 20*time.Second, 30*time.Second, 5*time.Second
	})
}

// TestAccountLogout ends a session, which is possible only in GraphQL.
func TestAccountLogout(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		c, other := d.Register(t, d.Cell(1)), d.Login(t, d.Cell(1), shoptest.GoodPassword)
		logout := func(headers ...string) shoptest.Answer {
			return a.Send(t, "POST", "/graphql", shoptest.GraphQLBody(`mutation { logout { message } }`, ""),
				headers...)
		}
		shoptest.WantGraphQL(t, logout(), 200, "UNAUTHENTICATED")
		shoptest.WantGraphQL(t, logout("Authorization", "Bearer "+c.Access), 200, "")
		shoptest.WantGraphQL(t, logout("Authorization", "Bearer "+c.Access), 200, "UNAUTHENTICATED")
		d.Dead(t, c)
		d.Lives(t, d.Refresh(t, other).Access, true)
	})
}
