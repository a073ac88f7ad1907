package password

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIsCommon(t *testing.T) {
	for password, want := range map[string]bool{
		"password": true, "PassWord": true, "12345678": true, "jennifer": true, "password1": true,
		"correct horse": false, "": false, "password ": false, "رمزعبورم": false,
	} {
		if got := IsCommon(password); got != want {
			t.Errorf("IsCommon(%q) = %v", password, got)
		}
	}
}

// TestCommonList checks what IsCommon relies on.
func TestCommonList(t *testing.T) {
	if !slices.IsSorted(common) || len(common) < 4000 {
		t.Errorf("%d passwords, sorted: %v", len(common), slices.IsSorted(common))
	}
	for _, password := range common {
		if password != strings.ToLower(password) || utf8.RuneCountInString(password) < 8 {
			t.Errorf("%q is in the list", password)
		}
	}
}
