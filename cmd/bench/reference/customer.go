package reference

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/cmd/internal/must"
	"storefront/internal/platform/token"
)

// SignCustomers returns an issuer of access tokens that the service accepts. It derives its key from
// TOKEN_SIGNING_KEY as the service does.
func SignCustomers(key string, life time.Duration) *token.Issuer {
	signing := must.Get(hkdf.Key(sha256.New, []byte(key), nil, "storefront access tokens", 32))
	return token.NewIssuer(signing, nil, life, time.Now)
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

// write runs work in one transaction.
func (t tx) write(work func()) {
	must.Get(t.conn.ExecContext(t, t.h.begin))
	if err := must.Run(work); err != nil {
		_, undone := t.conn.ExecContext(t, "ROLLBACK")
		must.Do(err, undone)
	}
	must.Get(t.conn.ExecContext(t, "COMMIT"))
}

// exec runs a statement that must change at least one row.
func (t tx) exec(text string, args ...any) {
	done := must.Get(t.statement(text).ExecContext(t, args...))
	if must.Get(done.RowsAffected()) == 0 {
		must.Do(errUnavailable)
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// post returns the handler of a customers' route.
func post[In any](h *Hand, do func(tx, owner, In) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusCreated, func() Answer {
			o := h.claimed(r)
			var in In
			must.Do(json.Unmarshal(must.Get(io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))), &in))
			t, done := h.take(r, h.writers)
			defer done()
			return Answer{Body: encode(do(t, o, in)), ContentType: "application/json", CacheControl: "no-store"}
		})
	}
}
