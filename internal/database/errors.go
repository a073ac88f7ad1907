package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsRetryable reports whether the transaction that failed with err may well succeed when it is run again
// from its beginning: it met another one, or a schema that has just changed.
func IsRetryable(err error) bool {
	switch stateOf(err) {
	case "40001", "40P01": // serialization failure, deadlock
		return true
	}
	return isOutdated(err) || sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY
}

// IsUnique reports whether err is the breach of a unique index or a primary key.
func IsUnique(err error) bool {
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return stateOf(err) == "23505"
}

// IsReference reports whether err is about a row that refers to one that is not there.
func IsReference(err error) bool {
	return stateOf(err) == "23503" || sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// IsUnavailable reports whether err is the database's absence rather than anything about the request: not
// reached, lost, silent, too slow, shutting down, without room, broken, or one that takes no changes now. A
// context that ended first is its owner's matter and is not meant.
func IsUnavailable(err error) bool {
	if errors.Is(err, errLost) || errors.Is(err, errNoServer) || errors.Is(err, errReplaced) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	// before contexts: a dial that ran out of time is both
	if _, network := errors.AsType[*net.OpError](err); network {
		return true
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	switch state := stateOf(err); state {
	case "57014", "57P01", "57P02", "57P03", // statement timeout; shutdown, crash, not started yet
		"25P03", "55P03", // idle in a transaction, waited for a lock: longer than the server allows
		"58030", "58P01", "58P02", "XX001", "XX002": // its disk fails: input, output, files; broken data
		return true
	default:
		if isReadOnly(err) {
			return true
		}
		if inClass(state, "08") || inClass(state, "53") { // connection; too many connections, disk, memory
			return true
		}
	}
	switch sqliteCode(err) & 0xff {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return true
	}
	return false
}

// MayBeCommitted reports whether err, of a commit, leaves open what became of the transaction, because the answer was
// lost. Where the context had ended, database/sql has sent no COMMIT; a commit that the database refused is rolled
// back.
func MayBeCommitted(err error) bool {
	if errors.Is(err, errReplaced) || errors.Is(err, sql.ErrTxDone) {
		return false
	}
	if _, network := errors.AsType[*net.OpError](err); network { // before contexts: some of these are both
		return true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if state := stateOf(err); state != "" { // connections that end, and a commit that the server itself is unsure of
		return inClass(state, "08") || inClass(state, "57") || state == "40003"
	}
	if code := sqliteCode(err); code != 0 {
		return code&0xff == sqlite3.SQLITE_IOERR
	}
	return true
}

// isReadOnly reports whether err refuses a change because the server, or the session, takes none: a standby, a primary
// that was demoted, a database that an operator has frozen.
func isReadOnly(err error) bool {
	e, ok := errors.AsType[*pq.Error](err)
	return ok && (e.Code == "25006" || e.Code == "0A000" && e.Routine == "call_bool_check_hook")
}

// IsHeldUp reports whether err ended a statement that waited too long, most likely for other transactions.
func IsHeldUp(err error) bool {
	return stateOf(err) == "57014" || sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY
}

// isOutdated reports whether a prepared statement no longer fits: the schema changed under it, the
// server has forgotten it, or it is another connection's (pooler). The first has a general code, which only the place
// of its origin tells apart.
func isOutdated(err error) bool {
	e, ok := errors.AsType[*pq.Error](err)
	return ok && (e.Code == "0A000" && e.Routine == "RevalidateCachedQuery" || e.Code == "26000" ||
		e.Code == "42P05")
}

// isConstraint reports whether err is about the values that were given and not about the statement.
func isConstraint(err error) bool {
	return inClass(stateOf(err), "23") || sqliteCode(err)&0xff == sqlite3.SQLITE_CONSTRAINT
}

// stateOf returns PostgreSQL's SQLSTATE of err, or "".
func stateOf(err error) pqerror.Code {
	if e, ok := errors.AsType[*pq.Error](err); ok {
		return e.Code
	}
	return ""
}

// codeOf says in a word why a statement failed, without what it was about: PostgreSQL's SQLSTATE, SQLite's
// code. It is "" for one that did not.
func codeOf(err error) string {
	state, code := stateOf(err), sqliteCode(err)
	switch {
	case err == nil:
		return ""
	case state != "":
		return string(state)
	case code != 0:
		return strconv.Itoa(code)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "ended"
	}
	return "failed"
}

func inClass(state pqerror.Code, class string) bool { return strings.HasPrefix(string(state), class) }

// sqliteCode returns SQLite's extended result code of err, or 0.
func sqliteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}
