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

// matcher finds which of the languages a reader of another one reads; Dari is the Farsi of Afghanistan under its own name.
var (
	spoken  = []Language{English, Farsi, Farsi}
	matcher = language.NewMatcher([]language.Tag{language.English, language.Persian, language.MustParse("prs")})
)

// Choose gives the language that an Accept-Language header (RFC 9110, 12.5.4) likes best: of two it likes alike, the one it
// names first. It is English when the header is absent, longer than 512 bytes or content with neither. An entry that
// cannot be read is passed over, the others count.
func Choose(header string) Language {
	if len(header) > maxHeader {
		return English
	}
	liking := map[Language]int{}
	first, others := English, 0
	for entry := range strings.SplitSeq(header, ",") {
		tag, weight, ok := readEntry(entry)
		if !ok {
			continue
		}
		if tag == "*" {
			others = max(others, weight)
			continue
		}
		l, ok := read(tag)
		if !ok {
			continue
		}
		if len(liking) == 0 {
			first = l
		}
		liking[l] = max(liking[l], weight)
	}
	for _, l := range spoken {
		if _, named := liking[l]; !named {
			liking[l] = others
		}
	}
	if liking[Farsi] > liking[English] || liking[Farsi] == liking[English] && liking[Farsi] > 0 {
		if liking[Farsi] > liking[English] || first == Farsi {
			return Farsi
		}
	}
	return English
}

// read gives the language in which we would answer a reader of a tag.
func read(tag string) (Language, bool) {
	wanted, err := language.Parse(tag)
	if err != nil {
		return "", false
	}
	_, i, confidence := matcher.Match(wanted)
	return spoken[i], confidence != language.No // without it, Arabic would be answered in Farsi for its letters
}

// weightForm is a weight of RFC 9110, 12.4.2.
var weightForm = regexp.MustCompile(`^[qQ]=(?:0(?:\.([0-9]{0,3}))?|1(?:\.0{0,3})?)$`)

// readEntry reads "fa-IR" or "fa;q=0.8". The weight is in thousandths.
func readEntry(entry string) (tag string, weight int, ok bool) {
	tag, parameter, weighed := strings.Cut(entry, ";")
	tag = strings.Trim(tag, " \t")
	if !weighed {
		return tag, 1000, tag != ""
	}
	found := weightForm.FindStringSubmatch(strings.Trim(parameter, " \t"))
	if found == nil || tag == "" {
		return "", 0, false
	}
	if strings.Contains(found[0], "=1") {
		return tag, 1000, true
	}
	weight, _ = strconv.Atoi((found[1] + "000")[:3]) // digits by its form
	return tag, weight, true
}
