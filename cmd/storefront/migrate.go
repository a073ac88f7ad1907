package main

import (
	"context"
	"fmt"
)

// migrate brings the database up to date.
func migrate(ctx context.Context, args []string, p program) error {
	settings, err := load("migrate", args, p)
	if err != nil {
		return err
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, "the database is up to date")
	return s.Close()
}

func tooMany(command string, rest []string) error {
	return fmt.Errorf("%s takes no argument %q; -h shows what it takes", command, rest[0])
}
