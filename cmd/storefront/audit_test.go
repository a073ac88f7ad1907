package main

import (
	"slices"
	"strings"
	"testing"

	"storefront/internal/audit"
)

const auditHeader = "TIME BY ROLE ACTION KIND RECORD NAME BEFORE AFTER"

// TestCommandsAreAudited checks that each command that changes something has an entry in the audit log of the
// shop, or of the service.
func TestCommandsAreAudited(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		const cell = "+989121234567"
		s.succeed(t, "tenant", "add", "shop.example", "Shop", "فروشگاه")
		known(t, database, cell, true)
		s.succeed(t, "staff", "add", "shop.example", cell, "owner")
		small := write(t, "small.json", strings.ReplaceAll(smallBundle, "small.example", "shop.example"))
		s.succeed(t, "import", small)
		s.succeed(t, "import", small) // changes nothing
		s.succeed(t, "staff", "add", cell, "operator")
		s.succeed(t, "staff", "remove", cell)
		newKey(t, s, "partner.example")
		id := table(t, keyHeader, s.succeed(t, "partner", "list"))[0][0]
		s.succeed(t, "partner", "revoke", id)

		entries := func(args ...string) (actions []string) {
			for _, row := range table(t, auditHeader, s.succeed(t, append([]string{"audit"}, args...)...)) {
				if row[1] != "-" || row[2] != "command" || !slices.Contains(audit.Kinds, row[4]) {
					t.Errorf("by whom, and of what kind: %q", row)
				}
				actions = append(actions, row[3])
			}
			return actions
		}
		if got := strings.Join(entries("shop.example"), " "); got != "import addStaff addTenant" {
			t.Errorf("the shop's: got %s", got)
		}
		if got := strings.Join(entries(), " "); got != "revokePartnerKey addPartnerKey removeStaff addStaff" {
			t.Errorf("the service's: got %s", got)
		}
		for _, want := range []string{`"file":"small.json"`, `"products":{"created":1,"updated":0}`} {
			if out := s.succeed(t, "audit", "shop.example", "-action", "import"); !strings.Contains(out, want) {
				t.Errorf("got %s, want it to contain %s", out, want)
			}
		}
		if got := entries("-most", "1"); len(got) != 1 {
			t.Errorf("one of them: got %q", got)
		}
		if got := entries("shop.example", "-customer", cell); len(got) != 1 || got[0] != "addStaff" {
			t.Errorf("about the owner: got %q", got)
		}
		if got := entries("shop.example", "-by", cell); len(got) != 0 {
			t.Errorf("by the owner: got %q", got)
		}
		if got := entries("shop.example", "-kind", "staffMember", "-name", "0912 123"); len(got) != 1 {
			t.Errorf("about a member of staff: got %q", got)
		}
		if got := entries("-record", id); len(got) != 2 {
			t.Errorf("about the key: got %q", got)
		}
		from, until := entries("-from", "2026-01-01"), entries("-until", "2026-01-01T00:00:00Z")
		if len(from) != 4 || len(until) != 0 {
			t.Errorf("since the year began %q, before %q", from, until)
		}
		names := ""
		for _, row := range table(t, auditHeader, s.succeed(t, "audit", "shop.example")) {
			names += row[6] + " "
		}
		if names != "small.json "+cell+" فروشگاه " {
			t.Errorf("names: %s", names)
		}
		s.refuse(t, []string{"audit", "-from", "now"}, "-from", "no time")
		s.refuse(t, []string{"audit", "-from", "2026-11-23", "-until", "2026-11-23"}, "from", "before until")
		s.refuse(t, []string{"audit", "-kind", "products"}, "kind", "one of", "product")
		s.refuse(t, []string{"audit", "-action", "imports"}, "action", "a mutation", "importSheet")
		s.refuse(t, []string{"audit", "-record", "12"}, "-record", "no id")
		s.refuse(t, []string{"audit", "-by", "12"}, "-by", "no cell number")
		s.refuse(t, []string{"audit", "-customer", "+989120000000"}, "no account")
		s.refuse(t, []string{"audit", "none.example"}, "no tenant")
		s.refuse(t, []string{"audit", "-most", "0"}, "-most")
		s.refuse(t, []string{"audit", "a", "b"}, "audit DOMAIN")
	})
}
