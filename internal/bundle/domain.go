package bundle

import (
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// DomainOf returns the domain of a bundle's tenant, as written there. It does not check the rest of the
// bundle.
func DomainOf(open Opener) (string, error) {
	src, err := openSource(open)
	if err != nil {
		return "", err
	}
	defer src.Close()
	src.allow(0, anySize)
	in := jsontext.NewDecoder(src, jsontext.AllowDuplicateNames(true))
	if _, err := in.ReadToken(); err != nil {
		return "", err
	}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil {
			return "", err
		}
		if name.String() != "tenant" {
			if err := in.SkipValue(); err != nil {
				return "", err
			}
			continue
		}
		text, err := in.ReadValue()
		if err != nil {
			return "", err
		}
		var of struct{ Domain string }
		err = json.Unmarshal(text, &of)
		return of.Domain, err
	}
	return "", fmt.Errorf("the bundle has no tenant")
}
