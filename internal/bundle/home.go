package bundle

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/brandgroup"
	"storefront/ent/categorygroup"
	"storefront/ent/slider"
	"storefront/ent/storespecial"
	"storefront/internal/fault"
	"storefront/internal/record"
)

func (im *importer) takeSliders(ctx context.Context, batch []*object) error {
	rows := map[string]*ent.Slider{}
	found, err := stored(ctx, im, im.client.Slider.Query().Where(im.among(slider.FieldKey, textsOf(batch, "key"))).All)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Key] = row
	}
	var changed []*ent.Slider
	for _, o := range batch {
		key := o.groupKey()
		row, ok := rows[key]
		if !ok {
			row = &ent.Slider{ID: im.sliders.newID(key), Key: key, Slides: []record.Slide{}}
			o.require("slides")
		}
		im.meet("slider", row, row.ID, row.UpdatedAt, ok)
		im.sliders.add(o, "key", key, row.ID)
		o.optionalText("title", &row.Title, titleLimit)
		o.integer("position", &row.Position, -mostPosition, mostPosition)
		o.slides(&row.Slides)
		o.refuseUnknown()
		if im.countFate(o, "sliders", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, sliderTable, changed)
	return nil
}

// groupKey reads the key of a slider or group.
func (o *object) groupKey() string {
	key := ""
	o.require("key")
	o.text("key", &key, keyLimit, checkKey)
	o.changed = false
	return key
}

// slides reads a slider's slides and brings them into the order in which they are shown. A slide has the id
// of the one that was in its place. What is absent of its image stays, where the slider has one of the URL.
func (o *object) slides(dst *[]record.Slide) {
	items, ok := o.objects("slides", mostSlides)
	if !ok {
		return
	}
	slides := make([]record.Slide, 0, len(items))
	before := slices.Clone(*dst)
	for _, item := range items {
		var one record.Slide
		item.require("imageUrl")
		item.text("imageUrl", &one.ImageURL, urlLimit, checkURL)
		same := func(s record.Slide) bool { return s.ImageURL == one.ImageURL }
		if i := slices.IndexFunc(before, same); i >= 0 {
			old := before[i]
			one.Alt, one.Width, one.Height, one.PlaceholderColor = old.Alt, old.Width, old.Height, old.PlaceholderColor
			before = slices.Delete(before, i, i+1)
		}
		item.optionalText("title", &one.Title, titleLimit)
		item.optionalText("subtitle", &one.Subtitle, noteLimit)
		item.optionalText("linkUrl", &one.LinkURL, urlLimit, checkURL)
		item.optionalText("buttonText", &one.ButtonText, titleLimit)
		item.integer("position", &one.Position, -mostPosition, mostPosition)
		item.optionalText("alt", &one.Alt, noteLimit)
		item.size(&one.Width, &one.Height, &one.PlaceholderColor)
		item.refuseUnknown()
		slides = append(slides, one)
	}
	slices.SortStableFunc(slides, func(a, b record.Slide) int { return cmp.Compare(a.Position, b.Position) })
	for i := range slides {
		if i < len(*dst) {
			slides[i].ID = (*dst)[i].ID
		} else {
			slides[i].ID = newID().String()
		}
	}
	putDeep(o, dst, slides)
}

func (im *importer) takeCategoryGroups(ctx context.Context, batch []*object) error {
	rows := map[string]*ent.CategoryGroup{}
	found, err := im.client.CategoryGroup.Query().Where(im.among(categorygroup.FieldKey, textsOf(batch, "key"))).
		All(ctx)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Key] = row
	}
	var changed []*ent.CategoryGroup
	for _, o := range batch {
		key := o.groupKey()
		row, ok := rows[key]
		if !ok {
			row = &ent.CategoryGroup{ID: im.categoryGroups.newID(key), Key: key, ItemIds: []uuid.UUID{}}
			o.require("title", "categories")
		}
		im.meet("categoryGroup", row, row.ID, row.UpdatedAt, ok)
		im.categoryGroups.add(o, "key", key, row.ID)
		o.text("title", &row.Title, titleLimit)
		o.references("categories", &row.ItemIds, mostInGroup, fault.Say("category of a product"),
			im.categories.finder(record.Product))
		o.refuseUnknown()
		if im.countFate(o, "categoryGroups", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, categoryGroupTable, changed)
	return nil
}

func (im *importer) takeBrandGroups(ctx context.Context, batch []*object) error {
	if err := im.brands.load(ctx, trimSlugs(listedIn(batch, "brands"))); err != nil {
		return err
	}
	rows := map[string]*ent.BrandGroup{}
	found, err := stored(ctx, im,
		im.client.BrandGroup.Query().Where(im.among(brandgroup.FieldKey, textsOf(batch, "key"))).All)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Key] = row
	}
	var changed []*ent.BrandGroup
	for _, o := range batch {
		key := o.groupKey()
		row, ok := rows[key]
		if !ok {
			row = &ent.BrandGroup{ID: im.brandGroups.newID(key), Key: key, ItemIds: []uuid.UUID{}}
			o.require("title", "brands")
		}
		im.meet("brandGroup", row, row.ID, row.UpdatedAt, ok)
		im.brandGroups.add(o, "key", key, row.ID)
		o.text("title", &row.Title, titleLimit)
		o.references("brands", &row.ItemIds, mostInGroup, fault.Say("brand"), im.brands.id)
		o.refuseUnknown()
		if im.countFate(o, "brandGroups", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, brandGroupTable, changed)
	return nil
}

func (im *importer) takeSpecials(ctx context.Context, batch []*object) error {
	if err := im.variants.load(ctx, listedIn(batch, "variants")); err != nil {
		return err
	}
	rows := map[string]*ent.StoreSpecial{}
	found, err := im.client.StoreSpecial.Query().Where(im.among(storespecial.FieldKey, textsOf(batch, "key"))).
		All(ctx)
	if err != nil {
		return err
	}
	for _, row := range found {
		rows[row.Key] = row
	}
	var changed []*ent.StoreSpecial
	for _, o := range batch {
		key := o.groupKey()
		row, ok := rows[key]
		if !ok {
			row = &ent.StoreSpecial{ID: im.specials.newID(key), Key: key, ItemIds: []uuid.UUID{}}
			o.require("title", "variants")
		}
		im.meet("storeSpecial", row, row.ID, row.UpdatedAt, ok)
		im.specials.add(o, "key", key, row.ID)
		o.text("title", &row.Title, titleLimit)
		o.optionalTime("startsAt", &row.StartsAt)
		o.optionalTime("endsAt", &row.EndsAt)
		if row.StartsAt != nil && row.EndsAt != nil && !row.StartsAt.Before(*row.EndsAt) {
			o.faults.add(cmp.Or(o.member("endsAt"), o.node), "must end after it starts")
		}
		o.references("variants", &row.ItemIds, mostInGroup, fault.Say("variant"), im.variants.id)
		o.refuseUnknown()
		if im.countFate(o, "specials", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, storeSpecialTable, changed)
	return nil
}
