package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/config"
	"storefront/internal/content/shopfile"
	"storefront/internal/database/store"
	"storefront/internal/sale/gateway"
	"storefront/internal/sale/gatewayaccount"
)

// accountsIn returns the accounts of shops at payment gateways, whose credentials are sealed under a key.
func accountsIn(s *store.Store, key []byte, other config.Secret) (*gatewayaccount.Service, error) {
	o := gatewayaccount.Options{Store: s.Client, Clock: time.Now, Key: key, Gateways: gateway.All(nil)}
	if other != "" {
		o.OtherKey = []byte(other)
	}
	return gatewayaccount.New(o)
}

// knownKey returns the signing key of this place; nil: only servers have it, or it is not made yet.
func knownKey(settings config.Config) ([]byte, error) {
	path, isFile := settings.SQLiteFile()
	if settings.SigningKey == "" && (!isFile || !isThere(path+".key")) {
		return nil, nil
	}
	return config.SigningKey(settings)
}

// tellUnreadable lists the accounts at payment gateways whose credentials cannot be read with a signing key.
func tellUnreadable(ctx context.Context, s *store.Store, p program, key []byte, other config.Secret) error {
	accounts, err := accountsIn(s, key, other)
	if err != nil {
		return err
	}
	rows, err := accounts.Unreadable(ctx)
	if err != nil {
		return err
	}
	return tellAccounts(p, rows)
}

// tellAccounts lists accounts whose credentials an owner must enter again. Their shops must have been read.
func tellAccounts(p program, rows []*ent.GatewayAccount) (err error) {
	for _, row := range rows {
		if err == nil {
			_, err = fmt.Fprintf(p.stdout, "%s: an owner must enter the payment gateway account %s again\n",
				row.Edges.Tenant.Domain, gatewayaccount.Name(row))
		}
	}
	return err
}

// tellLeft lists the newest account of each gateway of a shop that was imported: a shop's file has no credentials.
func tellLeft(ctx context.Context, s *store.Store, p program, shop uuid.UUID) error {
	accounts, err := accountsIn(s, nil, "")
	if err != nil {
		return err
	}
	rows, err := accounts.Newest(ctx, shop)
	if err != nil {
		return err
	}
	return tellAccounts(p, rows)
}

// lookEvery is how often an export looks whether tries to pay are still open.
const lookEvery = 5 * time.Second

// settlePayments waits until no try of a locked shop to pay at a gateway is open: servers settle them meanwhile. With
// -end-payments it ends them instead.
func settlePayments(ctx context.Context, s *store.Store, p program, shop *ent.Tenant, e export) error {
	told := false
	for {
		open, last, err := shopfile.OpenPayments(ctx, s.Client, shop.ID)
		switch {
		case err != nil:
			return err
		case open == 0:
			return shopfile.EndPayments(ctx, s.Client, shop) // those that are only watched
		case e.ends:
			fmt.Fprintf(p.stderr, "%d open payments at gateways are ended; their money, if there is any, is in the "+
				"gateways' panels\n", open)
			return shopfile.EndPayments(ctx, s.Client, shop)
		case e.now:
			return errors.New("payments at gateways are open, and no server settles them: start one and leave -now " +
				"out, or end them with -end-payments")
		case !told:
			fmt.Fprintf(p.stderr, "%d payments at gateways are open, and the last is asked for at %s; the export "+
				"waits for them. -end-payments ends them instead\n", open, last.UTC().Format(time.RFC3339))
			told = true
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
