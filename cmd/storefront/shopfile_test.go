package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"storefront/ent/user"
	"storefront/internal/content/derive"
	"storefront/internal/content/shopfile"
	"storefront/internal/database/tenancy"
)

// TestShopFileIsRefused checks that files that are truncated, changed or of another version are refused, and
// that nothing is written.
func TestShopFileIsRefused(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(whole)
		end := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		for name, c := range map[string]struct{ text, words string }{
			"empty":    {"", "cut off"},
			"header":   {text[:strings.Index(text, "\n")+1], "cut off"},
			"half":     {text[:len(text)/2], "cut off"},
			"no end":   {text[:end], "cut off"},
			"last":     {strings.TrimSuffix(text, "\n"), "cut off"},
			"changed":  {strings.Replace(text, "+989120000002", "+989120000999", 1), "cut off or damaged"},
			"longer":   {text + "[]\n", "behind its end"},
			"bundle":   {smallBundle, "no file of"},
			"migrated": {strings.Replace(text, `"migration":"2026`, `"migration":"2027`, 1), "same version"},
			"figures":  {strings.Replace(text, `"products":`, `"products":1`, 1), "nothing is kept: rows of products"},
		} {
			t.Run(name, func(t *testing.T) {
				to.refuse(t, []string{"shop", "import", write(t, "shop.jsonl", c.text)}, c.words)
			})
		}
		if list := to.succeed(t, "tenant", "list"); strings.Contains(list, machineShop) {
			t.Errorf("a file that was refused left a shop:\n%s", list)
		}
		if n, err := to.store.Client.User.Query().Count(t.Context()); err != nil || n != 0 {
			t.Errorf("files that were refused left %d accounts (%v)", n, err)
		}
		to.succeed(t, "tenant", "add", machineShop, "Another", "دیگر")
		to.refuse(t, []string{"shop", "import", file}, "another shop with the domain")
	})
}

// TestShopFileOfTakenDomains imports a shop with aliases that lead to existing shops, and checks that the
// error names all of them.
func TestShopFileOfTakenDomains(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		for _, domain := range []string{"free.example", "one.example", "two.example"} {
			from.succeed(t, "tenant", "alias", machineShop, domain)
		}
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		to.succeed(t, "tenant", "add", "one.example", "One", "یک")
		to.succeed(t, "tenant", "alias", "small.example", "two.example")
		to.refuse(t, []string{"shop", "import", file}, "lead to other shops here: one.example, two.example;")
		to.succeed(t, "tenant", "unalias", "small.example", "two.example")
		to.refuse(t, []string{"shop", "import", file}, "lead to other shops here: one.example;")
		to.succeed(t, "tenant", "domain", "-drop", "one.example", "other.example")
		to.succeed(t, "shop", "import", file)
		for _, domain := range []string{"free.example", "one.example", "two.example"} {
			if got := to.shown(t, domain); got != to.shown(t, machineShop) {
				t.Errorf("%s: got %.200s, want %s", domain, got, machineShop)
			}
		}
	})
}

// forged returns a file with changed rows, but with right counts and checksum.
func forged(t testing.TB, text string, change func(table string, row []any) []any) string {
	t.Helper()
	var lines []string
	table := ""
	for line := range strings.Lines(text) {
		var section struct{ Table string }
		var row []any
		switch {
		case strings.HasPrefix(line, `{"end"`):
			sum := sha256.Sum256([]byte(strings.Join(lines, "")))
			at := strings.Index(line, `"sha256":"`) + len(`"sha256":"`)
			line = line[:at] + hex.EncodeToString(sum[:]) + line[at+64:]
		case json.Unmarshal([]byte(line), &section) == nil:
			table = section.Table
		case json.Unmarshal([]byte(line), &row) == nil:
			changed, err := json.Marshal(change(table, row))
			if err != nil {
				t.Fatal(err)
			}
			line = string(changed) + "\n"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "")
}

// TestShopFileOfAnEnemy checks that files are refused that would write outside their own shop: to another
// shop, to the service, or to persons and records that the file does not have.
func TestShopFileOfAnEnemy(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		from.succeed(t, "staff", "add", "-unproven", machineShop, mover, "owner")
		shop := from.shopID(t)
		from.settings["MEDIA_DIR"] = t.TempDir()
		image := from.uploads(t, 4)[0].Address
		file := filepath.Join(t.TempDir(), "shop.jsonl")
		from.succeed(t, "shop", "export", "-now", machineShop, file)
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		victim, err := to.store.Client.Tenant.Query().Only(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		stranger, err := to.store.Client.User.Create().SetCellNumber("+989129999999").Save(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := to.store.Client.Category.Create().SetTenantID(victim.ID).SetEntityType("product").
			SetSlug("theirs").SetName("Theirs").SetNameFa("آنها").
			Save(derive.Alone(tenancy.In(t.Context(), victim.ID)))
		if err != nil {
			t.Fatal(err)
		}
		who, err := from.store.Client.User.Query().Where(user.CellNumber(mover)).Only(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// swap replaces a value in the rows of one table.
		swap := func(of, was string, is any) func(string, []any) []any {
			return func(table string, row []any) []any {
				for i := range row {
					if table == of && row[i] == was {
						row[i] = is
					}
				}
				return row
			}
		}
		category, categories := "", map[any]bool{}
		forged(t, string(whole), func(table string, row []any) []any {
			if table == "categories" {
				categories[row[0]] = true
			}
			for _, value := range row {
				if table == "products" && value != nil && categories[value] {
					category = value.(string)
				}
			}
			return row
		})
		for name, c := range map[string]struct {
			change func(string, []any) []any
			words  string
		}{
			"operator":      {swap("staff_members", shop, nil), "not the shop of the file"},
			"another staff": {swap("staff_members", shop, victim.ID.String()), "not the shop of the file"},
			"log":           {swap("audit_entries", shop, nil), "not the shop of the file"},
			"person":        {swap("memberships", who.ID.String(), stranger.ID.String()), "no person of the file"},
			"image": {swap("media_files", image, strings.Replace(image, shop, victim.ID.String(), 1)),
				"has the address of another one"},
			"category": {swap("products", category, theirs.ID.String()), "another shop's"},
		} {
			t.Run(name, func(t *testing.T) {
				changed := forged(t, string(whole), c.change)
				if changed == forged(t, string(whole), func(_ string, row []any) []any { return row }) {
					t.Fatal("the file is not changed")
				}
				to.refuse(t, []string{"shop", "import", write(t, "shop.jsonl", changed)}, c.words)
			})
		}
	})
}

// TestExportWaitsForImports exports a shop while a bundle is imported into it.
func TestExportWaitsForImports(t *testing.T) {
	eachTarget(t, func(t *testing.T, _, to *installation) {
		shop, _, err := shopfile.Close(t.Context(), to.store.Client, "small.example")
		if err != nil {
			t.Fatal(err)
		}
		unlock, err := to.store.LockImports(t.Context(), shop.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, stop)
		if _, err := shopfile.Export(ctx, to.store, shop.ID, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("the export does not wait: %v", err)
		}
	})
}
