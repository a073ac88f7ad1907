package openapitest

import (
	"regexp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The objects of OpenAPI 3.1, with the members that are understood here.
type (
	document struct {
		OpenAPI    string                           `json:"openapi"`
		Info       info                             `json:"info"`
		Servers    []server                         `json:"servers"`
		Tags       []tag                            `json:"tags"`
		Paths      map[string]map[string]*operation `json:"paths"` // by path, then method in lower case
		Components components                       `json:"components"`
	}
	info struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Description string `json:"description"`
		Contact     named  `json:"contact"`
		License     named  `json:"license"`
	}
	named struct {
		Name       string `json:"name"`
		Identifier string `json:"identifier"`
	}
	server struct {
		URL string `json:"url"`
	}
	tag struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	components struct {
		Schemas         map[string]*schema        `json:"schemas"`
		Responses       map[string]response       `json:"responses"`
		Parameters      map[string]parameter      `json:"parameters"`
		Headers         map[string]header         `json:"headers"`
		SecuritySchemes map[string]securityScheme `json:"securitySchemes"`
	}
	securityScheme struct {
		Type         string `json:"type"`
		In           string `json:"in"`
		Name         string `json:"name"`
		Scheme       string `json:"scheme"`
		BearerFormat string `json:"bearerFormat"`
		Description  string `json:"description"`
	}
	operation struct {
		OperationID string                `json:"operationId"`
		Tags        []string              `json:"tags"`
		Summary     string                `json:"summary"`
		Description string                `json:"description"`
		Parameters  []parameter           `json:"parameters"`
		RequestBody *requestBody          `json:"requestBody"`
		Responses   map[string]response   `json:"responses"`
		Security    []map[string][]string `json:"security"` // scopes, by scheme
	}
	parameter struct {
		Ref         string  `json:"$ref"`
		Name        string  `json:"name"`
		In          string  `json:"in"`
		Description string  `json:"description"`
		Required    bool    `json:"required"`
		Schema      *schema `json:"schema"`

		Example jsontext.Value `json:"example"`
	}
	requestBody struct {
		Required bool    `json:"required"`
		Content  content `json:"content"`
	}
	response struct {
		Ref         string            `json:"$ref"`
		Description string            `json:"description"`
		Headers     map[string]header `json:"headers"`
		Content     *content          `json:"content"`
	}
	header struct {
		Ref         string  `json:"$ref"`
		Description string  `json:"description"`
		Required    bool    `json:"required"`
		Schema      *schema `json:"schema"`
	}
	content struct {
		JSON media `json:"application/json"`
	}
	media struct {
		Schema  *schema        `json:"schema"`
		Example jsontext.Value `json:"example"`
	}
)

// schema is a schema of JSON Schema 2020-12, with the keywords that are checked here.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        types              `json:"type"`
	Description string             `json:"description"`
	Format      string             `json:"format"`
	Pattern     *regexp.Regexp     `json:"pattern"`
	Enum        []string           `json:"enum"`
	Default     jsontext.Value     `json:"default"`
	Minimum     *float64           `json:"minimum"`
	Maximum     *float64           `json:"maximum"`
	MinLength   *int               `json:"minLength"`
	MaxLength   *int               `json:"maxLength"`
	MaxItems    *int               `json:"maxItems"`
	Items       *schema            `json:"items"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	AllOf       []*schema          `json:"allOf"`
	AnyOf       []*schema          `json:"anyOf"`
	OneOf       []*schema          `json:"oneOf"`
	Not         *having            `json:"not"`
}

// having is the schema of objects that have some members, whatever their values.
type having struct {
	Properties map[string]struct{} `json:"properties"`
	Required   []string            `json:"required"`
}

// types are the JSON types of a value, written as one or as a list.
type types []string

func (t *types) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '"' {
		return json.UnmarshalDecode(d, (*[]string)(t))
	}
	*t = types{""}
	return json.UnmarshalDecode(d, &(*t)[0])
}
