// Package gatewayaccount keeps what shops prove themselves with at payment gateways. The credentials are sealed with a
// key of the installation. A row is never edited but for whether customers can begin to pay with it, and for forgetting
// its credentials: other ones are another row, and the old one settles and refunds what began with it.
package gatewayaccount

import (
	"cmp"
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	account "storefront/ent/gatewayaccount"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/message/notice"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/httpcall"
	"storefront/internal/platform/sealer"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
)

// Options are what the accounts work with.
type Options struct {
	Store         *ent.Client
	Clock         record.Clock
	Key, OtherKey []byte            // seal credentials; OtherKey is nil unless keys are exchanged
	Gateways      []gateway.Gateway // in the order in which customers see them
	PublicURL     string            // PUBLIC_URL; empty: not known
	Notices       *notice.Service   // sends owners an SMS about each change

	// Reach calls an address of a shop and returns the answer; nil: over the network.
	Reach func(ctx context.Context, address string) ([]byte, error)
}

// Service manages the accounts of all shops. It is safe for concurrent use.
type Service struct {
	Options
	sealer sealer.Sealer
	marks  [][]byte // keys of marker, the own one first
}

// New returns the service.
func New(o Options) (*Service, error) {
	if o.Reach == nil {
		o.Reach = overNetwork(httpcall.New(maxAnswer))
	}
	sealed, err := sealer.New("storefront gateway accounts", o.Key, o.OtherKey)
	s := &Service{Options: o, sealer: sealed}
	s.PublicURL = strings.TrimRight(o.PublicURL, "/")
	for _, key := range [][]byte{o.Key, o.OtherKey} {
		if key == nil || err != nil {
			continue
		}
		var mark []byte
		mark, err = hkdf.Key(sha256.New, key, nil, "storefront marker of hosts", sha256.Size)
		s.marks = append(s.marks, mark)
	}
	return s, err
}

// The errors of Open.
var (
	errForgotten = fault.New(fault.Conflict,
		"the credentials of this account are forgotten; enter them again as another account")
	errKeyLost = fault.New(fault.Conflict, "the credentials of this account cannot be read: they were stored under "+
		"another TOKEN_SIGNING_KEY; enter them again as another account")
	errUnknown = fault.New(fault.Conflict, "this version of the service does not know the gateway of this account")
	errNoBase  = fault.New(fault.Conflict, "the gateway's customers cannot come back: give the account an address "+
		"for callbacks, or have the operator set PUBLIC_URL")
)

// Open returns the gateway of an account and its credentials. It fails with CONFLICT, whose message is for staff, if
// they are forgotten or cannot be read, and if there is no such gateway; but for the last it returns the gateway.
func (s *Service) Open(row *ent.GatewayAccount) (gateway.Gateway, gateway.Account, error) {
	opened := gateway.Account{ID: row.ID}
	g := s.named(row.Gateway)
	switch {
	case g == nil:
		return nil, opened, errUnknown
	case row.Secrets == nil:
		return g, opened, errForgotten
	}
	text, _, err := s.sealer.Open(*row.Secrets, about(row.TenantID, row.ID))
	var secrets map[string]string
	if err == nil {
		err = json.Unmarshal(text, &secrets)
	}
	if err != nil {
		return g, opened, errKeyLost
	}
	opened.Secrets = secrets
	return g, opened, nil
}

// named returns the gateway of a name; nil if there is none.
func (s *Service) named(name string) gateway.Gateway {
	if i := s.place(name); i < len(s.Gateways) {
		return s.Gateways[i]
	}
	return nil
}

// place returns where a gateway stands among all; len(s.Gateways): nowhere.
func (s *Service) place(name string) int {
	i := slices.IndexFunc(s.Gateways, func(g gateway.Gateway) bool { return g.About().Name == name })
	if i < 0 {
		return len(s.Gateways)
	}
	return i
}

// about returns what the credentials of an account are sealed with: copied to another row they cannot be opened.
func about(shop, id uuid.UUID) []byte {
	return slices.Concat(shop[:], id[:], []byte(account.FieldSecrets))
}

// Base returns the scheme and host of the addresses at which an account's customers come back; empty: there is none.
func (s *Service) Base(row *ent.GatewayAccount) string {
	return cmp.Or(convert.Value(row.CallbackBase), s.PublicURL)
}

// Active returns the accounts of a shop with which customers can begin to pay, one a gateway, in the order in which
// customers see them. Open may refuse some of them.
func (s *Service) Active(ctx context.Context, client *ent.Client, shop uuid.UUID) ([]*ent.GatewayAccount, error) {
	found, err := client.GatewayAccount.Query().Where(account.TenantID(shop), account.Active(true)).All(ctx)
	slices.SortFunc(found, func(a, b *ent.GatewayAccount) int { return s.place(a.Gateway) - s.place(b.Gateway) })
	return found, err
}

const readAtOnce = 500

// readSealed is of all shops.
var readSealed = database.Statement(`SELECT g.id, g.tenant_id, g.gateway, g.last4, g.secrets, t.domain
	FROM gateway_accounts g JOIN tenants t ON t.id = g.tenant_id
	WHERE g.id > $after AND g.secrets IS NOT NULL ORDER BY g.id LIMIT $most`)

// sealed returns the first accounts of all shops with greater ids and credentials, with their shops.
func (s *Service) sealed(ctx context.Context, after uuid.UUID) (rows []*ent.GatewayAccount, err error) {
	values := database.Values{"after": after, "most": readAtOnce}
	err = readSealed.Each(ctx, s.Store.Raw(), values, func(row *sql.Rows) error {
		a := &ent.GatewayAccount{Secrets: new([]byte)}
		a.Edges.Tenant = new(ent.Tenant)
		rows = append(rows, a)
		return row.Scan(&a.ID, &a.TenantID, &a.Gateway, &a.Last4, a.Secrets, &a.Edges.Tenant.Domain)
	})
	return rows, err
}

// Unreadable returns the accounts of all shops, with these, whose credentials are sealed under another key.
func (s *Service) Unreadable(ctx context.Context) (all []*ent.GatewayAccount, err error) {
	for last := uuid.Nil; ; {
		rows, err := s.sealed(ctx, last)
		if err != nil || len(rows) == 0 {
			return all, err
		}
		for _, row := range rows {
			last = row.ID
			if _, _, err := s.Open(row); err == errKeyLost {
				all = append(all, row)
			}
		}
	}
}

// Reseal seals with the own key all credentials that are sealed with the other one. It returns their number.
func (s *Service) Reseal(ctx context.Context) (resealed int, err error) {
	shops := map[uuid.UUID]uuid.UUID{}
	return s.sealer.Reseal(func(after uuid.UUID) ([]sealer.Row, error) {
		found, err := s.sealed(ctx, after)
		return convert.All(found, func(row *ent.GatewayAccount) sealer.Row {
			shops[row.ID] = row.TenantID
			return sealer.Row{ID: row.ID, Sealed: *row.Secrets, About: about(row.TenantID, row.ID)}
		}), err
	}, func(row sealer.Row, again []byte) error {
		ctx := tenancy.In(ctx, shops[row.ID])
		return transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
			return tx.GatewayAccount.Update().Where(account.ID(row.ID), account.Secrets(row.Sealed)).
				SetSecrets(again).Exec(ctx)
		})
	})
}
