package signedlink_test

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/signedlink"
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

// TestKeysAreExchanged takes a link of the key before, and none of a third one.
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
	body, signed, _ := strings.Cut(made, ".")
	said, _ := base64.RawURLEncoding.DecodeString(body)
	changed := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(said), "orders", "orderz", 1)))
	for name, foreign := range map[string]string{
		"empty": "", "no signature": body, "an empty signature": body + ".", "cut": made[:len(made)-1],
		"longer": made + "A", "padded": made + "=", "changed": changed + "." + signed,
		"another signature": body + "." + strings.Repeat("A", len(signed)), "no body": "." + signed,
		"too long": strings.Repeat("A", 4096) + "." + signed, "a third part": made + ".x",
	} {
		if got, err := signer.Read(purpose, foreign); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: got %+v, %v", name, got, err)
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
