package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
)

// migrate brings the database up to date.
func migrate(ctx context.Context, args []string, p program) error {
	var finish bool
	settings, err := load("migrate", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&finish, "finish", false, "put right what servers of the version before wrote meanwhile")
	})
	if err != nil {
		return err
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	if finish {
		if err := s.FinishUpgrade(ctx); err != nil {
			return errors.Join(fmt.Errorf("finish the upgrade: %w", err), s.Close())
		}
	}
	unknown, err := s.Unknown(ctx)
	if len(unknown) > 0 {
		fmt.Fprintf(p.stdout, "a newer version has migrated the database, by %s; this one works beside it\n",
			strings.Join(unknown, ", "))
	}
	fmt.Fprintln(p.stdout, "the database is up to date")
	return errors.Join(err, s.Close())
}
