package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"storefront/internal/fault"
	"storefront/internal/platform/share"
)

// PartBytes is the size of a part of the memory for answers. The first part of each is its own.
const PartBytes = 128 << 10

// answerParts bounds the memory of all answers that are being made or sent, so that a few large ones cannot exhaust the
// server's. One client may use a quarter, which is what the largest answer needs: the records that are read for it, and
// its text twice, while it is made and while it is sent.
var answerParts = share.NewForClients(4*mostOfClient/PartBytes, mostOfClient/PartBytes)

const mostOfClient = 64 << 20 // bytes

// TakePart takes a part of the memory for answers. It reports whether one was available to the client of ctx.
func TakePart(ctx context.Context) (free func(), ok bool) { return answerParts.TakeAtOnce(ctx) }

// ErrAnswersFull means that other answers use all the memory for answers.
var ErrAnswersFull = fault.New(fault.Unavailable, "too many large answers are being sent; try again shortly").
	After(time.Second)

// GzipFrom is the size from which an answer is compressed, in bytes; smaller ones fit one packet anyway.
const GzipFrom = 1024

// GzipLevel is the level at which answers are compressed.
const GzipLevel = gzip.BestSpeed

// Public is the finished answer to a read that is the same for everybody. It is immutable, and may be sent
// any number of times.
type Public struct {
	body    []byte
	hash    string // of the parts that determine the answer
	gzipped []byte // body compressed; nil: not yet
}

// NewPublic returns the answer with a body, of which caches may store a copy but must revalidate it before each use
// (contract 1.9). Its ETag is a hash of the body and of whatever else determines the answer.
func NewPublic(body []byte, determines ...[]byte) *Public {
	return &Public{body: body, hash: hashOf(append(determines, body))}
}

// Gzipped returns the same answer with its compressed form, which is made once. A small answer has no
// compressed form.
func (p *Public) Gzipped() *Public {
	if p.gzipped != nil || len(p.body) < GzipFrom {
		return p
	}
	var compressed bytes.Buffer
	z := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(z)
	z.Reset(&compressed)
	_, _ = z.Write(p.body) // a buffer never fails
	_ = z.Close()
	return &Public{p.body, p.hash, bytes.Clone(compressed.Bytes())}
}

var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, GzipLevel) // fails for an invalid level
	return z
}}

// Trimmed returns the same answer without spare capacity.
func (p *Public) Trimmed() *Public {
	if cap(p.body) == len(p.body) {
		return p
	}
	return &Public{bytes.Clone(p.body), p.hash, p.gzipped}
}

// Size returns the bytes that the answer takes in memory, with its compressed form if it has one.
func (p *Public) Size() int { return cap(p.body) + len(p.hash) + cap(p.gzipped) }

// Hold takes the parts of memory that the answer needs while it is sent. It fails with UNAVAILABLE.
func (p *Public) Hold(ctx context.Context) (free func(), err error) {
	var parts []func()
	free = func() {
		for _, free := range parts {
			free()
		}
	}
	for range min(len(p.body), mostOfClient) / PartBytes {
		part, ok := TakePart(ctx)
		if !ok {
			free()
			return nil, ErrAnswersFull
		}
		parts = append(parts, part)
	}
	return free, nil
}

// Write sends the answer, or 304 if the client has it already; answers to POST are not cached. If there is a
// compressed form, it is sent to clients that accept it.
func (p *Public) Write(w http.ResponseWriter, r *http.Request, contentType string) {
	h := w.Header()
	isPost := r.Method == http.MethodPost
	if isPost {
		h["Cache-Control"] = notStored
	} else if known(w, r, p.hash) {
		return
	}
	h["Content-Type"] = []string{contentType}
	body := p.body
	if p.gzipped != nil && AcceptsGzip(r.Header) {
		body = p.gzipped
		h.Set("Content-Encoding", "gzip")
		if !isPost {
			h.Set("ETag", `"`+p.hash+GzipSuffix+`"`)
		}
	}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body)
}

var notStored = []string{"no-store"} // shared by many responses, and never changed

// GzipSuffix is the end, within the quotes, of the ETag of an answer that was compressed with gzip: a strong
// ETag identifies the bytes sent, so the plain and the compressed answer need different ones.
const GzipSuffix = "-gzip"

// Known marks an answer as public data that caches may store but must revalidate before each use (contract
// 1.9). The ETag is a hash of the parts that determine the answer. Known reports whether the client has that
// answer already, plain or, if it accepts gzip, compressed; then it has written 304 with the ETag of that
// answer, and the caller must write nothing.
func Known(w http.ResponseWriter, r *http.Request, parts ...[]byte) bool {
	return known(w, r, hashOf(parts))
}

func hashOf(parts [][]byte) string {
	sum := sha256.New()
	for _, part := range parts {
		_, _ = sum.Write(part) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

func known(w http.ResponseWriter, r *http.Request, hash string) bool {
	etag := `"` + hash + `"`
	h := w.Header()
	h["Etag"] = []string{etag}
	h["Cache-Control"] = revalidated
	held := r.Header["If-None-Match"]
	if len(held) == 0 {
		return false
	}
	if !holds(held, etag) {
		compressed := `"` + hash + GzipSuffix + `"`
		if !AcceptsGzip(r.Header) || !holds(held, compressed) {
			return false
		}
		h.Set("ETag", compressed)
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

var revalidated = []string{"public, no-cache"} // shared by many responses, and never changed

// holds reports whether an If-None-Match header names the tag. It compares weakly, as RFC 9110 requires.
func holds(header []string, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(header, ","), ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == etag || tag == "*" {
			return true
		}
	}
	return false
}

// AcceptsGzip reports whether the Accept-Encoding of a request accepts gzip.
func AcceptsGzip(h http.Header) bool {
	for offered := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, parameters, _ := strings.Cut(offered, ";")
		weight, weighed := strings.CutPrefix(strings.TrimSpace(parameters), "q=")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q, err := strconv.ParseFloat(weight, 64)
			return !weighed || err == nil && q > 0
		}
	}
	return false
}

// Qualities returns the qualities of an Accept header by media range (RFC 9110, 12.5.1). Parameters other than q are
// ignored, and so are ranges that cannot be read.
func Qualities(accept []string) map[string]float64 {
	ranges := map[string]float64{}
	for sent := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, parameters, err := mime.ParseMediaType(sent)
		if err != nil {
			continue
		}
		quality := 1.0
		if q, stated := parameters["q"]; stated {
			if quality, err = strconv.ParseFloat(q, 64); err != nil || !(quality >= 0 && quality <= 1) {
				continue
			}
		}
		ranges[media] = max(ranges[media], quality)
	}
	return ranges
}
