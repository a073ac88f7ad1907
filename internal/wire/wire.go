// Package wire holds the HTTP that both doors and the server share: how bodies and query strings are read
// (contract 1.3), how an error is written (errors.go), and the ETags of public answers (known.go). It knows no
// route and no schema.
package wire

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"

	"storefront/internal/cores"
	"storefront/internal/fault"
	"storefront/internal/share"
	"storefront/internal/strictjson"
)

const (
	maxBody  = 256 << 10 // bytes
	maxDepth = 32        // of nesting; the object itself is 1
)

// ReadObject reads the body of a request as one JSON object; strictjson.Object says what its values are. It
// fails with UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT or BAD_REQUEST.
func ReadObject(w http.ResponseWriter, r *http.Request) (map[string]any, error) {
	if sent := r.Header.Values("Content-Encoding"); len(sent) > 1 ||
		len(sent) == 1 && !strings.EqualFold(sent[0], "identity") {
		return nil, fault.New(fault.UnsupportedMediaType, "the body must not be compressed")
	}
	if sent := r.Header.Get("Content-Type"); sent != "" {
		media, _, err := mime.ParseMediaType(sent)
		if err != nil || media != "application/json" {
			return nil, fault.New(fault.UnsupportedMediaType, "the body must be application/json")
		}
	}
	if r.ContentLength > maxBody { // refused before it is asked for by 100 Continue, or waited for
		return nil, errTooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, errTooLarge()
	}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return nil, known
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, fault.Wrap(fault.RequestTimeout, err, "the body did not arrive in time; send it again")
	}
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "the body could not be read to its end")
	}
	return readInTurn(r.Context(), body)
}

func errTooLarge() error {
	return fault.New(fault.PayloadTooLarge, "the body must have at most %d bytes", maxBody)
}

const largeBody = 16 << 10

// large bounds how many large bodies are read at once: more than the cores can handle would only make short
// requests wait. Clients share its slots.
var large = share.New(cores.Count(), cores.Count())

// readInTurn reads a body, in its turn if it is large.
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

// ParseObject reads JSON from a text by the same rules.
func ParseObject(text string) (map[string]any, error) {
	return strictjson.Object([]byte(text), maxDepth)
}

// ReadQuery reads the parameters of the query string that isKnown names. It ignores all others, whatever they
// hold. It fails with BAD_REQUEST when a known one cannot be read.
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
