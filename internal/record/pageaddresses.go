package record

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// PageAddresses are the addresses of the pages of a shop's storefront. A kind of pages without a path does
// not exist.
type PageAddresses struct {
	Site              string  `json:"site"` // the beginning of all addresses: https://www.{domain}
	Home              *string `json:"home"` // paths: /{locale}/products/{slug}
	Product           *string `json:"product"`
	Category          *string `json:"category"`
	Brand             *string `json:"brand"`
	Listing           *string `json:"listing"`
	Blog              *string `json:"blog"`
	BlogCategory      *string `json:"blogCategory"`
	Portfolio         *string `json:"portfolio"`
	PortfolioCategory *string `json:"portfolioCategory"`
	Order             *string `json:"order,omitzero"` // /orders/{number}
}

// DefaultSite is the beginning of the addresses of a shop that has not set any.
const DefaultSite = "https://{domain}"

// PageKind is a kind of pages, by the name of its member in PageAddresses.
type PageKind string

// The kinds of pages.
const (
	HomePage              PageKind = "home"
	ProductPage           PageKind = "product"
	CategoryPage          PageKind = "category"
	BrandPage             PageKind = "brand"
	ListingPage           PageKind = "listing"
	BlogPage              PageKind = "blog"
	BlogCategoryPage      PageKind = "blogCategory"
	PortfolioPage         PageKind = "portfolio"
	PortfolioCategoryPage PageKind = "portfolioCategory"
	OrderPage             PageKind = "order" // of one customer each
)

// PageKinds are those of public pages.
var PageKinds = []PageKind{HomePage, ProductPage, CategoryPage, BrandPage, ListingPage, BlogPage, BlogCategoryPage,
	PortfolioPage, PortfolioCategoryPage}

// CategoryPageOf returns the kind of page for categories of an entity type.
func CategoryPageOf(kind EntityType) PageKind {
	switch kind {
	case Blog:
		return BlogCategoryPage
	case Portfolio:
		return PortfolioCategoryPage
	default:
		return CategoryPage
	}
}

// Path returns a pointer to the path of a kind.
func (a *PageAddresses) Path(kind PageKind) **string {
	return map[PageKind]**string{
		HomePage: &a.Home, ProductPage: &a.Product, CategoryPage: &a.Category, BrandPage: &a.Brand,
		ListingPage: &a.Listing, BlogPage: &a.Blog, BlogCategoryPage: &a.BlogCategory, PortfolioPage: &a.Portfolio,
		PortfolioCategoryPage: &a.PortfolioCategory, OrderPage: &a.Order,
	}[kind]
}

// defaultPaths are the paths of a shop that has not set any.
var defaultPaths = map[PageKind]string{
	HomePage: "/", ProductPage: "/products/{slug}", CategoryPage: "/categories/{slug}", BlogPage: "/blog/{slug}",
	PortfolioPage: "/portfolio/{slug}",
}

// Locales are the languages that pages may be in.
var Locales = []string{"fa", "en"}

// Site is where the pages of one shop are.
type Site struct {
	Base   string // the beginning of all addresses: https://www.shop.ir
	Locale string // the language of the shop
	paths  map[PageKind]string
}

// NewSite returns the site of a shop with a domain, in punycode, a language, and addresses, which are nil if it has not
// set any.
func NewSite(domain, locale string, a *PageAddresses) Site {
	site := Site{Locale: locale, paths: defaultPaths}
	base := DefaultSite
	if a != nil {
		base, site.paths = a.Site, map[PageKind]string{}
		for _, kind := range append(slices.Clone(PageKinds), OrderPage) {
			if path := *a.Path(kind); path != nil {
				site.paths[kind] = *path
			}
		}
	}
	site.Base = strings.Replace(base, "{domain}", domain, 1)
	return site
}

// Has reports whether there are pages of a kind.
func (s Site) Has(kind PageKind) bool { return s.paths[kind] != "" }

// LocalesOf returns the languages in which each record of a kind has a page, or nil if it has one page for all of them.
func (s Site) LocalesOf(kind PageKind) []string {
	if path := s.paths[kind]; strings.Contains(path, "{locale}") || strings.Contains(path, "{prefix}") {
		return Locales
	}
	return nil
}

// Address returns the address of the page of a record with a slug, or of an order with a number, in a language; "" if
// there are no pages of the kind. A page that is the same for all languages has one address.
func (s Site) Address(kind PageKind, slug, locale string) string {
	path := s.paths[kind]
	if path == "" {
		return ""
	}
	prefix := ""
	if locale != s.Locale {
		prefix = "/" + locale
	}
	name := url.PathEscape(slug)
	return s.Base + strings.NewReplacer("{slug}", name, "{number}", name, "{locale}", locale, "{prefix}", prefix).
		Replace(path)
}

// SlugAt returns the slug of the record of a kind whose page has an address.
func (s Site) SlugAt(kind PageKind, address string) (slug string, ok bool) {
	const place = "0" // a slug that is not escaped
	for _, locale := range Locales {
		before, _, _ := strings.Cut(s.paths[kind], "{slug}")
		at := len(s.with(kind, before, locale))
		whole := s.Address(kind, place, locale)
		if whole == "" || len(address) < len(whole) {
			continue
		}
		escaped, found := strings.CutSuffix(address[at:], whole[at+len(place):])
		if !found || address[:at] != whole[:at] || strings.ContainsAny(escaped, "/?#") {
			continue
		}
		slug, err := url.PathUnescape(escaped)
		if err == nil && utf8.ValidString(slug) && !strings.ContainsRune(slug, 0) { // PostgreSQL accepts no other texts
			return slug, true
		}
	}
	return "", false
}

// with returns the address that the given part of a path makes.
func (s Site) with(kind PageKind, path, locale string) string {
	return Site{s.Base, s.Locale, map[PageKind]string{kind: path}}.Address(kind, "", locale)
}

// Absolute returns an address as a URL for machines (RFC 3986), with the site in front if it is a path: percent-encoded
// where it is not yet, with the host in punycode.
func (s Site) Absolute(address string) string {
	if strings.HasPrefix(address, "/") {
		return s.Base + encoded(address)
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return encoded(address)
	}
	end := strings.IndexAny(rest+"/", "/?#")
	host, port, _ := strings.Cut(rest[:end], ":")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if port != "" {
		host += ":" + port
	}
	return scheme + "://" + host + encoded(rest[end:])
}

// encoded percent-encodes what may not stand in a URL; %xx stays.
func encoded(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		isEscape := c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2])
		if c > ' ' && c < 0x7f && strings.IndexByte("\"<>\\^`{|}%", c) < 0 || isEscape {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }
