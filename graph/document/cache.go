package document

import (
	"crypto/sha256"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/plan"
	"storefront/internal/catalog/selection"
	"storefront/internal/platform/bounded"
)

// Cache caches valid client documents, parsed, by the SHA-256 of their source. Clients send documents
// again, or only their hash (automatic persisted queries).
type Cache struct {
	reader *Reader
	parsed bounded.Cache[*Document]
	hits   atomic.Uint64
	misses atomic.Uint64
}

// Stats is the state of a cache.
type Stats struct {
	Bytes        uint64 // at most
	Hits, Misses uint64 // since the start
}

// Stats returns the present state of the cache.
func (c *Cache) Stats() Stats { return Stats{c.parsed.Weight(), c.hits.Load(), c.misses.Load()} }

// Hash is the SHA-256 of a document's source.
type Hash [sha256.Size]byte

// cacheSize is the most memory that cached documents may take, in bytes.
const cacheSize = 32 << 20

// NewCache returns an empty cache of what a reader has read.
func NewCache(reader *Reader) *Cache {
	return &Cache{reader: reader,
		parsed: bounded.New(cacheSize, func(_ string, d *Document) uint32 { return d.weight() })}
}

// plannedOfWord is how many fields the plans of a document may have for each of its words. The fields of a
// fragment stand in the document once, but in the plans as often as the fragment is spread.
const plannedOfWord = 2

// selectedOfWord is how many fields of selections are remembered for each word of a document. A field belongs
// to the selection of every field above it.
const selectedOfWord = 2

// weight returns the most memory that a document takes, in bytes: for its source, its parsed words, its plans
// and its remembered selections.
func (d *Document) weight() uint32 {
	const parsed = 440
	perWord := parsed + plannedOfWord*plan.FieldBytes + selectedOfWord*selection.FieldBytes
	return uint32(1024 + len(d.Source)*9/8 + perWord*d.words)
}

// Get returns the document of a source with the given hash. An empty source stands for one that was sent
// before; Get returns nil and no error if its hash is unknown. Errors are those of ParseClient.
func (c *Cache) Get(hash Hash, source string) (*Document, gqlerror.List) {
	known, ok := c.parsed.Get(string(hash[:]))
	if ok {
		c.hits.Add(1)
		return known, nil
	}
	c.misses.Add(1)
	if source == "" {
		return nil, nil
	}
	document, errs := c.reader.ParseClient(source)
	if len(errs) == 0 {
		c.parsed.Set(string(hash[:]), document)
	}
	return document, errs
}

// Options are what a Reader works with.
type Options struct {
	Schema          *ast.Schema
	Planned         plan.Table   // the fields that plans can read; gqlgen reads the others
	Log             *slog.Logger // where plans note at debug level what they leave to gqlgen
	MaxPageSize     int          // items of a page at most; a greater number is read as this
	SizeArguments   []string     // the arguments that set the number of items of a page, connection or list
	NoIntrospection bool         // GRAPHQL_EXPLORER=off: client documents may not ask for the schema
}

// Reader reads documents of a schema. It has read the directives of the schema.
type Reader struct {
	Options
	fields        map[*ast.FieldDefinition]*fieldRules
	oneInRequest  string // the names of the fields with @oneInRequest, as a message lists them
	introspection introspectionSizes
}

// NewReader returns a reader of documents.
func NewReader(o Options) *Reader {
	r := &Reader{Options: o, fields: map[*ast.FieldDefinition]*fieldRules{},
		introspection: measureIntrospection(o.Schema)}
	var one []string
	for _, definition := range o.Schema.Types {
		if definition.Kind != ast.Object && definition.Kind != ast.Interface {
			continue
		}
		for _, field := range definition.Fields {
			rules := readRules(field, o.SizeArguments)
			r.fields[field] = rules
			if rules.oneInRequest {
				one = append(one, field.Name)
			}
		}
	}
	slices.Sort(one)
	r.oneInRequest = strings.Join(one, ", ")
	return r
}

// rules returns the rules of a field.
func (r *Reader) rules(field *ast.FieldDefinition) *fieldRules {
	if rules := r.fields[field]; rules != nil {
		return rules
	}
	return &noRules
}
