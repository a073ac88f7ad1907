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

	"storefront/internal/token"
)

// SignCustomers makes the issuer of access tokens as the service does, from its TOKEN_SIGNING_KEY. The
// service takes such tokens as long as it derives its key as here.
func SignCustomers(key string, life time.Duration) (*token.Issuer, error) {
	signing, err := hkdf.Key(sha256.New, []byte(key), nil, "storefront access tokens", 32)
	if err != nil {
		return nil, err
	}
	return token.NewIssuer(signing, life, time.Now), nil
}

// owner is a customer at a shop.
type owner struct{ business, user, session string }

var errSignIn = errors.New("sign in first")

// claimed reads the customer from the access token alone: the session may have ended.
func (h *Hand) claimed(r *http.Request) (o owner, err error) {
	bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	claims, err := h.tokens.Read(bearer)
	if err != nil {
		return o, errSignIn
	}
	return owner{r.PathValue("business"), claims.User.String(), claims.Session.String()}, nil
}

// check looks for the session and the shop.
func (t tx) check(o owner) error {
	var tenant string
	return t.row(`SELECT t.id FROM sessions s JOIN tenants t ON t.id = $1
		WHERE s.id = $2 AND s.user_id = $3 AND s.ended_at IS NULL AND s.expires_at > $4`,
		[]any{o.business, o.session, o.user, t.at}, &tenant)
}

// checked does something for a customer whose session was looked for before.
func checked[In any](do func(tx, owner, In) (any, error)) func(tx, owner, In) (any, error) {
	return func(t tx, o owner, in In) (any, error) {
		if err := t.check(o); err != nil {
			return nil, err
		}
		return do(t, o, in)
	}
}

// writer is a connection that has each statement prepared once.
type writer struct {
	conn *sql.Conn
	kept map[string]*sql.Stmt
}

// openWriters opens the connections that write.
func (h *Hand) openWriters(n int) error {
	h.writers = make(chan *writer, n)
	for range n {
		conn, err := h.writing.Conn(context.Background())
		if err != nil {
			return err
		}
		h.writers <- &writer{conn, map[string]*sql.Stmt{}}
	}
	return nil
}

// tx is the work of one request on a connection of its own.
type tx struct {
	context.Context
	*writer
	h  *Hand
	at time.Time
}

// write runs work in one transaction.
func (t tx) write(work func() error) error {
	if _, err := t.conn.ExecContext(t, t.h.begin); err != nil {
		return err
	}
	if err := work(); err != nil {
		_, undone := t.conn.ExecContext(t, "ROLLBACK")
		return errors.Join(err, undone)
	}
	_, err := t.conn.ExecContext(t, "COMMIT")
	return err
}

func (t tx) statement(text string) (st *sql.Stmt, err error) {
	if st = t.kept[text]; st == nil {
		if st, err = t.conn.PrepareContext(t, text); err == nil {
			t.kept[text] = st
		}
	}
	return st, err
}

// exec runs a statement that is to change one row at least.
func (t tx) exec(text string, args ...any) error {
	st, err := t.statement(text)
	if err != nil {
		return err
	}
	done, err := st.ExecContext(t, args...)
	if err != nil {
		return err
	}
	n, err := done.RowsAffected()
	if err == nil && n == 0 {
		err = errUnavailable
	}
	return err
}

// row reads one row.
func (t tx) row(text string, args []any, to ...any) error {
	st, err := t.statement(text)
	if err != nil {
		return err
	}
	return st.QueryRowContext(t, args...).Scan(to...)
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// post serves a route of customers.
func post[In any](h *Hand, do func(tx, owner, In) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		o, err := h.claimed(r)
		if err != nil {
			fail(w, err)
			return
		}
		var in In
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			err = json.Unmarshal(body, &in)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		on := <-h.writers
		defer func() { h.writers <- on }()
		t := tx{context.WithoutCancel(r.Context()), on, h, now()} // a client that leaves must not break the connection
		v, err := do(t, o, in)
		if err == nil {
			body, err = encode(v)
		}
		if err != nil {
			fail(w, err)
			return
		}
		made := Answer{Body: body, ContentType: "application/json", CacheControl: "no-store"}
		made.write(w, http.StatusCreated)
	}
}
