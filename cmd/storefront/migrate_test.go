package main

import (
	"strings"
	"sync"
	"testing"
)

// TestMigrateInSeveralProcesses starts several on one empty database at once: each brings it up to date or
// finds it so.
func TestMigrateInSeveralProcesses(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		s := on(database)
		var all sync.WaitGroup
		for i := range 6 {
			args := []string{"migrate"}
			if i%3 == 0 {
				args = []string{"tenant", "list"} // which migrates too
			}
			all.Go(func() {
				code, out, stderr := ended(t, s.process(t.Context(), args...))
				if code != 0 || stderr != "" || args[0] == "migrate" && out != "the database is up to date\n" {
					t.Errorf("%q: exit %d, %q, %q", args, code, out, stderr)
				}
			})
		}
		all.Wait()
		if out := s.succeed(t, "migrate"); out != "the database is up to date\n" {
			t.Errorf("again: %q", out)
		}
		if list := s.succeed(t, "tenant", "list"); strings.Count(list, "\n") != 1 {
			t.Errorf("tenants:\n%s", list)
		}
	})
}
