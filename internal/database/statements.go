package database

import (
	"container/list"
	"database/sql/driver"
)

// statement is a prepared statement of one connection.
type statement struct {
	driver.Stmt
	text  string
	inUse bool // by rows that are still open: running it again would pull them away
}

// statements keeps the prepared statements of one connection that were used last.
type statements struct {
	limit int
	bytes int        // of all texts
	order *list.List // of *statement, the one used last in front
	at    map[string]*list.Element
}

func newStatements(limit int) *statements {
	return &statements{limit: limit, order: list.New(), at: map[string]*list.Element{}}
}

// The filters that clients choose make statements of any length, and a database keeps for each a plan that is many
// times as large as its text. So the texts that one connection keeps are bounded as well as their number.
const (
	maxStatementBytes  = 32 << 10 // of one text; a longer one is run as it is
	maxStatementsBytes = 512 << 10
)

// find returns the statement of a text, or nil.
func (s *statements) find(text string) *statement {
	e := s.at[text]
	if e == nil {
		return nil
	}
	s.order.MoveToFront(e)
	return e.Value.(*statement)
}

// add keeps a statement and closes the ones that are now too many.
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

// drop closes a statement and keeps it no longer. Closing can fail only with its connection, which says so
// itself.
func (s *statements) drop(st *statement) {
	s.order.Remove(s.at[st.text])
	delete(s.at, st.text)
	s.bytes -= len(st.text)
	_ = st.Close()
}
