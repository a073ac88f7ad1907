package ent_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
)

// TestRecordsPrintTheirIDAlone checks that a record in a log or an error shows no personal data.
func TestRecordsPrintTheirIDAlone(t *testing.T) {
	name := "Sara"
	user := &ent.User{ID: uuid.Nil, CellNumber: "+989120000001", FirstName: &name}
	if got, want := fmt.Sprintf("%v", user), "User(id=00000000-0000-0000-0000-000000000000)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
