package token_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"storefront/internal/platform/token"
)

var (
	key   = []byte("a key of at least thirty-two bytes")
	start = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
)

func TestReadGivesWhatAccessTook(t *testing.T) {
	now := start
	issuer := token.NewIssuer(key, nil, 15*time.Minute, func() time.Time { return now })
	want := token.Claims{User: uuid.Must(uuid.NewV7()), Session: uuid.Must(uuid.NewV7())}
	made, err := issuer.Access(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := issuer.Read(made); err != nil || got != want {
		t.Errorf("Read = %v, %v; want %v", got, err, want)
	}
	now = start.Add(15 * time.Minute)
	if _, err := issuer.Read(made); err == nil {
		t.Error("a token outlived its time")
	}
}

func TestReadRefusesForeignTokens(t *testing.T) {
	clock := func() time.Time { return start }
	issuer := token.NewIssuer(key, nil, 15*time.Minute, clock)
	var header map[string]any
	sign := func(method jwt.SigningMethod, key any, change func(jwt.MapClaims)) string {
		c := jwt.MapClaims{
			"iss": "storefront", "aud": []string{"storefront-customers"}, "type": "access",
			"sub": uuid.NewString(), "sid": uuid.NewString(), "exp": start.Add(time.Minute).Unix(),
		}
		change(c)
		unsigned := jwt.NewWithClaims(method, c)
		for name, value := range header {
			unsigned.Header[name] = value
		}
		made, err := unsigned.SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	nothing := func(jwt.MapClaims) {}
	good := sign(jwt.SigningMethodHS256, key, nothing)
	if _, err := issuer.Read(good); err != nil {
		t.Fatalf("the token that the others differ from: %v", err)
	}
	with := func(name string, value any) string {
		header = map[string]any{name: value}
		defer func() { header = nil }()
		return sign(jwt.SigningMethodHS256, key, nothing)
	}
	for name, foreign := range map[string]string{
		"empty":             "",
		"no JWT":            "abc",
		"cut":               good[:len(good)-2],
		"payload exchanged": strings.Replace(good, ".", ".A", 1),
		"another key":       sign(jwt.SigningMethodHS256, []byte("another key of thirty-two bytes.."), nothing),
		"another algorithm": sign(jwt.SigningMethodHS512, key, nothing),
		"no algorithm":      sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nothing),
		"another issuer":    sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["iss"] = "x" }),
		"another audience":  sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["aud"] = "x" }),
		"another type":      sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["type"] = "refresh" }),
		"no end":            sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { delete(c, "exp") }),
		"no user":           sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["sub"] = "x" }),
		"critical":          with("crit", []string{"x"}),
		"unencoded":         with("b64", false),
		"another kind":      with("typ", "at+jwt"),
		"end as a text": sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) {
			c["exp"] = fmt.Sprint(c["exp"])
		}),
		"end with a part": sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["exp"] = 1.9e9 + 0.5 }),
		"SUB for sub": sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) {
			c["SUB"] = c["sub"]
			delete(c, "sub")
		}),
		"SUB beside sub":    sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["SUB"] = uuid.NewString() }),
		"more than is said": sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { c["scope"] = "all" }),
		"no session":        sign(jwt.SigningMethodHS256, key, func(c jwt.MapClaims) { delete(c, "sid") }),
	} {
		if _, err := issuer.Read(foreign); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	issuer := token.NewIssuer(key, nil, 15*time.Minute, func() time.Time { return start })
	made, _ := issuer.Access(token.Claims{User: uuid.Max, Session: uuid.Max})
	f.Add(made)
	f.Add("..")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := issuer.Read(text); err == nil && text != made {
			t.Errorf("%q was read", text)
		}
	})
}
