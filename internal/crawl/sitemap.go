package crawl

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"regexp"
	"time"

	"storefront/internal/catalog"
	"storefront/internal/record"
)

// A sitemap may have 50,000 addresses and 50 MB (sitemaps.org). Parts are so small that the longest addresses that a
// shop can have fit: 3 KB each with what stands around them, and for pages in two languages eight times for a record.
const (
	partSize          = 15_000
	partSizeLanguages = 2_000
	partMost          = 50_000 // addresses of a part: more records may have come into its range since it was named
)

const (
	xmlType   = "application/xml; charset=utf-8"
	xmlHeader = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
)

func sizeOf(of shop, kind record.PageKind) (size, most int) {
	if of.LocalesOf(kind) == nil {
		return partSize, partMost
	}
	return partSizeLanguages, partMost / len(record.Locales)
}

// robots lets all be read, and names the sitemap.
func (s *Service) robots(_ context.Context, of shop, w *answer) error {
	w.contentType = "text/plain; charset=utf-8"
	_, err := fmt.Fprintf(w, "User-agent: *\nAllow: /\n\nSitemap: %s/sitemap.xml\n", of.Base)
	return err
}

// index is the sitemap that names all parts.
func (s *Service) index(ctx context.Context, of shop, w *answer) error {
	w.contentType = xmlType
	var text bytes.Buffer
	text.WriteString(xmlHeader + `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	name := func(file string, changed time.Time) {
		text.WriteString("<sitemap>")
		element(&text, "loc", of.Base+"/sitemaps/"+file+".xml")
		writeChanged(&text, changed)
		text.WriteString("</sitemap>\n")
	}
	for _, kind := range record.PageKinds {
		if !of.Has(kind) {
			continue
		}
		if kind == record.HomePage {
			name(string(kind), time.Time{})
			continue
		}
		size, _ := sizeOf(of, kind)
		parts, err := s.catalog.PageParts(ctx, of.ID, kind, size)
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
	text.WriteString("</sitemapindex>\n")
	_, err := w.Write(text.Bytes())
	return err
}

// partName matches the name of a part: its kind, the mark behind which it begins, and the one with which it ends.
var partName = regexp.MustCompile(`^([A-Za-z]+)(?:-([0-9a-f]+)(?:-([0-9a-f]+))?)?\.xml$`)

// part is a part of the sitemap.
func (s *Service) part(ctx context.Context, of shop, w *answer) error {
	name := partName.FindStringSubmatch(w.request.PathValue("file"))
	if name == nil {
		return noFile()
	}
	kind := record.PageKind(name[1])
	w.contentType = xmlType
	urls := &urlset{of: of, kind: kind, to: w}
	if kind == record.HomePage && of.Has(kind) && name[2] == "" {
		if err := urls.add("", time.Time{}); err != nil {
			return err
		}
		return urls.end()
	}
	in, ok := catalog.ParsePageRange(name[2], name[3])
	if kind == record.HomePage || !of.Has(kind) || !ok {
		return noFile()
	}
	ctx, stop := context.WithTimeout(ctx, longestPart)
	defer stop()
	_, most := sizeOf(of, kind)
	err := s.catalog.EachPublicPage(ctx, of.ID, kind, in, most, func(pages []catalog.PublicPage) error {
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
	if urls.isEmpty() { // which the format does not know
		return noFile()
	}
	return urls.end()
}

// urlset writes the addresses of pages of a kind.
type urlset struct {
	of   shop
	kind record.PageKind
	to   *answer
	text bytes.Buffer // not written yet
}

// flushAt is how much is written at once, in bytes.
const flushAt = 32 << 10

func (u *urlset) isEmpty() bool { return u.text.Len() == 0 && !u.to.begun }

// add adds the pages of a record.
func (u *urlset) add(slug string, changed time.Time) error {
	if u.isEmpty() {
		u.text.WriteString(xmlHeader + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
			` xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n")
	}
	locales := u.of.LocalesOf(u.kind)
	if locales == nil {
		u.url(u.of.Address(u.kind, slug, u.of.Locale), changed)
	}
	for _, locale := range locales {
		u.url(u.of.Address(u.kind, slug, locale), changed, u.alternates(slug, locales)...)
	}
	if u.text.Len() < flushAt {
		return nil
	}
	return u.flush()
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
	u.text.WriteString("<url>")
	element(&u.text, "loc", address)
	writeChanged(&u.text, changed)
	for _, other := range others {
		u.text.WriteString(`<xhtml:link rel="alternate" hreflang="` + other.language + `" href="`)
		escape(&u.text, other.address)
		u.text.WriteString(`"/>`)
	}
	u.text.WriteString("</url>\n")
}

func (u *urlset) flush() error {
	_, err := u.to.Write(u.text.Bytes())
	u.text.Reset()
	return err
}

func (u *urlset) end() error {
	u.text.WriteString("</urlset>\n")
	return u.flush()
}

// writeChanged says when a page changed; never: it is not known.
func writeChanged(text *bytes.Buffer, changed time.Time) {
	if !changed.IsZero() {
		element(text, "lastmod", changed.UTC().Format(time.RFC3339))
	}
}

// element writes an element with a text.
func element(text *bytes.Buffer, name, content string) {
	text.WriteString("<" + name + ">")
	escape(text, content)
	text.WriteString("</" + name + ">")
}

func escape(text *bytes.Buffer, content string) {
	_ = xml.EscapeText(text, []byte(content)) // a buffer never fails
}
