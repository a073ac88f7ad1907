package pages

import (
	"bytes"
	"context"
	_ "embed"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"

	"storefront/internal/locale/language"
	"storefront/internal/platform/wire"
)

//go:embed home.css
var homeCSS string

//go:embed favicon.ico
var favicon []byte

// Shop is a shop that the home page names.
type Shop struct {
	Domain string `json:"domain"`
	Name   string `json:"name"`
	NameFa string `json:"nameFa"`
	URL    string `json:"url"` // relative to the page
}

// home is the content of the home page in JSON. Its addresses are relative to the page.
type home struct {
	Name       string `json:"name"`
	Version    string `json:"version"`
	Staff      string `json:"staff"`
	Guides     string `json:"guides"`
	Docs       string `json:"docs"`
	OpenAPI    string `json:"openapi"`
	REST       string `json:"rest"`
	GraphQL    string `json:"graphql"`
	Playground string `json:"playground,omitempty"`
	Shops      []Shop `json:"shops"`
}

type homeWords struct {
	Language, Direction, Name, Lead, Staff, StaffIs, Guides, GuidesAre, Docs, DocsAre, Playground, PlaygroundIs,
	OpenAPIIs, Version, Shops, Found, Try string
}

var homeIn = map[language.Language]homeWords{
	language.English: {
		Language: "en", Direction: "ltr", Name: "Storefront",
		Lead:  "The backend of shops: their catalogs, customers, carts and orders, over REST and GraphQL.",
		Staff: "Staff", StaffIs: "where the people of a shop work",
		Guides: "Guides", GuidesAre: "how to open a shop, build a storefront and run the service",
		Docs: "REST reference", DocsAre: "every route, to be read and tried",
		Playground: "GraphQL playground", PlaygroundIs: "the schema, with examples to run",
		OpenAPIIs: "the same for generators", Version: "Version", Shops: "Demo shops",
		Found: "A shop is found by its domain:", Try: "To try it, with the address of this page:",
	},
	language.Farsi: {
		Language: "fa", Direction: "rtl", Name: "Storefront",
		Lead: "سرویس پشت فروشگاه‌ها: کاتالوگ، مشتری، سبد و سفارش، " +
			"با REST و GraphQL.",
		Staff:        "کارکنان",
		StaffIs:      "جایی که اهل فروشگاه کار می‌کنند",
		Guides:       "راهنماها",
		GuidesAre:    "برای فروشگاه‌داران، سازندگان ویترین و گردانندگان",
		Docs:         "مرجع REST",
		DocsAre:      "همهٔ مسیرها، برای خواندن و آزمودن",
		Playground:   "زمین بازی GraphQL",
		PlaygroundIs: "طرح‌واره، با نمونه‌هایی برای اجرا",
		OpenAPIIs:    "همان، برای ابزارهای تولید کد",
		Version:      "نسخهٔ",
		Shops:        "فروشگاه‌های نمونه",
		Found:        "هر فروشگاه با دامنه‌اش پیدا می‌شود:",
		Try:          "برای آزمودن، با نشانی همین صفحه:",
	},
}

// Home returns the handler of /: a page for people, and the same as JSON for programs. version is that of
// the program; withPlayground adds the playground. shops returns the shops that may be named publicly; Home
// fills in their URL.
func Home(version string, withPlayground bool, shops func(context.Context) []Shop) http.Handler {
	policy := policyOf(homeCSS, "'none'")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !reads(w, r) {
			return
		}
		there := home{Name: "Storefront", Version: version, Staff: "staff", Guides: "guides", Docs: "docs",
			OpenAPI: "openapi.json", REST: "api/v1", GraphQL: "graphql", Shops: []Shop{}}
		if withPlayground {
			there.Playground = "playground"
		}
		for _, shop := range shops(r.Context()) {
			shop.URL = there.REST + "/tenants/" + url.PathEscape(shop.Domain)
			there.Shops = append(there.Shops, shop)
		}
		h := w.Header()
		h.Add("Vary", "Accept")
		var content bytes.Buffer
		var err error
		if prefersHTML(r.Header) {
			spoken := speak(h, r, policy)
			err = homeDocument(there, homeIn[spoken]).Render(&content)
		} else {
			h.Set("Content-Type", mediaTypes[".json"])
			err = json.MarshalWrite(&content, there, jsontext.WithIndent("  "))
		}
		sendFresh(w, r, content.Bytes(), err)
	})
}

func homeDocument(there home, words homeWords) g.Node {
	domain := "DOMAIN"
	if len(there.Shops) > 0 {
		domain = there.Shops[0].Domain
	}
	way := func(address, name, is string) g.Node {
		return Li(anchor(address, name), g.Text(" "), Span(g.Text(is)))
	}
	return document(words.Language, words.Direction,
		g.Group{
			bothSchemes(),
			TitleEl(g.Text(words.Name)),
			pageIcon("favicon.ico"),
			StyleEl(g.Raw(homeCSS)),
		},
		Main(
			H1(g.Text(words.Name)),
			P(g.Text(words.Lead)),
			Ul(Class("ways"),
				way(there.Staff, words.Staff, words.StaffIs),
				way(there.Guides, words.Guides, words.GuidesAre),
				way(there.Docs, words.Docs, words.DocsAre),
				g.If(there.Playground != "", way(there.Playground, words.Playground, words.PlaygroundIs)),
				way(there.OpenAPI, "openapi.json", words.OpenAPIIs),
			),
			shopList(there, words),
			P(g.Text(words.Try)),
			Pre(Dir("ltr"), TabIndex("0"), Code(g.Textf(`curl "$ADDRESS/%s/tenants/%s"`, there.REST, domain))),
			P(Small(g.Text(words.Version+" "), bdi(g.Text(there.Version)))),
		),
	)
}

// shopList returns the list of the shops, or, without any, how one is found.
func shopList(there home, words homeWords) g.Node {
	if len(there.Shops) == 0 {
		return P(g.Text(words.Found+" "),
			Code(Dir("ltr"), g.Text(there.REST+"/tenants/"), Em(g.Text("domain"))))
	}
	return g.Group{
		H2(g.Text(words.Shops)),
		Ul(g.Map(there.Shops, func(shop Shop) g.Node {
			return Li(
				A(Href(shop.URL), bdi(Lang("en"), g.Text(shop.Name))),
				g.Text(" "), bdi(Lang("fa"), g.Text(shop.NameFa)),
				g.Text(" "), Code(Dir("ltr"), g.Text(shop.Domain)),
			)
		})),
	}
}

// prefersHTML reports whether a request asks for HTML rather than JSON, as browsers do.
func prefersHTML(h http.Header) bool {
	accepted := wire.Qualities(h.Values("Accept"))
	return accepted["text/html"] > 0 && accepted["text/html"] >= accepted["application/json"]
}

const forADay = "public, max-age=86400"

// Robots returns the handler of /robots.txt, which keeps crawlers out of the API. They may read the images
// of shops, which storefronts show, the home page and the guides.
func Robots() http.Handler {
	rules := "User-agent: *\nAllow: /$\nAllow: /guides\nAllow: /media/\nDisallow: /\n"
	return Fixed("/robots.txt", []byte(rules), forADay)
}

// Favicon returns the handler of /favicon.ico, which browsers request with every page.
func Favicon() http.Handler { return Fixed("/favicon.ico", favicon, forADay) }
