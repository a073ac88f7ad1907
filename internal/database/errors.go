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

// IsRetryable reports whether the transaction that failed with err may succeed if it is run again from its
// beginning: it conflicted with another transaction or with a change of the schema.
func IsRetryable(err error) bool {
	switch stateOf(err) {
	case "40001", "40P01": // serialization failure, deadlock
		return true
	}
	return isOutdated(err) || sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY
}

// IsUnique reports whether err is a violation of a unique index or primary key.
func IsUnique(err error) bool {
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return stateOf(err) == "23505"
}

// IsReference reports whether err is a violation of a foreign key.
func IsReference(err error) bool {
	return stateOf(err) == "23503" || sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// IsUnavailable reports whether err says that the database is unavailable, whatever the request: not
// reached, lost, silent, too slow, shutting down, full, broken, or read-only at present. The end of the
// caller's own context does not count.
func IsUnavailable(err error) bool {
	if errors.Is(err, errLost) || errors.Is(err, errNoServer) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	// before contexts: a dial that timed out is both
	if _, network := errors.AsType[*net.OpError](err); network {
		return true
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	switch state := stateOf(err); state {
	case "57014", "57P01", "57P02", "57P03", // statement timeout; shutdown, crash, not started yet
		"25P03", "55P03", // idle in a transaction or waiting for a lock for longer than the server allows
		"58030", "58P01", "58P02", "XX001", "XX002": // failures of its disk or files; broken data
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

// MayBeCommitted reports whether, after the commit that failed with err, the transaction may still be
// committed because the answer was lost. If the context had ended, database/sql has sent no COMMIT; a commit
// that the database refused is rolled back.
func MayBeCommitted(err error) bool {
	if errors.Is(err, sql.ErrTxDone) {
		return false
	}
	if _, network := errors.AsType[*net.OpError](err); network { // before contexts: some errors are both
		return true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if state := stateOf(err); state != "" { // lost connections; a commit of unknown outcome
		return inClass(state, "08") || inClass(state, "57") || state == "40003"
	}
	if code := sqliteCode(err); code != 0 {
		return code&0xff == sqlite3.SQLITE_IOERR
	}
	return true
}

// isReadOnly reports whether err says that the server or the session takes no changes: a standby, a demoted
// primary, a database that an operator has made read-only.
func isReadOnly(err error) bool {
	e, ok := errors.AsType[*pq.Error](err)
	return ok && (e.Code == "25006" || e.Code == "0A000" && e.Routine == "call_bool_check_hook")
}

// IsHeldUp reports whether err ended a statement that waited too long, most likely for another transaction's
// lock.
func IsHeldUp(err error) bool {
	return stateOf(err) == "57014" || sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY
}

// IsLockTimeout reports whether err ended a statement that waited for a lock longer than PostgreSQL's lock_timeout.
func IsLockTimeout(err error) bool { return stateOf(err) == "55P03" }

// isOutdated reports whether err says that a prepared statement can no longer be run: the schema changed,
// the server has forgotten it, or it belongs to another connection (pooler). The first has a general
// SQLSTATE, and is recognized by the routine that raised it.
func isOutdated(err error) bool {
	e, ok := errors.AsType[*pq.Error](err)
	return ok && (e.Code == "0A000" && e.Routine == "RevalidateCachedQuery" || e.Code == "26000" ||
		e.Code == "42P05")
}

// isConstraint reports whether err is about the values of a statement rather than the statement itself.
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

// codeOf returns PostgreSQL's SQLSTATE or SQLite's code of err, for spans, which must hold no data; "" if
// err is nil.
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

// Cause returns a word for why the database is not ready, without details; "" if it is ready.
func Cause(err error) string {
	switch {
	case err == nil:
		return ""
	case isReadOnly(err):
		return "read only"
	case isDiskFull(err):
		return "full"
	case IsUnavailable(err) || errors.Is(err, context.DeadlineExceeded):
		return "unreachable"
	}
	return "failed"
}
