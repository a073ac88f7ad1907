package describe

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The objects of OpenAPI 3.1, with the members that this package uses.
type (
	description struct {
		OpenAPI    string                      `json:"openapi"`
		Info       info                        `json:"info"`
		Servers    []server                    `json:"servers"`
		Tags       []tag                       `json:"tags"`
		Paths      ordered[ordered[operation]] `json:"paths"`
		Components components                  `json:"components"`
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
		Identifier string `json:"identifier,omitempty"` // of SPDX
	}
	server struct {
		URL string `json:"url"`
	}
	tag struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	operation struct {
		OperationID string            `json:"operationId"`
		Tags        []string          `json:"tags"`
		Summary     string            `json:"summary"`
		Description string            `json:"description,omitempty"`
		Parameters  []parameter       `json:"parameters,omitempty"`
		RequestBody requestBody       `json:"requestBody,omitzero"`
		Responses   ordered[response] `json:"responses"`
		Security    []security        `json:"security"` // empty: everybody may call, and not "nothing is known"
	}
	parameter struct {
		Ref         string      `json:"$ref,omitempty"`
		Name        string      `json:"name,omitempty"`
		In          string      `json:"in,omitempty"`
		Description string      `json:"description,omitempty"`
		Required    bool        `json:"required,omitzero"`
		Schema      *jsonSchema `json:"schema,omitzero"`

		Example jsontext.Value `json:"example,omitzero"`
	}
	requestBody struct {
		Required bool    `json:"required"`
		Content  content `json:"content"`
	}
	response struct {
		Ref         string          `json:"$ref,omitempty"`
		Description string          `json:"description,omitempty"`
		Headers     ordered[header] `json:"headers,omitempty"`
		Content     content         `json:"content,omitzero"`
	}
	header struct {
		Ref         string      `json:"$ref,omitempty"`
		Description string      `json:"description,omitempty"`
		Required    bool        `json:"required,omitzero"`
		Schema      *jsonSchema `json:"schema,omitzero"`
	}
	content struct {
		JSON media `json:"application/json"`
	}
	media struct {
		Schema  *jsonSchema    `json:"schema"`
		Example jsontext.Value `json:"example,omitzero"`
	}
	components struct {
		Schemas         ordered[*jsonSchema]    `json:"schemas"`
		Responses       ordered[response]       `json:"responses"`
		Parameters      ordered[parameter]      `json:"parameters"`
		Headers         ordered[header]         `json:"headers"`
		SecuritySchemes ordered[securityScheme] `json:"securitySchemes"`
	}
	security       = ordered[[]string] // scopes, by scheme
	securityScheme struct {
		Type         string `json:"type"`
		In           string `json:"in,omitempty"`
		Name         string `json:"name,omitempty"`
		Scheme       string `json:"scheme,omitempty"`
		BearerFormat string `json:"bearerFormat,omitempty"`
		Description  string `json:"description"`
	}
)

// jsonSchema is a schema of JSON Schema 2020-12, with the keywords that this package uses. openapitest checks
// exactly these.
type jsonSchema struct {
	Ref         string               `json:"$ref,omitempty"`
	Type        types                `json:"type,omitempty"`
	Description string               `json:"description,omitempty"`
	Format      string               `json:"format,omitempty"`
	Pattern     string               `json:"pattern,omitempty"`
	Enum        []string             `json:"enum,omitempty"`
	Default     any                  `json:"default,omitzero"`
	Minimum     *int64               `json:"minimum,omitzero"`
	Maximum     *int64               `json:"maximum,omitzero"`
	MinLength   *int64               `json:"minLength,omitzero"`
	MaxLength   *int64               `json:"maxLength,omitzero"`
	MaxItems    *int64               `json:"maxItems,omitzero"`
	Items       *jsonSchema          `json:"items,omitzero"`
	Properties  ordered[*jsonSchema] `json:"properties,omitempty"`
	Required    []string             `json:"required,omitempty"`
	AllOf       []*jsonSchema        `json:"allOf,omitempty"`
	AnyOf       []*jsonSchema        `json:"anyOf,omitempty"`
	OneOf       []*jsonSchema        `json:"oneOf,omitempty"`
	Not         *jsonSchema          `json:"not,omitzero"`
}

// types are the JSON types of a value; a single one is written without a list.
type types []string

func (t types) MarshalJSONTo(e *jsontext.Encoder) error {
	if len(t) == 1 {
		return e.WriteToken(jsontext.String(t[0]))
	}
	return json.MarshalEncode(e, []string(t))
}

// ordered is a JSON object that keeps its members in the order in which they came.
type ordered[T any] []member[T]

type member[T any] struct {
	name  string
	value T
}

// at returns a pointer to the value of a name, adding the member if it is missing.
func (o *ordered[T]) at(name string) *T {
	for i := range *o {
		if (*o)[i].name == name {
			return &(*o)[i].value
		}
	}
	*o = append(*o, member[T]{name: name})
	return &(*o)[len(*o)-1].value
}

func (o ordered[T]) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := e.WriteToken(jsontext.String(m.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(e, m.value); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}
