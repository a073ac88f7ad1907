package database

import (
	"regexp"
	"strings"
)

var (
	quoted  = regexp.MustCompile("'[^']*'|\"[^\"]*\"|`[^`]*`")
	changes = regexp.MustCompile(`(?i)\b(INSERT|UPDATE|DELETE|REPLACE|MERGE)\b`)
)

// onlyReads reports whether a statement changes nothing: SELECT, or WITH and no changing word outside quotes. A doubtful
// one counts as changing.
func onlyReads(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	switch {
	case startsWith(text, "SELECT"):
		return true
	case startsWith(text, "WITH"):
		return !changes.MatchString(quoted.ReplaceAllString(text, ""))
	}
	return false
}

func startsWith(text, word string) bool {
	return len(text) > len(word) && strings.EqualFold(text[:len(word)], word)
}
