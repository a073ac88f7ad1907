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
		{Key: "material", Label: "Material", LabelFa: "جنس", Type: "select", Options: options(materials)},
		{Key: "uses", Label: "Uses", LabelFa: "کاربرد", Type: "multiselect", Options: options(uses)},
		{Key: "power", Label: "Power", LabelFa: "توان", Type: "number", Options: nil},
		{Key: "warranty", Label: "Warranty", LabelFa: "ضمانت", Type: "boolean", Options: nil},
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
	return values{Material: materials[r.IntN(len(materials))], Uses: uses[first : first+1+r.IntN(2)],
		Power:    100 * (1 + r.IntN(50)),
		Warranty: r.IntN(3) > 0}
}
