package staff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"storefront"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestWhatStaffWriteTheyRead writes every member of every input of staff in the schema, and reads it back
// with a document made from the input. It fails for a member that staff cannot read. Records with a status
// are read in every status, before and after their time of publication.
func TestWhatStaffWriteTheyRead(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		things(t, c)
		owner := c.Staff(t, c.Tools, record.Owner)
		for _, kind := range []string{"blog", "portfolio"} {
			owner.Do(t, `mutation($shop: ID!) { createCategory(businessId: $shop, entityType: `+kind+`,
				slug: "hand-saws", input: {name: "Saws", nameFa: "اره"}) { id } }`,
				map[string]any{"shop": c.Tools}, nil)
		}
		if _, err := c.Service.Images.Claim(t.Context()); err != nil { // the test writes rows of images
			t.Fatal(err)
		}
		workers := map[bool]shoptest.Worker{
			false: owner, true: c.Staff(t, c.Tools, record.Operator)}
		read := map[string]bool{}
		for _, mutation := range schema.Mutation.Fields {
			directive, input := mutation.Directives.ForName("staff"), inputOf(schema, mutation)
			if directive == nil || input == nil {
				continue
			}
			switch input.Name {
			case "GatewayAccountInput", // TestGatewayAccounts reads it, but for the credentials
				"RefundInput", "RecordedRefundInput": // TestRefund of payments reads them
				continue
			}
			if seen, many := changes[input.Name]; many {
				changesAreRead(t, schema, input, seen)
				continue
			}
			how, known := readables[input.Name]
			if !known {
				t.Errorf("how staff read what %s writes with %s is not known", mutation.Name, input.Name)
				continue
			}
			n := 1
			if read[input.Name] || strings.HasPrefix(mutation.Name, "update") {
				n = 2
			}
			read[input.Name] = true
			w := writes{
				t: t, schema: schema, worker: workers[permissionOf(directive) == "operateService"],
				mutation: mutation, input: input, how: how, variables: map[string]any{"shop": c.Tools},
			}
			if how.of != nil {
				maps.Copy(w.variables, how.of(t, c))
			}
			sample := w.sample(input, n)
			w.write(sample)
			w.reads(sample)
			status := input.Fields.ForName("status")
			if n == 1 || status == nil || how.key == "" {
				continue
			}
			for n := range 2 { // the one on sale, the other not
				sample := w.sample(input, n+1)
				w.write(sample)
				for _, value := range schema.Types[status.Type.Name()].EnumValues {
					for _, at := range []string{"2020-01-01T00:00:00Z", "2027-01-01T00:00:00Z"} {
						change := map[string]any{"status": value.Name, "publishedAt": at}
						for member, status := range how.only {
							if sample[member] = nil; status == value.Name {
								change[member] = member
							}
						}
						w.write(change)
						maps.Copy(sample, change)
						w.reads(sample)
					}
				}
			}
		}
		for name := range readables {
			if !read[name] {
				t.Errorf("no mutation of staff has a %s", name)
			}
		}
	})
}

// inputOf returns the input object whose members a mutation writes, if there is one.
func inputOf(schema *ast.Schema, mutation *ast.FieldDefinition) *ast.Definition {
	for _, a := range mutation.Arguments {
		of := schema.Types[a.Type.Name()]
		if of.Kind == ast.InputObject && !slices.Contains(filters, of.Name) {
			return of
		}
	}
	return nil
}

// changesAreRead checks that types which staff read have the members of a change of many records.
func changesAreRead(t *testing.T, schema *ast.Schema, input *ast.Definition, seen []string) {
	t.Helper()
	for _, m := range input.Fields {
		for _, name := range seen {
			if !slices.Contains(verbs, m.Name) && schema.Types[name].Fields.ForName(m.Name) == nil {
				t.Errorf("%s.%s is not in %s", input.Name, m.Name, name)
			}
		}
	}
}

// writes is a mutation of staff, and how they read what it writes.
type writes struct {
	t         *testing.T
	schema    *ast.Schema
	worker    shoptest.Worker
	mutation  *ast.FieldDefinition
	input     *ast.Definition
	how       readable
	variables map[string]any
}

func (w writes) write(input map[string]any) {
	w.t.Helper()
	var declared, given []string
	variables := map[string]any{}
	for _, a := range w.mutation.Arguments {
		switch value, known := w.variables[a.Name]; {
		case w.schema.Types[a.Type.Name()].Kind == ast.InputObject:
			declared, given = append(declared, "$"+a.Name+": "+a.Type.String()), append(given, a.Name+": $"+a.Name)
			if variables[a.Name] = input; a.Type.Elem != nil {
				variables[a.Name] = []any{input}
			}
		case a.Name == "businessId":
			declared, given = append(declared, "$shop: ID!"), append(given, "businessId: $shop")
			variables["shop"] = w.variables["shop"]
		case known:
			declared, given = append(declared, "$"+a.Name+": "+a.Type.String()), append(given, a.Name+": $"+a.Name)
			variables[a.Name] = value
		}
	}
	if w.how.key != "" {
		given = append(given, w.how.key)
	}
	got := w.worker.Ask(w.t, fmt.Sprintf("mutation(%s) { %s(%s) { __typename } }", strings.Join(declared, ", "),
		w.mutation.Name, strings.Join(given, ", ")), variables)
	if len(got.Errors) > 0 {
		w.t.Errorf("%s: got %+v", w.mutation.Name, got.Errors)
	}
}

// reads checks that the record is read as it was written.
func (w writes) reads(input map[string]any) {
	w.t.Helper()
	want := maps.Clone(input)
	for name := range w.how.elsewhere {
		delete(want, name)
	}
	if len(want) == 0 {
		return
	}
	names := pathOf(w.how.read)
	selected := selectionOf(w.schema, w.input, w.how.elsewhere)
	declared, variables := []string{}, map[string]any{}
	for _, name := range []string{"shop", "orderId", "mediaId"} {
		if strings.Contains(w.how.read, "$"+name) {
			declared, variables[name] = append(declared, "$"+name+": ID!"), w.variables[name]
		}
	}
	document := "query"
	if len(declared) > 0 {
		document += "(" + strings.Join(declared, ", ") + ")"
	}
	document += " { " + strings.Join(names, " { ") + " { " + selected
	key, is, _ := strings.Cut(w.how.item, " ")
	document += " " + key + strings.Repeat(" }", len(names)+1)
	answered := w.worker.Ask(w.t, document, variables)
	if len(answered.Errors) > 0 {
		w.t.Errorf("what %s writes cannot be read: %+v", w.mutation.Name, answered.Errors)
		return
	}
	whole, _ := json.Marshal(answered.Data) // it was read from JSON
	var got any
	if err := json.Unmarshal(whole, &got); err != nil {
		w.t.Fatal(err)
	}
	for _, name := range names {
		bare, _, _ := strings.Cut(name, "(")
		got = got.(map[string]any)[bare]
	}
	if items, ok := got.([]any); ok {
		i := slices.IndexFunc(items, func(item any) bool { return fmt.Sprint(item.(map[string]any)[key]) == is })
		if i < 0 {
			w.t.Errorf("after %s: got %s, want one whose %s is %s", w.mutation.Name, whole, key, is)
			return
		}
		got = items[i]
	}
	if different := difference(want, got); different != "" {
		w.t.Errorf("after %s: %s", w.mutation.Name, different)
	}
}

// pathOf splits a path of names at the spaces outside of parentheses.
func pathOf(path string) (names []string) {
	for open, word := false, ""; path != ""; path = path[1:] {
		open = path[0] == '(' || open && path[0] != ')'
		if path[0] != ' ' || open {
			word += path[:1]
		}
		if path[0] == ' ' && !open || len(path) == 1 {
			names, word = append(names, word), ""
		}
	}
	return names
}

// selectionOf returns a selection of the members of an input.
func selectionOf(schema *ast.Schema, input *ast.Definition, without map[string]string) string {
	var selected []string
	for _, m := range input.Fields {
		if _, not := without[m.Name]; not {
			continue
		}
		if of := schema.Types[m.Type.Name()]; of.Kind == ast.InputObject {
			selected = append(selected, m.Name+" { "+selectionOf(schema, of, without)+" }")
		} else {
			selected = append(selected, m.Name)
		}
	}
	return strings.Join(selected, " ")
}

// sample returns a value for every member of an input.
func (w writes) sample(input *ast.Definition, n int) map[string]any {
	w.t.Helper()
	sample := map[string]any{}
	for _, m := range input.Fields {
		said, known := written[input.Name+"."+m.Name]
		if !known {
			said, known = written[m.Name]
		}
		of := w.schema.Types[m.Type.Name()]
		var value any
		switch {
		case known:
			if strings.Contains(said, "%") {
				said = fmt.Sprintf(said, n)
			}
			if err := json.Unmarshal([]byte(said), &value); err != nil {
				w.t.Fatalf("%s: %v", said, err)
			}
			w.whole(of, m.Name, value)
		case of.Kind == ast.InputObject:
			value = w.sample(of, n)
		case of.Kind == ast.Enum:
			value = of.EnumValues[n%len(of.EnumValues)].Name
		case of.Name == "Int":
			value = float64(10 + n)
		case of.Name == "Boolean":
			value = n == 1
		case of.Name == "String" && m.Type.Elem == nil:
			value = fmt.Sprintf("%s %d", m.Name, n)
		default:
			w.t.Fatalf("no value of %s.%s is known", input.Name, m.Name)
		}
		if _, isList := value.([]any); m.Type.Elem != nil && !isList {
			value = []any{value}
		}
		sample[m.Name] = value
	}
	return sample
}

// whole checks that the items of a written value together have all members of its input.
func (w writes) whole(of *ast.Definition, name string, value any) {
	w.t.Helper()
	items, isList := value.([]any)
	if of.Kind != ast.InputObject || !isList {
		return
	}
	for _, m := range of.Fields {
		has := false
		for _, item := range items {
			has = has || item.(map[string]any)[m.Name] != nil
		}
		if !has && name != "items" {
			w.t.Errorf("the sample of %s has no %s", name, m.Name)
		}
	}
}

// difference returns where a read value differs from the written one, or "". The read value may have more
// members.
func difference(want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for name, value := range want {
			if different := difference(value, object[name]); different != "" {
				return name + "." + different
			}
		}
		return ""
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			break
		}
		for i, value := range want {
			if different := difference(value, list[i]); different != "" {
				return fmt.Sprint(i, ".", different)
			}
		}
		return ""
	}
	if want == got {
		return ""
	}
	return fmt.Sprintf(" got %v, want %v", got, want)
}
