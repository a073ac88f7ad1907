package loading

import (
	"strings"
	"unicode/utf8"

	"storefront/internal/record"
)

// readPlainly reads two common forms of JSON: images, and lists of texts. It reports false, and leaves into
// unchanged, for JSON that the service rarely writes, such as a text with an escape, or a null; a full
// reader, which takes five times as long, must read it then.
func readPlainly[S string | []byte](into any, text S) bool {
	switch into := into.(type) {
	case *[]record.Media:
		return readList(into, string(text), "{", 1, (*plain).media)
	case *[]string:
		return readList(into, string(text), `"`, 2, (*plain).text)
	}
	return false
}

// readList reads a list whose elements have at least so many of a sign each.
func readList[T any](into *[]T, text, sign string, each int, read func(*plain, *T) bool) bool {
	p := plain{rest: text}
	all := make([]T, 0, strings.Count(text, sign)/each)
	for p.element(len(all)) {
		all = append(all, *new(T))
		if !read(&p, &all[len(all)-1]) {
			return false
		}
	}
	if p.ended {
		*into = all
	}
	return p.ended
}

// plain is a list in plain JSON. Its methods report whether they found what they read.
type plain struct {
	rest  string
	ended bool // the list has ended, and nothing follows it
}

// element moves to the next element of the list, after read elements.
func (p *plain) element(read int) bool {
	if read == 0 && !p.next('[') {
		return false
	}
	if p.next(']') {
		p.skip()
		p.ended = p.rest == ""
		return false
	}
	return read == 0 || p.next(',')
}

// skip skips white space.
func (p *plain) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *plain) next(c byte) bool {
	p.skip()
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *plain) text(into *string) bool {
	if !p.next('"') {
		return false
	}
	ascii := true
	for i := range len(p.rest) {
		switch c := p.rest[i]; {
		case c == '"':
			*into, p.rest = p.rest[:i], p.rest[i+1:]
			return ascii || utf8.ValidString(*into)
		case c == '\\' || c < ' ':
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return false
}

func (p *plain) media(into *record.Media) bool {
	if !p.next('{') {
		return false
	}
	var may *optional
	for members := 0; !p.next('}'); members++ {
		var name string
		if members > 0 && !p.next(',') || !p.text(&name) || !p.next(':') || !p.mediaMember(into, name, &may) {
			return false
		}
	}
	return true
}

// optional are the optional members of an image. They are allocated together, because most images have all of them.
type optional struct {
	alt, altFa, placeholderColor string
	width, height                int
}

func (p *plain) mediaMember(into *record.Media, name string, may **optional) bool {
	switch name {
	case "mediaId":
		return p.text(&into.MediaID)
	case "url":
		return p.text(&into.URL)
	}
	if *may == nil {
		*may = new(optional)
	}
	m := *may
	switch name {
	case "alt":
		into.Alt = &m.alt
		return p.text(into.Alt)
	case "altFa":
		into.AltFa = &m.altFa
		return p.text(into.AltFa)
	case "placeholderColor":
		into.PlaceholderColor = &m.placeholderColor
		return p.text(into.PlaceholderColor)
	case "width":
		m.width, into.Width = 0, &m.width
		return p.number(into.Width)
	case "height":
		m.height, into.Height = 0, &m.height
		return p.number(into.Height)
	}
	return false
}

// number reads a whole number of up to nine digits. What follows it must be a comma or an end.
func (p *plain) number(into *int) bool {
	p.skip()
	digits := 0
	for digits < len(p.rest) && p.rest[digits] >= '0' && p.rest[digits] <= '9' {
		*into = *into*10 + int(p.rest[digits]-'0')
		if digits++; digits > 9 {
			return false
		}
	}
	if digits == 0 || digits > 1 && p.rest[0] == '0' {
		return false
	}
	p.rest = p.rest[digits:]
	return true
}
