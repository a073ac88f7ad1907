package describe

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// recorded holds an example of each operation, by its name. The examples are answers of the service about
// its demo shops; a test of internal/contract repeats the requests and compares, or rewrites the file with
// -update.
//
//go:embed examples/*.json
var recorded embed.FS

// example is a request and its answer. Its ids and times are invented; its lists have one item.
type example struct {
	Parameters map[string]jsontext.Value `json:"parameters"` // of the path and the query string, by name
	Request    jsontext.Value            `json:"request"`    // body
	Response   jsontext.Value            `json:"response"`   // body of the success
}

// exampleOf returns the example of an operation, an empty one if none is recorded.
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
