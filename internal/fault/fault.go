// Package fault has the only error type that clients see: a code of the contract, a message, and what to
// correct. All other packages make their errors with it; graph/engine gives the errors of ent and gqlgen a
// code, internal/platform/wire gives each code its status, and internal/locale/language translates the messages.
package fault

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Code names a kind of failure, as written in the contract. Clients branch on it.
type Code string

// The codes of the contract. Package wire gives each its HTTP status; rest/errors.go has the exceptions by operation.
const (
	ValidationFailed         Code = "VALIDATION_FAILED"
	BadRequest               Code = "BAD_REQUEST"
	InvalidCode              Code = "INVALID_CODE"
	NoAccount                Code = "NO_ACCOUNT" // shown only to a client with the right code
	CurrentPasswordIncorrect Code = "CURRENT_PASSWORD_INCORRECT"
	Unauthenticated          Code = "UNAUTHENTICATED"
	InvalidCredentials       Code = "INVALID_CREDENTIALS"
	Forbidden                Code = "FORBIDDEN"
	SecondFactorRequired     Code = "SECOND_FACTOR_REQUIRED" // GraphQL only, like all that staff do
	NotFound                 Code = "NOT_FOUND"
	MethodNotAllowed         Code = "METHOD_NOT_ALLOWED"
	Conflict                 Code = "CONFLICT"
	CartEmpty                Code = "CART_EMPTY"
	InsufficientStock        Code = "INSUFFICIENT_STOCK"
	MaxOrderQuantityExceeded Code = "MAX_ORDER_QUANTITY_EXCEEDED"
	ItemUnavailable          Code = "ITEM_UNAVAILABLE"
	PriceChanged             Code = "PRICE_CHANGED"
	NotDeliverable           Code = "NOT_DELIVERABLE"
	CellAlreadyRegistered    Code = "CELL_ALREADY_REGISTERED"
	CellExistsOtherSite      Code = "CELL_EXISTS_OTHER_SITE"
	KeyReused                Code = "IDEMPOTENCY_KEY_REUSED"
	RequestTimeout           Code = "REQUEST_TIMEOUT"
	PayloadTooLarge          Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType     Code = "UNSUPPORTED_MEDIA_TYPE"
	ParseFailed              Code = "GRAPHQL_PARSE_FAILED"
	DocumentInvalid          Code = "GRAPHQL_VALIDATION_FAILED"
	LimitExceeded            Code = "LIMIT_EXCEEDED"
	PersistedQueryNotFound   Code = "PERSISTED_QUERY_NOT_FOUND" // GraphQL only: no document is known by the hash
	RateLimited              Code = "RATE_LIMITED"
	Internal                 Code = "INTERNAL"
	SMSUnavailable           Code = "SMS_UNAVAILABLE"
	Unavailable              Code = "UNAVAILABLE"
	ShopClosed               Code = "SHOP_CLOSED"
)

// Error is a failure that a client may see. Cause is for the log only.
type Error struct {
	Code       Code
	Message    string        // for people, in English; names the next step if there is one
	Fields     []Field       // for ValidationFailed every offending member, for NotFound those with an unknown id
	Details    any           // what the contract adds to some codes
	MovedTo    string        // of NotFound: the current slug of a record that was requested by an older one
	RetryAfter time.Duration // after which it makes sense to try again; 0: not known
	Cause      error
	text       Text // Message before translation; the zero Text if it was made of Fields or is Foreign
}

// Field names one offending member: a dotted path as the client sent it ("positivePoints.0") and what is
// wrong with it.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	text    Text
}

// New returns an error with a message for the client. format must be a constant: it is the key of the
// translations.
func New(code Code, format string, args ...any) *Error {
	text := Say(format, args...)
	return &Error{Code: code, Message: text.String(), text: text}
}

// Foreign returns an error whose message was made elsewhere and is not translated.
func Foreign(code Code, message string) *Error { return &Error{Code: code, Message: message} }

// Moved returns a NotFound error for a record that was requested by an older slug; to is its current one.
func Moved(cause error, to string) *Error {
	e := Wrap(NotFound, cause, "it has another slug now: %s", to)
	e.MovedTo = to
	return e
}

// CheckVersion fails with CONFLICT if an edit was based on another version of a record than the stored one. It accepts
// a nil version.
func CheckVersion(edited *string, stored string) error {
	if edited == nil || *edited == stored {
		return nil
	}
	return New(Conflict, "somebody else has changed it meanwhile; read it again, then decide")
}

// Wrap is New with a cause for the log.
func Wrap(code Code, cause error, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Cause = cause
	return e
}

// After sets RetryAfter of a new error, and returns the error.
func (e *Error) After(wait time.Duration) *Error {
	e.RetryAfter = wait
	return e
}

// Of names a member of the request with an unknown id in a new NotFound, and returns the error.
func (e *Error) Of(member string) *Error {
	(*Fields)(&e.Fields).Add(member, "is not known")
	return e
}

// Renamed returns the error with other names for its members.
func (e *Error) Renamed(to func(member string) string) *Error {
	renamed := *e
	renamed.Fields = slices.Clone(e.Fields)
	for i, one := range renamed.Fields {
		renamed.Fields[i].Field = to(one.Field)
	}
	return renamed.In(Text.String)
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Cause)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

func (e *Error) Unwrap() error { return e.Cause }

// RetrySeconds returns RetryAfter in whole seconds, rounded up.
func (e *Error) RetrySeconds() int { return Seconds(e.RetryAfter) }

// Seconds returns a wait in whole seconds, rounded up.
func Seconds(wait time.Duration) int {
	return int((max(wait, 0) + time.Second - 1) / time.Second)
}

// IsForeign reports whether the message is not translated.
func (e *Error) IsForeign() bool { return len(e.Fields) == 0 && e.text.Format == "" }

// In returns the error with its message translated by say, unless the message is foreign.
func (e *Error) In(say func(Text) string) *Error {
	said := *e
	sentence, fields := translateFields(e.Fields, say)
	switch {
	case e.text.Format != "":
		said.Message, said.Fields = say(e.text), fields
	case len(fields) > 0:
		said.Message, said.Fields = sentence, fields
	}
	return &said
}

// From returns the Error inside err, or wraps err as Internal, which shows the client no detail.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Wrap(Internal, err, "something went wrong on our side; the request id helps us find it")
}

// Is reports whether err is an Error with a code.
func Is(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// Text returns what is wrong, before translation.
func (f Field) Text() Text { return f.text }

// Fields collects the faults of a request, so that one answer names all of them, up to 100 members.
type Fields []Field

// mostFields bounds the answer, which could otherwise be many times as long as the request.
const mostFields = 100

// Add records that a member is wrong. The message reads after the member's name: "must not be empty".
func (f *Fields) Add(field, format string, args ...any) {
	f.AddText(field, Say(format, args...))
}

// AddText is Add with a finished text.
func (f *Fields) AddText(field string, text Text) {
	if len(*f) < mostFields {
		*f = append(*f, Field{field, text.String(), text})
	}
}

// Invalid returns a ValidationFailed for one member, with a message as Fields.Add takes it.
func Invalid(field, format string, args ...any) error {
	var bad Fields
	bad.Add(field, format, args...)
	return bad.Err()
}

// Full reports whether f has as many faults as one answer can name.
func (f Fields) Full() bool { return len(f) >= mostFields }

// Err returns nil when nothing was added, else one ValidationFailed that names every member.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	message, _ := translateFields(f, Text.String)
	return &Error{Code: ValidationFailed, Message: message, Fields: f}
}

// translateFields returns the fields with messages translated by say, and one sentence that holds them all.
func translateFields(fields []Field, say func(Text) string) (sentence string, said []Field) {
	said = make([]Field, len(fields))
	each := make([]string, len(fields))
	for i, one := range fields {
		one.Message = say(one.text)
		said[i] = one
		each[i] = say(Say("%s %s", one.Field, one.Message))
	}
	return strings.Join(each, say(Say("; "))), said
}

// Text is a message for people: an English format of package fmt, which is the key of its translations, and
// its arguments. An argument that is a Text is translated too.
type Text struct {
	Format string
	Args   []any

	english string
}

// Say returns a text. format must be a constant.
func Say(format string, args ...any) Text { return Text{format, args, fmt.Sprintf(format, args...)} }

// Words returns a text that is not a format, such as words of the schema or of a typed constant.
func Words(words string) Text {
	return Text{Format: strings.ReplaceAll(words, "%", "%%"), english: words}
}

// String returns the text in English.
func (t Text) String() string { return t.english }
