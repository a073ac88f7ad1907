package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/imports"
)

// shorter are parts of what gqlgen generates and what replaces them. Nothing reaches the parts for @defer, which is not
// in the schema that clients see (package exec), and nothing calls Child of a FieldContext. A closure that only calls a
// method is replaced by the method, of which the compiler makes one function for all fields of a type. Without all of
// them, compiling package exec takes a quarter less. A field that is read concurrently needs one closure instead of
// three, and the other fields of such an object are kept and counted by one call (graph/exec/fields.go).
//
// github.com/99designs/gqlgen, pull request 4086, made Child one function for each type; its thread, and issue 2681
// (methods of executionContext, which is open), ask for more of this. No issue asks to leave @defer out.
var shorter = []struct{ part, by string }{
	{`(?s)\n\t+if field\.IsDeferred\(\) \{\n.*?\n\t+continue\n\t+\}\n`, ""},
	{`\tdeferredFieldSet := graphql\.NewFieldSet\(nil\)\n\tdeferLabelToView := .*\n`, ""},
	{`(?s)\tatomic\.AddInt32\(&ec\.Deferred, .*?\n\t\}\)\n\n`, ""},
	{`(?s)\t\tChild: func\(ctx context\.Context, field graphql\.CollectedField\) .*?\n\t\t\},\n`, ""},
	{`(?s)func \(ec \*executionContext\) childFields_\w+\(.*?\n\}\n\n`, ""},
	{`func\(ctx context\.Context, field graphql\.CollectedField\) \(\*graphql\.FieldContext, error\) ` +
		`\{\n\t+return (ec\.fieldContext_\w+)\(ctx, field\)\n\t+\}`, "$1"},
	{`func\(ctx context\.Context, v any\) \(.*, error\) \{\n\t+return (ec\.unmarshal\S+)\(ctx, v\)\n\t+\}`, "$1"},
	{`func\(ctx context\.Context, selections ast\.SelectionSet, v .*\) graphql\.Marshaler ` +
		`\{\n\t+return (ec\.marshal\S+)\(ctx, selections, v\)\n\t+\}`, "$1"},
	{`innerFunc := func\(ctx context\.Context, fs \*graphql\.FieldSet\) \(res graphql\.Marshaler\) \{\n` +
		`\t+defer func\(\) \{\n\t+if r := recover\(\); r != nil \{\n.*\n\t+\}\n\t+\}\(\)\n` +
		`\t+res = (ec\._.*\))\n\t+if res == (graphql\.\w+) \{\n.*\n\t+\}\n\t+return res\n\t+\}\n`,
		"value := ec.counted(out, $2, func(ctx context.Context) graphql.Marshaler { return $1 })\n"},
	{`(?s)rrm := func\(ctx context\.Context\) graphql\.Marshaler \{\n` +
		`\t+return ec\.OperationContext\.RootResolverMiddleware\(ctx,\n[^\n]* innerFunc\(ctx, out\) \}\)\n\t+\}\n+` +
		`\t+out\.Concurrently\(i, func\(ctx context\.Context\) graphql\.Marshaler \{ return rrm\(innerCtx\) \}\)`,
		"out.Concurrently(i, ec.root(innerCtx, value))"},
	{`out\.Concurrently\(i, func\(ctx context\.Context\) graphql\.Marshaler \{ return innerFunc\(ctx, out\) \}\)`,
		"out.Concurrently(i, value)"},
	{`out\.Values\[i\] = (ec\._.*\))\n\t+if out\.Values\[i\] == (graphql\.\w+) \{\n` +
		`\t+atomic\.AddUint32\(&out\.Invalids, 1\)\n\t+\}\n`, "count(out, i, $1, $2)\n"},
	{`type ResolverRoot interface \{`, "type ResolverRoot struct {"}, // a table, not a method for each type
	{`(?m)^\t(\w+)\(\) (\w+Resolver)$`, "\t$1 $2"},
	{`ec\.Resolvers\.(\w+)\(\)`, "ec.Resolvers.$1"},
	{`first \*int, after \*string, last \*int, before \*string`, "window list.Window"},
	{inWindow.String(), windowOf},
}

// inWindow matches the arguments that choose a part of a connection; resolvers take them as a list.Window.
var inWindow = regexp.MustCompile(
	`(\w+(?:\.\w+)?\["first"\]\.\(\*int\)), (.{1,30}\.\(\*string\)), (.{1,30}\.\(\*int\)), (.{1,30}\.\(\*string\))`)

const windowOf = "list.Window{First: $1, After: $2, Last: $3, Before: $4}"

// ofContent matches the declaration of a method that several fields share.
var ofContent = regexp.MustCompile(`(?m)^\t\w*Content\w*\(ctx context\.Context, asked map.*\n`)

// These find the functions that make the context of a field, one for each field.
var (
	ofField = regexp.MustCompile(`(?s)func \(ec \*executionContext\) (fieldContext_\w+)\(\w+ context\.Context, ` +
		`field [^)]*\) \(fc [^)]*\) \{\n(.*?)\n\}\n+`)
	ofScalar = regexp.MustCompile(`^\treturn graphql\.NewScalarFieldContext\(("\w+"), field, (\w+), (\w+), ` +
		`errors\.New\("[^"]*"\)\)$`)
	ofObject = regexp.MustCompile(`(?s)^\tfc = &graphql\.FieldContext\{\n\t+Object: +("\w+"),\n\t+Field: +field,\n` +
		`\t+IsMethod: +(\w+),\n\t+IsResolver: +(\w+),\n\t+\}\n(.*)\treturn fc, nil$`)
	ofArguments = regexp.MustCompile(`(?s)^\tdefer .*fc\.Args, err = (ec\.field_\w+)\(ctx, field\.ArgumentMap`)
	usedContext = regexp.MustCompile(`\bec\.(fieldContext_\w+)`)
)

// shareContexts replaces those functions by two methods for all fields (graph/exec/fields.go): gqlgen writes 1,600,
// and the compiler adds a wrapper for each, as it is passed as a value (pull request 4086 does so for scalars alone).
func shareContexts(text string) (string, error) {
	made := map[string]string{}
	for _, f := range ofField.FindAllStringSubmatch(text, -1) {
		if m := ofScalar.FindStringSubmatch(f[2]); m != nil {
			made[f[1]] = fmt.Sprintf("plainField{%s, %s, %s}.context", m[1], m[2], m[3])
		} else if m := ofObject.FindStringSubmatch(f[2]); m != nil {
			plain := fmt.Sprintf("plainField{%s, %s, %s}", m[1], m[2], m[3])
			if args := ofArguments.FindStringSubmatch(m[4]); args != nil {
				made[f[1]] = fmt.Sprintf("fieldWithArguments{ec, %s, %s}.context", plain, args[1])
			} else if m[4] == "" {
				made[f[1]] = plain + ".context"
			}
		}
		if made[f[1]] == "" {
			return "", fmt.Errorf("%s is not as expected: does gqlgen write it otherwise now?\n%s", f[1], f[2])
		}
	}
	text = ofField.ReplaceAllString(text, "")
	var err error
	text = usedContext.ReplaceAllStringFunc(text, func(used string) string {
		by := made[strings.TrimPrefix(used, "ec.")]
		if by == "" {
			err = fmt.Errorf("%s is used, but gqlgen wrote no such function", used)
		}
		return by
	})
	return text, err
}

// These find the functions that call a batch resolver, what they call, and the types of its records and values.
var (
	ofBatch     = regexp.MustCompile(`(?s)func \(ec \*executionContext\) resolveBatch_\w+\(.*?\n\}\n`)
	batchCall   = regexp.MustCompile(`(resolver\.\w+)\(ctx, (batch\.Parents|\[\]\S+\{obj\})(.*)\)\n`)
	batchRecord = regexp.MustCompile(`graphql\.BatchParentsFor\[(.*)\]\(ctx, `)
	batchValue  = regexp.MustCompile(`graphql\.ResolveBatchSingleResult\[(.*)\]\(\n`)
)

// shareBatches makes each batch resolver run once for all records that were loaded together, as plans do: gqlgen calls
// it for each list that some of them are in.
func shareBatches(text string) string {
	return ofBatch.ReplaceAllStringFunc(text, func(function string) string {
		return batchCall.ReplaceAllString(function, fmt.Sprintf("list.LoadForSiblings(ctx, $2, "+
			"func(ctx context.Context, all []%s) ([]%s, error) {\nreturn $1(ctx, all$3)\n})\n",
			batchRecord.FindStringSubmatch(function)[1], batchValue.FindStringSubmatch(function)[1]))
	})
}

// beyond matches the beginning of the next case or function. A match of a part that contains it is too long.
var beyond = regexp.MustCompile(`\n\t*case "|.\n\}\n\nfunc `)

// shorten rewrites the code that gqlgen generated.
func shorten(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, s := range shorter {
		part := regexp.MustCompile(s.part)
		found := part.FindAll(text, -1)
		isFunction := strings.HasPrefix(s.part, "(?s)func ") // which may contain cases
		if len(found) == 0 {
			return fmt.Errorf("%s holds nothing like %q: does gqlgen write it otherwise now?", file, s.part)
		}
		if !isFunction && slices.ContainsFunc(found, beyond.Match) {
			return fmt.Errorf("in %s %q matches more than its part: does gqlgen write it otherwise now?", file, s.part)
		}
		text = part.ReplaceAll(text, []byte(s.by))
	}
	shared, err := shareContexts(shareBatches(string(text)))
	if err != nil {
		return err
	}
	declared := map[string]bool{}
	shared = ofContent.ReplaceAllStringFunc(shared, func(method string) string {
		if declared[method] {
			return ""
		}
		declared[method] = true
		return method
	})
	if text, err = imports.Process(file, []byte(shared), nil); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
