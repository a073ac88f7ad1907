package sanat

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/catalog"
	"storefront/internal/demo/gen/words"
)

// park is every model the shop and its customers deal in.
type park struct {
	tree   catalog.Tree
	models []model
}

// model is a line of models.txt.
type model struct {
	category string
	brand    bundle.Brand // zero where the maker is not known
	name     string
	million  int64 // price in million toman, for used ones ten years old
	used     bool
	values   map[string]any
	form     *bundle.Form
	item     catalog.Item
}

func readMachines(texts fs.FS, tree catalog.Tree, brands []bundle.Brand) park {
	lists := words.ReadLists(texts, "models.txt")
	p := park{tree: tree}
	for _, category := range tree.List() {
		for _, state := range []string{"used", "new"} {
			section := state + " " + category.Slug
			if len(lists[section]) == 0 {
				continue
			}
			rows := lists.Rows(section)
			for _, row := range rows[1:] {
				p.models = append(p.models, p.read(category.Slug, rows[0], row, state == "used", brands))
			}
		}
	}
	return p
}

func (p park) read(category string, keys, row words.Row, used bool, brands []bundle.Brand) model {
	m := model{category: category, name: row[1], used: used, values: map[string]any{},
		form: p.tree.Form(category), item: p.tree.Item(category)}
	if i := slices.IndexFunc(brands, func(b bundle.Brand) bool { return b.Slug == row[0] }); i >= 0 {
		m.brand = brands[i]
	}
	price, err := strconv.ParseInt(row[2], 10, 64)
	if err != nil {
		panic(err)
	}
	m.million = price
	for i, key := range keys {
		m.values[key] = catalog.Value(m.form, key, row[3+i])
	}
	return m
}

// road says whether the machine drives.
func (p park) road(m model) bool { return p.tree.Root(m.category) == "road-construction" }

// brandedFa and brandedEn are the maker and the model, as people name a machine.
func (m model) brandedFa() string { return strings.TrimSpace(m.brand.NameFa + " " + m.name) }
func (m model) brandedEn() string { return strings.TrimSpace(m.brand.Name + " " + m.name) }

// fill puts the machine's words into a template.
func (m model) fill(template string, more ...string) string {
	text := words.Fill(template, append([]string{"item", m.item.Fa, "itemEn", m.item.En, "brand", m.brand.NameFa,
		"brandEn", m.brand.Name,
		"model", m.name}, more...)...)
	return strings.Join(strings.Fields(text), " ") // the brand may be empty
}

// with is the machine's values and more, for keys that its form has.
func (m model) with(more map[string]string) map[string]any {
	out := map[string]any{}
	for k, v := range m.values {
		out[k] = v
	}
	for key, text := range more {
		if slices.ContainsFunc(m.form.Fields, func(f bundle.Field) bool { return f.Key == key }) {
			out[key] = catalog.Value(m.form, key, text)
		}
	}
	return out
}
