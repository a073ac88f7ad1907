package sealer

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestSeal checks that a secret opens only for its purpose and for what it is about, with either key, and with no
// third one.
func TestSeal(t *testing.T) {
	keys := [][]byte{[]byte(strings.Repeat("a", 32)), []byte(strings.Repeat("b", 32)), nil}
	sealer := func(purpose string, key, other int) Sealer {
		s, err := New(purpose, keys[key], keys[other])
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old := sealer("tests", 0, 2)
	secret, user := []byte("a secret of some length"), uuid.New()
	sealed := old.Seal(secret, user[:])
	if string(sealed) == string(old.Seal(secret, user[:])) || strings.Contains(string(sealed), string(secret)) {
		t.Error("the same twice, or not sealed")
	}
	for name, want := range map[string]struct {
		sealer         Sealer
		opens, byOther bool
	}{
		"old":             {old, true, false},
		"both":            {sealer("tests", 1, 0), true, true},
		"new":             {sealer("tests", 1, 2), false, false},
		"another purpose": {sealer("others", 1, 0), false, false},
	} {
		got, byOther, err := want.sealer.Open(sealed, user[:])
		if (err == nil) != want.opens || byOther != want.byOther || want.opens && string(got) != string(secret) {
			t.Errorf("%s: %x, %t, %v", name, got, byOther, err)
		}
	}
	broken := append([]byte(nil), sealed...)
	broken[len(broken)-1] ^= 1
	for name, wrong := range map[string][]byte{"broken": broken, "cut": sealed[:5], "nothing": nil} {
		if _, _, err := old.Open(wrong, user[:]); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	other := uuid.New()
	if _, _, err := old.Open(sealed, other[:]); err == nil {
		t.Error("it opens for another user")
	}
}
