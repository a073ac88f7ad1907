package testdb

import (
	"context"
	"net/url"
	"strings"
	"testing"
)

func TestSweepDropsWhatOnlyDeadRunsMade(t *testing.T) {
	living, err := url.Parse(Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	s := onServer(t)
	const dead = "testdb_00000000_1"
	if _, err := s.admin.Exec("CREATE DATABASE " + dead); err != nil {
		t.Fatal(err)
	}
	if err := s.sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{dead: false, strings.TrimPrefix(living.Path, "/"): true} {
		var exists bool
		if err := s.admin.QueryRow("SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).
			Scan(&exists); err != nil {
			t.Fatal(err)
		}
		if exists != want {
			t.Errorf("%s is there: %v, want %v", name, exists, want)
		}
	}
}
