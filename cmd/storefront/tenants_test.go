package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestTenants(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		if out := s.succeed(t, "tenant", "list"); strings.TrimSpace(strings.ReplaceAll(out, "  ", "")) == "" ||
			strings.Count(out, "\n") != 1 {
			t.Errorf("an empty list: %q", out)
		}
		for domain, stored := range map[string]string{
			"Shop.Example": "shop.example", "shop.example.example": "shop.example.example",
			"other.example.": "other.example", "فروشگاه.example": "xn--mgbtj4c7ad63e.example",
			"api.example": "api.example",
		} {
			out := s.succeed(t, "tenant", "add", domain, "Shop", "فروشگاه")
			if !strings.HasPrefix(out, stored+" is tenant ") {
				t.Errorf("%s: %q", domain, out)
			}
		}
		s.succeed(t, "tenant", "add", "english.example", "English", "انگلیسی", "--locale", "en")
		for _, c := range []struct {
			args  []string
			words string
		}{
			{[]string{"add", "shop.example", "Shop", "فروشگاه"}, "already"},
			{[]string{"add", "SHOP.example.", "Shop", "فروشگاه"}, "already"},
			{[]string{"add", "www.shop.example", "Shop", "فروشگاه"}, "www."},
			{[]string{"add", "api.shop.example", "Shop", "فروشگاه"}, "api."},
			{[]string{"add", "customer.shop.example", "Shop", "فروشگاه"}, "customer."},
			{[]string{"add", "business.shop.example", "Shop", "فروشگاه"}, "business."},
			{[]string{"add", "https://shop.example", "Shop", "فروشگاه"}, "no domain"},
			{[]string{"add", "shop.example:8080", "Shop", "فروشگاه"}, "no domain"},
			{[]string{"add", "shop", "Shop", "فروشگاه"}, "dot"},
			{[]string{"add", "127.0.0.1", "Shop", "فروشگاه"}, "no domain"},
			{[]string{"add", "", "Shop", "فروشگاه"}, "no domain"},
			{[]string{"add", "new.example", "", "فروشگاه"}, "empty"},
			{[]string{"add", "new.example", "Shop", ""}, "empty"},
			{[]string{"add", "new.example", " \t", "فروشگاه"}, "empty"},
			{[]string{"add", "new.example", "a\xff", "فروشگاه"}, "UTF-8"},
			{[]string{"add", "new.example", "a", strings.Repeat("x", 201)}, "200"},
			{[]string{"add", "new.example", "a\nb", "فروشگاه"}, "control"},
			{[]string{"add", "shop-example.example", "Shop", "فروشگاه"}, "shop-example-example"},
			{[]string{"add", "new.example", "Shop", "فروشگاه", "--locale", "de"}, "locale"},
			{[]string{"add", "new.example", "Shop"}, "tenant add"},
			{[]string{"add", "new.example", "Shop", "فروشگاه", "surplus"}, "tenant add"},
			{[]string{"add"}, "tenant add"},
			{[]string{}, "tenant list"},
			{[]string{"remove", "shop.example"}, "tenant list"},
			{[]string{"list", "surplus"}, "tenant list"},
			{[]string{"alias", "shop.example", "a.example", "-drop"}, "-drop goes with domain, not with alias"},
			{[]string{"unalias", "shop.example", "a.example", "-locale", "fa"}, "-locale goes with add"},
			{[]string{"list", "-drop"}, "-drop goes with domain, not with list"},
		} {
			s.refuse(t, append([]string{"tenant"}, c.args...), c.words)
		}
		aliased := s.succeed(t, "tenant", "alias", "english.example", "Englisch.Example.")
		if strings.Count(aliased, "\n") != 2 || !strings.Contains(aliased, "\nenglish.example ") {
			t.Errorf("got %q, want the one tenant", aliased)
		}
		s.succeed(t, "tenant", "domain", "englisch.example", "inglese.example")
		for _, c := range [][]string{
			{"add", "english.example", "Shop", "فروشگاه"}, {"alias", "shop.example", "englisch.example"},
			{"domain", "shop.example", "inglese.example"},
		} {
			s.refuse(t, append([]string{"tenant"}, c...), "already")
			_, _, err := s.run(t, append([]string{"tenant"}, c...)...)
			if said := fmt.Sprint(err); strings.Contains(said, "CONFLICT") || strings.Count(said, c[2]) > 1 {
				t.Errorf("%v: got %q, want the domain once, without a code", c, said)
			}
		}
		if list := s.succeed(t, "tenant", "list"); !strings.Contains(list, "englisch.example english.example") {
			t.Errorf("aliases:\n%s", list)
		}
		s.succeed(t, "tenant", "unalias", "inglese.example", "englisch.example")
		s.refuse(t, []string{"tenant", "unalias", "inglese.example", "englisch.example"}, "does not lead")
		s.succeed(t, "tenant", "domain", "inglese.example", "english.example", "-drop")
		s.refuse(t, []string{"tenant", "alias", "inglese.example", "a.example"}, "no tenant")
		list := s.succeed(t, "tenant", "list")
		lines := strings.Split(strings.TrimSpace(list), "\n")
		if len(lines) != 7 || !strings.Contains(list, "english.example ") || strings.Contains(list, "new.example") {
			t.Errorf("tenants:\n%s", list)
		}
	})
}
