package crawl

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"storefront/internal/record"
)

// A sitemap may have 50,000 addresses and 50 MB (sitemaps.org). Parts are small enough for the longest addresses that a
// shop can have: 3 KB each with their markup, and eight of them for a record whose pages are in two languages.
const (
	partSize          = 15_000
	partSizeLanguages = 2_000
	partMost          = 50_000 // addresses of a part, as its range may have gained records since the index was read
)

func sizeOf(s shop, kind record.PageKind) (size, most int) {
	if s.LocalesOf(kind) == nil {
		return partSize, partMost
	}
	return partSizeLanguages, partMost / len(record.Locales)
}

// robots allows everything, and gives the address of the sitemap.
func (s *Service) robots(_ context.Context, site shop, w *answer) error {
	w.contentType = "text/plain; charset=utf-8"
	_, err := fmt.Fprintf(w, "User-agent: *\nAllow: /\n\nSitemap: %s/sitemap.xml\n", site.Base)
	return err
}

// index writes the sitemap index, with the addresses of all parts.
func (s *Service) index(ctx context.Context, site shop, w *answer) error {
	w.contentType = xmlType
	x := &xmlFile{to: w}
	x.markup(xmlHeader + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	name := func(file string, changed time.Time) {
		x.markup("<sitemap>")
		x.element("loc", site.Base+"/sitemaps/"+file+".xml")
		x.lastmod(changed)
		x.markup("</sitemap>\n")
	}
	for _, kind := range record.PageKinds {
		if !site.Has(kind) {
			continue
		}
		if kind == record.HomePage {
			name(string(kind), time.Time{})
			continue
		}
		size, _ := sizeOf(site, kind)
		parts, err := s.records.PageParts(ctx, site.ID, kind, size)
		if err != nil {
			return err
		}
		for _, part := range parts {
			after, until := part.Marks()
			file := string(kind) + "-" + after
			if until != "" {
				file += "-" + until
			}
			name(file, part.Changed)
		}
	}
	x.markup("</sitemapindex>\n")
	return x.flush()
}

// partName matches the file name of a part: its kind, the mark after which it begins, and the one at which it ends.
var partName = regexp.MustCompile(`^([A-Za-z]+)(?:-([0-9a-f]+)(?:-([0-9a-f]+))?)?\.xml$`)

// part writes a part of the sitemap.
func (s *Service) part(ctx context.Context, site shop, w *answer) error {
	name := partName.FindStringSubmatch(w.request.PathValue("file"))
	if name == nil {
		return noFile()
	}
	kind := record.PageKind(name[1])
	w.contentType = xmlType
	urls := &urlset{of: site, kind: kind, xmlFile: xmlFile{to: w}}
	if kind == record.HomePage && site.Has(kind) && name[2] == "" {
		if err := urls.add("", time.Time{}); err != nil {
			return err
		}
		return urls.end()
	}
	in, ok := ParsePageRange(name[2], name[3])
	if kind == record.HomePage || !site.Has(kind) || !ok {
		return noFile()
	}
	ctx, stop := context.WithTimeout(ctx, longestPart)
	defer stop()
	_, most := sizeOf(site, kind)
	err := s.records.EachPublicPage(ctx, site.ID, kind, in, most, func(pages []PublicPage) error {
		for _, page := range pages {
			if err := urls.add(page.Slug, page.Changed); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	if urls.isEmpty() { // the format requires at least one address
		return noFile()
	}
	return urls.end()
}

// urlset writes the addresses of pages of a kind.
type urlset struct {
	of   shop
	kind record.PageKind
	xmlFile
}

// add adds the pages of a record.
func (u *urlset) add(slug string, changed time.Time) error {
	if u.isEmpty() {
		u.markup(xmlHeader + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
			` xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n")
	}
	locales := u.of.LocalesOf(u.kind)
	if locales == nil {
		u.url(u.of.Address(u.kind, slug, u.of.Locale), changed)
	}
	for _, locale := range locales {
		u.url(u.of.Address(u.kind, slug, locale), changed, u.alternates(slug, locales)...)
	}
	return u.send()
}

// alternate is the same page in a language.
type alternate struct{ language, address string }

func (u *urlset) alternates(slug string, locales []string) (all []alternate) {
	for _, locale := range locales {
		all = append(all, alternate{locale, u.of.Address(u.kind, slug, locale)})
	}
	return append(all, alternate{"x-default", u.of.Address(u.kind, slug, u.of.Locale)})
}

func (u *urlset) url(address string, changed time.Time, others ...alternate) {
	u.markup("<url>")
	u.element("loc", address)
	u.lastmod(changed)
	for _, other := range others {
		u.markup(`<xhtml:link rel="alternate" hreflang="` + other.language + `" href="`)
		u.content(other.address)
		u.markup(`"/>`)
	}
	u.markup("</url>\n")
}

func (u *urlset) end() error {
	u.markup("</urlset>\n")
	return u.flush()
}
