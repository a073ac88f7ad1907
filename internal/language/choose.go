package language

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// Language is one that messages exist in, as Content-Language names it.
type Language string

// The languages of messages.
const (
	English Language = "en" // for whoever asks for nothing else
	Farsi   Language = "fa"
)

// maxHeader bounds what is read of a header, in bytes: more than a browser sends for thirty languages.
const maxHeader = 512

// matcher finds which of the languages is the reader's. Dari is Farsi under the name it has in Afghanistan.
var (
	spoken  = []Language{English, Farsi, Farsi}
	matcher = language.NewMatcher([]language.Tag{language.English, language.Persian, language.MustParse("prs")})
)

// Choose gives the language that an Accept-Language header (RFC 9110, 12.5.4) likes best: of two it likes alike, the one it
// names first. It is English when the header is absent, longer than 512 bytes or content with neither. An entry that
// cannot be read is passed over; the others count.
func Choose(header string) Language {
	if len(header) > maxHeader {
		return English
	}
	liked := map[Language]float64{}
	first, others := English, 0.0
	for entry := range strings.SplitSeq(header, ",") {
		tag, weight, ok := read(entry)
		if tag == "*" {
			others = max(others, weight)
			continue
		}
		l, ours := speech(tag)
		if !ok || !ours {
			continue
		}
		if len(liked) == 0 {
			first = l
		}
		liked[l] = max(liked[l], weight)
	}
	for _, l := range spoken {
		if _, named := liked[l]; !named {
			liked[l] = others
		}
	}
	if liked[Farsi] > liked[English] || liked[Farsi] == liked[English] && liked[Farsi] > 0 && first == Farsi {
		return Farsi
	}
	return English
}

// speech gives the language of ours that a tag names, in any of its forms: "en-GB", "fa-AF", "pes".
func speech(tag string) (l Language, ours bool) {
	named, err := language.Parse(tag)
	if err != nil {
		return "", false
	}
	_, i, confidence := matcher.Match(named)
	base, _ := named.Base()
	switch {
	case confidence == language.No: // Arabic comes next to Farsi, for its letters
		return "", false
	case spoken[i] == English && base.String() != "en": // Urdu is near to English, for its readers: no reason to refuse them Farsi
		return "", false
	}
	return spoken[i], true
}

// weightForm is a weight of RFC 9110, 12.4.2.
var weightForm = regexp.MustCompile(`^[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$`)

// read reads an entry: "fa-IR", which has the weight 1, or "fa;q=0.8".
func read(entry string) (tag string, weight float64, ok bool) {
	tag, parameter, weighed := strings.Cut(entry, ";")
	tag = strings.Trim(tag, " \t")
	if !weighed {
		return tag, 1, true
	}
	form := weightForm.FindStringSubmatch(strings.Trim(parameter, " \t"))
	if form == nil {
		return "", 0, false
	}
	weight, err := strconv.ParseFloat(form[1], 64)
	return tag, weight, err == nil
}
