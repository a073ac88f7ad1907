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
	"storefront":                          {},
	"storefront/internal/fault":           {},
	"storefront/internal/locale/language": {"internal/fault"},
	"storefront/internal/locale/search":   {},
	"storefront/internal/media/blob":      {},
	"storefront/internal/media/imagefile": {"internal/fault", "internal/record"},
	"storefront/internal/media": {
		"ent", "internal/shop/audit", "internal/auth", "internal/media/blob", "internal/sale/cart", "internal/database",
		"internal/content/derive", "internal/fault", "internal/platform/goroutine", "internal/media/imagefile", "internal/customer/member",
		"internal/note", "internal/sale/order", "internal/platform/ratelimit", "internal/record", "internal/platform/share",
		"internal/platform/signedlink", "internal/shop/staff", "internal/database/tenancy",
		"internal/database/transaction", "internal/platform/wire",
	},
	"storefront/internal/locale/money":      {},
	"storefront/internal/platform/hostname": {},
	"storefront/internal/locale/phone":      {},
	"storefront/internal/record":            {},
	"storefront/internal/locale/bilingual":  {"internal/locale/language"},
	"storefront/internal/catalog/selection": {"internal/locale/bilingual"},
	"storefront/internal/locale/calendar":   {"internal/record"},
	"storefront/internal/sale/report": {
		"ent", "internal/locale/calendar", "internal/database", "internal/fault", "internal/locale/money", "internal/event/outbox",
		"internal/record", "internal/locale/search", "internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/catalog/loading":    {"internal/record", "internal/catalog/selection"},
	"storefront/internal/demo":               {},
	"storefront/internal/platform/convert":   {},
	"storefront/internal/platform/cores":     {},
	"storefront/internal/platform/share":     {},
	"storefront/internal/platform/goroutine": {},
	"storefront/internal/platform/tracing":   {},
	"storefront/internal/database": {
		"internal/platform/cores", "internal/platform/goroutine", "internal/note", "internal/platform/share", "internal/platform/tracing",
	},
	"storefront/internal/database/versions":          {},
	"storefront/internal/database/versions/releases": {},
	"storefront/internal/database/recordrelease":     {"internal/database/versions/releases"},
	"storefront/internal/note":                       {},
	"storefront/internal/database/sweep":             {"internal/database"},
	"storefront/internal/server/origin":              {},
	"storefront/internal/platform/password":          {"internal/platform/cores", "internal/platform/share"},
	"storefront/internal/platform/token":             {},
	"storefront/internal/database/transaction": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/platform/share",
	},
	"storefront/internal/customer/member": {"ent", "internal/fault", "internal/record", "internal/locale/search"},
	"storefront/internal/sale/cart": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/customer/member",
		"internal/locale/money", "internal/record", "internal/platform/ratelimit", "internal/database/sweep", "internal/database/tenancy",
		"internal/platform/token", "internal/database/transaction",
	},
	"storefront/internal/event/outbox": {"ent", "internal/database", "internal/record", "internal/database/transaction"},
	"storefront/internal/event/live": {
		"ent", "internal/database", "internal/fault", "internal/platform/goroutine", "internal/event/outbox", "internal/record",
	},
	"storefront/internal/customer/personal": {
		"ent", "internal/shop/audit", "internal/auth", "internal/database", "internal/content/derive",
		"internal/fault", "internal/locale/money", "internal/event/outbox", "internal/locale/phone", "internal/record", "internal/database/tenancy",
		"internal/database/transaction",
	},
	"storefront/internal/message/notice": {
		"ent", "internal/database", "internal/fault", "internal/platform/goroutine", "internal/platform/ratelimit", "internal/record",
		"internal/message/sms", "internal/database/transaction",
	},
	"storefront/internal/customer/submission": {
		"ent", "internal/auth", "internal/content/derive", "internal/fault", "internal/event/outbox", "internal/platform/ratelimit",
		"internal/record", "internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/customer/contact": {
		"ent", "internal/shop/audit", "internal/auth", "internal/database", "internal/fault", "internal/message/notice",
		"internal/event/outbox", "internal/locale/phone", "internal/record", "internal/locale/search", "internal/customer/submission",
		"internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/customer/opinion": {
		"ent", "internal/shop/audit", "internal/auth", "internal/content/bundle", "internal/database", "internal/content/derive",
		"internal/fault", "internal/event/outbox", "internal/record", "internal/locale/search", "internal/customer/submission",
		"internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/customer/favorites": {
		"ent", "internal/sale/cart", "internal/fault", "internal/customer/member", "internal/database/transaction",
	},
	"storefront/internal/event/webhook": {
		"ent", "internal/shop/audit", "internal/database", "internal/fault", "internal/platform/goroutine", "internal/platform/hostname",
		"internal/event/outbox",
		"internal/platform/ratelimit", "internal/record", "internal/platform/share", "internal/database/sweep", "internal/database/tenancy",
		"internal/database/transaction",
	},
	"storefront/internal/sale/order": {
		"ent", "internal/shop/audit", "internal/auth", "internal/sale/cart", "internal/database",
		"internal/content/derive", "internal/fault", "internal/customer/member",
		"internal/locale/money", "internal/event/outbox", "internal/record", "internal/locale/search", "internal/database/tenancy",
		"internal/database/transaction",
	},
	"storefront/internal/message/sms":      {},
	"storefront/internal/platform/keylock": {},
	"storefront/internal/testkit/procfs":   {},
	"storefront/internal/message/partner": {
		"ent", "internal/shop/audit", "internal/auth", "internal/database", "internal/fault", "internal/platform/hostname",
		"internal/platform/ratelimit", "internal/record", "internal/message/sms", "internal/database/sweep", "internal/database/transaction",
	},
	"storefront/internal/auth":       {"internal/fault", "internal/platform/hostname", "internal/record"},
	"storefront/internal/shop/audit": {"ent", "internal/auth", "internal/fault", "internal/record", "internal/locale/search"},
	"storefront/internal/shop/staff": {
		"ent", "internal/shop/audit", "internal/auth", "internal/database", "internal/fault", "internal/customer/member",
		"internal/message/notice", "internal/record", "internal/locale/search", "internal/platform/signedlink", "internal/database/sweep",
		"internal/platform/token", "internal/database/transaction",
	},
	"storefront/internal/platform/ratelimit": {"ent", "internal/database", "internal/database/sweep"},
	"storefront/internal/customer/secondfactor": {
		"ent", "internal/shop/audit", "internal/auth", "internal/database", "internal/fault", "internal/platform/ratelimit",
		"internal/locale/search", "internal/database/sweep", "internal/platform/token", "internal/database/transaction",
	},
	"storefront/internal/customer/account": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/platform/goroutine", "internal/platform/hostname",
		"internal/customer/member", "internal/platform/password", "internal/platform/ratelimit", "internal/locale/search", "internal/shop",
		"internal/message/sms", "internal/database/sweep", "internal/platform/token", "internal/database/transaction", "internal/platform/keylock",
		"internal/platform/cores", "internal/platform/share", "internal/customer/personal", "internal/locale/phone", "internal/customer/secondfactor",
		"internal/locale/language", "internal/record",
	},
	"storefront/internal/platform/idempotency": {
		"ent", "internal/auth", "internal/database", "internal/fault", "internal/platform/keylock", "internal/database/sweep",
	},
	"storefront/internal/demo/customers": {
		"ent", "internal/demo", "internal/customer/member", "internal/platform/password", "internal/record", "internal/content/shopfile",
		"internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/demo/pictures":       {"internal/fault", "internal/platform/wire"},
	"storefront/internal/platform/strictjson": {"internal/fault"},
	"storefront/internal/platform/wire": {
		"internal/platform/cores", "internal/fault", "internal/locale/language", "internal/note", "internal/platform/share",
		"internal/platform/strictjson",
	},
	"storefront/ent/schema":                {"internal/record"},
	"storefront/internal/database/tenancy": {"ent", "internal/platform/share"},
	"storefront/internal/content/derive":   {"ent", "internal/database", "internal/record", "internal/locale/search"},
	"storefront/internal/content/locations": {
		"ent", "internal/shop/audit", "internal/database", "internal/content/derive", "internal/fault", "internal/record",
		"internal/locale/search",
		"internal/database/transaction",
	},
	"storefront/internal/database/store": {
		"ent", "internal/database", "internal/database/versions", "internal/content/derive", "internal/content/locations",
		"internal/database/tenancy",
	},
	"storefront/internal/catalog/lookup": {"ent", "internal/database", "internal/platform/goroutine"},
	"storefront/internal/catalog/answercache": {
		"ent", "internal/platform/bounded", "internal/database", "internal/platform/goroutine", "internal/note", "internal/platform/wire",
	},
	"storefront/internal/platform/bounded": {},
	"storefront/internal/content/bundle": {
		"ent", "internal/shop/audit", "internal/auth", "internal/locale/calendar", "internal/database", "internal/content/derive",
		"internal/fault", "internal/platform/goroutine", "internal/platform/hostname", "internal/locale/money", "internal/event/outbox",
		"internal/record", "internal/locale/search", "internal/shop", "internal/database/store", "internal/database/tenancy",
		"internal/database/transaction",
	},
	"storefront/internal/shop": {
		"ent", "internal/shop/audit", "internal/auth", "internal/content/derive", "internal/fault", "internal/platform/hostname",
		"internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/content/sheet": {
		"ent", "internal/shop/audit", "internal/auth", "internal/content/bundle", "internal/fault", "internal/locale/money",
		"internal/record", "internal/locale/search", "internal/database/store", "internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/internal/platform/signedlink": {"internal/fault"},
	"storefront/internal/content/transfer": {
		"internal/content/bundle", "internal/platform/cores", "internal/fault", "internal/locale/language", "internal/note", "internal/platform/share",
		"internal/content/sheet", "internal/shop/staff", "internal/database/store", "internal/database/tenancy", "internal/database/transaction",
		"internal/platform/wire",
	},
	"storefront/internal/content/shopfile": {
		"ent", "internal/shop/audit", "internal/auth", "internal/database", "internal/database/versions", "internal/content/derive",
		"internal/fault", "internal/customer/member", "internal/event/outbox", "internal/record", "internal/customer/secondfactor",
		"internal/shop", "internal/database/store", "internal/database/tenancy", "internal/database/transaction",
	},
	"storefront/graph/plan": {"internal/locale/bilingual", "internal/platform/goroutine", "internal/locale/language"},
	"storefront/graph/engine": {
		"ent", "graph/plan", "internal/catalog/answercache", "internal/auth", "internal/locale/bilingual", "internal/platform/bounded",
		"internal/database", "internal/fault", "internal/platform/idempotency",
		"internal/locale/language", "internal/event/live", "internal/locale/money", "internal/note", "internal/locale/phone", "internal/record",
		"internal/locale/search", "internal/catalog/selection", "internal/platform/share",
		"internal/platform/tracing", "internal/database/transaction", "internal/platform/wire",
	},
	"storefront/internal/api": {
		"ent", "internal/auth", "internal/content/bundle", "internal/sale/cart", "internal/fault", "internal/locale/language",
		"internal/locale/money", "internal/sale/order", "internal/record", "internal/customer/secondfactor", "internal/shop/staff",
		"internal/customer/submission",
	},
	"storefront/internal/catalog": {
		"ent", "internal/api", "internal/catalog/answercache", "internal/platform/bounded", "internal/database", "internal/content/derive",
		"internal/fault", "internal/platform/goroutine", "internal/platform/hostname", "internal/catalog/lookup", "internal/customer/member",
		"internal/locale/money", "internal/note", "internal/record", "internal/locale/search",
		"internal/catalog/selection", "internal/platform/share", "internal/database/tenancy",
	},
	"storefront/internal/catalog/seo": {"ent", "internal/locale/money", "internal/record"},
	"storefront/internal/catalog/crawl": {
		"ent", "internal/catalog", "internal/fault", "internal/locale/money", "internal/record", "internal/catalog/seo",
		"internal/platform/share", "internal/database/transaction", "internal/platform/wire",
	},
	"storefront/graph/exec": {
		"ent", "internal/api", "graph/plan", "internal/customer/account", "internal/shop/audit", "internal/locale/bilingual",
		"internal/content/bundle", "internal/sale/cart", "internal/catalog", "internal/event/live", "internal/locale/money", "internal/customer/opinion",
		"internal/sale/order", "internal/record", "internal/sale/report", "internal/customer/secondfactor", "internal/shop/staff",
		"internal/customer/submission",
	},
	"storefront/graph": {
		"ent", "graph/engine", "graph/exec", "internal/api", "internal/customer/account", "internal/shop/audit", "internal/auth",
		"internal/locale/bilingual",
		"internal/content/bundle", "internal/sale/cart", "internal/catalog", "internal/customer/contact", "internal/database",
		"internal/customer/favorites", "internal/fault",
		"internal/platform/hostname", "internal/platform/idempotency", "internal/media/imagefile", "internal/event/live", "internal/content/locations",
		"internal/catalog/lookup",
		"internal/media", "internal/customer/member",
		"internal/note", "internal/message/notice", "internal/customer/opinion", "internal/sale/order", "internal/event/outbox",
		"internal/message/partner", "internal/customer/personal",
		"internal/locale/phone", "internal/record", "internal/sale/report", "internal/locale/search",
		"internal/customer/secondfactor", "internal/catalog/selection", "internal/catalog/seo", "internal/content/sheet", "internal/shop",
		"internal/shop/staff", "internal/customer/submission", "internal/content/transfer", "internal/event/webhook",
	},
	"storefront/rest": {
		"graph/engine", "internal/fault", "internal/platform/idempotency", "internal/locale/language", "internal/platform/wire",
	},
	"storefront/internal/pages/openapi":          {},
	"storefront/internal/pages/openapi/describe": {"graph", "graph/engine", "internal/fault", "internal/platform/wire", "rest"},
	"storefront/internal/pages":                  {"internal/fault", "internal/locale/language", "internal/locale/search", "internal/platform/wire"},
	"storefront/internal/server": {
		"internal/fault", "internal/platform/goroutine", "internal/locale/language", "internal/note", "internal/server/origin",
		"internal/platform/share",
		"internal/platform/tracing", "internal/platform/wire",
	},
	"storefront/internal/config": {
		"internal/customer/account", "internal/app", "internal/server/origin", "internal/message/sms", "internal/platform/tracing",
	},
	"storefront/internal/app": {
		"ent", "graph", "graph/engine", "internal/customer/account", "internal/catalog/answercache", "internal/media/blob",
		"internal/content/bundle",
		"internal/sale/cart", "internal/catalog", "internal/catalog/crawl",
		"internal/database", "internal/demo/pictures", "internal/fault",
		"internal/platform/goroutine", "internal/platform/idempotency", "internal/event/live", "internal/catalog/lookup", "internal/media",
		"internal/message/notice",
		"internal/pages/openapi",
		"internal/sale/order", "internal/event/outbox",
		"internal/pages", "internal/message/partner",
		"internal/platform/password",
		"internal/record", "internal/sale/report", "internal/customer/secondfactor", "internal/server", "internal/server/origin",
		"internal/platform/share",
		"internal/platform/signedlink",
		"internal/message/sms", "internal/database/store", "internal/shop/staff", "internal/database/sweep",
		"internal/platform/tracing", "internal/content/transfer", "internal/event/webhook", "internal/platform/wire", "rest",
	},
	"storefront/internal/database/makemigration": {
		"ent", "internal/database/versions/releases", "internal/record",
	},
}

// everywhere is the package that every package may import. It depends on no type of the service.
const everywhere = "internal/platform/convert"

// free are the packages that may import everything: commands, and what only tests use.
var free = []string{
	"storefront/cmd/", "storefront/internal/message/sms/smstest", "storefront/internal/media/blob/blobtest",
	"storefront/internal/contract",
	"storefront/internal/checks", "storefront/internal/testkit/testdb", "storefront/internal/database/store/storetest",
	"storefront/internal/testkit/pgserver", "storefront/ent/columns", "storefront/internal/generate",
	"storefront/internal/pages/openapi/openapitest", "storefront/internal/testkit/testtimes", "storefront/internal/checks/weight",
	"storefront/examples",
	"storefront/internal/platform/tracing/tracingtest",
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
