package reference

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/must"
	"storefront/internal/token"
)

// SignCustomers returns an issuer of access tokens that the service accepts. It derives its key from
// TOKEN_SIGNING_KEY as the service does.
func SignCustomers(key string, life time.Duration) *token.Issuer {
	signing := must.Get(hkdf.Key(sha256.New, []byte(key), nil, "storefront access tokens", 32))
	return token.NewIssuer(signing, life, time.Now)
}

// owner is a customer at a shop.
type owner struct{ business, user, session string }

var errSignIn = errors.New("sign in first")

// claimed returns the customer of the access token. It does not check whether the session has ended.
func (h *Hand) claimed(r *http.Request) owner {
	bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	claims, err := h.tokens.Read(bearer)
	if err != nil {
		must.Do(errSignIn)
	}
	return owner{r.PathValue("business"), claims.User.String(), claims.Session.String()}
}

// check fails unless the session and the shop exist.
func (t tx) check(o owner) {
	var tenant string
	t.row(`SELECT t.id FROM sessions s JOIN tenants t ON t.id = $1
		WHERE s.id = $2 AND s.user_id = $3 AND s.ended_at IS NULL AND s.expires_at > $4`,
		[]any{o.business, o.session, o.user, t.at}, &tenant)
}

// checked returns do with a check of the session before it.
func checked[In any](do func(tx, owner, In) any) func(tx, owner, In) any {
	return func(t tx, o owner, in In) any {
		t.check(o)
		return do(t, o, in)
	}
}

// writer is a connection that prepares each statement once.
type writer struct {
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

// openWriters opens the connections that write.
func (h *Hand) openWriters(n int) {
	h.writers = make(chan *writer, n)
	for range n {
		h.writers <- &writer{must.Get(h.writing.Conn(context.Background())), map[string]*sql.Stmt{}}
	}
}

// tx is one request's use of a writer.
type tx struct {
	context.Context
	*writer
	h  *Hand
	at time.Time
}

// write runs work in one transaction.
func (t tx) write(work func()) {
	must.Get(t.conn.ExecContext(t, t.h.begin))
	if err := must.Run(work); err != nil {
		_, undone := t.conn.ExecContext(t, "ROLLBACK")
		must.Do(err, undone)
	}
	must.Get(t.conn.ExecContext(t, "COMMIT"))
}

func (t tx) statement(text string) *sql.Stmt {
	st := t.kept[text]
	if st == nil {
		st = must.Get(t.conn.PrepareContext(t, text))
		t.kept[text] = st
	}
	return st
}

// exec runs a statement that must change at least one row.
func (t tx) exec(text string, args ...any) {
	done := must.Get(t.statement(text).ExecContext(t, args...))
	if must.Get(done.RowsAffected()) == 0 {
		must.Do(errUnavailable)
	}
}

// row reads one row.
func (t tx) row(text string, args []any, to ...any) {
	must.Do(t.statement(text).QueryRowContext(t, args...).Scan(to...))
}

// each reads the rows of a statement.
func (t tx) each(text string, args []any, read func(scan func(...any) error)) {
	readEach(t, t.statement(text), args, read)
}

// readEach reads the rows of a statement.
func readEach(ctx context.Context, st *sql.Stmt, args []any, read func(scan func(...any) error)) {
	rows := must.Get(st.QueryContext(ctx, args...))
	defer rows.Close()
	for rows.Next() {
		read(rows.Scan)
	}
	must.Do(rows.Err())
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// post returns the handler of a customers' route.
func post[In any](h *Hand, do func(tx, owner, In) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusCreated, func() Answer {
			o := h.claimed(r)
			var in In
			must.Do(json.Unmarshal(must.Get(io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))), &in))
			on := <-h.writers
			defer func() { h.writers <- on }()
			// A client that leaves must not break the connection.
			t := tx{Context: context.WithoutCancel(r.Context()), writer: on, h: h, at: now()}
			return Answer{Body: encode(do(t, o, in)), ContentType: "application/json", CacheControl: "no-store"}
		})
	}
}
