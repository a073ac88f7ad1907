package crawl

import (
	"bytes"
	"encoding/xml"
	"time"
)

const (
	xmlType   = "application/xml; charset=utf-8"
	xmlHeader = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

	// flushAt is how much of a file is written at once, in bytes.
	flushAt = 32 << 10
)

// xmlFile writes an XML file to an answer, in pieces of about flushAt bytes.
type xmlFile struct {
	to   *answer
	text bytes.Buffer // not written yet
}

// markup adds a text as it is.
func (x *xmlFile) markup(text string) { x.text.WriteString(text) }

// content adds a text with its special characters escaped.
func (x *xmlFile) content(text string) {
	_ = xml.EscapeText(&x.text, []byte(text)) // a buffer never fails
}

// element adds an element that holds a text.
func (x *xmlFile) element(name, content string) {
	x.markup("<" + name + ">")
	x.content(content)
	x.markup("</" + name + ">")
}

// lastmod adds when a page changed, unless that is unknown (the zero time).
func (x *xmlFile) lastmod(changed time.Time) {
	if !changed.IsZero() {
		x.element("lastmod", changed.UTC().Format(time.RFC3339))
	}
}

// isEmpty reports whether nothing was added yet.
func (x *xmlFile) isEmpty() bool { return x.text.Len() == 0 && !x.to.begun }

// send writes the pending text if there is enough of it.
func (x *xmlFile) send() error {
	if x.text.Len() < flushAt {
		return nil
	}
	return x.flush()
}

// flush writes the pending text.
func (x *xmlFile) flush() error {
	_, err := x.to.Write(x.text.Bytes())
	x.text.Reset()
	return err
}
