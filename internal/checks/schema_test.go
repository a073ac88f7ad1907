package checks_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	graphql "github.com/vektah/gqlparser/v2/ast"

	"storefront"
)

// loadSchema reads schema.graphql with all of its directives.
func loadSchema(t *testing.T) *graphql.Schema {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&graphql.Source{Name: "schema.graphql", Input: storefront.Schema})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// wordsOfEngine are names of the schema that the engine may contain because they also name something else.
var wordsOfEngine = map[string]string{
	"code":    "extensions.code of an error",
	"version": "extensions.persistedQuery.version of a request",
}

var dotted = regexp.MustCompile(`^\w+(\.\w+)*$`)

// TestEngineNamesNoField checks that graph/document, engine and http contain no name of a type, field or argument of
// schema.graphql: directives in the schema carry the rules for them. The names of the directives are allowed.
func TestEngineNamesNoField(t *testing.T) {
	schema := loadSchema(t)
	names, words := map[string]bool{}, map[string]bool{}
	for _, definition := range schema.Types {
		if definition.BuiltIn {
			continue
		}
		names[definition.Name] = true
		for _, field := range definition.Fields {
			names[field.Name] = true
			for _, argument := range field.Arguments {
				names[argument.Name] = true
			}
		}
	}
	for _, directive := range schema.Directives {
		words[directive.Name] = true
		for _, argument := range directive.Arguments {
			words[argument.Name] = true
			for _, value := range schema.Types[argument.Type.Name()].EnumValues {
				words[value.Name] = true
			}
		}
	}
	var files []string
	for _, room := range []string{"document", "engine", "http"} {
		inRoom, err := filepath.Glob(filepath.Join(root, "graph", room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, inRoom...)
	}
	read, seen := 0, map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		file.Imports, file.Decls = nil, slices.DeleteFunc(file.Decls, func(d ast.Decl) bool {
			general, ok := d.(*ast.GenDecl)
			return ok && general.Tok == token.IMPORT
		})
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			read++
			text, err := strconv.Unquote(literal.Value)
			if err != nil || !dotted.MatchString(text) {
				return true
			}
			for word := range strings.SplitSeq(text, ".") {
				if !names[word] || words[word] || strings.HasPrefix(text, "__") {
					continue
				}
				if seen[word] = true; wordsOfEngine[word] == "" {
					t.Errorf("%s: %q is a name of the schema: say what holds for it by a directive there",
						set.Position(literal.Pos()), text)
				}
			}
			return true
		})
	}
	for word := range wordsOfEngine {
		if !seen[word] {
			t.Errorf("the engine does not write %q any more", word)
		}
	}
	if read < 100 || len(names) < 500 {
		t.Errorf("only %d texts and %d names were found", read, len(names))
	}
}

// TestMutationsSayHowOften checks that every mutation declares what a second request with the same
// Idempotency-Key does. Mutations without a sign-in or with a password must also declare how often an operation
// may contain them.
func TestMutationsSayHowOften(t *testing.T) {
	schema := loadSchema(t)
	own := []string{"once", "again", "oneInRequest", "manyInRequest", "ofGuest"}
	for _, definition := range schema.Types {
		for _, field := range definition.Fields {
			for _, name := range own {
				if definition != schema.Mutation && field.Directives.ForName(name) != nil {
					t.Errorf("%s.%s has @%s, which holds for mutations", definition.Name, field.Name, name)
				}
			}
		}
	}
	for _, field := range schema.Mutation.Fields {
		for _, fault := range faultsOfMutation(schema, field) {
			t.Errorf("%s: %s", field.Name, fault)
		}
	}
	if len(schema.Mutation.Fields) < 80 {
		t.Errorf("only %d mutations were found", len(schema.Mutation.Fields))
	}
}

// faultsOfMutation returns the faults of a mutation's directives: missing and contradictory ones.
func faultsOfMutation(schema *graphql.Schema, field *graphql.FieldDefinition) (faults []string) {
	has := func(name string) bool { return field.Directives.ForName(name) != nil }
	says := func(name, argument, want string) bool {
		directive := field.Directives.ForName(name)
		if directive == nil || directive.Arguments.ForName(argument) == nil {
			return false
		}
		return directive.Arguments.ForName(argument).Value.Raw == want
	}
	wrong := func(is bool, fault string) {
		if is {
			faults = append(faults, fault)
		}
	}
	open := !has("staff") && (!has("signedIn") || says("signedIn", "optional", "true"))
	stored, atGateway := says("once", "stored", "true"), says("once", "atGateway", "true")
	wrong(has("once") == has("again"), "is it done @once for an Idempotency-Key, or @again?")
	ofCustomers := says("once", "ofCustomers", "true")
	wrong(has("once") && open && !atGateway && !ofCustomers,
		"without a sign-in nothing says whose key it is, so it is done @again, or @once(ofCustomers: true)")
	wrong(ofCustomers && !open, "only customers may send it, so that it need not say @once(ofCustomers: true)")
	wrong(has("again") && !open && !has("oneInRequest"), "a mutation of a customer is done @once")
	wrong(stored && has("staff"), "an answer to staff may not be stored")
	wrong(atGateway != has("apiKey"), "mutations with @apiKey are done once by the gateway, and no others are")
	for _, member := range schema.Types[field.Type.Name()].Fields {
		wrong(stored && member.Directives.ForName("secret") != nil,
			"an answer with the secret "+member.Name+" may not be stored")
	}
	counted := 0
	for _, name := range []string{"oneInRequest", "manyInRequest", "ofGuest"} {
		if has(name) {
			counted++
		}
	}
	wrong(counted > 1, "it has two of @oneInRequest, @manyInRequest and @ofGuest")
	wrong(open && counted == 0, "anybody may send it: is it @oneInRequest, @manyInRequest or @ofGuest?")
	for _, argument := range field.Arguments {
		for _, member := range schema.Types[argument.Type.Name()].Fields {
			rule := member.Directives.ForName("constraint")
			if rule == nil || rule.Arguments.ForName("format") == nil {
				continue
			}
			format := rule.Arguments.ForName("format").Value.Raw
			wrong((format == "password" || format == "newPassword") && !has("oneInRequest"),
				member.Name+" is a password, which may be tried once in a request")
		}
	}
	if guest := field.Directives.ForName("ofGuest"); guest != nil && guest.Arguments.ForName("token") != nil {
		token := field.Arguments.ForName(guest.Arguments.ForName("token").Value.Raw)
		wrong(token == nil || token.Directives.ForName("secret") == nil, "@ofGuest names no argument with @secret")
	}
	return faults
}

// TestFaultsOfMutation checks that mutations with missing or wrong directives are refused.
func TestFaultsOfMutation(t *testing.T) {
	declared, _, _ := strings.Cut(storefront.Schema, "\ntype Query {")
	declared = strings.Replace(declared, "  subscription: Subscription\n", "", 1)
	for mutation, faults := range map[string]int{
		`a: Payload! @signedIn @once(stored: true)`:                              0,
		`a: Payload! @manyInRequest @again`:                                      0,
		`a: Payload!`:                                                            2, // of keys and of frequency
		`a: Payload! @signedIn`:                                                  1,
		`a: Payload! @oneInRequest`:                                              1,
		`a: Payload! @again`:                                                     1,
		`a: Payload! @signedIn(optional: true) @again`:                           1,
		`a: Payload! @signedIn @again`:                                           1,
		`a: Payload! @signedIn @oneInRequest @again`:                             0,
		`a: Payload! @oneInRequest @once(stored: true)`:                          1,
		`a: Payload! @signedIn @once(stored: true) @again`:                       2,
		`a: Payload! @manyInRequest @once(stored: true, ofCustomers: true)`:      0,
		`a: Payload! @signedIn @once(stored: true, ofCustomers: true)`:           1,
		`a: Payload! @staff(may: seeShop) @once(stored: true)`:                   1,
		`a: Payload! @staff(may: seeShop) @once(stored: false)`:                  0,
		`a: Secret! @signedIn @once(stored: true)`:                               1,
		`a: Payload! @apiKey @oneInRequest @again`:                               1,
		`a: Payload! @apiKey @oneInRequest @once(stored: true, atGateway: true)`: 0,
		`a(input: Input!): Payload! @signedIn @once(stored: true)`:               1,
		`a(input: Input!): Payload! @signedIn @once(stored: true) @oneInRequest`: 0,
		`a(token: ID!): Payload! @again @ofGuest(token: "token")`:                1,
		`a(token: ID! @secret): Payload! @again @ofGuest(token: "token")`:        0,
		`a(token: ID! @secret): Payload! @again @ofGuest(token: "other")`:        1,
		`a(token: ID! @secret): Payload! @again @ofGuest @manyInRequest`:         1,
	} {
		schema, err := gqlparser.LoadSchema(&graphql.Source{Input: declared + `
			enum Permission { seeShop }
			type Payload { message: String }
			type Secret { key: String @secret }
			input Input { old: String @constraint(format: password) }
			type Query { a: String }
			type Mutation { ` + mutation + ` }`})
		if err != nil {
			t.Errorf("%s: %v", mutation, err)
			continue
		}
		if got := faultsOfMutation(schema, schema.Mutation.Fields.ForName("a")); len(got) != faults {
			t.Errorf("%s: got %q, want %d faults", mutation, got, faults)
		}
	}
}

// ofOtherDomains are the fields whose domain argument does not identify their shop.
var ofOtherDomains = []string{"changeDomain", "addDomainAlias", "removeDomainAlias"}

// TestShopsByDomain checks that every field that takes the id of a shop also accepts its domain instead.
func TestShopsByDomain(t *testing.T) {
	found := 0
	for _, definition := range loadSchema(t).Types {
		for _, field := range definition.Fields {
			id := field.Arguments.ForName("businessId")
			if id == nil || slices.Contains(ofOtherDomains, field.Name) {
				continue
			}
			found++
			domain := field.Arguments.ForName("domain")
			if id.Directives.ForName("orDomain") == nil || id.Type.NonNull || domain == nil || domain.Type.NonNull {
				t.Errorf("%s takes businessId: let it take the domain instead, by @orDomain", field.Name)
			}
		}
	}
	if found < 140 {
		t.Errorf("only %d fields were found", found)
	}
}

// sizes are the arguments of lists by which a client chooses their size.
var sizes = []string{"pageSize", "first", "last"}

func isSized(field *graphql.FieldDefinition) bool {
	return slices.ContainsFunc(field.Arguments, func(a *graphql.ArgumentDefinition) bool {
		return slices.Contains(sizes, a.Name)
	})
}

// TestListsSayTheirSize checks that every list of objects has a size: by arguments of its own, by arguments of
// the page that contains it, or by @listSize. A connection must cost as much as its page.
func TestListsSayTheirSize(t *testing.T) {
	schema := loadSchema(t)
	page := map[string]bool{} // types that only fields with a size return
	for _, definition := range schema.Types {
		for _, field := range definition.Fields {
			if name := field.Type.Name(); definition.Kind == graphql.Object && schema.Types[name].IsCompositeType() {
				known, seen := page[name]
				page[name] = (known || !seen) && isSized(field) && field.Type.Elem == nil
			}
		}
	}
	lists, pairs := 0, 0
	for _, definition := range schema.Types {
		if definition.BuiltIn || definition.Kind != graphql.Object {
			continue
		}
		for _, field := range definition.Fields {
			place := definition.Name + "." + field.Name
			says := field.Directives.ForName("listSize") != nil
			isList := field.Type.Elem != nil && schema.Types[field.Type.Name()].IsCompositeType()
			sized := isSized(field) || page[definition.Name]
			switch {
			case isList && !sized && !says:
				t.Errorf("%s: say by @listSize how many there may be", place)
			case says && (!isList || sized):
				t.Errorf("%s: @listSize says nothing here", place)
			}
			if isList {
				lists++
			}
			if connection := definition.Fields.ForName(field.Name + "Connection"); connection != nil {
				pairs++
				if got, want := costsOf(connection), costsOf(field); !slices.Equal(got, want) {
					t.Errorf("%s: got the costs %q of its connection, want %q", place, got, want)
				}
			}
		}
	}
	if lists < 80 || pairs < 10 {
		t.Errorf("only %d lists and %d connections were found", lists, pairs)
	}
}

// costsOf returns what a field and its arguments cost.
func costsOf(field *graphql.FieldDefinition) (costs []string) {
	note := func(name string, directives graphql.DirectiveList) {
		if cost := directives.ForName("cost"); cost != nil {
			costs = append(costs, name+" "+cost.Arguments.ForName("weight").Value.Raw)
		}
	}
	note("", field.Directives)
	arguments := slices.SortedFunc(slices.Values(field.Arguments), func(a, b *graphql.ArgumentDefinition) int {
		return cmp.Compare(a.Name, b.Name)
	})
	for _, argument := range arguments {
		note(argument.Name, argument.Directives)
	}
	return costs
}

// TestScalarsSayTheirForm checks the words of @reads, which graph/document/scalars.go knows.
func TestScalarsSayTheirForm(t *testing.T) {
	found := 0
	for _, definition := range loadSchema(t).Types {
		if rule := definition.Directives.ForName("reads"); rule != nil {
			found++
			form := rule.Arguments.ForName("as").Value.Raw
			if !slices.Contains([]string{"any", "decimal", "time"}, form) {
				t.Errorf("%s is read as %q", definition.Name, form)
			}
		}
	}
	if found < 3 {
		t.Errorf("only %d scalars say their form", found)
	}
}
