package signedlink_test

import (
	"bytes"
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/platform/signedlink"
)

var (
	key   = []byte("a key of at least thirty-two bytes")
	other = []byte("another key of thirty-two bytes or more")
	start = time.Date(2026, 11, 15, 12, 0, 0, 500, time.UTC)
)

const purpose = "export sheet"

func link() signedlink.Link {
	return signedlink.Link{Purpose: purpose, Business: uuid.Must(uuid.NewV7()), User: uuid.Must(uuid.NewV7()),
		Session: uuid.Must(uuid.NewV7()), Parameters: map[string]string{"kind": "orders"}}
}

func TestReadGivesWhatWasMade(t *testing.T) {
	now := start
	signer := signedlink.New(key, nil, func() time.Time { return now })
	want := link()
	text, expires := signer.Make(want, time.Minute)
	if !expires.Equal(start.Add(time.Minute).Truncate(time.Second)) {
		t.Errorf("got the end %v", expires)
	}
	want.Until = expires.Unix()
	if got, err := signer.Read(purpose, text); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := signer.Read("import sheet", text); !fault.Is(err, fault.Forbidden) {
		t.Errorf("for another purpose: got %v", err)
	}
	now = expires
	if _, err := signer.Read(purpose, text); !fault.Is(err, fault.Forbidden) ||
		!strings.Contains(err.Error(), "expired") {
		t.Errorf("after its time: got %v", err)
	}
}

// TestKeysAreExchanged accepts a link of the previous key, and none of a third one.
func TestKeysAreExchanged(t *testing.T) {
	clock := func() time.Time { return start }
	before, after := signedlink.New(other, nil, clock), signedlink.New(key, other, clock)
	old, _ := before.Make(link(), time.Minute)
	if _, err := after.Read(purpose, old); err != nil {
		t.Errorf("of the other key: %v", err)
	}
	made, _ := after.Make(link(), time.Minute)
	if _, err := before.Read(purpose, made); err == nil {
		t.Error("a link was read that was signed with an unknown key")
	}
}

func TestReadRefusesWhatIsNotItsOwn(t *testing.T) {
	signer := signedlink.New(key, other, func() time.Time { return start })
	made, _ := signer.Make(link(), time.Minute)
	sealed, _ := base64.RawURLEncoding.DecodeString(made)
	for name, foreign := range map[string]string{
		"empty": "", "one character": "A", "short": made[:20], "cut": made[:len(made)-1], "longer": made + "A",
		"padded": made + "=", "a line break": made + "\n", "random": strings.Repeat("A", len(made)),
		"too long": strings.Repeat("A", 4096), "two": made + made,
	} {
		if got, err := signer.Read(purpose, foreign); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if got, err := signer.Read(purpose, base64.RawURLEncoding.EncodeToString(changed)); err == nil {
			t.Errorf("with another bit in byte %d: got %+v", i, got)
		}
	}
}

// TestLinksKeepTheirIDs checks that the text of a link does not reveal its ids.
func TestLinksKeepTheirIDs(t *testing.T) {
	l := link()
	made, _ := signedlink.New(key, nil, func() time.Time { return start }).Make(l, time.Minute)
	sealed, err := base64.RawURLEncoding.DecodeString(made)
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{l.User.String(), l.Session.String(), "orders"} {
		if bytes.Contains(sealed, []byte(said)) {
			t.Errorf("the link shows %s", said)
		}
	}
}

func FuzzRead(f *testing.F) {
	signer := signedlink.New(key, other, func() time.Time { return start })
	made, _ := signer.Make(link(), time.Minute)
	f.Add(made)
	f.Add(".")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := signer.Read(purpose, text); err == nil && text != made {
			t.Errorf("%q was read", text)
		}
	})
}
