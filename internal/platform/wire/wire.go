// Package wire holds the HTTP code that REST, GraphQL and the server share: reading bodies and query strings
// (contract 1.3), writing errors (errors.go), and the ETags of public answers (public.go). It knows no route
// and no schema.
package wire

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/cores"
	"storefront/internal/platform/share"
	"storefront/internal/platform/strictjson"
)

const (
	maxBody  = 256 << 10 // bytes
	maxDepth = 32        // of nesting; the object itself is 1
)

// ReadObject reads the body of a request as one JSON object; see strictjson.Object for its values. It fails
// with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, BAD_REQUEST or UNAVAILABLE.
func ReadObject(w http.ResponseWriter, r *http.Request) (map[string]any, error) {
	text, err := ReadJSON(w, r)
	if err != nil {
		return nil, err
	}
	return readInTurn(r.Context(), text)
}

// ReadJSON reads the body of a request, which is said to be JSON, and fails as ReadObject does.
func ReadJSON(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := OpenBody(w, r, maxBody, "application/json")
	if err != nil {
		return nil, err
	}
	_, parameters, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := strings.ToLower(parameters["charset"]); !slices.Contains([]string{"", "utf-8", "utf8"}, charset) {
		return nil, fault.New(fault.UnsupportedMediaType, "the body must be UTF-8")
	}
	text, err := io.ReadAll(io.LimitReader(body, largeBody+1))
	if err == nil && len(text) > largeBody {
		free, ok := largeBodies.TakeAtOnce(r.Context())
		if !ok {
			return nil, fault.New(fault.Unavailable, "too many large bodies are arriving; try again shortly").
				After(time.Second)
		}
		defer free()
		var rest []byte
		rest, err = io.ReadAll(body)
		text = append(text, rest...)
	}
	return text, err
}

// largeBodies bounds how many bodies of more than largeBody are received at once, so that bodies that never end cannot
// exhaust the server's memory. One client may send a quarter of them.
var largeBodies = share.NewForClients(256, 64)

// OpenBody returns the body of a request, which must have one of the media types and not be compressed; the
// error for another type names the first of them. A body without a Content-Type is accepted. Opening and
// reading it fail with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT or BAD_REQUEST.
func OpenBody(w http.ResponseWriter, r *http.Request, most int64, types ...string) (io.Reader, error) {
	if sent := r.Header.Values("Content-Encoding"); len(sent) > 1 ||
		len(sent) == 1 && !strings.EqualFold(sent[0], "identity") {
		return nil, fault.New(fault.UnsupportedMediaType, "the body must not be compressed")
	}
	if sent := r.Header.Get("Content-Type"); sent != "" {
		media, _, err := mime.ParseMediaType(sent)
		if err != nil || !slices.Contains(types, media) {
			return nil, fault.New(fault.UnsupportedMediaType, "the body must be %s", types[0])
		}
	}
	if r.ContentLength > most { // refused before 100 Continue is sent, and without reading
		return nil, errTooLarge(most)
	}
	return &body{http.MaxBytesReader(w, r.Body, most), most}, nil
}

type body struct {
	text io.Reader
	most int64
}

func (b *body) Read(to []byte) (int, error) {
	n, err := b.text.Read(to)
	if err == nil || err == io.EOF {
		return n, err
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return n, errTooLarge(b.most)
	}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return n, known
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return n, fault.Wrap(fault.RequestTimeout, err, "the body did not arrive in time; send it again")
	}
	return n, fault.Wrap(fault.BadRequest, err, "the body could not be read to its end")
}

func errTooLarge(most int64) error {
	return fault.New(fault.PayloadTooLarge, "the body must have at most %d bytes", most)
}

const largeBody = 16 << 10

// large bounds how many large bodies are parsed at once: more than there are cores would only make short
// requests wait. Clients share its slots.
var large = share.New(cores.Count(), cores.Count())

// readInTurn parses a body; a large one waits for its turn.
func readInTurn(ctx context.Context, body []byte) (map[string]any, error) {
	if len(body) > largeBody {
		release, err := large.Take(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	return strictjson.Object(body, maxDepth)
}

// ParseObject parses a JSON object by the same rules.
func ParseObject(text string) (map[string]any, error) {
	return strictjson.Object([]byte(text), maxDepth)
}

// ParseValue parses any JSON value by the same rules.
func ParseValue(text string) (any, error) {
	return strictjson.Value([]byte(text), maxDepth)
}

// ReadQuery reads the parameters of the query string for which isKnown reports true. It ignores all others,
// whatever they contain. It fails with BAD_REQUEST if a known one cannot be parsed.
func ReadQuery(r *http.Request, isKnown func(name string) bool) (url.Values, error) {
	known := url.Values{}
	for parameter := range strings.SplitSeq(r.URL.RawQuery, "&") {
		escapedName, escapedValue, _ := strings.Cut(parameter, "=")
		name, err := url.QueryUnescape(escapedName)
		if err != nil || !isKnown(name) {
			continue
		}
		value, err := url.QueryUnescape(escapedValue)
		if err == nil && strings.Contains(parameter, ";") {
			err = errors.New("a semicolon separates nothing")
		}
		if err != nil {
			return nil, fault.Wrap(fault.BadRequest, err,
				"the query string cannot be read: check its %%-escapes and semicolons")
		}
		known.Add(name, value)
	}
	return known, nil
}
