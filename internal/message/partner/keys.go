package partner

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/partner"
	"storefront/ent/partnerkey"
	"storefront/ent/partnermessage"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// CanBe reports whether a domain is valid for a partner.
func CanBe(domain string) bool {
	host, ok := request.PartnerDomain(domain)
	return ok && hostname.CheckTenant(host) == nil
}

// Add makes a new key for a domain, in addition to those it has, and makes the domain a partner if it is not
// one yet. The key is returned only here, as only its hash is stored.
func Add(ctx context.Context, client *ent.Client, domain string) (key string, id uuid.UUID, err error) {
	host, _ := request.PartnerDomain(domain)
	if !CanBe(domain) {
		return "", uuid.Nil, fmt.Errorf("%q is no partner's domain; give the bare apex, such as partner.ir", domain)
	}
	for key == "" || key[0] == '-' { // a command line would take such a key for a flag
		var random [32]byte
		_, _ = rand.Read(random[:]) // never fails
		key = base64.RawURLEncoding.EncodeToString(random[:])
	}
	err = transaction.Run(ctx, client, func(tx *ent.Tx) error {
		err := tx.Partner.Create().SetDomain(host).OnConflict(sql.ConflictColumns(partner.FieldDomain),
			sql.ResolveWithIgnore()).Exec(ctx)
		if err != nil {
			return err
		}
		owner, err := tx.Partner.Query().Where(partner.Domain(host)).OnlyID(ctx)
		if err != nil {
			return err
		}
		made, err := tx.PartnerKey.Create().SetPartnerID(owner).SetHash(hash(key)).Save(ctx)
		if err != nil {
			return err
		}
		id = made.ID
		return audit.Record(ctx, tx, "addPartnerKey",
			audit.Change{Kind: "partnerKey", ID: id, After: map[string]any{"domain": host}})
	})
	return key, id, err
}

// Keys lists all keys with their partners, the oldest first.
func Keys(ctx context.Context, client *ent.Client) ([]*ent.PartnerKey, error) {
	return client.PartnerKey.Query().WithPartner().Order(partnerkey.ByID()).All(ctx)
}

// Revoke revokes a key at once. It fails if the key does not exist or is revoked already.
func Revoke(ctx context.Context, client *ent.Client, id string) error {
	key, err := uuid.Parse(id)
	if err != nil {
		return fmt.Errorf("%q is no key's id; `storefront partner list` shows them", id)
	}
	if err = End(ctx, client, key); fault.Is(err, fault.NotFound) {
		return fmt.Errorf("there is no live key %v; `storefront partner list` shows them", key)
	}
	return err
}

// End revokes a key at once. It fails with NOT_FOUND if the key does not exist or is revoked already.
func End(ctx context.Context, client *ent.Client, key uuid.UUID) error {
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		found, err := tx.PartnerKey.Query().Where(partnerkey.ID(key)).WithPartner().Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		at := record.Now()
		n, failed := tx.PartnerKey.Update().Where(partnerkey.ID(key), partnerkey.RevokedAtIsNil()).
			SetRevokedAt(at).Save(ctx)
		if failed != nil {
			return failed
		}
		if n == 0 {
			return fault.New(fault.NotFound, "there is no such key, or it is revoked")
		}
		return audit.Record(ctx, tx, "revokePartnerKey", audit.Change{
			Kind: "partnerKey", ID: key, Name: found.Edges.Partner.Domain,
			Before: map[string]any{"revokedAt": nil}, After: map[string]any{"revokedAt": at},
		})
	})
}

// Messages returns the newest records of partners' messages: of one domain, or of all if domain is empty.
func Messages(ctx context.Context, client *ent.Client, domain string, most int) ([]*ent.PartnerMessage, error) {
	query := client.PartnerMessage.Query().WithPartner().
		Order(partnermessage.ByCreatedAt(sql.OrderDesc()), partnermessage.ByID(sql.OrderDesc())).Limit(most)
	if domain != "" {
		host, ok := request.PartnerDomain(domain)
		if !ok {
			return nil, fmt.Errorf("%q is no domain", domain)
		}
		query.Where(partnermessage.HasPartnerWith(partner.Domain(host)))
	}
	return query.All(ctx)
}

// keptFor is how long records are kept.
const keptFor = 366 * 24 * time.Hour

// Old returns the job that deletes records older than a year.
func (s *Service) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(partnermessage.Table, partnermessage.FieldCreatedAt, s.clock.Now().Add(-keptFor))}
}
