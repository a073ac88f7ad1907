package loading

import (
	"strings"
	"unicode/utf8"

	"storefront/internal/record"
)

// readPlainly reads the kinds of JSON that nearly each record has: images, and lists of texts. It reports false for whatever
// is not as the service writes it mostly, such as a text with an escape, or a null: that is for a whole reader of JSON, which
// takes five times as long.
func readPlainly[S string | []byte](into any, text S) bool {
	switch into := into.(type) {
	case *[]record.Media:
		return readPlainList(into, string(text), (*plain).media)
	case *[]string:
		return readPlainList(into, string(text), (*plain).text)
	}
	return false
}

// readPlainList reads a list. It leaves into as it is where it reports false.
func readPlainList[T any](into *[]T, text string, item func(*plain, *T) bool) bool {
	p := plain{rest: text}
	if !p.next('[') {
		return false
	}
	all := []T{}
	for !p.next(']') {
		if len(all) > 0 && !p.next(',') {
			return false
		}
		var one T
		if !item(&p, &one) {
			return false
		}
		all = append(all, one)
	}
	if p.skip(); p.rest != "" {
		return false
	}
	*into = all
	return true
}

// plain is plain JSON. Its methods report whether what they read was there.
type plain struct{ rest string }

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
	for members := 0; !p.next('}'); members++ {
		var name string
		if members > 0 && !p.next(',') || !p.text(&name) || !p.next(':') || !p.mediaMember(into, name) {
			return false
		}
	}
	return true
}

func (p *plain) mediaMember(into *record.Media, name string) bool {
	switch name {
	case "mediaId":
		return p.text(&into.MediaID)
	case "url":
		return p.text(&into.URL)
	case "alt":
		into.Alt = new(string)
		return p.text(into.Alt)
	case "placeholderColor":
		into.PlaceholderColor = new(string)
		return p.text(into.PlaceholderColor)
	case "width":
		into.Width = new(int)
		return p.number(into.Width)
	case "height":
		into.Height = new(int)
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
