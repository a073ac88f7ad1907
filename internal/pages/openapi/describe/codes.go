package describe

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/rest"
)

// codes returns the codes that a route may fail with, sorted: those of every route of its kind, and those
// that the descriptions of the selected fields name.
func (b *builder) codes(route rest.Route, q query) []fault.Code {
	codes := []fault.Code{fault.BadRequest, fault.ValidationFailed, fault.Internal, fault.Unavailable}
	if q.needsSignIn {
		codes = append(codes, fault.Unauthenticated)
	}
	if q.needsKey {
		codes = append(codes, fault.InvalidCredentials)
	}
	if q.takesKey(route) {
		codes = append(codes, fault.Conflict, fault.KeyReused)
	}
	if strings.Contains(route.Path, "{") {
		codes = append(codes, fault.NotFound)
	}
	if strings.Contains(route.Path, "{domain}") || strings.Contains(route.Path, "{businessId}") {
		codes = append(codes, fault.ShopClosed)
	}
	if route.HasBody() {
		codes = append(codes, fault.RequestTimeout, fault.PayloadTooLarge, fault.UnsupportedMediaType)
	}
	codes = append(codes, b.called(q.SelectionSet)...)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// codeForm matches a code in a description. A single word may be something else, such as a currency.
var codeForm = regexp.MustCompile("`[A-Z]+(_[A-Z]+)*`")

// called returns the codes that the descriptions of the selected fields name.
func (b *builder) called(selections ast.SelectionSet) []fault.Code {
	var codes []fault.Code
	for _, field := range fieldsIn(selections) {
		for _, word := range codeForm.FindAllString(field.Definition.Description, -1) {
			word = strings.Trim(word, "`")
			if _, known := wire.Statuses()[fault.Code(word)]; known {
				codes = append(codes, fault.Code(word))
			} else if strings.Contains(word, "_") {
				b.fail("%s names %s, which is no code", field.Name, word)
			}
		}
	}
	return codes
}

// everyCode returns the codes that some route may answer with.
func everyCode() []string {
	var codes []string
	for code := range wire.Statuses() {
		if !slices.Contains(graphQLOnly, code) {
			codes = append(codes, string(code))
		}
	}
	slices.Sort(codes)
	return codes
}

// graphQLOnly are codes that REST does not have: of errors in client documents, and of operations for staff.
var graphQLOnly = []fault.Code{fault.ParseFailed, fault.DocumentInvalid, fault.LimitExceeded,
	fault.PersistedQueryNotFound, fault.SecondFactorRequired}
