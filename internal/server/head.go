package server

import (
	"net/http"

	"storefront/internal/fault"
	"storefront/internal/wire"
)

// maxHead is how long the head of a request may be, in bytes: the request line, the headers and the empty
// line (contract 9). net/http refuses heads as well, but reads 4 KiB more, and twice as much where a
// connection is used again.
const maxHead = 32 << 10

// limitHead refuses a request with a longer head.
func limitHead(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if headLength(r) > maxHead {
			tooLong := fault.New(fault.PayloadTooLarge, "the headers must have at most %d bytes", maxHead)
			wire.WriteErrorStatus(w, r, tooLong, http.StatusRequestHeaderFieldsTooLarge)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// headLength is the length of a request's head as clients write it, with one space behind each colon. net/http takes
// some headers out, which are added here.
func headLength(r *http.Request) int {
	const line = len(": \r\n")
	n := len(r.Method) + len(" ") + len(r.RequestURI) + len(" HTTP/1.1\r\n") + len("\r\n")
	if r.Host != "" {
		n += len("Host") + len(r.Host) + line
	}
	for _, coding := range r.TransferEncoding {
		n += len("Transfer-Encoding") + len(coding) + line
	}
	for name := range r.Trailer {
		n += len("Trailer") + len(name) + line
	}
	for name, values := range r.Header {
		for _, value := range values {
			n += len(name) + len(value) + line
		}
	}
	return n
}

// mustClose reports whether the connection must be closed behind a request: another reader on the way, such
// as a proxy, may see its end elsewhere, and what follows, as a request of somebody else. Of a body in chunks
// net/http does not say whether a Content-Length stood beside it, and in HTTP/1.0 it passes over a
// Transfer-Encoding.
func mustClose(r *http.Request) bool { return len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) }
