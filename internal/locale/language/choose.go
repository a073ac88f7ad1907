package language

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// Language is a language that messages exist in, as Content-Language writes it.
type Language string

// The languages of messages.
const (
	English Language = "en" // the default
	Farsi   Language = "fa"
)

// maxHeader is the longest header that is read, in bytes: a browser sends less for thirty languages.
const maxHeader = 512

// matcher finds the closest language of translated. Dari is the name of Farsi in Afghanistan.
var (
	translated = []Language{English, Farsi, Farsi}
	matcher    = language.NewMatcher([]language.Tag{language.English, language.Persian, language.MustParse("prs")})
)

// Choose returns the language that an Accept-Language header (RFC 9110, 12.5.4) prefers; of two with the
// same weight, the one it names first. It returns English when the header is absent, longer than 512 bytes,
// or accepts neither. An entry that cannot be read is ignored.
func Choose(header string) Language {
	if len(header) > maxHeader {
		return English
	}
	weights := map[Language]float64{}
	first, others := English, 0.0
	for entry := range strings.SplitSeq(header, ",") {
		tag, weight, ok := parseEntry(entry)
		if tag == "*" {
			others = max(others, weight)
			continue
		}
		l, known := languageOf(tag)
		if !ok || !known {
			continue
		}
		if len(weights) == 0 {
			first = l
		}
		weights[l] = max(weights[l], weight)
	}
	for _, l := range translated {
		if _, named := weights[l]; !named {
			weights[l] = others
		}
	}
	if weights[Farsi] > weights[English] || weights[Farsi] == weights[English] && weights[Farsi] > 0 && first == Farsi {
		return Farsi
	}
	return English
}

// languageOf returns the language that a tag names in any of its forms: "en-GB", "fa-AF", "pes".
func languageOf(tag string) (l Language, known bool) {
	named, err := language.Parse(tag)
	if err != nil {
		return "", false
	}
	_, i, confidence := matcher.Match(named)
	base, _ := named.Base()
	switch {
	case confidence == language.No: // such as Arabic, which the matcher considers closest to Farsi
		return "", false
	// such as Urdu: no reason to refuse Farsi if it is also named
	case translated[i] == English && base.String() != "en":
		return "", false
	}
	return translated[i], true
}

// weightForm is a weight of RFC 9110, 12.4.2.
var weightForm = regexp.MustCompile(`^[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$`)

// parseEntry parses an entry: "fa-IR", which has the weight 1, or "fa;q=0.8".
func parseEntry(entry string) (tag string, weight float64, ok bool) {
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
