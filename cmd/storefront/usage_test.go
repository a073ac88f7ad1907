package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/rest"
)

func TestUsage(t *testing.T) {
	t.Parallel()
	none := settings{}
	for _, args := range [][]string{nil, {"help"}, {"-h"}, {"--help"}} {
		out := none.succeed(t, args...)
		for _, c := range commands {
			if !strings.Contains(out, "  "+c.name+" ") {
				t.Errorf("%q does not name %s", args, c.name)
			}
		}
	}
	for _, c := range commands {
		out, stderr, err := none.run(t, c.name, "-h")
		if !errors.Is(err, flag.ErrHelp) || out != "" || !strings.Contains(stderr, "usage: storefront "+c.name) {
			t.Errorf("%s -h: %v, %q, %q", c.name, err, out, stderr)
		}
		none.refuse(t, []string{c.name, "--nothing"}, "nothing")
	}
	none.refuse(t, []string{"nothing"}, "nothing")
	for _, name := range []string{"serve", "migrate", "openapi", "schema", "version"} {
		none.refuse(t, []string{name, "surplus"}, "surplus")
	}
	if code, out, stderr := ended(t, none.process(t.Context(), "nothing")); code != 1 || out != "" ||
		!strings.Contains(stderr, `storefront: there is no command "nothing"`) {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	for _, args := range [][]string{{"-h"}, {"serve", "-h"}} {
		if code, _, _ := ended(t, none.process(t.Context(), args...)); code != 0 {
			t.Errorf("%q: exit %d", args, code)
		}
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	none := settings{}
	shown := none.succeed(t, "schema")
	public, err := gqlparser.LoadSchema(&ast.Source{Input: shown})
	if err != nil {
		t.Fatal(err)
	}
	written := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	for _, name := range storefront.PrivateDirectives {
		delete(written.Directives, name)
	}
	for name := range written.Directives {
		if public.Directives[name] == nil {
			t.Errorf("schema leaves out @%s", name)
		}
	}
	if len(public.Directives) != len(written.Directives) || len(public.Types) != len(written.Types) {
		t.Errorf("schema: got %d directives and %d types, want the %d and %d of schema.graphql for clients",
			len(public.Directives), len(public.Types), len(written.Directives), len(written.Types))
	}
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(none.succeed(t, "openapi")), &document); err != nil ||
		!strings.HasPrefix(document.OpenAPI, "3.") {
		t.Fatalf("openapi %q: %v", document.OpenAPI, err)
	}
	for _, route := range rest.Routes {
		if document.Paths[route.Path][strings.ToLower(route.Method)] == nil {
			t.Errorf("openapi has no %s %s", route.Method, route.Path)
		}
	}
}

// TestSettingsAreAllTold checks that all faults of the settings are reported at once, before anything is
// opened or printed.
func TestSettingsAreAllTold(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	folder := t.TempDir()
	wrong := settings{
		"DATABASE_URL": "sqlite://" + folder + "/shop.db", "LISTEN_ADDR": "nowhere", "METRICS_ADDR": "99999999",
		"CORS_ORIGINS":    "ftp://x",
		"CORS_HEADERS":    "*",
		"TRUSTED_PROXIES": "x", "GRAPHQL_EXPLORER": "maybe", "TOKEN_SIGNING_KEY": secret, "SMS_PROVIDER": "pigeon",
		"OTP_PER_MINUTE": "-1",
		"AUDIT_TTL":      "x", "OTP_RESEND": "soon", "CACHE_SIZE": "much",
	}
	var named []string
	for name := range wrong {
		if name != "DATABASE_URL" {
			named = append(named, name)
		}
	}
	wrong.refuse(t, []string{"serve"}, named...)
	code, out, stderr := ended(t, wrong.process(t.Context(), "serve"))
	if code != 1 || out != "" || strings.Contains(stderr, secret) {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	if made, _ := filepath.Glob(folder + "/*"); len(made) > 0 {
		t.Errorf("made %q", made)
	}
	for _, address := range []string{"mysql://root:" + secret + "@db/shop", "shop.db", "sqlite://",
		"postgres://u:" + secret + "@[/x", "sqlite://" + folder + "/none/shop.db"} {
		for _, args := range [][]string{
			{"serve"}, {"migrate"}, {"import", "x.json"}, {"export", "x.example"}, {"tenant", "list"},
		} {
			s := settings{"DATABASE_URL": address, "TOKEN_SIGNING_KEY": strings.Repeat("k", 32),
				"LISTEN_ADDR": "127.0.0.1:0"}
			if _, stderr, err := s.run(t, args...); err == nil || strings.Contains(err.Error()+stderr, secret) {
				t.Errorf("%q on %s: %v %s", args, address, err, stderr)
			}
		}
	}
	settings{"DATABASE_URL": "postgres://u:" + secret + "@db.example/shop"}.refuse(t, []string{"serve"},
		"TOKEN_SIGNING_KEY")
}

func TestAddressInUse(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	first := serving(t, ctx, on("sqlite://"+t.TempDir()+"/shop.db"))
	folder := t.TempDir()
	second := on("sqlite://"+folder+"/shop.db", "LISTEN_ADDR", strings.TrimPrefix(first.url, "http://"))
	second.refuse(t, []string{"serve"}, "LISTEN_ADDR", "in use")
	if _, err := os.Stat(folder + "/shop.db"); err == nil {
		t.Error("the database was made although the address could not be opened")
	}
	stop()
	first.ends(t)
}
