package seo

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// isHTML matches texts of shops that are HTML (contract 2.3).
var isHTML = regexp.MustCompile(`(?i)^\s*<(?:p|h[2-4]|ul|ol|blockquote)[\s>]`)

// Plain returns a text of a shop, which may be HTML, as one line of at most most characters.
func Plain(text string, most int) string {
	if isHTML.MatchString(text) {
		text = textOf(text)
	}
	text = strings.Join(strings.Fields(text), " ")
	if characters := []rune(text); len(characters) > most {
		text = strings.TrimSpace(string(characters[:most-1])) + "…"
	}
	return text
}

// textOf returns the visible text of HTML.
func textOf(text string) string {
	var plain strings.Builder
	hidden := false
	for tokens := html.NewTokenizer(strings.NewReader(text)); ; {
		switch tokens.Next() {
		case html.ErrorToken: // end of the text
			return plain.String()
		case html.TextToken:
			if !hidden {
				plain.Write(tokens.Text())
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			switch token.Data {
			case "strong", "em", "a":
			case "script", "style":
				hidden = token.Type == html.StartTagToken
			default:
				plain.WriteByte(' ')
			}
		}
	}
}
