// Package fault holds the one error type of the service: a code of the contract, words for the caller, what to correct.
package fault

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Code names a kind of failure, as written in the contract. Clients decide by it.
type Code string

// The codes of the contract. rest/errors.go gives each its HTTP status.
const (
	ValidationFailed         Code = "VALIDATION_FAILED"
	BadRequest               Code = "BAD_REQUEST"
	InvalidCode              Code = "INVALID_CODE"
	CurrentPasswordIncorrect Code = "CURRENT_PASSWORD_INCORRECT"
	Unauthenticated          Code = "UNAUTHENTICATED"
	InvalidCredentials       Code = "INVALID_CREDENTIALS"
	Forbidden                Code = "FORBIDDEN"
	NotFound                 Code = "NOT_FOUND"
	MethodNotAllowed         Code = "METHOD_NOT_ALLOWED"
	Conflict                 Code = "CONFLICT"
	CartEmpty                Code = "CART_EMPTY"
	InsufficientStock        Code = "INSUFFICIENT_STOCK"
	ItemUnavailable          Code = "ITEM_UNAVAILABLE"
	PriceChanged             Code = "PRICE_CHANGED"
	CellAlreadyRegistered    Code = "CELL_ALREADY_REGISTERED"
	CellExistsOtherSite      Code = "CELL_EXISTS_OTHER_SITE"
	KeyReused                Code = "IDEMPOTENCY_KEY_REUSED"
	PayloadTooLarge          Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType     Code = "UNSUPPORTED_MEDIA_TYPE"
	ParseFailed              Code = "GRAPHQL_PARSE_FAILED"
	DocumentInvalid          Code = "GRAPHQL_VALIDATION_FAILED"
	LimitExceeded            Code = "LIMIT_EXCEEDED"
	RateLimited              Code = "RATE_LIMITED"
	Internal                 Code = "INTERNAL"
	SMSUnavailable           Code = "SMS_UNAVAILABLE"
	Unavailable              Code = "UNAVAILABLE"
)

// Error is a failure a caller may see. Cause is for the log only.
type Error struct {
	Code       Code
	Message    string        // for people; tells the next step where there is one
	Fields     []Field       // every offending member, for ValidationFailed alone
	Details    any           // what the contract adds to some codes
	RetryAfter time.Duration // when it makes sense to try again; 0 says nothing
	Cause      error
}

// Field names one offending member: a dotted path as the client sent it ("positivePoints.0") and what is wrong with it.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// New makes an error of a code with words for the caller.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes an error of a code that keeps its cause for the log.
func Wrap(code Code, cause error, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Cause = cause
	return e
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

func (e *Error) Unwrap() error { return e.Cause }

// RetrySeconds is RetryAfter in whole seconds, after which the time has passed; 0 says nothing.
func (e *Error) RetrySeconds() int {
	return int((max(e.RetryAfter, 0) + time.Second - 1) / time.Second)
}

// From gives the fault inside err, or wraps err as Internal, which shows the caller no detail.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Wrap(Internal, err, "something went wrong on our side; the request id helps us find it")
}

// Is tells whether err is a fault of a code.
func Is(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// Fields collects what is wrong with a request, so that one answer names all of it.
type Fields []Field

// Add notes that a member is wrong. The message reads after the member's name: "must not be empty".
func (f *Fields) Add(field, format string, args ...any) {
	*f = append(*f, Field{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Err is nil when nothing was added, else one ValidationFailed that names every member.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	said := make([]string, len(f))
	for i, one := range f {
		said[i] = one.Field + " " + one.Message
	}
	return &Error{Code: ValidationFailed, Message: strings.Join(said, "; "), Fields: f}
}
