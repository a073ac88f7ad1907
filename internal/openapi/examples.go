package openapi

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// recorded holds an example of each operation, by its name. They are what the service answers about its demo shops:
// internal/contract asks them again, and writes them anew with -update.
//
//go:embed examples/*.json
var recorded embed.FS

// example is a request and its answer. Ids and times in it are made up; lists have one item.
type example struct {
	Parameters map[string]jsontext.Value `json:"parameters"` // that are in the path or the query string, by name
	Request    jsontext.Value            `json:"request"`    // body
	Response   jsontext.Value            `json:"response"`   // body of a success
}

// exampleOf reads the example of an operation. One that has none yet has an empty one.
func exampleOf(operation string) (example, error) {
	var read example
	text, err := recorded.ReadFile("examples/" + operation + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return read, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &read, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return read, fmt.Errorf("openapi: example of %s: %w", operation, err)
	}
	return read, nil
}
