package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// SlugKind is a kind of records that have slugs of their own, by its name in the table of former slugs.
type SlugKind string

// The kinds of slugs but those of categories, which SlugCategory returns.
const (
	SlugProduct     SlugKind = "product"
	SlugUserProduct SlugKind = "userProduct"
	SlugBlog        SlugKind = "blog"
	SlugPortfolio   SlugKind = "portfolio"
	SlugBrand       SlugKind = "brand"
)

// SlugCategory returns the kind of categories of an entity type.
func SlugCategory(entityType EntityType) SlugKind { return SlugKind("category " + string(entityType)) }

// Category returns the entity type if k is a kind of categories; else it reports false.
func (k SlugKind) Category() (EntityType, bool) {
	of, ok := strings.CutPrefix(string(k), "category ")
	return EntityType(of), ok && slices.Contains(EntityType("").Values(), of)
}

// TextVersion returns the version of texts that staff edit together: a hash, which is the same for equal texts.
func TextVersion(texts ...*string) string {
	encoded, _ := json.Marshal(texts) // never fails
	sum := sha256.Sum256(encoded)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

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
