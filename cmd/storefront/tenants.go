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

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/audit"
	"storefront/internal/auth"
	"storefront/internal/hostname"
	"storefront/internal/search"
	"storefront/internal/transaction"
)

// tenants creates and lists tenants.
func tenants(ctx context.Context, args []string, p program) error {
	var locale string
	settings, words, err := loadWith("tenant", args, p, func(f *flag.FlagSet) {
		f.StringVar(&locale, "locale", "fa", "with add: the default locale, en or fa")
	})
	if err != nil {
		return err
	}
	adds := len(words) == 4 && words[0] == "add"
	if !adds && (len(words) != 1 || words[0] != "list") {
		return errors.New("say what to do: storefront tenant add DOMAIN NAME NAME_FA [--locale en|fa], " +
			"or storefront tenant list")
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	if adds {
		return addTenant(ctx, s.Client, p, words[1], words[2], words[3], locale)
	}
	return listTenants(ctx, s.Client, p)
}

const nameLimit = 200 // characters; contract 9

func addTenant(ctx context.Context, client *ent.Client, p program, domain, name, nameFa, locale string) error {
	host, ok := hostname.Normalize(domain)
	if !ok {
		return fmt.Errorf("%q is no domain; give the bare host, such as shop.ir", domain)
	}
	if err := hostname.CheckTenant(host); err != nil {
		return fmt.Errorf("%s %w", domain, err)
	}
	if locale != "en" && locale != "fa" {
		return fmt.Errorf("--locale must be en or fa, not %q", locale)
	}
	for _, given := range []*string{&name, &nameFa} {
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
	err := transaction.Run(ctx, client, func(tx *ent.Tx) (err error) {
		if t, err = tx.Tenant.Create().SetDomain(host).SetSlug(search.Slug(host)).SetName(name).SetNameFa(nameFa).
			SetDefaultLocale(locale).Save(ctx); err != nil {
			return err
		}
		ctx := auth.WithStaff(ctx, auth.Staff{Business: t.ID})
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

func listTenants(ctx context.Context, client *ent.Client, p program) error {
	all, err := client.Tenant.Query().Order(tenant.ByDomain()).All(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DOMAIN\tID\tLOCALE\tNAME\tNAME_FA")
	for _, t := range all {
		fmt.Fprintf(table, "%s\t%v\t%s\t%s\t%s\n", t.Domain, t.ID, t.DefaultLocale, t.Name, t.NameFa)
	}
	return table.Flush()
}
