package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"storefront/internal/config"
	"storefront/internal/database"
	"storefront/internal/database/store"
)

// load reads the settings of a command that takes no arguments.
func load(command string, args []string, p program, own ...func(*flag.FlagSet)) (config.Config, error) {
	settings, rest, err := loadWith(command, args, p, own...)
	if len(rest) > 0 {
		err = errors.Join(err, fmt.Errorf("%s takes no argument %q; -h shows what it takes", command, rest[0]))
	}
	return settings, err
}

// loadWith reads the settings of a command, and returns its arguments too. The error has all faults, those
// found by config and those found by the packages that use a setting. Variables that look like settings but
// are not, and a default database, are reported on stderr; serve logs them instead.
func loadWith(
	command string, args []string, p program, own ...func(*flag.FlagSet),
) (config.Config, []string, error) {
	settings, rest, err := config.Load(command, args, p.getenv, p.stderr, own...)
	if errors.Is(err, flag.ErrHelp) {
		return settings, rest, err
	}
	opens := settings.DatabaseURL != ""
	var wrong []string
	if err != nil {
		wrong = append(wrong, err.Error())
	}
	if opens {
		if err := database.Check(settings.DatabaseURL); err != nil {
			wrong = append(wrong, "DATABASE_URL (-database-url): "+err.Error())
		}
	}
	if command == "serve" && len(wrong) == 0 { // it logs the warnings below itself
		return settings, rest, nil
	}
	if opens || len(wrong) > 0 {
		for _, u := range config.Unknowns(p.environ()) {
			fmt.Fprintf(p.stderr, "storefront: %s is set, which is no setting; is %s meant?\n", u.Name, u.Nearest)
		}
	}
	if settings.DatabaseByDefault {
		fmt.Fprintf(p.stderr, "storefront: DATABASE_URL is not set; this is %s\n",
			database.Describe(settings.DatabaseURL))
	}
	if len(wrong) > 0 {
		return settings, rest, errors.New(strings.Join(wrong, "\n"))
	}
	return settings, rest, nil
}

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
