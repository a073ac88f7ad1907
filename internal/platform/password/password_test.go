package password_test

import (
	"context"
	"strings"
	"testing"

	"storefront/internal/platform/password"
)

func TestCheckKnowsTheHashedPassword(t *testing.T) {
	h := password.NewHasher(password.Recommended)
	stored, err := h.Hash(t.Context(), " گذرواژه 🔑 ")
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]bool{" گذرواژه 🔑 ": true, "گذرواژه 🔑": false, "": false} {
		if got, err := h.Check(t.Context(), typed, &stored); err != nil || got != want {
			t.Errorf("Check(%q) = %v, %v; want %v", typed, got, err, want)
		}
	}
	if again, _ := h.Hash(t.Context(), " گذرواژه 🔑 "); again == stored {
		t.Error("two hashes of one password are the same")
	}
	if got, err := h.Check(t.Context(), "anything", nil); got || err != nil {
		t.Errorf("nobody's password: got %v, %v", got, err)
	}
}

func TestCheckRefusesWhatIsNoHash(t *testing.T) {
	h := password.NewHasher(password.Recommended)
	for _, stored := range []string{"", "plain", "$argon2id$v=19$m=19456,t=2,p=1$" + strings.Repeat("*", 66)} {
		if got, err := h.Check(t.Context(), "plain", &stored); got || err == nil {
			t.Errorf("Check against %q = %v, %v", stored, got, err)
		}
	}
}

func TestHashEndsWithItsContext(t *testing.T) {
	h := password.NewHasher(password.Recommended)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Check(ctx, "x", nil); err == nil {
		t.Error("an ended context did not end a check")
	}
}

func BenchmarkCheck(b *testing.B) {
	h := password.NewHasher(password.Recommended)
	stored, err := h.Hash(b.Context(), "correct horse")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := h.Check(b.Context(), "correct horse", &stored); err != nil {
			b.Fatal(err)
		}
	}
}
