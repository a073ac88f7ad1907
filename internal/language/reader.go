// Package language puts messages into the language of their reader, English or Farsi, as Accept-Language asks for it.
package language

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"storefront/internal/fault"
)

// Reader is who reads the answer to one request.
type Reader struct {
	accepts []string // the Accept-Language headers as sent; read when there is something to say
	once    sync.Once
	chosen  Language
	said    atomic.Bool
}

type readerKey struct{}

// For gives a context whose reader asks for a language in the headers of a request.
func For(ctx context.Context, header http.Header) context.Context {
	return context.WithValue(ctx, readerKey{}, &Reader{accepts: header.Values("Accept-Language")})
}

// Of gives the reader of a request; one of English where there is no request.
func Of(ctx context.Context) *Reader {
	if r, ok := ctx.Value(readerKey{}).(*Reader); ok {
		return r
	}
	return &Reader{}
}

func (r *Reader) language() Language {
	r.once.Do(func() { r.chosen = Choose(strings.Join(r.accepts, ",")) })
	return r.chosen
}

// Say gives a text in the reader's language.
func (r *Reader) Say(text fault.Text) string {
	r.said.Store(true)
	return r.language().Say(text)
}

// Error gives an error with its words in the reader's language.
func (r *Reader) Error(e *fault.Error) *fault.Error {
	if e.IsForeign() {
		return e
	}
	r.said.Store(true)
	return e.In(r.language().Say)
}

// Label names the reader's language in the headers of an answer in which something was said.
func (r *Reader) Label(h http.Header) {
	if r.said.Load() {
		h.Set("Content-Language", string(r.language()))
		h.Add("Vary", "Accept-Language")
	}
}
