package checks_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowedImports lists which of this module's packages each package may import; tests may import more. Every
// package has a row. "ent" stands for the generated data model and its packages.
var allowedImports = map[string][]string{
	"storefront":                    {},
	"storefront/internal/fault":     {},
	"storefront/internal/language":  {"internal/fault"},
	"storefront/internal/search":    {},
	"storefront/internal/blob":      {},
	"storefront/internal/imagefile": {"internal/fault", "internal/record"},
	"storefront/internal/media": {
		"ent", "internal/audit", "internal/auth", "internal/blob", "internal/cart", "internal/database",
		"internal/derive", "internal/fault", "internal/goroutine", "internal/imagefile", "internal/member",
		"internal/note", "internal/order", "internal/ratelimit", "internal/record", "internal/share",
		"internal/signedlink", "internal/staff", "internal/tenancy",
		"internal/transaction", "internal/wire",
	},
	"storefront/internal/money":     {},
	"storefront/internal/hostname":  {},
	"storefront/internal/phone":     {},
	"storefront/internal/record":    {},
	"storefront/internal/bilingual": {"internal/language"},
	"storefront/internal/selection": {"internal/bilingual"},
	"storefront/internal/calendar":  {"internal/record"},
	"storefront/internal/report": {
		"ent", "internal/calendar", "internal/database", "internal/fault", "internal/money", "internal/outbox",
		"internal/record", "internal/search", "internal/tenancy", "internal/transaction",
	},
	"storefront/internal/loading":   {"internal/record", "internal/selection"},
	"storefront/internal/demo":      {},
	"storefront/internal/convert":   {},
	"storefront/internal/cores":     {},
	"storefront/internal/share":     {},
	"storefront/internal/goroutine": {},
	"storefront/internal/tracing":   {},
	"storefront/internal/database": {
		"internal/cores", "internal/goroutine", "internal/note", "internal/share", "internal/tracing",
	},
	"storefront/internal/database/versions":          {},
	"storefront/internal/database/versions/releases": {},
	"storefront/internal/database/recordrelease":     {"internal/database/versions/releases"},
	"storefront/internal/note":                       {},
	"storefront/internal/sweep":                      {"internal/database"},
	"storefront/internal/server/origin":              {},
	"storefront/internal/password":                   {"internal/cores", "internal/share"},
	"storefront/internal/token":                      {},
	"storefront/internal/transaction": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/share",
	},
	"storefront/internal/member": {"ent", "internal/fault", "internal/record", "internal/search"},
	"storefront/internal/cart": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/member",
		"internal/money", "internal/record", "internal/ratelimit", "internal/sweep", "internal/tenancy",
		"internal/token", "internal/transaction",
	},
	"storefront/internal/outbox": {"ent", "internal/database", "internal/record", "internal/transaction"},
	"storefront/internal/live": {
		"ent", "internal/database", "internal/fault", "internal/goroutine", "internal/outbox", "internal/record",
	},
	"storefront/internal/personal": {
		"ent", "internal/audit", "internal/auth", "internal/database", "internal/derive",
		"internal/fault", "internal/money", "internal/outbox", "internal/phone", "internal/record", "internal/tenancy",
		"internal/transaction",
	},
	"storefront/internal/notice": {
		"ent", "internal/database", "internal/fault", "internal/goroutine", "internal/ratelimit", "internal/record",
		"internal/sms", "internal/transaction",
	},
	"storefront/internal/submission": {
		"ent", "internal/auth", "internal/derive", "internal/fault", "internal/outbox", "internal/ratelimit",
		"internal/record", "internal/tenancy", "internal/transaction",
	},
	"storefront/internal/contact": {
		"ent", "internal/audit", "internal/auth", "internal/database", "internal/fault", "internal/notice",
		"internal/outbox", "internal/phone", "internal/record", "internal/search", "internal/submission",
		"internal/tenancy", "internal/transaction",
	},
	"storefront/internal/opinion": {
		"ent", "internal/audit", "internal/auth", "internal/bundle", "internal/database", "internal/derive",
		"internal/fault", "internal/outbox", "internal/record", "internal/search", "internal/submission",
		"internal/tenancy", "internal/transaction",
	},
	"storefront/internal/favorites": {
		"ent", "internal/cart", "internal/fault", "internal/member", "internal/transaction",
	},
	"storefront/internal/webhook": {
		"ent", "internal/audit", "internal/database", "internal/fault", "internal/goroutine", "internal/hostname",
		"internal/outbox",
		"internal/ratelimit", "internal/record", "internal/share", "internal/sweep", "internal/tenancy",
		"internal/transaction",
	},
	"storefront/internal/order": {
		"ent", "internal/audit", "internal/auth", "internal/cart", "internal/database",
		"internal/derive", "internal/fault", "internal/member",
		"internal/money", "internal/outbox", "internal/record", "internal/search", "internal/tenancy",
		"internal/transaction",
	},
	"storefront/internal/sms":     {},
	"storefront/internal/keylock": {},
	"storefront/internal/procfs":  {},
	"storefront/internal/partner": {
		"ent", "internal/audit", "internal/auth", "internal/database", "internal/fault", "internal/hostname",
		"internal/ratelimit", "internal/record", "internal/sms", "internal/sweep", "internal/transaction",
	},
	"storefront/internal/auth":  {"internal/fault", "internal/hostname", "internal/record"},
	"storefront/internal/audit": {"ent", "internal/auth", "internal/fault", "internal/record", "internal/search"},
	"storefront/internal/staff": {
		"ent", "internal/audit", "internal/auth", "internal/database", "internal/fault", "internal/member",
		"internal/notice", "internal/record", "internal/search", "internal/signedlink", "internal/sweep",
		"internal/token", "internal/transaction",
	},
	"storefront/internal/ratelimit": {"ent", "internal/database", "internal/sweep"},
	"storefront/internal/secondfactor": {
		"ent", "internal/audit", "internal/auth", "internal/database", "internal/fault", "internal/ratelimit",
		"internal/search", "internal/sweep", "internal/token", "internal/transaction",
	},
	"storefront/internal/account": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/goroutine", "internal/hostname",
		"internal/member", "internal/password", "internal/ratelimit", "internal/search", "internal/shop",
		"internal/sms", "internal/sweep", "internal/token", "internal/transaction", "internal/keylock",
		"internal/cores", "internal/share", "internal/personal", "internal/phone", "internal/secondfactor",
		"internal/language", "internal/record",
	},
	"storefront/internal/idempotency": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/keylock", "internal/sweep",
	},
	"storefront/internal/demo/customers": {
		"ent", "internal/demo", "internal/member", "internal/password", "internal/record", "internal/shopfile",
		"internal/tenancy", "internal/transaction",
	},
	"storefront/internal/demo/pictures": {"internal/fault", "internal/wire"},
	"storefront/internal/strictjson":    {"internal/fault"},
	"storefront/internal/wire": {
		"internal/cores", "internal/fault", "internal/language", "internal/note", "internal/share",
		"internal/strictjson",
	},
	"storefront/ent/schema":       {"internal/record"},
	"storefront/internal/tenancy": {"ent", "internal/share"},
	"storefront/internal/derive":  {"ent", "internal/database", "internal/record", "internal/search"},
	"storefront/internal/locations": {
		"ent", "internal/audit", "internal/database", "internal/derive", "internal/fault", "internal/record",
		"internal/search",
		"internal/transaction",
	},
	"storefront/internal/store": {
		"ent", "internal/database", "internal/database/versions", "internal/derive", "internal/locations",
		"internal/tenancy",
	},
	"storefront/internal/lookup": {"ent", "internal/database", "internal/goroutine"},
	"storefront/internal/answercache": {
		"ent", "internal/bounded", "internal/database", "internal/goroutine", "internal/note", "internal/wire",
	},
	"storefront/internal/bounded": {},
	"storefront/internal/bundle": {
		"ent", "internal/audit", "internal/auth", "internal/calendar", "internal/database", "internal/derive",
		"internal/fault", "internal/goroutine", "internal/hostname", "internal/money", "internal/outbox",
		"internal/record", "internal/search", "internal/shop", "internal/store", "internal/tenancy",
		"internal/transaction",
	},
	"storefront/internal/shop": {
		"ent", "internal/audit", "internal/auth", "internal/derive", "internal/fault", "internal/hostname",
		"internal/tenancy", "internal/transaction",
	},
	"storefront/internal/sheet": {
		"ent", "internal/audit", "internal/auth", "internal/bundle", "internal/fault", "internal/money",
		"internal/record", "internal/search", "internal/store", "internal/tenancy", "internal/transaction",
	},
	"storefront/internal/signedlink": {"internal/fault"},
	"storefront/internal/transfer": {
		"internal/bundle", "internal/cores", "internal/fault", "internal/language", "internal/note", "internal/share",
		"internal/sheet", "internal/staff", "internal/store", "internal/tenancy", "internal/transaction",
		"internal/wire",
	},
	"storefront/internal/shopfile": {
		"ent", "internal/audit", "internal/auth", "internal/database", "internal/database/versions", "internal/derive",
		"internal/fault", "internal/member", "internal/outbox", "internal/record", "internal/secondfactor",
		"internal/shop", "internal/store", "internal/tenancy", "internal/transaction",
	},
	"storefront/graph/plan": {"internal/bilingual", "internal/goroutine", "internal/language"},
	"storefront/graph/engine": {
		"ent", "graph/plan", "internal/answercache", "internal/auth", "internal/bilingual", "internal/bounded",
		"internal/database", "internal/fault", "internal/idempotency",
		"internal/language", "internal/live", "internal/money", "internal/note", "internal/phone", "internal/record",
		"internal/search", "internal/selection", "internal/share",
		"internal/tracing", "internal/transaction", "internal/wire",
	},
	"storefront/graph/model": {
		"ent", "internal/auth", "internal/bundle", "internal/cart", "internal/fault", "internal/language",
		"internal/money", "internal/order", "internal/record", "internal/secondfactor", "internal/staff",
		"internal/submission",
	},
	"storefront/internal/catalog": {
		"ent", "graph/model", "internal/answercache", "internal/bounded", "internal/database", "internal/derive",
		"internal/fault", "internal/goroutine", "internal/hostname", "internal/lookup", "internal/member",
		"internal/money", "internal/note", "internal/record", "internal/search",
		"internal/selection", "internal/share", "internal/tenancy",
	},
	"storefront/internal/seo": {"ent", "internal/money", "internal/record"},
	"storefront/internal/crawl": {
		"ent", "internal/catalog", "internal/fault", "internal/money", "internal/record", "internal/seo",
		"internal/share", "internal/transaction", "internal/wire",
	},
	"storefront/graph/exec": {
		"ent", "graph/model", "graph/plan", "internal/account", "internal/audit", "internal/bilingual",
		"internal/bundle", "internal/cart", "internal/catalog", "internal/live", "internal/money", "internal/opinion",
		"internal/order", "internal/record", "internal/report", "internal/secondfactor", "internal/staff",
		"internal/submission",
	},
	"storefront/graph": {
		"ent", "graph/engine", "graph/exec", "graph/model", "internal/account", "internal/audit", "internal/auth",
		"internal/bilingual",
		"internal/bundle", "internal/cart", "internal/catalog", "internal/contact", "internal/database",
		"internal/favorites", "internal/fault",
		"internal/hostname", "internal/idempotency", "internal/imagefile", "internal/live", "internal/locations",
		"internal/lookup",
		"internal/media", "internal/member",
		"internal/note", "internal/notice", "internal/opinion", "internal/order", "internal/outbox",
		"internal/partner", "internal/personal",
		"internal/phone", "internal/record", "internal/report", "internal/search",
		"internal/secondfactor", "internal/selection", "internal/seo", "internal/sheet", "internal/shop",
		"internal/staff", "internal/submission", "internal/transfer", "internal/webhook",
	},
	"storefront/rest": {
		"graph/engine", "internal/fault", "internal/idempotency", "internal/language", "internal/wire",
	},
	"storefront/internal/openapi":          {},
	"storefront/internal/openapi/describe": {"graph", "graph/engine", "internal/fault", "internal/wire", "rest"},
	"storefront/internal/pages":            {"internal/fault", "internal/language", "internal/search", "internal/wire"},
	"storefront/internal/server": {
		"internal/fault", "internal/goroutine", "internal/language", "internal/note", "internal/server/origin",
		"internal/share",
		"internal/tracing", "internal/wire",
	},
	"storefront/internal/config": {
		"internal/account", "internal/app", "internal/server/origin", "internal/sms", "internal/tracing",
	},
	"storefront/internal/app": {
		"ent", "graph", "graph/engine", "internal/account", "internal/answercache", "internal/blob",
		"internal/bundle",
		"internal/cart", "internal/catalog", "internal/crawl",
		"internal/database", "internal/demo/pictures", "internal/fault",
		"internal/goroutine", "internal/idempotency", "internal/live", "internal/lookup", "internal/media",
		"internal/notice",
		"internal/openapi",
		"internal/order", "internal/outbox",
		"internal/pages", "internal/partner",
		"internal/password",
		"internal/record", "internal/report", "internal/secondfactor", "internal/server", "internal/server/origin",
		"internal/share",
		"internal/signedlink",
		"internal/sms", "internal/store", "internal/staff", "internal/sweep",
		"internal/tracing", "internal/transfer", "internal/webhook", "internal/wire", "rest",
	},
	"storefront/internal/database/makemigration": {
		"ent", "internal/database/versions/releases", "internal/record",
	},
}

// everywhere is the package that every package may import. It depends on no type of the service.
const everywhere = "internal/convert"

// free are the packages that may import everything: commands, and what only tests use.
var free = []string{
	"storefront/cmd/", "storefront/internal/sms/smstest", "storefront/internal/blob/blobtest",
	"storefront/internal/contract",
	"storefront/internal/checks", "storefront/internal/testdb", "storefront/internal/store/storetest",
	"storefront/internal/pgserver", "storefront/ent/columns", "storefront/internal/generate",
	"storefront/internal/openapi/openapitest", "storefront/internal/testtimes", "storefront/internal/weight",
	"storefront/examples",
	"storefront/internal/tracing/tracingtest",
}

// unlinked are packages that are not in the service, with what may import them nevertheless. While a program can call
// methods by names that the linker does not know, as text/template does, it holds every exported method: 9 MB.
// Atlas and gRPC are large, and the service uses nothing of them.
var unlinked = map[string][]string{
	"ariga.io/atlas":         {"ariga.io/atlas"},
	"google.golang.org/grpc": {"google.golang.org/grpc"},
	"html/template":          {"maragu.dev/gomponents"}, // for the function HTMLEscapeString alone
	"text/template":          {"html/template", "text/template"},
}

func TestTheServiceStaysSmall(t *testing.T) {
	listed, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{join .Imports \" \"}}",
		"storefront/cmd/storefront").Output()
	if err != nil {
		t.Fatal(err)
	}
	isBelow := func(name, path string) bool { return name == path || strings.HasPrefix(name, path+"/") }
	for line := range strings.Lines(string(listed)) {
		fields := strings.Fields(line)
		for path, importers := range unlinked {
			allowed := slices.ContainsFunc(importers, func(by string) bool { return isBelow(fields[0], by) })
			if !allowed && slices.ContainsFunc(fields[1:], func(name string) bool { return isBelow(name, path) }) {
				t.Errorf("%s imports %s: it makes the program larger (see unlinked)", fields[0], path)
			}
		}
	}
}

func TestImportsAreAllowed(t *testing.T) {
	listed, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}",
		"storefront/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(listed)) {
		fields := strings.Fields(line)
		name, imports := fields[0], fields[1:]
		generated := name == "storefront/ent" || // and the tools beside it
			strings.HasPrefix(name, "storefront/ent/") && name != "storefront/ent/schema"
		if generated || slices.ContainsFunc(free, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		allowed, known := allowedImports[name]
		if !known {
			t.Errorf("%s has no row in allowedImports", name)
			continue
		}
		for _, imported := range imports {
			ours, isOurs := strings.CutPrefix(imported, "storefront/")
			if strings.HasPrefix(ours, "ent/") && ours != "ent/schema" {
				ours = "ent"
			}
			if isOurs && ours != everywhere && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, which allowedImports does not list", name, imported)
			}
		}
	}
}

// TestResolversAreCompiledOnce checks that go test compiles graph/exec, which takes half a minute, only once. If a
// package p has tests in itself and in p_test, go test compiles p with its tests, and then compiles again each package
// that imports p and is imported by p_test.
func TestResolversAreCompiledOnce(t *testing.T) {
	const resolvers = "storefront/graph/exec"
	listed, err := exec.Command("go", "list", "-f",
		`{{.ImportPath}}|{{len .TestGoFiles}}|{{join .XTestImports " "}}|{{join .Deps " "}}`, "storefront/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	outside, dependencies := map[string][]string{}, map[string][]string{}
	for line := range strings.Lines(string(listed)) {
		parts := strings.Split(line, "|")
		dependencies[parts[0]] = strings.Fields(parts[3])
		if parts[1] != "0" {
			outside[parts[0]] = strings.Fields(parts[2])
		}
	}
	for _, name := range dependencies[resolvers] {
		for _, imported := range outside[name] {
			if imported == resolvers || slices.Contains(dependencies[imported], resolvers) {
				t.Errorf("%s has tests in itself, and tests outside that import %s", name, imported)
			}
		}
	}
}
