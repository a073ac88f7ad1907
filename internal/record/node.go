package record

import (
	"bytes"
	"encoding/base64"

	"github.com/google/uuid"
)

// Node identifies a record of any type and shop, as GraphQL's nodeId does. It grants no access: the record
// is looked up among the public records of the tenant.
type Node struct {
	Type       string // of the schema, such as "Product"
	Tenant, ID uuid.UUID
}

// String returns the text that clients store: base64url of the type, a colon and the two ids.
func (n Node) String() string {
	raw := append([]byte(n.Type), ':')
	raw = append(append(raw, n.Tenant[:]...), n.ID[:]...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// ReadNode parses the result of String; ok is false for any other text.
func ReadNode(text string) (n Node, ok bool) {
	const most = 100 // bytes; real ones are much shorter
	if len(text) > most {
		return Node{}, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	name, ids, cut := bytes.Cut(raw, []byte{':'})
	if err != nil || !cut || len(ids) != 2*len(n.ID) {
		return Node{}, false
	}
	n.Type = string(name)
	copy(n.Tenant[:], ids)
	copy(n.ID[:], ids[len(n.Tenant):])
	return n, true
}
