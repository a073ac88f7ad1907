package gatewayaccount

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/platform/httpcall"
	"storefront/internal/shop"
)

// MarkerPath is where a host that reaches this service proves it: with the marker of the query's "of".
const MarkerPath = "/pay/marker"

const (
	maxAnswer = 4 << 10 // bytes
	maxNonce  = 64      // bytes
)

// Marker answers MarkerPath.
func (s *Service) Marker(w http.ResponseWriter, r *http.Request) {
	nonce := r.URL.Query().Get("of")
	if nonce == "" || len(nonce) > maxNonce {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, marker(s.marks[0], nonce))
}

// marker returns what only this installation can answer.
func marker(key []byte, nonce string) string {
	mac := hmac.New(sha256.New, key)
	_, _ = io.WriteString(mac, nonce) // a hash never fails
	return hex.EncodeToString(mac.Sum(nil))
}

func overNetwork(client *httpcall.Client) func(context.Context, string) ([]byte, error) {
	return func(ctx context.Context, address string) ([]byte, error) {
		request, err := httpcall.NewRequest(http.MethodGet, address, "", nil)
		if err != nil {
			return nil, err
		}
		answer, err := client.Call(ctx, request)
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("HTTP %d", answer.Status)
		}
		return answer.Body, err
	}
}

// checkBase returns the form in which a shop's address for callbacks is stored. It fails with VALIDATION_FAILED unless
// that is https, at a domain of the shop, and reaches this service.
func (s *Service) checkBase(ctx context.Context, business uuid.UUID, base string) (string, error) {
	const member = "input.callbackBase"
	name, https := strings.CutPrefix(strings.TrimRight(base, "/"), "https://")
	host, ok := hostname.Normalize(name)
	if !https || !ok {
		return "", fault.Invalid(member, "must be https:// and a domain of the shop: https://shop.example")
	}
	names, err := shop.Domains(ctx, s.Store, business)
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, host) {
		return "", fault.Invalid(member, "must be a domain of the shop: one of %s", strings.Join(names, ", "))
	}
	nonce, base := rand.Text(), "https://"+host
	answer, err := s.Reach(ctx, base+MarkerPath+"?of="+nonce)
	said := strings.TrimSpace(string(answer))
	isOurs := func(key []byte) bool { return hmac.Equal([]byte(said), []byte(marker(key, nonce))) }
	if err == nil && slices.ContainsFunc(s.marks, isOurs) {
		return base, nil
	}
	return "", fault.Invalid(member, "does not reach this service: %s must be passed on to it from %s", "/pay/", host)
}
