package releases_test

import (
	"errors"
	"slices"
	"testing"

	"storefront/internal/database/versions"
	"storefront/internal/database/versions/releases"
)

func readFile(kind, name string) ([]byte, error) { return versions.Files.ReadFile(kind + "/" + name) }

// TestReleasedMigrationsNeverChange compares the migrations with the checksums of each release: every later
// release must accept a database that an earlier one migrated.
func TestReleasedMigrationsNeverChange(t *testing.T) {
	all, err := releases.Read("../releases.json")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		if len(r.Commit) != 40 || r.Version == "" || len(r.Migrations["postgres"]) == 0 ||
			len(r.Migrations["sqlite3"]) == 0 {
			t.Errorf("release %d is not whole: %s %s", i, r.Version, r.Commit)
		}
	}
	for _, fault := range releases.Broken(all, readFile) {
		t.Error(fault)
	}
}

func TestBroken(t *testing.T) {
	const kind, name, other = "postgres", "1_shops.sql", "2_names.sql"
	all := []releases.Release{{Version: "0.1.0", Migrations: map[string]map[string]string{
		kind: {name: releases.Sum([]byte("CREATE TABLE a")), other: releases.Sum([]byte("CREATE TABLE b"))},
	}}}
	if last := all[0].Last(kind); last != other {
		t.Errorf("got %s, want %s", last, other)
	}
	for _, c := range []struct {
		files map[string]string
		want  []string
	}{
		{map[string]string{name: "CREATE TABLE a", other: "CREATE TABLE b", "3.sql": "new"}, nil},
		{map[string]string{name: "CREATE TABLE A", other: "CREATE TABLE b"},
			[]string{"postgres 1_shops.sql of 0.1.0 was changed"}},
		{map[string]string{name: "CREATE TABLE a"}, []string{"postgres 2_names.sql of 0.1.0 is missing"}},
	} {
		got := releases.Broken(all, func(_, name string) ([]byte, error) {
			text, ok := c.files[name]
			if !ok {
				return nil, errors.New("missing")
			}
			return []byte(text), nil
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: got %q, want %q", c.files, got, c.want)
		}
	}
}
