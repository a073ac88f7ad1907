package catalog

import "math/rand/v2"

// form is a technical form.
type form struct {
	Title   string  `json:"title"`
	TitleFa string  `json:"titleFa"`
	Fields  []field `json:"fields"`
}

type field struct {
	Key     string   `json:"key"`
	Label   string   `json:"label"`
	LabelFa string   `json:"labelFa"`
	Type    string   `json:"type"`
	Options []option `json:"options,omitempty"`
}

type option struct {
	Value   string `json:"value"`
	Label   string `json:"label"`
	LabelFa string `json:"labelFa"`
}

// values are a product's answers to the form.
type values struct {
	Material string   `json:"material"`
	Uses     []string `json:"uses"`
	Power    int      `json:"power"`
	Warranty bool     `json:"warranty"`
}

var (
	materials = []string{"steel", "iron", "brass", "wood", "plastic"}
	uses      = []string{"workshop", "home", "garden", "site"}
	technical = form{"Properties", "ویژگی\u200cها", []field{
		{"material", "Material", "جنس", "select", options(materials)},
		{"uses", "Uses", "کاربرد", "multiselect", options(uses)},
		{"power", "Power", "توان", "number", nil},
		{"warranty", "Warranty", "ضمانت", "boolean", nil},
	}}
)

func options(values []string) []option {
	all := make([]option, len(values))
	for i, v := range values {
		all[i] = option{v, v, v}
	}
	return all
}

func valuesOf(r *rand.Rand) values {
	first := r.IntN(len(uses) - 1)
	return values{materials[r.IntN(len(materials))], uses[first : first+1+r.IntN(2)], 100 * (1 + r.IntN(50)), r.IntN(3) > 0}
}
