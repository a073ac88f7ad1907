package plan

import (
	"regexp"
	"strings"

	"storefront/internal/content/document"
	"storefront/internal/record"
)

// pathLimit is the greatest length of the path of a kind of pages, and of the common prefix of addresses, so
// that these fit in a sitemap.
const pathLimit = 200

// readPages reads the addresses of the storefront's pages. A new value replaces the old one as a whole.
func readPages(o *document.Object, dst **record.PageAddresses) {
	given, null := o.Inner("pages")
	if null {
		document.PutDeep(o, dst, nil)
	}
	if given == nil {
		return
	}
	pages := record.PageAddresses{Site: record.DefaultSite}
	given.Text("site", &pages.Site, pathLimit, checkSite)
	for _, kind := range record.PageKinds {
		given.OptionalText(string(kind), pages.Path(kind), pathLimit, checkPagePath(kind))
	}
	given.OptionalText(string(record.OrderPage), &pages.Order, pathLimit, checkOrderPath)
	given.RefuseUnknown()
	document.PutDeep(o, dst, &pages)
}

// siteForm matches the shop's own domain, or a subdomain: the shop has no pages on other hosts.
var siteForm = regexp.MustCompile(`^https://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){0,3}\{domain\}$`)

func checkSite(text string) error {
	if !siteForm.MatchString(text) {
		return document.Errorf("must be https://{domain} or a host below it, such as https://www.{domain}")
	}
	return nil
}

// pathForm matches a path and a query with placeholders.
var pathForm = regexp.MustCompile(
	`^(?:\{prefix\})?/(?:[A-Za-z0-9._~!$'()*+,;=:@/?&-]|%[0-9A-Fa-f]{2}|\{slug\}|\{locale\})*$`)

// checkOrderPath is the rule for the path of the pages of orders, which have numbers instead of slugs.
func checkOrderPath(text string) error {
	if strings.Count(text, "{number}") != 1 || strings.Contains(text, "{slug}") {
		return document.Errorf("must hold {number} once, and no {slug}")
	}
	return checkPagePath(record.ProductPage)(strings.Replace(text, "{number}", "{slug}", 1))
}

// checkPagePath returns the rule for paths of a kind of pages.
func checkPagePath(kind record.PageKind) document.Rule {
	slugs := 1
	if kind == record.HomePage {
		slugs = 0
	}
	return func(text string) error {
		switch {
		case !pathForm.MatchString(text):
			return document.Errorf(
				"must begin with / or {prefix}/, and have only characters of URLs, {slug} and {locale}")
		case strings.Count(text, "{slug}") != slugs && slugs == 0:
			return document.Errorf("must not hold {slug}")
		case strings.Count(text, "{slug}") != slugs:
			return document.Errorf("must hold {slug} once")
		}
		return nil
	}
}
