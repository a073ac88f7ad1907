package service_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"storefront/internal/contract/shoptest"
	"storefront/internal/fault"
	"storefront/rest"
)

// TestAPIsAgree sends every request to its route and, as the route's operation with the same variables, to
// /graphql: answers and errors are the same.
func TestAPIsAgree(t *testing.T) {
	_, operations := shoptest.Operations(t)
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		eachExample(t, func(route rest.Route, requests []string) {
			if strings.Contains(route.Path, "{domain}") {
				requests = append(requests, strings.Replace(requests[0], "tools.example", "nobody.example", 1))
			}
			operation := operations.Operations.ForName(route.Operation)
			for _, request := range requests {
				request = p.Named(t, request)
				body, _ := json.Marshal(map[string]any{
					"query":     written(operations, operation),
					"variables": variables(t, route, operation, request),
				})
				agree(t, p, request, p.Ask(t, request), p.Send(t, "POST", "/graphql", string(body)))
			}
		})
	})
}

func agree(t *testing.T, p *shoptest.Place, request string, byREST, byGraphQL shoptest.Answer) {
	t.Helper()
	var got struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct {
				Code    fault.Code
				Errors  []fault.Field
				Details json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(byGraphQL.Body, &got); err != nil {
		t.Fatalf("%s: %v: %s", request, err, byGraphQL.Body)
	}
	if len(got.Errors) > 1 || (byREST.Status >= 400) != (len(got.Errors) > 0) {
		t.Errorf("%s: REST %d %s, GraphQL %s", request, byREST.Status, byREST.Body, byGraphQL.Body)
		return
	}
	if len(got.Errors) == 0 {
		byGraphQL.Body = bodyOf(t, got.Data)
		if one, other := p.Readable(t, byREST), p.Readable(t, byGraphQL); !bytes.Equal(one, other) {
			t.Errorf("%s: got by GraphQL %s\nwant %s as by REST", request, other, one)
		}
		return
	}
	refused := got.Errors[0]
	for i, field := range refused.Extensions.Errors {
		refused.Extensions.Errors[i].Field = strings.TrimPrefix(field.Field, rest.BodyVariable+".")
		refused.Message = strings.Replace(refused.Message, field.Field, refused.Extensions.Errors[i].Field, 1)
	}
	asREST := errorOf(refused.Extensions.Code, refused.Message, refused.Extensions.Errors)
	var sent struct {
		Code    fault.Code
		Message string
		Errors  []fault.Field
	}
	if err := json.Unmarshal(byREST.Body, &sent); err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	if want := errorOf(sent.Code, sent.Message, sent.Errors); asREST != want {
		t.Errorf("%s: got by REST %s\nwant %s as by GraphQL", request, asREST, want)
	}
}

func errorOf(code fault.Code, message string, fields []fault.Field) string {
	text, _ := json.Marshal([]any{code, message, fields})
	return string(text)
}

// bodyOf returns the value of the alias `body` in the data, or else the data.
func bodyOf(t testing.TB, data json.RawMessage) json.RawMessage {
	t.Helper()
	for at := data; ; {
		var members map[string]json.RawMessage
		if json.Unmarshal(at, &members) != nil || len(members) != 1 {
			return data
		}
		for name, member := range members {
			if name == "body" {
				return member
			}
			at = member
		}
	}
}

// written returns an operation with the fragments it uses.
func written(all *ast.QueryDocument, operation *ast.OperationDefinition) string {
	document := &ast.QueryDocument{Operations: ast.OperationList{operation}}
	var walk func(ast.SelectionSet)
	walk = func(selections ast.SelectionSet) {
		for _, selection := range selections {
			switch s := selection.(type) {
			case *ast.Field:
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if document.Fragments.ForName(s.Name) == nil {
					document.Fragments = append(document.Fragments, all.Fragments.ForName(s.Name))
					walk(all.Fragments.ForName(s.Name).SelectionSet)
				}
			}
		}
	}
	walk(operation.SelectionSet)
	var text bytes.Buffer
	formatter.NewFormatter(&text).FormatQueryDocument(document)
	return text.String()
}

// variables gives the values of a request the JSON types of their variables; unreadable values stay text.
func variables(t testing.TB, route rest.Route, operation *ast.OperationDefinition,
	request string) map[string]any {
	t.Helper()
	read := map[string]any{}
	_, body, _ := strings.Cut(request, " {")
	var members map[string]json.RawMessage
	if body != "" {
		if err := json.Unmarshal([]byte("{"+body), &members); err != nil {
			t.Fatal(err)
		}
	}
	given := inPlace(t, route, request)
	for _, variable := range operation.VariableDefinitions {
		name := variable.Variable
		if text, ok := given[name]; ok {
			read[name] = typed(text, variable.Type.NamedType)
		} else if member, ok := members[name]; ok {
			read[name] = member
		} else if name == rest.BodyVariable {
			read[name] = members
		}
	}
	return read
}

func typed(text, name string) any {
	switch {
	case name == "Boolean" && (text == "true" || text == "1"):
		return true
	case name == "Boolean" && (text == "false" || text == "0"):
		return false
	case (name == "Int" || name == "Decimal") && json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	return text
}
