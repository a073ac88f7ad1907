package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"storefront/internal/database/store"
)

// migrate brings the database up to date.
func migrate(ctx context.Context, args []string, p program) error {
	settings, err := load("migrate", args, p)
	if err != nil {
		return err
	}
	s, err := openWith(ctx, settings, (*store.Store).Migrate)
	if err != nil {
		return err
	}
	unknown, err := s.Unknown(ctx)
	if len(unknown) > 0 {
		fmt.Fprintf(p.stdout, "a newer version has migrated the database, by %s; this one works beside it\n",
			strings.Join(unknown, ", "))
	}
	fmt.Fprintln(p.stdout, "the database is up to date")
	return errors.Join(err, s.Close())
}
