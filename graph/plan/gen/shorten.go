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
// them, compiling package exec takes a quarter less.
var shorter = []struct{ part, by string }{
	{`(?s)\n\t+if field\.IsDeferred\(\) \{\n.*?\n\t+continue\n\t+\}\n`, ""},
	{`\tdeferredFieldSet := graphql\.NewFieldSet\(nil\)\n\tdeferLabelToView := .*\n`, ""},
	{`(?s)\tatomic\.AddInt32\(&ec\.Deferred, .*?\n\t\}\)\n\n`, ""},
	{`(?s)\t\tChild: func\(ctx context\.Context, field graphql\.CollectedField\) .*?\n\t\t\},\n`, ""},
	{`(?s)func \(ec \*executionContext\) childFields_\w+\(.*?\n\}\n\n`, ""},
	{`func\(ctx context\.Context, field graphql\.CollectedField\) \(\*graphql\.FieldContext, error\) ` +
		`\{\n\t+return (ec\.fieldContext_\w+)\(ctx, field\)\n\t+\}`, "$1"},
	{`func\(ctx context\.Context, selections ast\.SelectionSet, v .*\) graphql\.Marshaler ` +
		`\{\n\t+return (ec\.marshal\S+)\(ctx, selections, v\)\n\t+\}`, "$1"},
}

// beyond is the beginning of what comes after a part: a match that holds it is longer than the part.
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
		isFunction := strings.HasPrefix(s.part, "(?s)func ") // it ends with itself
		if len(found) == 0 || !isFunction && slices.ContainsFunc(found, beyond.Match) {
			return fmt.Errorf("%s holds nothing like %q, or more: does gqlgen write it otherwise now?", file, s.part)
		}
		text = part.ReplaceAll(text, []byte(s.by))
	}
	if text, err = imports.Process(file, text, nil); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}
