package database

import (
	"container/list"
	"database/sql/driver"
	"strings"
)

type statement struct {
	driver.Stmt
	text  string
	inUse bool // rows of it are open, which running it again would break
}

// statements keeps the most recently used prepared statements of a connection.
type statements struct {
	limit int
	bytes int        // of all texts
	order *list.List // of *statement, the most recent in front
	at    map[string]*list.Element
}

func newStatements(limit int) *statements {
	return &statements{limit: limit, order: list.New(), at: map[string]*list.Element{}}
}

// The filters of clients lead to statements of any length, and the database keeps a plan for each that is
// many times as large. So both the number and the total length of the prepared statements of a connection
// are bounded.
const (
	maxStatementBytes  = 32 << 10 // of one text; a longer one is run as it is
	maxStatementsBytes = 512 << 10
)

func (s *statements) find(text string) *statement {
	e := s.at[text]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*statement)
}

// add keeps a statement and closes the least recently used ones beyond the limits.
func (s *statements) add(text string, inner driver.Stmt) *statement {
	st := &statement{Stmt: inner, text: text}
	s.at[text] = s.order.PushFront(st)
	s.bytes += len(text)
	for e := s.order.Back(); e != s.order.Front() && (s.order.Len() > s.limit || s.bytes > maxStatementsBytes); {
		old := e.Value.(*statement)
		e = e.Prev()
		if !old.inUse {
			s.drop(old)
		}
	}
	return st
}

// drop closes a statement and forgets it. Closing can fail only if the connection fails, which is reported
// anyway.
func (s *statements) drop(st *statement) {
	s.order.Remove(s.at[st.text])
	delete(s.at, st.text)
	s.bytes -= len(st.text)
	_ = st.Close()
}

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
