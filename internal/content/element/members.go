package element

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/shop/audit"
)

// members are the members of an element by name.
type members map[string]any

// membersOf returns an element for a record: a member for each of its columns, even if null, by the name that
// it has in the audit log. Columns that refer to other records are left out; own has members in their stead,
// and those that are written in another form.
func membersOf(row any, own members) members {
	columns, _ := audit.Snapshot(row) // rows can always be encoded
	all := members{}
	for name, value := range columns {
		if !strings.HasSuffix(name, "Id") && !strings.HasSuffix(name, "Ids") {
			all[name] = value
		}
	}
	maps.Copy(all, own)
	return all
}

// identifying are the members that come first in an element, in the reverse of this order: slices.Index is -1 for
// all others, which so come last.
var identifying = []string{"key", "sku", "slug", "entityType", "domain"}

// MarshalJSONTo writes the members that identify the element, then the others by name.
func (m members) MarshalJSONTo(to *jsontext.Encoder) error {
	names := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(identifying, b), slices.Index(identifying, a)), cmp.Compare(a, b))
	})
	err := to.WriteToken(jsontext.BeginObject)
	for _, name := range names {
		if err == nil {
			err = to.WriteToken(jsontext.String(name))
		}
		if err == nil {
			err = json.MarshalEncode(to, m[name])
		}
	}
	return cmp.Or(err, to.WriteToken(jsontext.EndObject))
}
