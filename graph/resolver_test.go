package graph

import (
	"reflect"
	"testing"
)

// TestEveryTypeHasResolvers checks that the table of resolvers has those of each type that needs any.
func TestEveryTypeHasResolvers(t *testing.T) {
	table := reflect.ValueOf(new(Resolver).root())
	for i := range table.NumField() {
		if table.Field(i).IsNil() {
			t.Errorf("the resolvers of %s are missing", table.Type().Field(i).Name)
		}
	}
	if table.NumField() < 30 {
		t.Errorf("only %d types were found", table.NumField())
	}
}
