package graph

import (
	"crypto/sha256"

	"github.com/maypok86/otter/v2"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// keptDocuments are the documents that stay parsed, by the SHA-256 of their source: those that clients send again, and those
// they name by that hash alone (automatic persisted queries). Only valid ones are kept.
type keptDocuments struct {
	engine *Engine
	cache  *otter.Cache[sourceHash, *Documents]
}

type sourceHash [sha256.Size]byte

// documentsKept bounds the memory of the documents that stay parsed, in bytes.
const documentsKept = 32 << 20

func newKeptDocuments(engine *Engine) keptDocuments {
	return keptDocuments{engine, otter.Must(&otter.Options[sourceHash, *Documents]{
		MaximumWeight: documentsKept,
		Weigher:       func(_ sourceHash, d *Documents) uint32 { return d.weight() },
	})}
}

// weight is what a document takes in memory at most, in bytes: its source, and what was parsed of each word.
func (d *Documents) weight() uint32 {
	return uint32(1024 + len(d.source)*9/8 + 440*d.words)
}

// of gives the documents of a source that a hash is of. An empty source stands for one that was sent before; where it is
// not known, nil is returned without errors.
func (k keptDocuments) of(hash sourceHash, source string) (*Documents, gqlerror.List) {
	known, ok := k.cache.GetIfPresent(hash)
	if ok || source == "" {
		return known, nil
	}
	documents, errs := k.engine.ParseForeign(source)
	if len(errs) == 0 {
		k.cache.Set(hash, documents)
	}
	return documents, errs
}
