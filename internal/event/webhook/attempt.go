package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"storefront/internal/record"
)

// longestRetryAfter is how long a receiver's Retry-After can put off attempts at most.
const longestRetryAfter = time.Hour

func (r *runner) attempt(e *event) outcome {
	r.mu.Lock()
	to := r.endpoint
	r.mu.Unlock()
	at := r.Clock.Now()
	o := outcome{event: e, at: at}
	ctx, cancel := context.WithTimeout(r.work, attemptTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url, strings.NewReader(e.payload))
	if err != nil { // registration refuses such an address
		o.failure = record.FailedConnection
		return o
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Storefront-Webhooks/1")
	sign(request.Header, e.eventID.String(), at, e.payload, to.secrets(at)...)
	response, err := r.client.Do(request)
	if err != nil {
		o.failure = failureOf(err)
		return o
	}
	defer response.Body.Close()
	// the body is not used; reading its end keeps the connection usable
	_, _ = io.CopyN(io.Discard, response.Body, bodyLimit)
	if o.status = response.StatusCode; o.status < 200 || o.status > 299 {
		o.failure = record.FailedStatus
		now := r.Clock.Now()
		if wait := retryAfter(response.Header, now); wait > 0 {
			o.notBefore = now.Add(wait)
		}
	}
	return o
}

// retryAfter returns the wait that a receiver asks for, as seconds or a time; 0 if none.
func retryAfter(header http.Header, now time.Time) time.Duration {
	asked := header.Get("Retry-After")
	if at, err := http.ParseTime(asked); err == nil {
		return min(max(at.Sub(now), 0), longestRetryAfter)
	}
	seconds, err := strconv.Atoi(asked)
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 1<<20))*time.Second, longestRetryAfter)
}

// failureOf returns a word for an error. The error itself may describe the service's own network and is not
// stored.
func failureOf(err error) record.WebhookFailure {
	var name *net.DNSError
	var header tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	var unknown x509.UnknownAuthorityError
	var timeout net.Error
	switch {
	case errors.Is(err, errPrivate):
		return record.FailedAddress
	case errors.As(err, &name) && !name.IsTimeout:
		return record.FailedName
	case errors.As(err, &header), errors.As(err, &certificate), errors.As(err, &alert), errors.As(err, &unknown):
		return record.FailedTLS
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return record.FailedTimeout
	}
	return record.FailedConnection
}

// secretPrefix precedes the base64 of a secret wherever people see it.
const secretPrefix = "whsec_"

// secretSize is the length of a secret in bytes; the scheme allows 24 to 64.
const secretSize = 32

func newSecret() []byte {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // never fails
	return secret
}

func shownSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// sign sets the three headers of Standard Webhooks: an id, which stays the same when an event is sent again,
// the moment of the attempt, and a signature of both and the body by each secret.
func sign(header http.Header, id string, at time.Time, body string, secrets ...[]byte) {
	moment := strconv.FormatInt(at.Unix(), 10)
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", moment)
	var signatures []string
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		_, _ = mac.Write([]byte(id + "." + moment + "." + body)) // never fails
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	header.Set("webhook-signature", strings.Join(signatures, " "))
}
