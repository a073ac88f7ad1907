package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/auth"
	"storefront/internal/cart"
	"storefront/internal/fault"
	"storefront/internal/hostname"
	"storefront/internal/money"
	"storefront/internal/order"
	"storefront/internal/record"
	"storefront/internal/shop"
	"storefront/internal/sms"
	"storefront/internal/store"
)

// shopOrders lists the orders of a shop, or moves one to another status.
func shopOrders(ctx context.Context, args []string, p program) error {
	var asked orderFlags
	settings, words, err := loadWith("order", args, p, asked.define)
	if err != nil {
		return err
	}
	lists := len(words) == 2 && words[0] == "list"
	if !lists && (len(words) != 4 || words[0] != "move") {
		return errors.New("say what to do: storefront order list DOMAIN [-status STATUS], " +
			"or storefront order move DOMAIN NUMBER STATUS [-note TEXT]")
	}
	if err := asked.check(lists); err != nil {
		return err
	}
	if !lists {
		if asked.status, err = statusOf(words[3]); err != nil {
			return err
		}
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	shop, err := shopOf(ctx, s, words[1])
	if err != nil {
		return err
	}
	ctx = auth.WithStaff(ctx, auth.Staff{Business: shop}) // the audit log records a command
	service := order.New(s.Client, cart.New(s.Client, time.Now), time.Now)
	if lists {
		return listOrders(ctx, service, p, shop, asked)
	}
	if closed, err := s.Client.Tenant.Query().Where(tenant.ID(shop), tenant.ClosedAtNotNil()).Exist(ctx); err != nil {
		return err
	} else if closed {
		return fmt.Errorf("%s is closed; `storefront shop open` opens it", words[1])
	}
	return moveOrder(ctx, service, p, shop, words[2], asked)
}

// orderFlags holds the flags of the order command; status is nil when the flag is absent.
type orderFlags struct {
	status *record.OrderStatus
	most   int
	note   string
}

func (w *orderFlags) define(f *flag.FlagSet) {
	const statusHelp = "with list: only orders that are pending, confirmed, processing, shipped, delivered or cancelled"
	f.Func("status", statusHelp, func(word string) (err error) {
		w.status, err = statusOf(word)
		return err
	})
	f.IntVar(&w.most, "most", 50, "with list: how many of the newest to show")
	f.StringVar(&w.note, "note", "", "with move: a note for the history, which the customer sees")
}

const noteLimit = 1000 // characters; contract 9

func (w *orderFlags) check(lists bool) error {
	w.note = strings.TrimSpace(w.note)
	switch {
	case w.most < 1:
		return errors.New("-most must be at least 1")
	case lists && w.note != "":
		return errors.New("-note belongs to order move")
	case !lists && w.status != nil:
		return errors.New("-status belongs to order list")
	case !utf8.ValidString(w.note) || strings.ContainsRune(w.note, 0):
		return errors.New("-note must be UTF-8 without U+0000")
	case utf8.RuneCountInString(w.note) > noteLimit:
		return fmt.Errorf("-note must have at most %d characters", noteLimit)
	}
	return nil
}

func statusOf(word string) (*record.OrderStatus, error) {
	status := record.OrderStatus(word)
	if known := status.Values(); !slices.Contains(known, word) {
		return nil, fmt.Errorf("%q is no status; it must be one of %s", word, strings.Join(known, ", "))
	}
	return &status, nil
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

func listOrders(ctx context.Context, service *order.Service, p program, shop uuid.UUID, asked orderFlags) error {
	newest, err := service.Newest(ctx, shop, asked.status, asked.most)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NUMBER\tTIME\tSTATUS\tTOTAL\tCURRENCY\tCUSTOMER\tLINES")
	for _, o := range newest {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%d\n",
			o.OrderNumber, o.CreatedAt.UTC().Format(time.RFC3339), o.Status,
			money.Amount{Minor: o.Total, Currency: o.PriceCurrency}, o.PriceCurrency,
			customerOf(o), len(o.Edges.Items))
	}
	return table.Flush()
}

// customerOf returns the masked cell number of the customer of an order, or "erased" if the customer was
// erased.
func customerOf(o *ent.Order) string {
	if o.Edges.User == nil {
		return "erased"
	}
	return sms.Masked(o.Edges.User.CellNumber)
}

func moveOrder(
	ctx context.Context, service *order.Service, p program, shop uuid.UUID, number string, asked orderFlags,
) error {
	found, err := service.Numbered(ctx, shop, number)
	if ent.IsNotFound(err) {
		return fmt.Errorf("the shop has no order %q; `storefront order list DOMAIN` shows those there are", number)
	}
	if err != nil {
		return err
	}
	var note *string
	if asked.note != "" {
		note = &asked.note
	}
	ctx = auth.WithStaff(ctx, auth.Staff{Business: shop}) // the audit log records a command
	moved, err := service.Move(ctx, shop, found.ID, *asked.status, note)
	if refused, ok := errors.AsType[*fault.Error](err); ok && refused.Code == fault.Conflict {
		return fmt.Errorf("%s: %s", found.OrderNumber, refused.Message)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "order %s is %s\n", moved.OrderNumber, moved.Status)
	return nil
}
