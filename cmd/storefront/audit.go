package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/internal/config"
)

// auditLog lists what staff and commands changed in a shop; without a domain what they changed in the service itself.
func auditLog(ctx context.Context, args []string, p program) error {
	var action string
	var most int
	settings, words, err := config.Load("audit", args, p.getenv, p.stderr, func(f *flag.FlagSet) {
		f.StringVar(&action, "action", "", "only entries of this mutation or command, such as import")
		f.IntVar(&most, "most", 50, "how many of the newest to show")
	})
	if err != nil {
		return err
	}
	if len(words) > 1 {
		return errors.New("say whose log to show: storefront audit DOMAIN, or storefront audit for the service's own")
	}
	if most < 1 {
		return errors.New("-most must be at least 1")
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	found := s.Client.AuditEntry.Query().Limit(most).
		Order(auditentry.ByCreatedAt(sql.OrderDesc()), auditentry.ByID(sql.OrderDesc()))
	if len(words) == 0 {
		found.Where(auditentry.BusinessIDIsNil())
	} else {
		shop, err := shopOf(ctx, s, words[0])
		if err != nil {
			return err
		}
		found.Where(auditentry.BusinessID(shop))
	}
	if action != "" {
		found.Where(auditentry.Action(action))
	}
	entries, err := found.All(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TIME\tBY\tROLE\tACTION\tKIND\tRECORD\tBEFORE\tAFTER")
	for _, e := range entries {
		role := "command"
		if e.Role != nil {
			role = string(*e.Role)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.CreatedAt.UTC().Format(time.RFC3339), orDash(e.UserID), role,
			e.Action, e.Kind, orDash(e.RecordID), jsonOrDash(e.Before), jsonOrDash(e.After))
	}
	return table.Flush()
}

func orDash(id *uuid.UUID) string {
	if id == nil {
		return "-"
	}
	return id.String()
}

// jsonOrDash shows JSON as both databases give it, without what a terminal would obey.
func jsonOrDash(text []byte) string {
	if len(text) == 0 {
		return "-"
	}
	var short bytes.Buffer
	_ = json.Compact(&short, text) // the database gives no other
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, short.String())
}
