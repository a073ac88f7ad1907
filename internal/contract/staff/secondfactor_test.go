package staff_test

import (
	"encoding/base32"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

const (
	beginFactor   = `mutation($in: SecondFactorInput!) { beginSecondFactor(input: $in) { secret uri } }`
	confirmFactor = `mutation($code: String!) { confirmSecondFactor(code: $code) { recoveryCodes message } }`
	proveFactor   = `mutation($code: String!) { proveSecondFactor(code: $code) {
		message secondFactor { proven recoveryCodesLeft } } }`
	newCodes     = `mutation($code: String!) { newRecoveryCodes(code: $code) { recoveryCodes } }`
	removeFactor = `mutation($in: SecondFactorRemovalInput!) { removeSecondFactor(input: $in) { message } }`
	factorOf     = `{ me { secondFactor { confirmedAt proven recoveryCodesLeft } } }`
	require      = `mutation($shop: ID!, $is: Boolean!) { requireSecondFactor(businessId: $shop, required: $is) {
		shopAccess { requiresSecondFactor } } }`
	asStaff     = `query($shop: ID!) { shopAccess(businessId: $shop) { domain requiresSecondFactor } }`
	makingBrand = `mutation($shop: ID!, $slug: String!) { createBrand(businessId: $shop, slug: $slug,
		input: {name: "B", nameFa: "ب"}) { id } }`
)

// phoneApp is an authenticator app with a secret.
type phoneApp struct {
	secret []byte
	clock  *shoptest.Clock
}

// at returns the code that the app shows the given steps of 30 seconds from now.
func (p phoneApp) at(steps int64) string {
	return shoptest.AppCode(p.secret, p.clock.Now().Add(time.Duration(steps)*30*time.Second))
}

// next advances the clock by one step and returns the new code.
func (p phoneApp) next() string {
	p.clock.Pass(30 * time.Second)
	return p.at(0)
}

// wrong returns a code that the app does not show.
func (p phoneApp) wrong(n int) string {
	for ; ; n++ {
		code := fmt.Sprintf("%06d", n)
		if !slices.Contains([]string{p.at(-1), p.at(0), p.at(1)}, code) {
			return code
		}
	}
}

func code(c string) map[string]any { return map[string]any{"code": c} }

func byPassword(password string) map[string]any {
	return map[string]any{"in": map[string]any{"currentPassword": password}}
}

// begun begins a second factor of somebody.
func begun(t testing.TB, c *shoptest.Crew, w shoptest.Worker) phoneApp {
	t.Helper()
	var got struct {
		BeginSecondFactor struct{ Secret, URI string }
	}
	w.Do(t, beginFactor, byPassword(shoptest.GoodPassword), &got)
	secret := shoptest.Must(base32.StdEncoding.DecodeString(got.BeginSecondFactor.Secret))(t)
	if len(secret) != 20 {
		t.Fatalf("a secret of %d bytes", len(secret))
	}
	return phoneApp{secret, c.Clock}
}

// guarded turns on a second factor, which the session of w has proved. It returns the app and the recovery
// codes.
func guarded(t testing.TB, c *shoptest.Crew, w shoptest.Worker) (phoneApp, []string) {
	t.Helper()
	phone := begun(t, c, w)
	var got struct {
		ConfirmSecondFactor struct{ RecoveryCodes []string }
	}
	w.Do(t, confirmFactor, code(phone.at(0)), &got)
	return phone, got.ConfirmSecondFactor.RecoveryCodes
}

// another begins one more session of somebody, at an instance.
func another(t testing.TB, at *shoptest.Accounts, w shoptest.Worker) shoptest.Worker {
	t.Helper()
	d := at.GraphQL()
	who := d.Login(t, w.Customer.Cell, shoptest.GoodPassword)
	return shoptest.Worker{API: d.With(who.Access), Customer: who}
}

// TestSecondFactor switches a second factor on, proves it in another session, renews its recovery codes and switches
// it off.
func TestSecondFactor(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		shop := map[string]any{"shop": c.Tools}
		brand := func(slug string) map[string]any { return map[string]any{"shop": c.Tools, "slug": slug} }
		other := another(t, c.Accounts, owner)

		owner.Refused(t, "CONFLICT", proveFactor, code("123456"))
		owner.Refused(t, "CONFLICT", confirmFactor, code("123456"))
		owner.Refused(t, "VALIDATION_FAILED", beginFactor, map[string]any{"in": map[string]any{}})
		owner.Refused(t, "VALIDATION_FAILED", beginFactor,
			map[string]any{"in": map[string]any{"currentPassword": shoptest.GoodPassword, "code": "123456"}})
		owner.Refused(t, "CURRENT_PASSWORD_INCORRECT", beginFactor, byPassword(shoptest.OtherPassword))
		owner.Refused(t, "INVALID_CODE", beginFactor, map[string]any{"in": map[string]any{"code": "123456"}})
		var setup struct {
			BeginSecondFactor struct{ Secret, URI string }
		}
		owner.Do(t, beginFactor, byPassword(shoptest.GoodPassword), &setup)
		uri := shoptest.Must(url.Parse(setup.BeginSecondFactor.URI))(t)
		if uri.Query().Get("secret") != setup.BeginSecondFactor.Secret || uri.Query().Get("issuer") == "" ||
			!strings.HasSuffix(uri.Path, ":"+owner.Customer.Cell) {
			t.Errorf("got %s", uri)
		}
		first := shoptest.Must(base32.StdEncoding.DecodeString(setup.BeginSecondFactor.Secret))(t)
		older, phone := phoneApp{first, c.Clock}, begun(t, c, owner)
		other.Do(t, asStaff, shop, nil) // it is not on yet
		wrong := owner.Refused(t, "INVALID_CODE", confirmFactor, code(older.at(0)))
		if said := wrong.Errors[0].Message; strings.Contains(said, "recovery") {
			t.Errorf("got %q for the first code, before there are recovery codes", said)
		}
		var on struct {
			ConfirmSecondFactor struct{ RecoveryCodes []string }
		}
		owner.Do(t, confirmFactor, code(phone.at(0)), &on)
		recovery := on.ConfirmSecondFactor.RecoveryCodes
		if len(recovery) != 10 {
			t.Errorf("recovery codes %q", recovery)
		}
		owner.Refused(t, "CONFLICT", confirmFactor, code(phone.next()))
		owner.Refused(t, "CONFLICT", beginFactor, byPassword(shoptest.GoodPassword))
		owner.Do(t, asStaff, shop, nil)

		// In the other session, operations of staff are refused: reads, writes, invalid values, keyed
		// requests. Operations of customers are not.
		state := func(w shoptest.Worker, proven bool, left int) {
			t.Helper()
			var seen struct {
				Me struct {
					SecondFactor struct {
						Proven            bool
						RecoveryCodesLeft int
					}
				}
			}
			w.Do(t, factorOf, nil, &seen)
			if got := seen.Me.SecondFactor; got.Proven != proven || got.RecoveryCodesLeft != left {
				t.Errorf("got %+v, want %t %d", got, proven, left)
			}
		}
		state(owner, true, 10)
		state(other, false, 10)
		other.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, shop)
		other.Refused(t, "SECOND_FACTOR_REQUIRED", makingBrand, brand("a"))
		other.Refused(t, "SECOND_FACTOR_REQUIRED", makingBrand, brand(strings.Repeat("x", 3000)))
		if got := other.Keyed(t, "k", makingBrand, brand("a")); got.Code != "SECOND_FACTOR_REQUIRED" {
			t.Errorf("with a key: got %s", got.Body)
		}
		other.Refused(t, "FORBIDDEN", asStaff, map[string]any{"shop": c.Mugs})
		got := other.Refused(t, "SECOND_FACTOR_REQUIRED", `query($shop: ID!) { me { workplaces { role } }
			shopAccess(businessId: $shop) { domain } }`, shop)
		if !strings.Contains(string(got.Data["me"]), "owner") ||
			!strings.Contains(got.Errors[0].Message, "proveSecondFactor") {
			t.Errorf("%s %+v", got.Data["me"], got.Errors)
		}
		c.REST().With(other.Access).Right(t, "me", "")
		c.REST().With(other.Access).Right(t, "createAddress", shoptest.HomeAddress)

		// A code can be used once, by any session, and earlier codes are then invalid.
		used := phone.next()
		other.Do(t, proveFactor, code(" "+used[:3]+" "+used[3:]), nil)
		other.Do(t, asStaff, shop, nil)
		state(other, true, 10)
		third := another(t, c.Accounts, owner)
		for _, replayed := range []string{used, phone.at(-1)} {
			third.Refused(t, "INVALID_CODE", proveFactor, code(replayed))
		}
		third.Do(t, proveFactor, code(phone.at(1)), nil) // a phone whose clock is ahead
		third.Do(t, makingBrand, brand("by-third"), nil)
		refreshed := c.GraphQL().Refresh(t, third.Customer)
		shoptest.Worker{API: c.GraphQL().With(refreshed.Access)}.Do(t, asStaff, shop, nil)

		// A recovery code can be used once, in any spelling.
		fourth := another(t, c.Accounts, owner)
		fourth.Do(t, proveFactor, code(strings.ToUpper(strings.ReplaceAll(recovery[3], "-", " "))), nil)
		fourth.Refused(t, "INVALID_CODE", proveFactor, code(recovery[3]))
		fourth.Do(t, asStaff, shop, nil)
		state(fourth, true, 9)
		var renewed struct {
			NewRecoveryCodes struct{ RecoveryCodes []string }
		}
		fourth.Refused(t, "INVALID_CODE", newCodes, code("abcd-efgh-ijkl-mnop"))
		// Renewed with a recovery code, the older ones stay valid until a new one is used, because the
		// answer may be lost.
		fourth.Do(t, newCodes, code(recovery[4]), nil) // in the same microsecond
		fourth.Do(t, newCodes, code(recovery[5]), &renewed)
		state(fourth, true, 10)
		fourth.Do(t, proveFactor, code(recovery[6]), nil)
		fourth.Do(t, proveFactor, code(renewed.NewRecoveryCodes.RecoveryCodes[1]), nil)
		fourth.Refused(t, "INVALID_CODE", proveFactor, code(recovery[7]))
		state(fourth, true, 9)
		phone.next()
		fourth.Do(t, newCodes, code(phone.next()), &renewed) // by the app, at once
		state(fourth, true, 10)

		// It is removed only with a right code and the password.
		remove := func(code, password string) map[string]any {
			in := map[string]any{"code": code}
			if password != "" {
				in["currentPassword"] = password
			}
			return map[string]any{"in": in}
		}
		good := renewed.NewRecoveryCodes.RecoveryCodes[0]
		owner.Refused(t, "VALIDATION_FAILED", removeFactor, remove(good, ""))
		owner.Refused(t, "CURRENT_PASSWORD_INCORRECT", removeFactor, remove(good, shoptest.OtherPassword))
		owner.Refused(t, "INVALID_CODE", removeFactor, remove(phone.wrong(7), shoptest.GoodPassword))
		state(owner, true, 10)
		owner.Do(t, removeFactor, remove(good, shoptest.GoodPassword), nil)
		owner.Refused(t, "CONFLICT", removeFactor, remove(good, shoptest.GoodPassword))
		another(t, c.Accounts, owner).Do(t, asStaff, shop, nil)

		// A proof of the previous second factor does not count for a new one.
		guarded(t, c, owner)
		fourth.Refused(t, "SECOND_FACTOR_REQUIRED", asStaff, shop)
		wantLog(t, owner, c.Tools, "confirmSecondFactor", "useRecoveryCode", "useRecoveryCode", "newRecoveryCodes",
			"useRecoveryCode", "newRecoveryCodes", "useRecoveryCode", "useRecoveryCode", "newRecoveryCodes",
			"useRecoveryCode", "removeSecondFactor", "confirmSecondFactor")
	})
}

// wantLog checks what the audit log has of second factors, the oldest first.
func wantLog(t testing.TB, w shoptest.Worker, shop string, want ...string) {
	t.Helper()
	var log struct {
		AuditLogConnection struct {
			Nodes []struct {
				Action, Role, RecordName string
			}
		}
	}
	w.Do(t, `query($shop: ID!) { auditLogConnection(businessId: $shop, first: 100, kind: "staffMember") { nodes {
		action role recordName } } }`, map[string]any{"shop": shop}, &log)
	var got []string
	for _, e := range slices.Backward(log.AuditLogConnection.Nodes) {
		got = append(got, e.Action)
		if e.Role == "" || e.RecordName == "" {
			t.Errorf("got %+v", e)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit log has %q, want %q", got, want)
	}
}

// TestSecondFactorByCode sets up a second factor with an SMS code, for an account without a password, and
// removes it with a code alone. A setup that is not confirmed expires.
func TestSecondFactorByCode(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		c.Rows(t, "UPDATE users SET password_hash = NULL WHERE id = '"+owner.ID+"' RETURNING 1")
		sms := owner.Code(t, owner.Customer.Cell)
		var setup struct {
			BeginSecondFactor struct{ Secret string }
		}
		with := map[string]any{"in": map[string]any{"code": sms}}
		owner.Do(t, beginFactor, with, &setup)
		owner.Refused(t, "INVALID_CODE", beginFactor, with)
		phone := phoneApp{shoptest.Must(base32.StdEncoding.DecodeString(setup.BeginSecondFactor.Secret))(t), c.Clock}
		c.Clock.Pass(14*time.Minute + 59*time.Second)
		fresh := c.GraphQL().Refresh(t, owner.Customer)
		owner.API = c.GraphQL().With(fresh.Access)
		late := c.Clock.Now()
		owner.Do(t, confirmFactor, code(phone.at(0)), nil)
		owner.Refused(t, "INVALID_CODE", removeFactor, map[string]any{"in": code(phone.at(0))})
		owner.Do(t, removeFactor, map[string]any{"in": code(phone.next())}, nil)

		second := c.Staff(t, c.Tools, record.Owner)
		phone = begun(t, c, second)
		c.Clock.At.Store(late.Add(20 * time.Minute).UnixMicro())
		second.API = c.GraphQL().With(c.GraphQL().Refresh(t, second.Customer).Access)
		second.Refused(t, "CONFLICT", confirmFactor, code(phone.at(0)))
		c.Clock.Pass(2 * time.Hour)
		c.Service.Sweep(t.Context())
		if n := c.Rows(t, "SELECT count(*) FROM authenticators"); n != 0 {
			t.Errorf("%d secrets are left", n)
		}
	})
}

// TestSecondFactorCodesAreGoodOnce tries one code of the app, or one recovery code, in six sessions at two
// servers at once. Exactly one of them proves the second factor.
func TestSecondFactorCodesAreGoodOnce(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		instances := []*shoptest.Accounts{c.Accounts, c.Instance(t)}
		owner := c.Staff(t, c.Tools, record.Owner)
		phone, recovery := guarded(t, c, owner)
		for round := range 4 * *shoptest.Rounds {
			tried := phone.next()
			if round%2 == 1 && round < len(recovery) {
				tried = recovery[round]
			}
			sessions := make([]shoptest.Worker, 6)
			for i := range sessions {
				sessions[i] = another(t, instances[i%2], owner)
			}
			got := shoptest.Tallied(shoptest.Together(len(sessions), func(i int) string {
				return sessions[i].Ask(t, proveFactor, code(tried)).Code()
			}))
			proven := 0
			for _, one := range sessions {
				if one.Ask(t, asStaff, map[string]any{"shop": c.Tools}).Code() == "" {
					proven++
				}
			}
			if got[""] != 1 || got["INVALID_CODE"] != 5 || proven != 1 {
				t.Errorf("round %d: %v, %d sessions have proved it", round, got, proven)
			}
			c.Clock.Pass(time.Hour) // or the wrong ones would be too many
		}
	})
}

// TestSecondFactorGuesses counts wrong codes: of a session, and of the account's app over all sessions and
// servers. A recovery code still works, so that somebody with a stolen password cannot lock the owner out.
func TestSecondFactorGuesses(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		instances := []*shoptest.Accounts{c.Accounts, c.Instance(t)}
		owner := c.Staff(t, c.Tools, record.Owner)
		phone, recovery := guarded(t, c, owner)
		phone.next()
		thief := another(t, c.Accounts, owner)
		for n := range 5 {
			thief.Refused(t, "INVALID_CODE", proveFactor, code(phone.wrong(n*100)))
		}
		for _, right := range []string{phone.at(0), recovery[0]} {
			got := thief.Refused(t, "RATE_LIMITED", proveFactor, code(right))
			if !strings.Contains(got.Errors[0].Message, "10 minutes") {
				t.Errorf("got %+v", got.Errors)
			}
		}
		honest := another(t, c.Accounts, owner)
		honest.Do(t, proveFactor, code(phone.at(0)), nil)

		outcomes := shoptest.Together(12, func(i int) string {
			return another(t, instances[i%2], owner).Ask(t, proveFactor, code(phone.wrong(i*100))).Code()
		})
		if got := shoptest.Tallied(outcomes); got["INVALID_CODE"] != 5 || got["RATE_LIMITED"] != 7 {
			t.Errorf("after five of ten in an hour: got %v", got)
		}
		last := another(t, c.Accounts, owner)
		last.Refused(t, "RATE_LIMITED", proveFactor, code(phone.next()))
		last.Do(t, proveFactor, code(recovery[0]), nil)
		c.Clock.Pass(time.Hour)
		late := another(t, c.Accounts, owner)
		late.Do(t, proveFactor, code(phone.next()), nil)
		for n := range 20 {
			if n%10 == 0 {
				c.Clock.Pass(time.Hour)
			}
			another(t, c.Accounts, owner).Refused(t, "INVALID_CODE", proveFactor, code(phone.wrong(n*100)))
		}
		c.Clock.Pass(time.Hour)
		another(t, c.Accounts, owner).Refused(t, "RATE_LIMITED", proveFactor, code(phone.at(0)))
		c.Clock.Pass(24 * time.Hour)
		another(t, c.Accounts, owner).Do(t, proveFactor, code(phone.at(0)), nil)
	})
}
