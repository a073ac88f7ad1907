package staff_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/accesstoken"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	tokens "storefront/internal/platform/token"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

// token stores a recently used access token of a shop with the given permissions.
func token(
	t testing.TB, c *shoptest.Crew, business string, may []staff.Permission, set func(*ent.AccessTokenCreate),
) (uuid.UUID, shoptest.Worker) {
	t.Helper()
	random := tokens.NewOpaque()
	secret := "sft_" + random
	var names []string
	for _, p := range may {
		names = append(names, string(p))
	}
	create := c.Store.Client.AccessToken.Create().SetBusinessID(uuid.MustParse(business)).SetName("a program").
		SetHash(tokens.Hash(secret)).SetLastCharacters(secret[len(secret)-4:]).SetPermissions(names)
	if set != nil {
		set(create)
	}
	id := shoptest.Must(create.Save(t.Context()))(t).ID
	err := change(c.Store.Client, c, id).SetLastUsedAt(c.Clock.Now()).Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return id, shoptest.Worker{API: c.GraphQL().With(secret)}
}

// change returns a change of a token.
func change(in *ent.Client, c *shoptest.Crew, id uuid.UUID) *ent.AccessTokenUpdate {
	return in.AccessToken.Update().Where(accesstoken.ID(id), accesstoken.Or(
		accesstoken.BusinessID(uuid.MustParse(c.Tools)), accesstoken.BusinessID(uuid.MustParse(c.Mugs))))
}

// asker is a caller with the code of the expected refusal, or "" if the call is allowed.
type asker struct {
	name string
	shoptest.Worker
	refused string
}

func refusedUnless(may bool) string {
	if may {
		return ""
	}
	return "FORBIDDEN"
}

// programs holds programs of the tool shop, and others.
type programs struct {
	exact, others map[staff.Permission]shoptest.Worker // with one permission alone, with all but one
	all           []asker                              // with all permissions, and no right to use them
	good          []uuid.UUID                          // the tokens that work there
}

func programsOf(t *testing.T, c *shoptest.Crew) *programs {
	t.Helper()
	made := &programs{exact: map[staff.Permission]shoptest.Worker{}, others: map[staff.Permission]shoptest.Worker{}}
	var all []staff.Permission
	for _, g := range staff.Grants {
		all = append(all, g.Permission)
	}
	for _, p := range all {
		one, exact := token(t, c, c.Tools, []staff.Permission{p}, nil)
		but := slices.DeleteFunc(slices.Clone(all), func(other staff.Permission) bool { return other == p })
		_, others := token(t, c, c.Tools, but, nil)
		made.exact[p], made.others[p] = exact, others
		made.good = append(made.good, one)
	}
	now := c.Clock.Now()
	_, foreign := token(t, c, c.Mugs, all, nil)
	_, expired := token(t, c, c.Tools, all, func(a *ent.AccessTokenCreate) { a.SetExpiresAt(now) })
	id, revoked := token(t, c, c.Tools, all, nil)
	if err := change(c.Store.Client, c, id).SetRevokedAt(now).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	made.all = []asker{{"a token of another shop", foreign, "FORBIDDEN"},
		{"an expired token", expired, "UNAUTHENTICATED"}, {"a revoked token", revoked, "UNAUTHENTICATED"}}
	return made
}

// asking returns the programs and the expected results for a field that needs a permission. No token is
// accepted for fields that are only for people.
func (p *programs) asking(may staff.Permission) []asker {
	return append(slices.Clone(p.all), asker{"a token with all others", p.others[may], "FORBIDDEN"},
		asker{"a token with that alone", p.exact[may], refusedUnless(!slices.Contains(staff.OfPeople, may))})
}

type tokenSeen struct {
	ID, Name, LastCharacters, CreatedBy string
	Permissions                         []string
	CreatedAt                           time.Time
	LastUsedAt, ExpiresAt, RevokedAt    *time.Time
}

const (
	createToken = `mutation($shop: ID!, $in: AccessTokenInput!) { createAccessToken(businessId: $shop, input: $in) {
		token accessToken { id lastCharacters permissions createdBy } } }`
	revokeToken = `mutation($shop: ID!, $id: ID!) { revokeAccessToken(businessId: $shop, tokenId: $id) { message } }`
	tokensOf    = `query($shop: ID!) { accessTokens(businessId: $shop) { id name lastCharacters permissions createdAt
		createdBy lastUsedAt expiresAt revokedAt } }`
)

// maker makes access tokens of the tool shop.
type maker struct {
	*shoptest.Crew
	shoptest.Worker
}

func (m maker) create(t testing.TB, name string, more map[string]any) (secret string, seen tokenSeen) {
	t.Helper()
	in := map[string]any{"name": name, "permissions": []string{"seeShop"}}
	for member, value := range more {
		in[member] = value
	}
	var made struct {
		CreateAccessToken struct {
			Token       string
			AccessToken tokenSeen
		}
	}
	m.Do(t, createToken, map[string]any{"shop": m.Tools, "in": in}, &made)
	return made.CreateAccessToken.Token, made.CreateAccessToken.AccessToken
}

func (m maker) list(t testing.TB) []tokenSeen {
	t.Helper()
	var seen struct{ AccessTokens []tokenSeen }
	m.Do(t, tokensOf, map[string]any{"shop": m.Tools}, &seen)
	return seen.AccessTokens
}

// TestAccessToken makes, uses and revokes a token, and checks what is shown of it.
func TestAccessToken(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		second := c.Staff(t, c.Tools, record.Owner)
		ends := c.Clock.Now().Add(time.Hour)
		secret, made := owner.create(t, " Warehouse ", map[string]any{
			"permissions": []string{"editCatalog", "seeShop", "readAudit", "seeShop"}, "expiresAt": ends})
		if !strings.HasPrefix(secret, "sft_") || len(secret) != 47 || !strings.HasSuffix(secret, made.LastCharacters) ||
			len(made.LastCharacters) != 4 || made.CreatedBy != owner.ID ||
			!slices.Equal(made.Permissions, []string{"seeShop", "readAudit", "editCatalog"}) {
			t.Errorf("%s: %+v", secret, made)
		}
		program := shoptest.Worker{API: c.GraphQL().With(secret)}
		shop := map[string]any{"shop": c.Tools}
		const access = `query($shop: ID!) { shopAccess(businessId: $shop) { domain } }`
		used := func(want time.Time) {
			t.Helper()
			got := owner.list(t)
			if len(got) != 1 || got[0].Name != "Warehouse" || got[0].LastUsedAt == nil ||
				!got[0].LastUsedAt.Equal(want) || !got[0].ExpiresAt.Equal(ends) || got[0].RevokedAt != nil {
				t.Errorf("%+v, want the last use at %v", got, want)
			}
		}
		if got := owner.list(t); len(got) != 1 || got[0].LastUsedAt != nil {
			t.Errorf("before it is used: got %+v", got)
		}
		first := c.Clock.Now()
		program.Do(t, access, shop, nil)
		used(first)
		c.Clock.Pass(59 * time.Second)
		program.Do(t, access, shop, nil)
		used(first)
		c.Clock.Pass(time.Second)
		program.Do(t, access, shop, nil)
		used(first.Add(time.Minute))

		// It survives the role and the account of its maker.
		dismiss(t, c, owner.Worker)
		program.Do(t, `mutation($shop: ID!) { createBrand(businessId: $shop, slug: "by-program",
			input: {name: "P", nameFa: "پ"}) { id } }`, shop, nil)
		c.Store.Client.User.DeleteOneID(uuid.MustParse(owner.ID)).ExecX(t.Context())
		program.Do(t, access, shop, nil)
		owner.Worker = second
		if got := owner.list(t); got[0].CreatedBy != "" {
			t.Errorf("by %q, who is gone", got[0].CreatedBy)
		}

		var log struct {
			AuditLogConnection struct {
				Nodes []struct {
					Action      string
					UserID      *string
					Role        *string
					AccessToken *struct{ ID, Name string }
				}
			}
		}
		program.Do(t, `query($shop: ID!, $id: ID) { auditLogConnection(businessId: $shop, tokenId: $id) { nodes {
			action userId role accessToken { id name } } } }`, map[string]any{"shop": c.Tools, "id": made.ID}, &log)
		if got := log.AuditLogConnection.Nodes; len(got) != 1 || got[0].Action != "createBrand" ||
			got[0].UserID != nil || got[0].Role != nil || got[0].AccessToken.ID != made.ID ||
			got[0].AccessToken.Name != "Warehouse" {
			t.Errorf("got %+v", got)
		}
		var walked struct{ AuditLogConnection struct{ TotalCount int } }
		program.Do(t, `query($shop: ID!, $id: ID) {
			auditLogConnection(businessId: $shop, tokenId: $id) { totalCount } }`,
			map[string]any{"shop": c.Tools, "id": shoptest.NobodysID}, &walked)
		if walked.AuditLogConnection.TotalCount != 0 {
			t.Errorf("%+v by another token", walked)
		}

		owner.Refused(t, "NOT_FOUND", revokeToken, map[string]any{"shop": c.Tools, "id": shoptest.NobodysID})
		c.Clock.At.Store(ends.UnixMicro())
		program.Refused(t, "UNAUTHENTICATED", access, shop)
	})
}

// TestAccessTokenIsNoCustomer checks over both APIs that a token is refused for operations of customers and
// partners.
func TestAccessTokenIsNoCustomer(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		secret, _ := owner.create(t, "p", nil)
		program := shoptest.Worker{API: c.GraphQL().With(secret)}
		program.Refused(t, "FORBIDDEN", `{ me { id } }`, nil)
		program.Refused(t, "FORBIDDEN", `mutation { logout { message } }`, nil)
		program.Refused(t, "FORBIDDEN", `{ partnerKeys { id } }`, nil)
		program.Do(t, `{ tenant(domain: "tools.example") { name } }`, nil, nil)
		mixed := program.Refused(t, "FORBIDDEN", `query($shop: ID!) {
			me { id } shopAccess(businessId: $shop) { domain } }`, map[string]any{"shop": c.Tools})
		if got := mixed.Data["shopAccess"]; string(got) != `{"domain":"tools.example"}` {
			t.Errorf("beside what is a customer's: %s", mixed.Data["shopAccess"])
		}
		// only callers with permission learn of wrong values
		program.Refused(t, "FORBIDDEN", `query($shop: ID!) {
			auditLogConnection(businessId: $shop, first: 0) { totalCount } }`,
			map[string]any{"shop": c.Tools})
		without := program.Refused(t, "FORBIDDEN", `query($shop: ID!) {
			auditLogConnection(businessId: $shop) { totalCount } }`,
			map[string]any{"shop": c.Tools})
		const words = "the access token does not have the permission readAudit here"
		if got := without.Errors[0].Message; got != words {
			t.Errorf("got %q, want %q", got, words)
		}
		program.Refused(t, "VALIDATION_FAILED", `query($shop: ID!) {
			staffVariantsConnection(businessId: $shop, first: 0) { totalCount } }`, map[string]any{"shop": c.Tools})
		for _, path := range []string{"/auth/me", "/businesses/" + c.Tools + "/cart"} {
			got := c.Get(t, path, "Authorization", "Bearer "+secret)
			if got.Status != http.StatusUnauthorized || !bytes.Contains(got.Body, []byte(`"UNAUTHENTICATED"`)) {
				t.Errorf("%s: got %d %s", path, got.Status, got.Body)
			}
		}
		for _, wrong := range []string{secret + "A", secret[:46], "sft_", "sft_" + strings.Repeat("A", 43),
			strings.ToUpper(secret), strings.TrimPrefix(secret, "sft_")} {
			got := shoptest.Worker{API: c.GraphQL().With(wrong)}.Refused(t, "UNAUTHENTICATED",
				`query($shop: ID!) { shopAccess(businessId: $shop) { domain } }`, map[string]any{"shop": c.Tools})
			if said := got.Errors[0].Message; strings.HasPrefix(wrong, "sft_") == strings.Contains(said, "refresh") {
				t.Errorf("%s: got %q; programs have nothing to refresh, customers do", wrong, said)
			}
		}
	})
}

// TestAccessTokenIsRevoked checks that a token revoked at one instance is refused at another at once, even
// between a request's arrival and its commit.
func TestAccessTokenIsRevoked(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		secret, made := owner.create(t, "p", map[string]any{"permissions": []string{"editCatalog"}})
		elsewhere := shoptest.Worker{API: c.Instance(t).GraphQL().With(secret)}
		brand := func(slug string) string {
			return fmt.Sprintf(`mutation($shop: ID!) { createBrand(businessId: $shop, slug: %q,
				input: {name: "B", nameFa: "ب"}) { id } }`, slug)
		}
		shop, it := map[string]any{"shop": c.Tools}, map[string]any{"shop": c.Tools, "id": made.ID}
		elsewhere.Do(t, brand("before"), shop, nil)
		c.Staff(t, c.Mugs, record.Owner).
			Refused(t, "NOT_FOUND", revokeToken, map[string]any{"shop": c.Mugs, "id": made.ID})

		// of concurrent revocations one succeeds
		var codes []string
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				code := owner.Ask(t, revokeToken, it).Code()
				mu.Lock()
				codes = append(codes, code)
				mu.Unlock()
			})
		}
		all.Wait()
		slices.Sort(codes)
		if !slices.Equal(codes, []string{"", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"}) {
			t.Errorf("got %q", codes)
		}
		elsewhere.Refused(t, "UNAUTHENTICATED", brand("after"), shop)
		if got := owner.list(t); len(got) != 1 || got[0].RevokedAt == nil {
			t.Errorf("got %+v", got)
		}
		if got := log(t, c, owner.Worker, `, recordId: "`+made.ID+`"`); len(got) != 2 ||
			got[0].Action != "revokeAccessToken" || got[1].Action != "createAccessToken" ||
			got[0].RecordName != "p" || got[0].UserID != owner.ID {
			t.Errorf("got %+v", got)
		}
		program := request.Program{Token: uuid.MustParse(made.ID), Business: uuid.MustParse(c.Tools)}
		err := transaction.Run(request.WithProgram(t.Context(), program), c.Store.Client, func(tx *ent.Tx) error {
			return tx.Partner.Create().SetDomain("late.example").Exec(t.Context())
		})
		if !fault.Is(err, fault.Unauthenticated) || c.Rows(t, "SELECT count(*) FROM partners") != 0 {
			t.Errorf("committed after it was revoked: %v", err)
		}
	})
}

// TestOwnersHearOfRevokedTokens takes over the account that made an access token: its number is proven by a code that
// another person uses. The token is revoked, and the other owners get an SMS that names the shop.
func TestOwnersHearOfRevokedTokens(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, by := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Owner)
		secret, _ := maker{c, by}.create(t, "p", map[string]any{"permissions": []string{"editCatalog"}})
		err := c.Store.Client.User.UpdateOneID(uuid.MustParse(by.ID)).SetVouched(false).Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		d := c.GraphQL().From(shoptest.StrangerAt)
		d.Right(t, "loginOtp", shoptest.ByCode(by.Customer.Cell, d.Code(t, by.Customer.Cell)))
		if told := c.Phones.Text(t, owner.Customer.Cell); !strings.Contains(told, "Access tokens of Tools") &&
			!strings.Contains(told, "ابزار") {
			t.Errorf("the other owner was told %q", told)
		}
		shoptest.Worker{API: c.GraphQL().With(secret)}.Refused(t, "UNAUTHENTICATED", `mutation($shop: ID!) {
			updateBrand(businessId: $shop, slug: "ronix", input: {name: "B"}) { id } }`,
			map[string]any{"shop": c.Tools})
	})
}

// TestAccessTokenIsRefused checks invalid inputs, and that racing owners make no more tokens than allowed.
func TestAccessTokenIsRefused(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := maker{c, c.Staff(t, c.Tools, record.Owner)}
		for n, one := range []struct {
			in    map[string]any
			wrong string
		}{
			{map[string]any{"name": "a", "permissions": []string{}}, "in.permissions"},
			{map[string]any{"name": "a", "permissions": []string{"seeShop", "manageStaff"}}, "in.permissions.1"},
			{map[string]any{"name": "a", "permissions": []string{"closeShop"}}, "in.permissions.0"},
			{map[string]any{"name": "a", "permissions": []string{"eraseCustomers", "closeShop"}},
				"in.permissions.0 in.permissions.1"},
			{map[string]any{"name": "a", "permissions": []string{"operateService"}}, "in.permissions.0"},
			{map[string]any{"name": " ", "permissions": []string{"seeShop"}}, "in.name"},
			{map[string]any{"name": "a\nb", "permissions": []string{"seeShop"}}, "in.name"},
			{map[string]any{"name": "a\u202eb", "permissions": []string{"manageStaff"}, "expiresAt": c.Clock.Now()},
				"in.permissions.0 in.name in.expiresAt"},
			{map[string]any{"name": strings.Repeat("a", 101), "permissions": []string{"seeShop"}}, "in.name"},
			{map[string]any{"name": "a", "permissions": slices.Repeat([]string{"seeShop"}, 51)}, "in.permissions"},
			{map[string]any{"name": "a", "permissions": []string{"seeShop"}, "expiresAt": c.Clock.Now()},
				"in.expiresAt"},
		} {
			got := owner.Refused(t, "VALIDATION_FAILED", createToken, map[string]any{"shop": c.Tools, "in": one.in})
			if is := shoptest.WrongIn(got); is != one.wrong {
				t.Errorf("%d: %s, want %s", n, is, one.wrong)
			}
		}
		if got := owner.list(t); len(got) != 0 {
			t.Fatalf("got %+v", got)
		}
		for range 98 {
			token(t, c, c.Tools, []staff.Permission{staff.SeeShop}, nil)
		}
		past := c.Clock.Now().Add(-time.Hour)
		for range 102 { // which count no more
			token(t, c, c.Tools, nil, func(a *ent.AccessTokenCreate) { a.SetExpiresAt(past) })
		}
		var codes []string
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				got := owner.Ask(t, createToken, map[string]any{"shop": c.Tools,
					"in": map[string]any{"name": "a", "permissions": []string{"seeShop"}}})
				mu.Lock()
				codes = append(codes, got.Code())
				mu.Unlock()
			})
		}
		all.Wait()
		slices.Sort(codes)
		if want := []string{"", "", "CONFLICT", "CONFLICT", "CONFLICT", "CONFLICT"}; !slices.Equal(codes, want) {
			t.Errorf("got %q, want %q", codes, want)
		}
		listed := owner.list(t)
		ended := slices.IndexFunc(listed, func(s tokenSeen) bool { return s.ExpiresAt != nil })
		if len(listed) != 200 || ended != 100 {
			t.Errorf("%d are listed, those that work before %d", len(listed), ended)
		}
	})
}
