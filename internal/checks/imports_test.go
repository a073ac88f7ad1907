package checks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowedImports lists which of this module's packages each package may import; tests may import more. Every
// package has a row. Names are below internal, and those that begin with a slash below the module. "/ent" stands for
// the generated data model and its packages.
var allowedImports = map[string]string{
	"/ent/schema": `record`,
	"/graph": `
		/ent /graph/document /graph/engine /graph/exec api catalog catalog/facets catalog/lookup catalog/selection
		catalog/seo content/edit content/element content/locations content/sheet content/stored content/transfer
		customer/account customer/contact customer/favorites customer/member customer/opinion customer/ownlisting
		customer/personal customer/secondfactor customer/submission database/tenancy event/live event/webhook fault
		list locale/bilingual locale/calendar locale/money locale/phone locale/search media media/imagefile
		message/notice message/partner platform/hostname record request sale/cart sale/delivery sale/gateway
		sale/gatewayaccount sale/order sale/payment sale/price sale/report shop shop/staff`,
	"/graph/document": `
		/graph/plan catalog/selection fault locale/bilingual locale/money locale/phone locale/search
		platform/bounded`,
	"/graph/engine": `
		/graph/document /graph/plan catalog/answercache catalog/selection database database/transaction fault
		platform/idempotency platform/tracing platform/wire record request`,
	"/graph/exec": `
		/ent /graph/plan  api catalog catalog/facets content/edit content/element customer/account customer/opinion
		customer/secondfactor customer/submission event/live list locale/bilingual locale/money record sale/cart
		sale/delivery sale/gateway sale/gatewayaccount sale/order sale/price sale/report shop/staff`,
	"/graph/http": `
		/graph/document /graph/engine event/live fault locale/language platform/idempotency platform/share
		platform/wire request`,
	"/graph/plan": `locale/bilingual locale/language platform/goroutine`,
	"/rest":       `/graph/document /graph/engine fault platform/idempotency platform/wire request`,
	"":            ``,
	"api": `
		/ent content/edit content/element customer/secondfactor customer/submission fault list locale/money record
		request sale/cart sale/order shop/staff`,
	"app": `
		/ent /graph /graph/engine /graph/http /rest  catalog catalog/answercache catalog/crawl catalog/lookup
		content/moves content/transfer customer/account customer/secondfactor database database/store database/sweep
		demo/pictures event/live event/outbox event/webhook media media/blob message/notice message/partner
		message/sms pages pages/openapi platform/goroutine platform/idempotency platform/password platform/share
		platform/signedlink platform/tracing record sale/cart sale/gateway sale/gatewayaccount sale/order
		sale/payment sale/report server server/origin shop/staff`,
	"catalog": `
		/ent catalog/answercache catalog/lookup catalog/selection content/derive customer/member database
		database/tenancy fault list locale/money locale/search platform/bounded platform/hostname platform/share
		record request`,
	"catalog/answercache": `/ent database platform/bounded platform/goroutine platform/wire request`,
	"catalog/crawl": `
		/ent catalog catalog/seo database database/tenancy database/transaction fault locale/money platform/share
		platform/wire record request`,
	"catalog/facets":    `/ent catalog database list locale/money record request`,
	"catalog/loading":   `catalog/selection record`,
	"catalog/lookup":    `/ent database platform/goroutine`,
	"catalog/selection": `locale/bilingual request`,
	"catalog/seo":       `/ent locale/money record`,
	"config": `
		app customer/account message/sms platform/hostname platform/tracing record sale/gateway server/origin`,
	"content/bundle": `
		/ent content/derive content/document content/element content/moves content/plan content/stored
		database/store database/tenancy database/transaction fault platform/goroutine platform/hostname record
		request shop shop/audit`,
	"content/derive":   `/ent database/tenancy database/transaction locale/search record request`,
	"content/document": `fault locale/money locale/search`,
	"content/edit": `
		/ent content/derive content/document content/plan content/stored database database/tenancy
		database/transaction event/outbox fault list locale/search record shop/audit`,
	"content/element": `
		/ent content/plan content/stored database/tenancy fault locale/money record shop/audit`,
	"content/locations": `
		/ent content/derive database database/migration database/transaction fault locale/search record shop/audit`,
	"content/moves": `/ent content/derive content/stored database/store database/tenancy record`,
	"content/plan": `
		/ent content/derive content/document content/moves content/stored database/tenancy fault locale/calendar
		locale/money locale/search platform/hostname record shop shop/audit`,
	"content/sheet": `
		/ent content/bundle content/document content/element content/plan database/store database/tenancy
		database/transaction fault locale/calendar locale/money locale/search record request shop/audit`,
	"content/shopfile": `
		/ent content/derive customer/member customer/secondfactor database database/store database/tenancy
		database/transaction database/versions event/outbox fault locale/language record request shop shop/audit`,
	"content/stored": `/ent content/derive content/document database database/tenancy fault record shop/audit`,
	"content/transfer": `
		content/bundle content/sheet database/store database/tenancy database/transaction fault platform/cores
		platform/share platform/wire request shop/staff`,
	"customer/account": `
		/ent customer/member customer/personal customer/secondfactor database database/sweep database/transaction
		fault locale/language locale/phone message/sms platform/cores platform/goroutine platform/hostname
		platform/keylock platform/password platform/ratelimit platform/share platform/token record request shop`,
	"customer/contact": `
		/ent customer/submission database database/tenancy database/transaction event/outbox fault locale/phone
		locale/search message/notice record request shop/audit`,
	"customer/favorites": `/ent customer/member database/transaction fault sale/cart`,
	"customer/member":    `/ent fault locale/search record`,
	"customer/opinion": `
		/ent content/derive content/edit customer/submission database database/tenancy event/outbox fault
		locale/search record request shop/audit`,
	"customer/ownlisting": `/ent content/edit customer/member event/outbox fault locale/search record`,
	"customer/personal": `
		/ent content/derive database database/tenancy database/transaction event/outbox fault locale/money
		locale/phone record request shop/audit`,
	"customer/secondfactor": `
		/ent database database/sweep database/transaction fault locale/search platform/ratelimit platform/sealer
		platform/token record request shop/audit`,
	"customer/submission": `
		/ent content/derive database/tenancy database/transaction event/outbox fault platform/ratelimit record
		request`,
	"database":               `platform/cores platform/share platform/tracing request`,
	"database/makemigration": `/ent database/versions/releases record`,
	"database/migration":     `database`,
	"database/recordrelease": `database/versions/releases`,
	"database/store": `
		/ent content/derive content/locations database database/migration database/tenancy database/transaction
		database/versions`,
	"database/sweep":             `database`,
	"database/tenancy":           `/ent request`,
	"database/transaction":       `/ent database fault platform/share request`,
	"database/versions":          ``,
	"database/versions/releases": ``,
	"demo":                       ``,
	"demo/customers": `
		/ent content/shopfile customer/member database/tenancy database/transaction demo platform/password record`,
	"demo/pictures": `fault platform/wire`,
	"event/live":    `/ent database event/outbox fault platform/goroutine record request`,
	"event/outbox":  `/ent database database/transaction record`,
	"event/webhook": `
		/ent database database/sweep database/tenancy database/transaction event/outbox fault platform/goroutine
		platform/hostname platform/ratelimit platform/share record request shop/audit`,
	"fault":            ``,
	"list":             `catalog/selection database/tenancy fault request`,
	"locale/bilingual": `locale/language request`,
	"locale/calendar":  `record`,
	"locale/language":  `fault locale/money`,
	"locale/money":     ``,
	"locale/phone":     ``,
	"locale/search":    ``,
	"media": `
		/ent content/derive customer/member database database/tenancy database/transaction fault media/blob
		media/imagefile platform/goroutine platform/ratelimit platform/share platform/signedlink platform/wire
		record request sale/cart sale/order shop/audit shop/staff`,
	"media/blob":      ``,
	"media/imagefile": `fault record`,
	"message/notice": `
		/ent database/transaction fault message/sms platform/goroutine platform/ratelimit record`,
	"message/partner": `
		/ent database database/sweep database/transaction fault message/sms platform/hostname platform/ratelimit
		record request shop/audit`,
	"message/sms": `platform/httpcall`,
	"pages": `
		database/transaction fault locale/language locale/money locale/search platform/wire request sale/gateway
		sale/payment`,
	"pages/openapi":          ``,
	"pages/openapi/describe": `/graph/document /graph/exec /rest fault platform/wire`,
	"platform/bounded":       ``,
	"platform/convert":       ``,
	"platform/cores":         ``,
	"platform/goroutine":     ``,
	"platform/hostname":      ``,
	"platform/httpcall":      ``,
	"platform/idempotency": `
		/ent database database/sweep database/transaction fault platform/keylock record request`,
	"platform/keylock":    ``,
	"platform/password":   `platform/cores platform/share`,
	"platform/ratelimit":  `/ent database database/sweep record`,
	"platform/sealer":     ``,
	"platform/share":      `request`,
	"platform/signedlink": `fault`,
	"platform/strictjson": `fault`,
	"platform/token":      ``,
	"platform/tracing":    ``,
	"platform/wire":       `fault platform/cores platform/share platform/strictjson request`,
	"record":              ``,
	"request":             `fault locale/language platform/hostname record`,
	"sale/cart": `
		/ent customer/member database database/sweep database/tenancy database/transaction fault locale/money
		platform/ratelimit platform/token record request`,
	"sale/delivery": `
		/ent database/tenancy locale/calendar locale/money locale/search platform/bounded record sale/cart`,
	"sale/gateway": `fault locale/money platform/hostname platform/httpcall`,
	"sale/gatewayaccount": `
		/ent content/derive database database/tenancy database/transaction fault message/notice platform/hostname
		platform/httpcall platform/sealer record sale/gateway shop shop/audit`,
	"sale/order": `
		/ent content/derive customer/member database database/tenancy database/transaction event/outbox fault
		locale/money locale/search record request sale/cart sale/delivery sale/price shop/audit`,
	"sale/payment": `
		/ent database database/sweep database/tenancy database/transaction fault locale/language locale/money
		platform/goroutine platform/hostname platform/ratelimit record sale/gateway sale/gatewayaccount sale/order`,
	"sale/price": `/ent locale/money record sale/cart sale/delivery`,
	"sale/report": `
		/ent database database/tenancy database/transaction event/outbox fault locale/calendar locale/money
		locale/search record`,
	"server": `
		fault locale/language platform/goroutine platform/share platform/tracing platform/wire request server/origin`,
	"server/origin": ``,
	"shop":          `/ent content/derive fault platform/hostname record request shop/audit`,
	"shop/audit":    `/ent locale/search record request`,
	"shop/staff": `
		/ent customer/member database database/sweep database/transaction fault locale/search message/notice
		platform/signedlink platform/token record request shop/audit`,
	"testkit/procfs": ``,
}

// everywhere is the package that every package may import. It depends on no type of the service.
const everywhere = "platform/convert"

// free are the packages that may import everything: commands, and what only tests use.
var free = []string{
	"storefront/cmd/", "storefront/ent/columns", "storefront/examples", "storefront/internal/checks",
	"storefront/internal/checks/weight", "storefront/internal/contract",
	"storefront/internal/database/dbtest", "storefront/internal/database/store/storetest",
	"storefront/internal/generate", "storefront/internal/media/blob/blobtest",
	"storefront/internal/message/sms/smstest", "storefront/internal/pages/openapi/openapitest",
	"storefront/internal/platform/tracing/tracingtest", "storefront/internal/testkit/pgserver",
	"storefront/internal/testkit/testdb", "storefront/internal/testkit/testtimes",
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

// isBelow reports whether a package is another one or below it.
func isBelow(name, path string) bool { return name == path || strings.HasPrefix(name, path+"/") }

// below returns the path of a package of this module as in allowedImports.
func below(name string) string {
	if inner, ok := strings.CutPrefix(name, "storefront/internal/"); ok {
		return inner
	}
	return strings.TrimPrefix(name, "storefront")
}

// aboveGraph are the packages of internal that import the resolvers, and what runs them. All others are below these.
var aboveGraph = []string{"app", "checks", "contract", "generate", "pages/openapi/describe"}

func TestImportsAreAllowed(t *testing.T) {
	listed, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}",
		"storefront/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(listed)) {
		fields := strings.Fields(line)
		name, imports := fields[0], fields[1:]
		inner, isInner := strings.CutPrefix(name, "storefront/internal/")
		if isInner && !slices.ContainsFunc(aboveGraph, func(above string) bool { return isBelow(inner, above) }) {
			for _, imported := range imports {
				if isBelow(imported, "storefront/graph") {
					t.Errorf("%s imports %s, which is above it", name, imported)
				}
			}
		}
		generated := name == "storefront/ent" || // and the tools beside it
			strings.HasPrefix(name, "storefront/ent/") && name != "storefront/ent/schema"
		if generated || slices.ContainsFunc(free, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			continue
		}
		allowed, known := allowedImports[below(name)]
		if !known {
			t.Errorf("%s has no row in allowedImports", name)
			continue
		}
		for _, imported := range imports {
			ours := below(imported)
			if strings.HasPrefix(ours, "/ent/") && ours != "/ent/schema" {
				ours = "/ent"
			}
			isOurs := strings.HasPrefix(imported, "storefront/")
			if isOurs && ours != everywhere && !slices.Contains(strings.Fields(allowed), ours) {
				t.Errorf("%s imports %s, which allowedImports does not list", name, imported)
			}
		}
	}
}

// TestRoomsKeepTheirWalls checks the table itself: resolvers ask a room that writes, and no room asks a resolver.
func TestRoomsKeepTheirWalls(t *testing.T) {
	for _, why := range broken(allowedImports) {
		t.Error(why)
	}
	resolvers, err := filepath.Glob(filepath.Join(root, "graph", "*.go"))
	if err != nil || len(resolvers) == 0 {
		t.Fatalf("no resolvers: %v", err)
	}
	for _, path := range resolvers {
		if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "ent.Tx") {
			t.Errorf("%s names ent.Tx, or cannot be read (%v): a transaction belongs in a room", path, err)
		}
	}
	for _, table := range []map[string]string{
		{"/graph": "/ent shop/audit"}, {"catalog": "/ent api"}, {"sale/cart": "/graph"}, {"media": "/graph/engine"},
	} {
		if len(broken(table)) != 1 {
			t.Errorf("%v is not refused", table)
		}
	}
}

// broken returns which imports of a table break a wall.
func broken(table map[string]string) (why []string) {
	writing := []string{"content/derive", "database", "database/transaction", "shop/audit"}
	above := []string{"app", "pages/openapi/describe"}
	for name, allowed := range table {
		for imported := range strings.FieldsSeq(allowed) {
			isRoom := !strings.HasPrefix(name, "/") && !slices.Contains(above, name)
			switch {
			case name == "/graph" && slices.Contains(writing, imported):
				why = append(why, "resolvers import "+imported+": what writes is a room below them")
			case isRoom && strings.HasPrefix(imported, "/graph"):
				why = append(why, name+" imports "+imported+", which is above it")
			case name == "catalog" && imported == "api", name == "list" && imported == "catalog":
				why = append(why, name+" imports "+imported+", which is above it")
			}
		}
	}
	return why
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
