package graph

import (
	"context"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/graph/model"
	"storefront/internal/bundle"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/fault"
)

// edit makes a change of staff. The input is an element of a section of the shop's bundle, so that bundle
// files and mutations follow the same rules. A field whose name begins with create fails if the record
// exists.
func (m mutationResolver) edit(
	ctx context.Context, business uuid.UUID, section string, key map[string]string, input map[string]any,
	version *string,
) (*model.ContentPayload, error) {
	action := graphql.GetFieldContext(ctx).Field.Name
	if err := asElement(section, input); err != nil {
		return nil, err
	}
	change := bundle.Edit{
		Action: action, Section: section, Key: key, Members: input, IsNew: strings.HasPrefix(action, "create"),
		Now: catalog.RequestTime(ctx),
	}
	if version != nil {
		change.Version = *version
	}
	edited, err := change.Apply(ctx, m.r.Store, business)
	if edited.Moving {
		database.AfterCommit(ctx, m.r.Moving)
	}
	return &model.ContentPayload{ID: edited.ID, Version: edited.Version, Moving: edited.Moving}, err
}

// remove deletes a record.
func (m mutationResolver) remove(
	ctx context.Context, business uuid.UUID, section string, key map[string]string,
) (*model.MessagePayload, error) {
	action := graphql.GetFieldContext(ctx).Field.Name
	return &model.MessagePayload{Message: "It is deleted."},
		bundle.Remove{Action: action, Section: section, Key: key}.Apply(ctx, m.r.Store, business)
}

// asElement turns lists of names and values into objects: a bundle has maps there, which GraphQL lacks.
func asElement(section string, input map[string]any) error {
	var bad fault.Fields
	asObject(&bad, input, "input", "values", "key")
	asObject(&bad, input, "input", "otherValues", "key")
	if section == "products" {
		variants, _ := input["variants"].([]map[string]any)
		for i, one := range variants {
			asObject(&bad, one, "input.variants."+strconv.Itoa(i), "options", "variation")
		}
	}
	return bad.Err()
}

// asObject replaces a member that is a list of names and values by an object.
func asObject(bad *fault.Fields, of map[string]any, path, member, name string) {
	items, ok := of[member].([]map[string]any)
	if !ok {
		return
	}
	object := make(map[string]any, len(items))
	for i, item := range items {
		key := item[name].(string)
		if _, twice := object[key]; twice {
			bad.Add(path+"."+member+"."+strconv.Itoa(i)+"."+name, "is the one of another item")
		}
		object[key] = item["value"]
	}
	of[member] = object
}
