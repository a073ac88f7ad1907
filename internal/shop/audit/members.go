package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/internal/record"
)

// row is an ent record (ent/template/record.tmpl). Its JSON is not used, because it omits members that are 0,
// false or null.
type row interface{ Stored() map[string]any }

// Members are the members of a record, by their names in the API.
type Members map[string]json.RawMessage

// bookkeeping are the columns that staff do not change: they follow from others. The columns that
// internal/content/derive writes are not in Stored at all.
var bookkeeping = []string{
	"id", "created_at", "moving", "moves", "search_text", "tag_keys", "sku_text", "price_milli", "listed_at",
}

// Snapshot returns the members of a record as they are now, nil for none. A row may be changed afterwards.
func Snapshot(what any) (Members, error) {
	switch of := what.(type) {
	case nil:
		return nil, nil
	case Members:
		return maps.Clone(of), nil
	case row:
		columns := of.Stored()
		found := make(Members, len(columns))
		for _, name := range bookkeeping {
			delete(columns, name)
		}
		for name, value := range columns {
			text, err := json.Marshal(value)
			if err != nil {
				return nil, fmt.Errorf("audit: %s: %w", name, err)
			}
			found[NameOf(name)] = text
		}
		return found, nil
	}
	text, err := json.Marshal(what)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	found := Members{}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	return found, nil
}

// NameOf returns the API's name of a column: titleFa for title_fa.
func NameOf(column string) string {
	words := strings.Split(column, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// names are the members that may name a record, the best one first.
var names = []string{"sku", "titleFa", "nameFa", "title", "key", "url", "domain", "file"}

// english maps members of names in Persian to the members with the English text.
var english = map[string]string{"titleFa": "titleEn", "nameFa": "name"}

// name returns what people call a record, and its English name. Both are empty if no member names it.
func (m Members) name() (name, inEnglish string) {
	for _, member := range names {
		if name = m.text(member); name != "" {
			return name, cmp.Or(m.text(english[member]), name)
		}
	}
	return "", ""
}

func (m Members) text(member string) (text string) {
	if json.Unmarshal(m[member], &text) != nil {
		return ""
	}
	return text
}

// alsoFound are members by whose words an entry is found although it shows another name.
var alsoFound = []string{"titleEn", "name", "slug"}

// searched returns the texts by which an entry is found: the name of the record, a cell number in its national
// form as well, and the record's other names before and after the change.
func searched(c Change, name string, to, from Members) []string {
	texts := []string{name}
	for _, other := range []string{c.Name, record.TextOf(c.NameEn)} {
		if other != "" && other != name {
			texts = append(texts, other)
		}
	}
	if national, ok := strings.CutPrefix(name, "+98"); ok {
		texts = append(texts, "0"+national)
	}
	for _, members := range []Members{to, from} {
		for _, member := range slices.Concat(names, alsoFound) {
			if text := members.text(member); text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// user returns the owner of a record; uuid.Nil if no member says it.
func (m Members) user() (id uuid.UUID) {
	if json.Unmarshal(m["userId"], &id) != nil {
		return uuid.Nil
	}
	return id
}

// written returns the members as one object, in the order of their names.
func (m Members) written() json.RawMessage {
	text, _ := json.Marshal(m) // they were read from JSON
	return text
}
