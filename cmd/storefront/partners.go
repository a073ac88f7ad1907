package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"storefront/ent"
	"storefront/internal/message/partner"
)

// partners creates, lists and revokes the API keys of partners, and lists the messages they sent.
func partners(ctx context.Context, args []string, p program) error {
	var most int
	settings, words, err := loadWith("partner", args, p, func(f *flag.FlagSet) {
		f.IntVar(&most, "most", 50, "with messages: how many of the newest to show")
	})
	if err != nil {
		return err
	}
	if most < 1 {
		return errors.New("-most must be at least 1")
	}
	numbers := map[string][]int{"add": {2}, "list": {1}, "revoke": {2}, "messages": {1, 2}}
	if len(words) == 0 || !slices.Contains(numbers[words[0]], len(words)) {
		return errors.New("say what to do: storefront partner add DOMAIN, partner list, partner revoke KEY_ID, " +
			"or partner messages [DOMAIN]")
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	switch does, argument := words[0], words[len(words)-1]; {
	case does == "add":
		return addPartner(ctx, s.Client, p, argument)
	case does == "list":
		return listPartners(ctx, s.Client, p)
	case does == "revoke":
		if err := partner.Revoke(ctx, s.Client, argument); err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, "the key is revoked")
		return nil
	case len(words) == 1: // messages of all domains
		return listMessages(ctx, s.Client, p, "", most)
	default:
		return listMessages(ctx, s.Client, p, argument, most)
	}
}

// addPartner creates a key and prints it alone on the last line, so that a script can read it with tail -n 1. A key
// that cannot be shown is revoked.
func addPartner(ctx context.Context, client *ent.Client, p program, domain string) error {
	key, id, err := partner.Add(ctx, client, domain)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout,
		"Key %v of %s, for the header X-Api-Key. Keep it on the server; it is not shown again:\n%s\n", id, domain, key)
	if err == nil {
		return nil
	}
	if failed := partner.End(context.WithoutCancel(ctx), client, id); failed != nil {
		return fmt.Errorf("key %v of %s could not be shown (%w), nor revoked (%w): run storefront partner revoke %v",
			id, domain, err, failed, id)
	}
	return fmt.Errorf("key %v of %s could not be shown, and is revoked: %w", id, domain, err)
}

func listPartners(ctx context.Context, client *ent.Client, p program) error {
	keys, err := partner.Keys(ctx, client)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KEY_ID\tDOMAIN\tMADE\tREVOKED")
	for _, k := range keys {
		revoked := "-"
		if k.RevokedAt != nil {
			revoked = k.RevokedAt.Format(time.RFC3339)
		}
		fmt.Fprintf(table, "%v\t%s\t%s\t%s\n",
			k.ID, k.Edges.Partner.Domain, k.CreatedAt.Format(time.RFC3339), revoked)
	}
	return table.Flush()
}

func listMessages(ctx context.Context, client *ent.Client, p program, domain string, most int) error {
	messages, err := partner.Messages(ctx, client, domain, most)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TIME\tDOMAIN\tTO\tLENGTH\tPROVIDER\tSERVER_ID\tOUTCOME")
	for _, m := range messages {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\t%s\n",
			m.CreatedAt.Format(time.RFC3339), m.Edges.Partner.Domain, m.MaskedTo,
			m.Length, m.Provider, m.ServerID, m.Outcome)
	}
	return table.Flush()
}
