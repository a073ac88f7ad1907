package partner_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"log/slog"
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/fault"
	"storefront/internal/message/partner"
	"storefront/internal/request"
)

// each runs f with a gateway, whose clock is stopped, on a new database of each kind.
func each(t *testing.T, now time.Time, f func(t *testing.T, client *ent.Client, gateway *partner.Service)) {
	t.Parallel()
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		clock := func() time.Time { return now }
		f(t, s.Client, partner.New(s.Client, clock, nil, "none", slog.New(slog.DiscardHandler)))
	})
}

func add(t testing.TB, client *ent.Client, domain string) string {
	t.Helper()
	key, _, err := partner.Add(t.Context(), client, domain)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestKeysAreStoredHashed checks that only the SHA-256 of a key is stored, and that the key authenticates
// its own partner.
func TestKeysAreStoredHashed(t *testing.T) {
	each(t, time.Now(), func(t *testing.T, client *ent.Client, gateway *partner.Service) {
		domains := []string{"one.example", "two.example", "one.example"}
		var ids [3]request.Partner
		for i, domain := range domains {
			key := add(t, client, domain)
			sum := sha256.Sum256([]byte(key))
			rows := client.PartnerKey.Query().AllX(t.Context())
			if found := 0; len(rows) != i+1 {
				t.Errorf("%d keys", len(rows))
			} else {
				for _, row := range rows {
					if bytes.Equal(row.Hash, sum[:]) {
						found++
					}
				}
				if found != 1 {
					t.Errorf("the hash of a key is there %d times", found)
				}
			}
			known, err := gateway.Authenticate(t.Context(), key)
			if err != nil || known.Domain != domain {
				t.Errorf("got %+v, %v", known, err)
			}
			ids[i] = known
			for _, wrong := range []string{"", key[1:], key + "=", " " + key, string(sum[:])} {
				_, err := gateway.Authenticate(t.Context(), wrong)
				if refused, ok := errors.AsType[*fault.Error](err); !ok || refused.Code != fault.InvalidCredentials {
					t.Errorf("%q: %v", wrong, err)
				}
			}
		}
		if ids[0] != ids[2] || ids[0] == ids[1] {
			t.Errorf("partners %v", ids)
		}
	})
}

// TestOwns checks which spellings of a domain are a partner's own.
func TestOwns(t *testing.T) {
	p := request.Partner{Domain: "xn--mgbtj4c7ad63e.example"}
	for domain, want := range map[string]bool{
		"xn--mgbtj4c7ad63e.example": true, "فروشگاه.example": true, "www.فروشگاه.example": true,
		"WWW.XN--mgbtj4c7ad63e.Example.": true,
		"www.www.فروشگاه.example":        false, "a.فروشگاه.example": false, "فروشگاه": false, "": false,
		".": false, "www.": false, "example": false,
		"فروشگاه.example:443": false, "https://فروشگاه.example": false, " فروشگاه.example": false,
		"فروشگاه.example\n": false,
	} {
		if got := p.Owns(domain); got != want {
			t.Errorf("%q: %t", domain, got)
		}
	}
}

// TestSweep removes the records that are older than a year, however many, and no others.
func TestSweep(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	const year = 366 * 24 * time.Hour
	each(t, now, func(t *testing.T, client *ent.Client, gateway *partner.Service) {
		add(t, client, "one.example")
		owner := client.Partner.Query().OnlyX(t.Context())
		write := func(at time.Time, n int) {
			t.Helper()
			rows := make([]*ent.PartnerMessageCreate, n)
			for i := range rows {
				rows[i] = client.PartnerMessage.Create().
					SetPartnerID(owner.ID).
					SetMaskedTo("***").
					SetLength(1).
					SetProvider("none").
					SetServerID("").
					SetOutcome("sent").
					SetCreatedAt(at)
			}
			if err := client.PartnerMessage.CreateBulk(rows...).Exec(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			write(now.Add(-year-time.Hour), 800)
		}
		write(now.Add(time.Microsecond-year), 2)
		write(now, 1)
		if err := sweep.Run(t.Context(), client.Raw(), gateway.Old(), nil); err != nil {
			t.Fatal(err)
		}
		left, err := partner.Messages(t.Context(), client, "one.example", 5000)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) != 3 || !left[0].CreatedAt.Equal(now) {
			t.Errorf("%d records are left", len(left))
		}
	})
}
