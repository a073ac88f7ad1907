package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/graph"
	"storefront/internal/audit"
	"storefront/internal/personal"
	"storefront/internal/phone"
	"storefront/internal/search"
	"storefront/internal/staff"
	"storefront/internal/store"
)

// auditLog lists the changes that staff and commands made in a shop, or without a domain in the service
// itself.
func auditLog(ctx context.Context, args []string, p program) error {
	var asked auditFlags
	var most int
	settings, words, err := loadWith("audit", args, p, func(f *flag.FlagSet) {
		asked.add(f)
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
	filter, err := asked.filter(ctx, s)
	if err != nil {
		return err
	}
	shop := uuid.Nil
	if len(words) == 1 {
		if shop, err = shopOf(ctx, s, words[0]); err != nil {
			return err
		}
	}
	entries, err := filter.Entries(s.Client, shop).Order(audit.NewestFirst).Limit(most).All(ctx)
	if err != nil {
		return err
	}
	tokens, err := tokensOf(ctx, s, shop, entries)
	if err != nil {
		return err
	}
	cells, err := cellsOf(ctx, s, entries)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "TIME\tBY\tROLE\tACTION\tKIND\tRECORD\tNAME\tBEFORE\tAFTER")
	for _, e := range entries {
		by, role := orDash(e.UserID), "command"
		if e.UserID != nil {
			by = cmp.Or(cells[*e.UserID], by)
		}
		if e.Role != nil {
			role = string(*e.Role)
		}
		if e.TokenID != nil {
			by, role = orDash(e.TokenID), "token"
			if t := tokens[*e.TokenID]; t != nil {
				by = printable(t.Name) + "…" + t.LastCharacters // names may not be unique
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.CreatedAt.UTC().Format(time.RFC3339),
			by, role, e.Action, e.Kind, orDash(e.RecordID), nameOrDash(e.RecordName),
			jsonOrDash(e.Before), jsonOrDash(e.After))
	}
	return table.Flush()
}

// tokensOf returns the access tokens in the entries of a shop.
func tokensOf(
	ctx context.Context, s *store.Store, shop uuid.UUID, entries []*ent.AuditEntry,
) (map[uuid.UUID]*ent.AccessToken, error) {
	var ids []uuid.UUID
	for _, e := range entries {
		if e.TokenID != nil {
			ids = append(ids, *e.TokenID)
		}
	}
	return staff.TokensByID(ctx, s.Client, shop, ids)
}

// cellsOf returns the cell numbers of the accounts that made changes, without those of closed accounts.
func cellsOf(ctx context.Context, s *store.Store, entries []*ent.AuditEntry) (map[uuid.UUID]string, error) {
	var ids []uuid.UUID
	for _, e := range entries {
		if e.UserID != nil {
			ids = append(ids, *e.UserID)
		}
	}
	found, err := s.Client.User.Query().Where(user.IDIn(ids...), user.ClosedAtIsNil()).
		Select(user.FieldID, user.FieldCellNumber).All(ctx)
	cells := make(map[uuid.UUID]string, len(found))
	for _, who := range found {
		cells[who.ID] = who.CellNumber
	}
	return cells, err
}

func orDash(id *uuid.UUID) string {
	if id == nil {
		return "-"
	}
	return id.String()
}

// jsonOrDash returns compact JSON without control characters, which a terminal would interpret, or a dash for
// none.
func jsonOrDash(text []byte) string {
	if len(text) == 0 {
		return "-"
	}
	var short bytes.Buffer
	_ = json.Compact(&short, text) // the database has only valid JSON
	return printable(short.String())
}

// nameOrDash returns the name of a record, or a dash for none.
func nameOrDash(name *string) string {
	if name == nil {
		return "-"
	}
	return printable(*name)
}

// printable returns a text without control characters, which a terminal would interpret.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || search.IsDirection(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// auditFlags select the entries to show; empty ones are ignored.
type auditFlags struct{ action, kind, name, record, by, customer, from, until string }

func (a *auditFlags) add(f *flag.FlagSet) {
	f.StringVar(&a.action, "action", "", "only entries of this mutation or command, such as import")
	f.StringVar(&a.kind, "kind", "", "only entries about records of this kind, such as product")
	f.StringVar(&a.name, "name", "", "only entries whose record has these words in its names")
	f.StringVar(&a.record, "record", "", "only entries about the record with this id")
	f.StringVar(&a.by, "by", "", "only changes by the account of this cell number")
	f.StringVar(&a.customer, "customer", "", "only entries about the customer with this cell number")
	f.StringVar(&a.from, "from", "", "only entries of this time or later: 2026-11-23, or 2026-11-23T15:04:05Z")
	f.StringVar(&a.until, "until", "", "only entries before this time")
}

func (a *auditFlags) filter(ctx context.Context, s *store.Store) (found audit.Filter, err error) {
	for _, given := range []struct {
		text *string
		of   **string
	}{{&a.action, &found.Action}, {&a.kind, &found.Kind}, {&a.name, &found.Name}} {
		if *given.text != "" {
			*given.of = given.text
		}
	}
	if a.record != "" {
		id, err := uuid.Parse(a.record)
		if err != nil {
			return found, fmt.Errorf("-record: %q is no id", a.record)
		}
		found.RecordID = &id
	}
	for _, given := range []struct {
		name, text string
		at         **time.Time
	}{{"-from", a.from, &found.From}, {"-until", a.until, &found.Until}} {
		if given.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, given.text)
		if err != nil {
			at, err = time.Parse(time.DateOnly, given.text)
		}
		if err != nil {
			return found, fmt.Errorf("%s: %q is no time; write it as 2026-11-23, which begins at midnight UTC, "+
				"or 2026-11-23T15:04:05Z", given.name, given.text)
		}
		*given.at = &at
	}
	for _, given := range []struct {
		name, text string
		id         **uuid.UUID
	}{{"-by", a.by, &found.UserID}, {"-customer", a.customer, &found.CustomerID}} {
		if given.text == "" {
			continue
		}
		cell, ok := phone.Normalize(given.text)
		if !ok {
			return found, fmt.Errorf("%s: %q is no cell number; write it as +989121234567", given.name, given.text)
		}
		who, err := personal.ByCell(ctx, s.Client, cell)
		if err != nil {
			return found, inWords(err)
		}
		*given.id = &who.ID
	}
	if err := found.Check(graph.IsMutation); err != nil {
		return found, inWords(err)
	}
	return found, nil
}
