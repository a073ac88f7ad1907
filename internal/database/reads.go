package database

import "strings"

// OnlyReads reports whether a statement changes nothing: it begins with SELECT, or WITH, and has no changing
// word outside quotes. In doubt it reports false.
func OnlyReads(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	switch {
	case startsWith(text, "SELECT"):
		return true
	case startsWith(text, "WITH"):
		return !changes(text)
	}
	return false
}

func startsWith(text, word string) bool {
	return len(text) > len(word) && strings.EqualFold(text[:len(word)], word)
}

// changes reports whether a statement has a changing word outside quotes. It is called for every statement,
// so it must be fast.
func changes(text string) bool {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\'' || c == '"' || c == '`':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				i++
				continue
			}
			i += end + 2
		case isLetter(c):
			from := i
			for i < len(text) && isLetter(text[i]) {
				i++
			}
			if isChange(text[from:i]) {
				return true
			}
		default:
			i++
		}
	}
	return false
}

// isLetter reports whether a byte may stand in a word of SQL.
func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isChange(word string) bool {
	switch len(word) {
	case 5:
		return strings.EqualFold(word, "MERGE")
	case 6:
		return strings.EqualFold(word, "INSERT") || strings.EqualFold(word, "UPDATE") ||
			strings.EqualFold(word, "DELETE")
	case 7:
		return strings.EqualFold(word, "REPLACE")
	}
	return false
}
