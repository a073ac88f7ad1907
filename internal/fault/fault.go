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
	PersistedQueryNotFound   Code = "PERSISTED_QUERY_NOT_FOUND" // GraphQL only: this instance does not know the document of a hash
	RateLimited              Code = "RATE_LIMITED"
	Internal                 Code = "INTERNAL"
	SMSUnavailable           Code = "SMS_UNAVAILABLE"
	Unavailable              Code = "UNAVAILABLE"
)

// Error is a failure a caller may see. Cause is for the log only.
type Error struct {
	Code       Code
	Message    string        // for people, in English; tells the next step where there is one
	Fields     []Field       // every offending member, for ValidationFailed alone
	Details    any           // what the contract adds to some codes
	RetryAfter time.Duration // when it makes sense to try again; 0 says nothing
	Cause      error
	text       Text // what Message was made of; the zero Text where that is Fields, or nothing of ours
}

// Field names one offending member: a dotted path as the client sent it ("positivePoints.0") and what is wrong with it.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	text    Text
}

// New makes an error of a code with words for the caller: a constant English format, the key to its translations.
func New(code Code, format string, args ...any) *Error {
	text := Say(format, args...)
	return &Error{Code: code, Message: text.String(), text: text}
}

// Foreign makes an error of a code with words that are not ours, and so stay as they are in every language.
func Foreign(code Code, message string) *Error { return &Error{Code: code, Message: message} }

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
func (e *Error) RetrySeconds() int { return Seconds(e.RetryAfter) }

// Seconds is a wait in whole seconds, after which it is over.
func Seconds(wait time.Duration) int {
	return int((max(wait, 0) + time.Second - 1) / time.Second)
}

// IsForeign tells whether the words are not ours.
func (e *Error) IsForeign() bool { return len(e.Fields) == 0 && e.text.Format == "" }

// In gives the error with its words as say puts them. Foreign words stay.
func (e *Error) In(say func(Text) string) *Error {
	said := *e
	if len(e.Fields) > 0 {
		said.Message, said.Fields = inAll(e.Fields, say)
	} else if !e.IsForeign() {
		said.Message = say(e.text)
	}
	return &said
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

// Fields collects what is wrong with a request, so that one answer names all of it; of more than 100 members, the first.
type Fields []Field

// mostFields keeps the answer to a request that is all wrong from being many times as long as the request.
const mostFields = 100

// Add notes that a member is wrong. The message reads after the member's name: "must not be empty".
func (f *Fields) Add(field, format string, args ...any) {
	f.AddText(field, Say(format, args...))
}

// AddText is Add with words that are made already.
func (f *Fields) AddText(field string, text Text) {
	if len(*f) < mostFields {
		*f = append(*f, Field{field, text.String(), text})
	}
}

// Err is nil when nothing was added, else one ValidationFailed that names every member.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	message, _ := inAll(f, Text.String)
	return &Error{Code: ValidationFailed, Message: message, Fields: f}
}

// inAll gives the members as say puts what is wrong with them, and the sentence that names them all.
func inAll(fields []Field, say func(Text) string) (sentence string, said []Field) {
	said = make([]Field, len(fields))
	each := make([]string, len(fields))
	for i, one := range fields {
		one.Message = say(one.text)
		said[i] = one
		each[i] = say(Say("%s %s", one.Field, one.Message))
	}
	return strings.Join(each, say(Say("; "))), said
}
