package document

import "github.com/vektah/gqlparser/v2/ast"

// SignIn is whether an operation needs a signed-in customer.
type SignIn int

const (
	SignInIgnored  SignIn = iota // tokens are not read
	SignInOptional               // a token is checked if there is one
	SignInRequired               // callers without a token are refused
)

// signInOf returns what a field's directives @signedIn, @staff and @ofCaller require. Staff are signed-in
// customers too, or programs.
func signInOf(field *ast.FieldDefinition) SignIn {
	if field.Directives.ForName("staff") != nil {
		return SignInRequired
	}
	required := signInBy(field.Directives)
	if required == SignInIgnored && field.Directives.ForName("ofCaller") != nil {
		return SignInOptional
	}
	return required
}

// signInBy returns what the directive @signedIn of a field or an operation requires.
func signInBy(directives ast.DirectiveList) SignIn {
	switch directive := directives.ForName("signedIn"); {
	case directive == nil:
		return SignInIgnored
	case isSet(directive, "optional"):
		return SignInOptional
	}
	return SignInRequired
}

// RequiresSignIn reports whether a field answers only signed-in customers, staff and programs.
func RequiresSignIn(field *ast.FieldDefinition) bool { return signInOf(field) == SignInRequired }
