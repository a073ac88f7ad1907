package wire

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"

	"storefront/internal/fault"
	"storefront/internal/request"
)

// statuses gives every code of the contract its HTTP status: the only such table.
var statuses = map[fault.Code]int{
	fault.ValidationFailed:         http.StatusBadRequest,
	fault.BadRequest:               http.StatusBadRequest,
	fault.ParseFailed:              http.StatusBadRequest,
	fault.DocumentInvalid:          http.StatusBadRequest,
	fault.LimitExceeded:            http.StatusBadRequest,
	fault.PersistedQueryNotFound:   http.StatusBadRequest,
	fault.InvalidCode:              http.StatusBadRequest,
	fault.NoAccount:                http.StatusBadRequest,
	fault.CurrentPasswordIncorrect: http.StatusBadRequest,
	fault.InvalidCredentials:       http.StatusUnauthorized,
	fault.CartEmpty:                http.StatusBadRequest,
	fault.InsufficientStock:        http.StatusConflict,
	fault.MaxOrderQuantityExceeded: http.StatusConflict,
	fault.ItemUnavailable:          http.StatusConflict,
	fault.PriceChanged:             http.StatusConflict,
	fault.NotDeliverable:           http.StatusConflict,
	fault.CellAlreadyRegistered:    http.StatusConflict,
	fault.CellExistsOtherSite:      http.StatusConflict,
	fault.Unauthenticated:          http.StatusUnauthorized,
	fault.Forbidden:                http.StatusForbidden,
	fault.SecondFactorRequired:     http.StatusForbidden,
	fault.NotFound:                 http.StatusNotFound,
	fault.MethodNotAllowed:         http.StatusMethodNotAllowed,
	fault.Conflict:                 http.StatusConflict,
	fault.KeyReused:                http.StatusUnprocessableEntity,
	fault.RequestTimeout:           http.StatusRequestTimeout,
	fault.PayloadTooLarge:          http.StatusRequestEntityTooLarge,
	fault.UnsupportedMediaType:     http.StatusUnsupportedMediaType,
	fault.RateLimited:              http.StatusTooManyRequests,
	fault.Internal:                 http.StatusInternalServerError,
	fault.SMSUnavailable:           http.StatusServiceUnavailable,
	fault.Unavailable:              http.StatusServiceUnavailable,
	fault.ShopClosed:               http.StatusServiceUnavailable,
}

// Statuses returns every code of the contract with its HTTP status.
func Statuses() map[fault.Code]int { return maps.Clone(statuses) }

// Status returns the HTTP status of a code.
func Status(code fault.Code) int {
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

// Failed reports whether a code says that the service, and not the request, is at fault.
func Failed(code fault.Code) bool { return statuses[code] >= http.StatusInternalServerError }

// errorBody is the error answer of every route (contract 1.11).
type errorBody struct {
	StatusCode int           `json:"statusCode"`
	Code       fault.Code    `json:"code"`
	Message    string        `json:"message"`
	Errors     []fault.Field `json:"errors,omitempty"`
	Details    any           `json:"details,omitempty"`
	RequestID  string        `json:"requestId"`
}

// WriteError answers a request with an error, in the language of its reader, with the status of its code. An
// error that is not a *fault.Error is shown as INTERNAL, without detail; the caller logs it. The request id
// is taken from the X-Request-Id header of the response, which must be set.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	e := fault.From(err)
	WriteErrorStatus(w, r, e, Status(e.Code))
}

// WriteErrorStatus is WriteError with a status of the caller's choice.
func WriteErrorStatus(w http.ResponseWriter, r *http.Request, e *fault.Error, status int) {
	request.Of(r.Context()).Note.Answers(string(e.Code), 1)
	reader := request.Language(r.Context())
	e = reader.Error(e)
	body, _ := json.Marshal(errorBody{
		StatusCode: status, Code: e.Code, Message: e.Message, Errors: e.Fields, Details: e.Details,
		RequestID: w.Header().Get("X-Request-Id"),
	})
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	reader.Label(h)
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if seconds := e.RetrySeconds(); seconds > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds))
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// OnlyRead fails with METHOD_NOT_ALLOWED for a request that is neither a GET nor a HEAD, and sets the Allow header of
// the answer.
func OnlyRead(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	w.Header().Set("Allow", "GET, HEAD")
	return fault.New(fault.MethodNotAllowed, "this path takes GET and HEAD")
}
