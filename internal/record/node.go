package record

import (
	"bytes"
	"encoding/base64"

	"github.com/google/uuid"
)

// Node names a record of any type and shop, as GraphQL's nodeId does. Its text proves nothing: the record is looked
// up within the tenant, among what is public.
type Node struct {
	Type       string // of the schema, such as "Product"
	Tenant, ID uuid.UUID
}

// String is the text that clients keep: base64url of the type, a colon and the two ids.
func (n Node) String() string {
	raw := append([]byte(n.Type), ':')
	raw = append(append(raw, n.Tenant[:]...), n.ID[:]...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// ReadNode reads what String wrote, and nothing else.
func ReadNode(text string) (n Node, ok bool) {
	const most = 100 // bytes of a text, far above any
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
