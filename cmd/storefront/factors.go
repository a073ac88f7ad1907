package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"storefront/internal/config"
	"storefront/internal/secondfactor"
	"storefront/internal/store"
)

// ofAllShops reports whether a subcommand of `storefront staff` is about accounts, which are shared by all
// shops.
func ofAllShops(does string) bool { return does == "drop-factor" || does == "reseal" }

// dropFactor removes the second factor of an account whose holder has lost it.
func dropFactor(ctx context.Context, s *store.Store, p program, cell string) error {
	if err := secondfactor.TakeAway(ctx, s.Client, cell, time.Now()); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s has no second factor any more, and is signed out\n", cell)
	return nil
}

// resealFactors seals under TOKEN_SIGNING_KEY all second factors that are sealed under
// TOKEN_SIGNING_KEY_OTHER.
func resealFactors(ctx context.Context, s *store.Store, p program, settings config.Config) error {
	if settings.OtherKey == "" {
		return errors.New("name the key that is to go in TOKEN_SIGNING_KEY_OTHER, and the new one in TOKEN_SIGNING_KEY")
	}
	key, err := config.SigningKey(settings)
	if err != nil {
		return err
	}
	factors, err := secondfactor.New(s.Client, time.Now, key, []byte(settings.OtherKey), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	resealed, err := factors.Reseal(ctx)
	fmt.Fprintf(p.stdout, "%d second factors are sealed anew\n", resealed)
	return err
}
