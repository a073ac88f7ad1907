package server

import (
	"net/http"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// maxHead is the maximum length of the head of a request, in bytes: the request line, the headers and the
// empty line (contract 9). The limit of net/http is 4 KiB more, and twice as much on a connection that is
// used again.
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

// headLength returns the length of a request's head as clients write it, with one space after each colon. It
// adds the headers that net/http removes.
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

// mustClose reports whether the connection must be closed after a request: a proxy may see the end of the
// request elsewhere, and take what follows for another client's request. For a chunked body net/http does
// not report whether there was also a Content-Length, and in HTTP/1.0 it ignores a Transfer-Encoding.
func mustClose(r *http.Request) bool { return len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) }
