// Package seo makes the data about a shop's records for search engines: JSON-LD with the vocabulary of schema.org, and
// the texts and addresses that feeds share with it.
package seo

import (
	"cmp"
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

// NewPage returns the pages of a shop in a language, or in its default one if locale is empty.
func NewPage(shop *ent.Tenant, locale string) Page {
	if locale == "" {
		locale = shop.DefaultLocale
	}
	return Page{record.NewSite(shop.Domain, shop.DefaultLocale, shop.Pages), shop, locale}
}

// Of returns the address of the page of a record, or "" if there is none.
func (p Page) Of(kind record.PageKind, slug string) string { return p.Address(kind, slug, p.Locale) }

// Name returns the name in the language of the page.
func (p Page) Name(en, fa string) string {
	if p.Locale == "en" {
		return en
	}
	return fa
}

// Title returns the title in the language of the page, or the Farsi one if there is no English one.
func (p Page) Title(en *string, fa string) string {
	if p.Locale == "en" && en != nil {
		return *en
	}
	return fa
}

// Text returns an optional text in the language of the page, or in the other if it is there alone.
func (p Page) Text(text, fa *string) string {
	if p.Locale == "fa" {
		text, fa = fa, text
	}
	return cmp.Or(record.TextOf(text), record.TextOf(fa))
}

// Images returns the addresses of images.
func (p Page) Images(images []record.Media) (addresses []string) {
	for _, image := range images {
		addresses = append(addresses, p.Absolute(image.URL))
	}
	return addresses
}

// schemaOrg is the context of JSON-LD of schema.org.
const schemaOrg = "https://schema.org"

// typed is a thing of schema.org.
type typed struct {
	Context string `json:"@context,omitempty"` // set only for the outermost object
	Type    string `json:"@type"`
}

func outermost(kind string) typed { return typed{schemaOrg, kind} }

// text returns JSON that is safe inside a script element, as characters that could end it are escaped.
func text(v any) (string, error) {
	b, err := json.Marshal(v) // escapes <, >, &, U+2028 and U+2029
	return string(b), err
}

func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func instant(at time.Time) string { return at.UTC().Format(time.RFC3339) }
