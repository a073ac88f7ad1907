package graph

import (
	"context"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/content/edit"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/request"
)

// What staff write of a shop's content: fields with @content. Each is about one element of a bundle, or about many.

// contentField returns the name of the field that is being resolved and the section of the bundle that it is about.
func contentField(ctx context.Context) (action, section string) {
	field := graphql.GetFieldContext(ctx).Field
	return field.Name, field.Definition.Directives.ForName("content").Arguments.ForName("section").Value.Raw
}

// contentKey returns the arguments that identify a record.
func contentKey(arguments map[string]any) map[string]string {
	key := map[string]string{}
	for name, value := range arguments {
		switch value := value.(type) {
		case string:
			key[name] = value
		case record.EntityType:
			key[name] = string(value)
		}
	}
	return key
}

// EditContent creates or changes a record. The input is an element of a section of the shop's bundle, so that bundle
// files and mutations follow the same rules. A field whose name begins with create fails if the record exists.
func (m mutationResolver) EditContent(
	ctx context.Context, arguments map[string]any, businessID uuid.UUID,
) (*api.ContentPayload, error) {
	action, section := contentField(ctx)
	input := arguments["input"].(map[string]any)
	if err := asElement(section, input); err != nil {
		return nil, err
	}
	change := edit.One{
		Action: action, Section: section, Key: contentKey(arguments), Members: input,
		IsNew: strings.HasPrefix(action, "create"), Now: request.Of(ctx).Now, Moving: m.r.Moving,
	}
	change.Version, _ = arguments["expectedVersion"].(*string)
	edited, err := change.Apply(ctx, m.r.Store, businessID)
	return &api.ContentPayload{ID: edited.ID, Version: edited.Version, Moving: edited.Moving}, err
}

func (m mutationResolver) DeleteContent(
	ctx context.Context, arguments map[string]any, businessID uuid.UUID,
) (*api.DeletionPayload, error) {
	action, section := contentField(ctx)
	gone := edit.Remove{
		Action: action, Section: section, Key: contentKey(arguments), CountOnly: arguments["countOnly"].(bool),
	}
	with, err := gone.Apply(ctx, m.r.Store, businessID)
	message := api.Message("It is deleted.")
	if gone.CountOnly {
		message = "It can be deleted."
	}
	return &api.DeletionPayload{Message: message, DeletedWith: &with}, err
}

func (m mutationResolver) ChangeContentSlug(
	ctx context.Context, arguments map[string]any, businessID uuid.UUID,
) (*api.ContentPayload, error) {
	action, section := contentField(ctx)
	key := contentKey(arguments)
	change := edit.ChangeSlug{
		Action: action, Kind: stored.SlugKind(section, key), From: key["slug"], To: key["newSlug"],
	}
	edited, err := change.Apply(ctx, m.r.Store, businessID)
	return &api.ContentPayload{ID: edited.ID, Version: edited.Version}, err
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
func asObject(bad *fault.Fields, members map[string]any, path, member, name string) {
	items, ok := members[member].([]map[string]any)
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
	members[member] = object
}

func (m mutationResolver) ReorderCategories(
	ctx context.Context, businessID uuid.UUID, entityType record.EntityType, slugs []string,
) (*api.MessagePayload, error) {
	order := edit.Reorder{Action: "reorderCategories", Section: "categories", EntityType: entityType,
		First: slugs, Now: request.Of(ctx).Now}
	return messagePayload("They are in order.", order.Apply(ctx, m.r.Store, businessID))
}

func (m mutationResolver) ReorderSliders(
	ctx context.Context, businessID uuid.UUID, keys []string,
) (*api.MessagePayload, error) {
	order := edit.Reorder{Action: "reorderSliders", Section: "sliders", First: keys, Now: request.Of(ctx).Now}
	return messagePayload("They are in order.", order.Apply(ctx, m.r.Store, businessID))
}

func (m mutationResolver) ReorderDeliveryMethods(
	ctx context.Context, businessID uuid.UUID, keys []string,
) (*api.MessagePayload, error) {
	order := edit.Reorder{Action: "reorderDeliveryMethods", Section: "deliveryMethods", First: keys,
		Now: request.Of(ctx).Now}
	return messagePayload("They are in order.", order.Apply(ctx, m.r.Store, businessID))
}
