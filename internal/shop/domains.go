// Package shop changes what a shop is to its customers: the domains that lead to it, and whether it is open.
//
// A shop has one domain of its own, and aliases, such as the domain that it had before. A domain that is one shop's own
// leads there even if it is another's alias.
package shop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/domainalias"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/shop/audit"
)

// most is how many aliases a shop may have.
const most = 20

// Find returns the shop that a domain leads to, in hostname.Normalize form. It fails with ent.NotFoundError.
func Find(ctx context.Context, client *ent.Client, domain string) (*ent.Tenant, error) {
	found, err := client.Tenant.Query().Where(tenant.Domain(domain)).Only(ctx)
	if !ent.IsNotFound(err) {
		return found, err
	}
	alias, aliasErr := client.DomainAlias.Query().Where(domainalias.Domain(domain)).WithBusiness().Only(ctx)
	if ent.IsNotFound(aliasErr) {
		return nil, err
	}
	if aliasErr != nil {
		return nil, aliasErr
	}
	return alias.Edges.Business, nil
}

// Aliases returns the aliases of a shop, by name.
func Aliases(ctx context.Context, client *ent.Client, id uuid.UUID) (aliases []string, err error) {
	aliases = []string{}
	err = client.DomainAlias.Query().Where(domainalias.BusinessID(id)).Order(domainalias.ByDomain()).
		Select(domainalias.FieldDomain).Scan(ctx, &aliases)
	return aliases, err
}

// Domains returns the domains that lead to a shop, its own first.
func Domains(ctx context.Context, client *ent.Client, id uuid.UUID) ([]string, error) {
	row, err := client.Tenant.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	aliases, err := Aliases(ctx, client, id)
	return append([]string{row.Domain}, aliases...), err
}

// names is the form of a change in the audit log.
type names struct {
	Domain  string   `json:"domain"`
	Aliases []string `json:"aliases"`
}

// AddAlias makes a domain an alias of a shop, also one of the shop's with www. in front of it. It does nothing if the
// domain is one already.
func AddAlias(ctx context.Context, client *ent.Client, id uuid.UUID, domain string) error {
	return change(ctx, client, id, "addDomainAlias", domain, func(ctx context.Context, tx *ent.Tx, host string,
		had names) error {
		isOwn := func(host string) bool { return host == had.Domain || slices.Contains(had.Aliases, host) }
		if isOwn(host) {
			return nil
		}
		if below, www := strings.CutPrefix(host, "www."); !www || !isOwn(below) || strings.HasPrefix(below, "www.") {
			if err := checkBare(host); err != nil {
				return err
			}
		}
		return addAlias(ctx, tx, id, host)
	})
}

// RemoveAlias removes an alias of a shop, and the one with www. in front of it. It fails with NOT_FOUND if the shop
// does not have it.
func RemoveAlias(ctx context.Context, client *ent.Client, id uuid.UUID, domain string) error {
	return change(ctx, client, id, "removeDomainAlias", domain, func(ctx context.Context, tx *ent.Tx, host string,
		had names) error {
		if !slices.Contains(had.Aliases, host) {
			return fault.New(fault.NotFound, "%s does not lead to the shop beside its own domain", host)
		}
		return removeAlias(ctx, tx, id, host, "www."+host)
	})
}

// ChangeDomain changes a shop's own domain. If keep is true, the old one becomes an alias; else it
// leads nowhere, nor with www. in front of it.
func ChangeDomain(ctx context.Context, client *ent.Client, id uuid.UUID, domain string, keep bool) error {
	return change(ctx, client, id, "changeDomain", domain, func(ctx context.Context, tx *ent.Tx, host string,
		had names) error {
		if host == had.Domain {
			return nil
		}
		if err := checkBare(host); err != nil {
			return err
		}
		if err := removeAlias(ctx, tx, id, host); err != nil {
			return err
		}
		if err := MustBeFree(ctx, tx, host); err != nil {
			return err
		}
		if err := tx.Tenant.UpdateOneID(id).SetDomain(host).Exec(ctx); err != nil {
			return err
		}
		if !keep {
			return removeAlias(ctx, tx, id, "www."+had.Domain)
		}
		return addAlias(ctx, tx, id, had.Domain)
	})
}

// change makes a change of a shop's domains in one transaction, records it, and makes servers read the shop
// again.
func change(ctx context.Context, client *ent.Client, id uuid.UUID, action, domain string,
	f func(ctx context.Context, tx *ent.Tx, host string, had names) error,
) error {
	host, ok := hostname.Normalize(domain)
	if !ok {
		return checkBare(domain)
	}
	err := derive.InShop(ctx, client, id, func(ctx context.Context, tx *ent.Tx) error {
		before, err := namesOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, host, before); err != nil {
			return err
		}
		after, err := namesOf(ctx, tx, id)
		if err != nil || before.Domain == after.Domain && slices.Equal(before.Aliases, after.Aliases) {
			return err
		}
		err = audit.Record(ctx, tx, action,
			audit.Change{Kind: "tenant", ID: id, Name: after.Domain, Before: before, After: after})
		if err != nil {
			return err
		}
		return derive.Raise(ctx, tx, id)
	})
	if ent.IsConstraintError(err) { // somebody else took it meanwhile
		return domainTaken(host)
	}
	return err
}

// checkBare checks that a host may be a shop's domain.
func checkBare(host string) error {
	if hostname.CheckTenant(host) == nil {
		return nil
	}
	return fault.Invalid("domain", "must be a bare host with a dot, such as shop.ir, without www or api in front of it")
}

func namesOf(ctx context.Context, tx *ent.Tx, id uuid.UUID) (n names, err error) {
	row, err := tx.Tenant.Get(ctx, id)
	if err != nil {
		return n, err
	}
	n.Domain = row.Domain
	n.Aliases, err = Aliases(ctx, tx.Client(), id)
	return n, err
}

func removeAlias(ctx context.Context, tx *ent.Tx, id uuid.UUID, hosts ...string) error {
	_, err := tx.DomainAlias.Delete().Where(domainalias.BusinessID(id), domainalias.DomainIn(hosts...)).Exec(ctx)
	return err
}

func addAlias(ctx context.Context, tx *ent.Tx, id uuid.UUID, host string) error {
	n, err := tx.DomainAlias.Query().Where(domainalias.BusinessID(id)).Count(ctx)
	if err == nil && n >= most {
		err = fault.New(fault.LimitExceeded, "a shop may have %d other domains", most)
	}
	if err != nil {
		return err
	}
	if err := MustBeFree(ctx, tx, host); err != nil {
		return err
	}
	return tx.DomainAlias.Create().SetBusinessID(id).SetDomain(host).Exec(ctx)
}

// LockDomain makes others who give a shop the same domain wait until tx ends. Domains are in two tables, and
// no index spans both, so everyone who checks them before writing holds this lock. On SQLite a transaction
// locks the whole file.
func LockDomain(ctx context.Context, tx *ent.Tx, host string) error {
	if tx.Raw().Dialect() != dialect.Postgres {
		return nil
	}
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "domain "+host)
	if err != nil {
		return fmt.Errorf("wait for others who take the domain %s: %w", host, err)
	}
	return nil
}

// MustBeFree fails with CONFLICT if a domain leads to a shop, and keeps others from taking it until tx ends.
func MustBeFree(ctx context.Context, tx *ent.Tx, host string) error {
	if err := LockDomain(ctx, tx, host); err != nil {
		return err
	}
	_, err := Find(ctx, tx.Client(), host)
	if err == nil {
		return domainTaken(host)
	}
	return ent.MaskNotFound(err)
}

func domainTaken(host string) error {
	return fault.New(fault.Conflict, "the domain %s leads to a shop already", host)
}
