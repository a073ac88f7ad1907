package staff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestExportsComeBack makes random edits of a shop. Importing an export into the shop must change nothing,
// and an empty shop that imports it must have the same export. `-rounds 20` makes 1,000 edits.
func TestExportsComeBack(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		const edits = 50 // in a round
		seed := uint64(1)
		if *shoptest.Rounds > 1 {
			seed = uint64(time.Now().UnixNano())
		}
		e := editor{Worker: c.Staff(t, c.Tools, record.Owner), Rand: rand.New(rand.NewPCG(seed, 0)), shop: c.Tools}
		made, seen := 0, map[string]bool{}
		for range *shoptest.Rounds {
			for range edits {
				document, got := e.tries(t)
				switch got.Code() {
				case "":
					made++
					seen[document] = true
				case "VALIDATION_FAILED", "CONFLICT", "NOT_FOUND":
				default:
					t.Fatalf("seed %d: %s: got %+v", seed, document, got.Errors)
				}
			}
			version := contentVersion(t, c)
			if c.ComesBack(t); contentVersion(t, c) != version {
				t.Fatalf("seed %d: the content's version has changed", seed)
			}
		}
		if most := edits * *shoptest.Rounds; made < most/2 {
			t.Errorf("seed %d: %d of %d edits were made", seed, made, most)
		}
		comesElsewhere(t, c)
		t.Logf("seed %d: %d edits of %d kinds were made", seed, made, len(seen))
	})
}

// tries sends an edit. If the record does not exist it creates one. It drops refused members and adds missing
// ones.
func (e *editor) tries(t testing.TB) (document string, got shoptest.Answered) {
	t.Helper()
	document, variables := e.edit()
	for range 4 {
		got = e.Ask(t, document, variables)
		in, _ := variables["in"].(shoptest.Members)
		switch {
		case got.Code() == "NOT_FOUND":
			document = strings.Replace(document, "\tupdate", "\tcreate", 1)
		case got.Code() != "VALIDATION_FAILED" || in == nil:
			return document, got
		default:
			for _, field := range got.Errors[0].Extensions.Errors {
				name := strings.Split(field.Field+".", ".")[1]
				if _, given := in[name]; given {
					delete(in, name)
				} else if value, needed := leastInput[name]; needed {
					in[name] = value
				}
			}
		}
	}
	return document, got
}

// leastInput are the members that new records need.
var leastInput = shoptest.Members{"name": "N", "nameFa": "ن", "titleFa": "ت", "title": "T", "body": "B",
	"type":      "news",
	"condition": "stock", "priceCurrency": "IRT", "slides": []any{}, "categories": []any{}, "brands": []any{},
	"variants": []any{}}

// comesElsewhere checks that an export of the tool shop can be imported into an empty shop, whose export is
// the same.
func comesElsewhere(t testing.TB, c *shoptest.Crew) {
	t.Helper()
	there := strings.NewReplacer(`"domain":"tools.example"`, `"domain":"copy.example"`, `"slug":"tools",`,
		`"slug":"copy",`)
	lines := strings.SplitAfterN(string(c.Exported(t)), "\n", 3) // the tenant stands in the second
	want := lines[0] + there.Replace(lines[1]) + lines[2]
	summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(want)), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, want)
	}
	var out bytes.Buffer
	if err := bundle.Export(t.Context(), c.Store, "copy.example", &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("elsewhere it is another shop:\n%s\nwant\n%s", out.String(), want)
	}
	c.Store.Client.Tenant.DeleteOneID(summary.Tenant).ExecX(tenancy.In(t.Context(), summary.Tenant))
}

// editor makes random edits of a shop: some are right.
type editor struct {
	shoptest.Worker
	*rand.Rand
	shop    string
	product string // the slug of the one that is edited
}

func (e *editor) often() bool { return e.IntN(6) > 0 }

func pick[T any](e *editor, from ...T) T { return from[e.IntN(len(from))] }

// some returns a random subset of members.
func (e *editor) some(all shoptest.Members) shoptest.Members {
	for name := range all {
		if !e.often() {
			delete(all, name)
		} else if e.IntN(20) == 0 {
			all[name] = nil
		}
	}
	return all
}

// list returns up to most items with distinct names.
func list[T any](e *editor, most int, item func() T) []T {
	items := []T{}
	seen := map[string]bool{}
	for range e.IntN(most + 1) {
		one := item()
		name := fmt.Sprint(one)
		if all, ok := any(one).(shoptest.Members); ok {
			name = fmt.Sprint(all["key"], all["sku"], all["variation"], all["mediaId"])
			if all["value"] != nil && all["label"] != nil {
				name = fmt.Sprint(all["value"])
			}
		}
		if !seen[name] || name == fmt.Sprint(nil, nil, nil, nil) {
			items = append(items, one)
		}
		seen[name] = true
	}
	return items
}

func (e *editor) text() string {
	return pick(e, "A", "پرده ۱۲", "Ö \"quoted\" \\", "x\u200cy", "line", "é<b>")
}
func (e *editor) key() string   { return pick(e, "a", "b", "c", "آ") }
func (e *editor) slug() string  { return pick(e, "one", "پنج", "acme", "drill", "saw", "ronix") }
func (e *editor) sku() string   { return e.slug() + pick(e, "-1", "-2", "-3") }
func (e *editor) words() string { return pick(e, "w", "x", "tools", "saws", "gifts", "works") }
func (e *editor) url() string   { return pick(e, "/a.png", "/b.png", "https://img.example/c.png") }
func (e *editor) state() string { return pick(e, "draft", "published", "archived") }

// usual is the most frequent type of the field with a key, so that forms often accept the values of products.
var usual = map[string]string{"a": "number", "b": "text", "c": "multiselect", "آ": "boolean"}

func (e *editor) values() shoptest.Members {
	key := e.key()
	value := map[string]any{"number": pick(e, 1, 2.5, -7, 0), "text": e.text(), "multiselect": []string{"z"},
		"boolean": e.often()}[usual[key]]
	if e.IntN(8) == 0 {
		value = pick[any](e, 1, true, "a", "z", []string{"a", "z"}, []string{})
	}
	return shoptest.Members{"key": key, "value": value}
}

// answers adds values for the form, other values, or none.
func (e *editor) answers(all shoptest.Members) shoptest.Members {
	delete(all, pick(e, "values", "otherValues"))
	if e.often() {
		delete(all, "values")
	}
	return all
}

func (e *editor) image(url string) shoptest.Members {
	image := e.some(shoptest.Members{"alt": e.text(), "width": 1 + e.IntN(9), "height": 1 + e.IntN(9),
		"placeholderColor": "#aabbcc"})
	image[url] = e.url()
	return image
}

func (e *editor) images() any {
	return list(e, 3, func() shoptest.Members {
		image := e.image("url")
		if e.IntN(3) == 0 {
			image["mediaId"] = e.key()
		}
		return image
	})
}

func (e *editor) options() []shoptest.Members {
	return list(e, 2, func() shoptest.Members {
		return shoptest.Members{"value": e.key(), "label": e.text(), "labelFa": e.text()}
	})
}

func (e *editor) form() any {
	fields := list(e, 4, func() shoptest.Members {
		key := e.key()
		field := shoptest.Members{"key": key, "label": e.text(), "labelFa": e.text(), "required": e.IntN(8) == 0,
			"type": pick(e, usual[key], usual[key], usual[key], "text", "number", "boolean", "select", "multiselect")}
		if strings.HasSuffix(field["type"].(string), "select") {
			field["options"] = append(e.options(), shoptest.Members{"value": "z", "label": "Z", "labelFa": "Z"})
		}
		return field
	})
	return shoptest.Members{"title": "F", "titleFa": "ف", "fields": fields}
}

func (e *editor) variation() shoptest.Members {
	return shoptest.Members{"key": e.key(), "name": e.text(), "nameFa": e.text(),
		"values": list(e, 3, func() shoptest.Members {
			return shoptest.Members{"key": e.key(), "label": e.text(), "labelFa": e.text(),
				"colorHex": pick[any](e, nil, "#000000")}
		})}
}

func (e *editor) variant() shoptest.Members {
	variant := e.some(shoptest.Members{"priceCurrency": "IRT", "price": e.IntN(900),
		"compareAtPrice": e.IntN(900), "stock": e.IntN(20),
		"isFestival": e.often(), "maxOrderQuantity": 1 + e.IntN(5), "imageUrl": e.url(), "onSale": e.often(),
		"options": list(e, 2, func() shoptest.Members {
			return shoptest.Members{"variation": e.key(),
				"value": e.key()}
		})})
	variant["sku"] = e.product + pick(e, "-1", "-2", "-3")
	return variant
}

func (e *editor) content(more shoptest.Members) shoptest.Members {
	all := shoptest.Members{"titleFa": e.text(), "titleEn": e.text(), "tags": list(e, 3, e.text),
		"images":  e.images(),
		"summary": e.text(), "seo": e.some(shoptest.Members{"title": e.text(),
			"description": e.text()}), "status": e.state(),
		"publishedAt": time.Date(2026, 1, 1+e.IntN(20), 0, 0, 0, 1000*e.IntN(999), time.UTC), "category": e.words()}
	for name, value := range more {
		all[name] = value
	}
	return e.some(all)
}

// edit returns a document and its variables.
func (e *editor) edit() (string, shoptest.Members) {
	type kind struct {
		name, types, names string // of the arguments that name a record
		key                shoptest.Members
		input              func() shoptest.Members
	}
	e.product = e.slug()
	slug := func(name string, input func() shoptest.Members) kind {
		return kind{name: name, types: "$key: String!", names: "slug: $key",
			key: shoptest.Members{"key": e.product}, input: input}
	}
	key := func(name string, input func() shoptest.Members) kind {
		return kind{name: name, types: "$key: String!", names: "key: $key",
			key: shoptest.Members{"key": e.key()}, input: input}
	}
	kinds := []kind{
		slug("Brand", func() shoptest.Members {
			return e.some(shoptest.Members{"name": e.text(), "nameFa": e.text(), "logoUrl": e.url()})
		}),
		{name: "Category", types: "$key: String!, $of: EntityType!", names: "slug: $key, entityType: $of",
			key: shoptest.Members{"key": e.words(), "of": pick(e, "product", "product", "blog",
				"portfolio")}, input: func() shoptest.Members {
				return e.some(shoptest.Members{"name": e.text(), "nameFa": e.text(), "imageUrl": e.url(),
					"description": e.text(),
					"position":    e.IntN(5), "parentSlug": e.words(), "form": e.form()})
			}},
		slug("Product", func() shoptest.Members {
			return e.answers(e.content(shoptest.Members{"description": e.text(), "brand": e.slug(),
				"values": list(e, 3, e.values), "otherValues": list(e, 2, e.values),
				"variations": list(e, 2, e.variation), "variants": list(e, 3, e.variant)}))
		}),
		slug("UserProduct", func() shoptest.Members {
			all := e.content(shoptest.Members{"description": e.text(), "priceCurrency": "IRT", "price": e.IntN(900),
				"condition": pick(e, "new", "stock", "needs_repair", "scrap"), "city": pick[any](e, nil, "tehran"),
				"promoted": e.often(), "values": list(e, 3, e.values), "otherValues": list(e, 2,
					e.values), "deliveryNotes": e.text()})
			for _, name := range []string{"tags", "summary", "seo"} {
				delete(all, name)
			}
			return e.answers(all)
		}),
		slug("Blog", func() shoptest.Members {
			return e.content(shoptest.Members{"type": pick(e, "news", "article", "blog"), "body": e.text(),
				"authorName": e.text()})
		}),
		slug("Portfolio", func() shoptest.Members {
			return e.content(shoptest.Members{"body": e.text(), "clientName": e.text(), "completedOn": "2026-02-03"})
		}),
		key("Slider", func() shoptest.Members {
			return e.some(shoptest.Members{"title": e.text(), "position": e.IntN(5),
				"slides": list(e, 3, func() shoptest.Members {
					slide := e.image("imageUrl")
					for name, value := range e.some(shoptest.Members{"title": e.text(), "subtitle": e.text(),
						"linkUrl":    e.url(),
						"buttonText": e.text(), "position": e.IntN(3)}) {
						slide[name] = value
					}
					return slide
				})})
		}),
		key("CategoryGroup", func() shoptest.Members {
			return e.some(shoptest.Members{"title": e.text(), "categories": list(e, 3, e.words)})
		}),
		key("BrandGroup", func() shoptest.Members {
			return e.some(shoptest.Members{"title": e.text(), "brands": list(e, 3, e.slug)})
		}),
		key("StoreSpecial", func() shoptest.Members {
			return e.some(shoptest.Members{"title": e.text(), "startsAt": "2026-01-01T00:00:00Z",
				"endsAt":   "2026-12-01T00:00:00.5Z",
				"variants": list(e, 3, e.sku)})
		}),
	}
	of := pick(e, kinds...)
	if e.IntN(3) == 0 { // products have the most that can go wrong
		of = kinds[2]
	}
	of.key["shop"] = e.shop
	switch n := e.IntN(20); {
	case n == 0:
		return `mutation($shop: ID!, $in: [OfferInput!]!) { updateOffers(businessId: $shop, input: $in) { message } }`,
			shoptest.Members{"shop": e.shop, "in": list(e, 3, func() shoptest.Members {
				return shoptest.Members{"sku": e.sku(), "stock": e.IntN(9), "price": e.IntN(99), "onSale": e.often()}
			})}
	case n == 1:
		return `mutation($shop: ID!, $in: BusinessProfileInput!, $shopIn: ShopInput!) {
				updateBusinessProfile(businessId: $shop, input: $in) { id }
				updateShop(businessId: $shop, input: $shopIn) { id } }`,
			shoptest.Members{"shop": e.shop, "shopIn": e.some(shoptest.Members{"name": e.text(),
				"primaryColor": "#112233", "logoUrl": e.url()}),
				"in": e.some(shoptest.Members{"about": e.text(), "phones": list(e, 2, e.text),
					"workingHours": e.text(),
					"addresses": list(e, 2, func() shoptest.Members {
						return shoptest.Members{"address": e.text(), "latitude": 35.5, "longitude": 51.25,
							"city": pick[any](e, nil, "T")}
					})})}
	case n == 2:
		return `mutation($shop: ID!, $sku: String!) { deleteVariant(businessId: $shop, sku: $sku) { message } }`,
			shoptest.Members{"shop": e.shop, "sku": e.sku()}
	case n < 5:
		return fmt.Sprintf(`mutation($shop: ID!, %s) { delete%s(businessId: $shop, %s) { message } }`,
				of.types, of.name, of.names),
			of.key
	}
	of.key["in"] = of.input()
	return fmt.Sprintf(`mutation($shop: ID!, %s, $in: %[2]sInput!) {
		update%[2]s(businessId: $shop, %[3]s, input: $in) { id } }`,
		of.types, of.name, of.names), of.key
}
