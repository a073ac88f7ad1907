package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
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
	fmt.Fprintln(p.stdout, "the database is up to date")
	return s.Close()
}
