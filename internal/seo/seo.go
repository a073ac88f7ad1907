// Package seo says what search engines are told of a shop's records: JSON-LD in the words of schema.org, and the texts
// and addresses that feeds have, too.
package seo

import (
	"encoding/json"
	"time"

	"storefront/ent"
	"storefront/internal/record"
)

// Page is the page of a record in one language.
type Page struct {
	record.Site
	Shop   *ent.Tenant
	Locale string
}

// NewPage returns pages of a shop in a language; empty: in its own.
func NewPage(shop *ent.Tenant, locale string) Page {
	if locale == "" {
		locale = shop.DefaultLocale
	}
	return Page{record.NewSite(shop.Domain, shop.DefaultLocale, shop.Pages), shop, locale}
}

// Of returns the address of the page of a record, or "" where there is none.
func (p Page) Of(kind record.PageKind, slug string) string { return p.Address(kind, slug, p.Locale) }

// Name returns one of two names of a thing.
func (p Page) Name(en, fa string) string {
	if p.Locale == "en" {
		return en
	}
	return fa
}

// Title returns one of two titles, of which the English one may be missing.
func (p Page) Title(en *string, fa string) string {
	if p.Locale == "en" && en != nil {
		return *en
	}
	return fa
}

// Images returns the addresses of images.
func (p Page) Images(images []record.Media) (addresses []string) {
	for _, image := range images {
		addresses = append(addresses, p.Absolute(image.URL))
	}
	return addresses
}

// schemaOrg is what JSON-LD of schema.org begins with.
const schemaOrg = "https://schema.org"

// typed is a thing of schema.org.
type typed struct {
	Context string `json:"@context,omitempty"` // of the outermost alone
	Type    string `json:"@type"`
}

func outermost(kind string) typed { return typed{schemaOrg, kind} }

// text returns JSON that may stand in a script element: what could end it is escaped.
func text(v any) (string, error) {
	b, err := json.Marshal(v) // escapes <, >, &, U+2028 and U+2029
	return string(b), err
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func instant(at time.Time) string { return at.UTC().Format(time.RFC3339) }
