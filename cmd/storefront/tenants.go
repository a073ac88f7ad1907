package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/domainalias"
	"storefront/ent/predicate"
	"storefront/ent/tenant"
	"storefront/internal/database/store"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
	"storefront/internal/platform/hostname"
	"storefront/internal/request"
	"storefront/internal/shop"
	"storefront/internal/shop/audit"
)

// tenants creates and lists tenants, and changes their domains.
func tenants(ctx context.Context, args []string, p program) error {
	var locale string
	var drop bool
	var flags *flag.FlagSet
	settings, words, err := loadWith("tenant", args, p, func(f *flag.FlagSet) {
		flags = f
		f.StringVar(&locale, "locale", "fa", "with add: the default locale, en or fa")
		f.BoolVar(&drop, "drop", false, "with domain: the old one does not lead to the shop any more")
	})
	if err != nil {
		return err
	}
	numbers := map[string]int{"add": 4, "domain": 3, "alias": 3, "unalias": 3, "list": 1}
	if len(words) == 0 || numbers[words[0]] != len(words) {
		return errors.New("say what to do: storefront tenant add DOMAIN NAME NAME_FA [--locale en|fa], " +
			"tenant domain DOMAIN NEW [--drop], tenant alias DOMAIN OTHER, tenant unalias DOMAIN OTHER, " +
			"or tenant list")
	}
	if err := refuseFlags(flags, words[0], map[string]string{"locale": "add", "drop": "domain"}); err != nil {
		return err
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	switch words[0] {
	case "add":
		return addTenant(ctx, s.Client, p, newTenant{words[1], words[2], words[3], locale})
	case "list":
		return listTenants(ctx, s.Client, p)
	}
	id, err := shopOf(ctx, s, words[1])
	if err != nil {
		return err
	}
	ctx = request.WithStaff(ctx, request.Staff{Business: id})
	switch words[0] {
	case "domain":
		err = shop.ChangeDomain(ctx, s.Client, id, words[2], !drop)
	case "alias":
		err = shop.AddAlias(ctx, s.Client, id, words[2])
	case "unalias":
		err = shop.RemoveAlias(ctx, s.Client, id, words[2])
	}
	if err != nil {
		return inWords(err)
	}
	return listTenants(ctx, s.Client, p, tenant.ID(id))
}

// shopOf returns the id of the tenant with the domain.
func shopOf(ctx context.Context, s *store.Store, domain string) (uuid.UUID, error) {
	host, ok := hostname.Normalize(domain)
	if !ok {
		return uuid.Nil, fmt.Errorf("%q is no domain; `storefront tenant list` shows those there are", domain)
	}
	found, err := shop.Find(ctx, s.Client, host)
	if ent.IsNotFound(err) {
		return uuid.Nil, fmt.Errorf("there is no tenant %s; `storefront tenant list` shows those there are", host)
	}
	if err != nil {
		return uuid.Nil, err
	}
	return found.ID, nil
}

// inWords returns an error with the message of a refusal for people.
func inWords(err error) error {
	if refused, ok := errors.AsType[*fault.Error](err); ok && refused.Code != fault.Internal {
		return errors.New(refused.Message)
	}
	return err
}

// refuseFlags refuses flags that were given with another subcommand than their own.
func refuseFlags(flags *flag.FlagSet, word string, values map[string]string) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if its, ok := values[f.Name]; ok && its != word {
			err = errors.Join(err, fmt.Errorf("-%s goes with %s, not with %s", f.Name, its, word))
		}
	})
	return err
}

const nameLimit = 200 // characters; contract 9

type newTenant struct{ domain, name, nameFa, locale string }

func addTenant(ctx context.Context, client *ent.Client, p program, n newTenant) error {
	host, ok := hostname.Normalize(n.domain)
	if !ok {
		return fmt.Errorf("%q is no domain; give the bare host, such as shop.ir", n.domain)
	}
	if err := hostname.CheckTenant(host); err != nil {
		return fmt.Errorf("%s %w", n.domain, err)
	}
	if n.locale != "en" && n.locale != "fa" {
		return fmt.Errorf("--locale must be en or fa, not %q", n.locale)
	}
	for _, given := range []*string{&n.name, &n.nameFa} {
		*given = strings.TrimSpace(*given)
		switch {
		case *given == "":
			return errors.New("the names must not be empty")
		case !utf8.ValidString(*given) || strings.ContainsFunc(*given, unicode.IsControl):
			return errors.New("the names must be UTF-8 without control characters")
		case utf8.RuneCountInString(*given) > nameLimit:
			return fmt.Errorf("the names must have at most %d characters", nameLimit)
		}
	}
	var t *ent.Tenant
	err := transaction.Run(ctx, client, func(tx *ent.Tx) error {
		if err := shop.LockDomain(ctx, tx, host); err != nil {
			return err
		}
		found, err := shop.Find(ctx, tx.Client(), host)
		if err == nil {
			return fmt.Errorf("%s leads to the tenant %s already", host, found.Domain)
		}
		if !ent.IsNotFound(err) {
			return err
		}
		if t, err = tx.Tenant.Create().SetDomain(host).SetSlug(search.Slug(host)).SetName(n.name).SetNameFa(n.nameFa).
			SetDefaultLocale(n.locale).Save(ctx); err != nil {
			return err
		}
		ctx := request.WithStaff(ctx, request.Staff{Business: t.ID})
		return audit.Record(ctx, tx, "addTenant", audit.Change{Kind: "tenant", ID: t.ID, After: t})
	})
	if ent.IsConstraintError(err) {
		return fmt.Errorf("there is a tenant with the domain %s, or with the slug %s, already",
			host, search.Slug(host))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is tenant %v\n", t.Domain, t.ID)
	return nil
}

// listTenants shows tenants, each with the domains that lead to it.
func listTenants(ctx context.Context, client *ent.Client, p program, which ...predicate.Tenant) error {
	all, err := client.Tenant.Query().Where(which...).Order(tenant.ByDomain()).All(ctx)
	if err != nil {
		return err
	}
	aliases, err := client.DomainAlias.Query().Order(domainalias.ByDomain()).All(ctx)
	if err != nil {
		return err
	}
	of := map[uuid.UUID][]string{}
	for _, one := range aliases {
		of[one.BusinessID] = append(of[one.BusinessID], one.Domain)
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DOMAIN\tID\tLOCALE\tNAME\tNAME_FA\tALIASES")
	for _, t := range all {
		fmt.Fprintf(table, "%s\t%v\t%s\t%s\t%s\t%s\n", t.Domain, t.ID, t.DefaultLocale, t.Name, t.NameFa,
			strings.Join(of[t.ID], " "))
	}
	return table.Flush()
}
