package describe

import (
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
)

// constrain adds the limits of a @constraint. On a list all but maxItems apply to each item.
func (b *builder) constrain(s *jsonSchema, rule *ast.Directive) {
	each := s
	if s.Items != nil {
		each = s.Items
	}
	for _, limit := range rule.Arguments {
		switch limit.Name {
		case "format":
			b.form(each, limit.Value.Raw)
		case "notAbove":
			each.Description = sentences(each.Description, "Not above `"+limit.Value.Raw+"`.")
		case "min":
			each.Minimum = b.number(limit)
		case "max":
			each.Maximum = b.number(limit)
		case "minLength":
			each.MinLength = b.number(limit)
		case "maxLength":
			each.MaxLength = b.number(limit)
		case "oneLine":
			each.Pattern = oneLine
			each.Description = sentences(each.Description, "One line without control characters.")
		case "maxItems":
			if s.Items != nil { // otherwise s is an item of a list in the operation
				s.MaxItems = b.number(limit)
			}
		default:
			b.fail("@constraint(%s) has no keyword", limit.Name)
		}
	}
	if rule.Arguments.ForName("minLength") != nil { // minLength counts visible characters only
		each.Pattern = notBlank
		if rule.Arguments.ForName("oneLine") != nil {
			each.Pattern = notBlankLine
		}
	}
}

func (b *builder) number(limit *ast.Argument) *int64 {
	n, err := strconv.ParseInt(limit.Value.Raw, 10, 64)
	if err != nil {
		b.fail("@constraint(%s): %w", limit.Name, err)
	}
	return &n
}

// forms maps the values of the schema's enum Format to keywords. The limits are those of package document.
var forms = map[string]jsonSchema{
	"email":         {Format: "email", Pattern: emailAddress, MaxLength: new(int64(254))},
	"cellNumber":    {Format: "cellNumber", Pattern: cellNumber},
	"e164":          {Format: "e164", Pattern: e164},
	"smsCode":       {Pattern: `^(` + apart + `[^\s().-]){6}` + apart + `$`},
	"newPassword":   {Format: "password", MinLength: new(int64(8)), MaxLength: new(int64(256))},
	"password":      {Format: "password", MinLength: new(int64(1)), MaxLength: new(int64(256))},
	"iranianMobile": {Pattern: `^ *(\+98|98|0)?9[0-9]{9} *$`},
	"smsText":       {Pattern: notBlank, MinLength: new(int64(1)), MaxLength: new(int64(700))},
}

// form adds the keywords of a format and its description in the schema.
func (b *builder) form(s *jsonSchema, name string) {
	its, known := forms[name]
	if !known {
		b.fail("format %s has no keyword", name)
	}
	s.Format, s.Pattern, s.MinLength, s.MaxLength = its.Format, its.Pattern, its.MinLength, its.MaxLength
	s.Description = sentences(s.Description, b.graph.Types["Format"].EnumValues.ForName(name).Description)
}
