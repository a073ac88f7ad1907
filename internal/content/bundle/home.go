package bundle

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (im *importer) takeSliders(ctx context.Context, batch []*object) error {
	return take(ctx, im, "sliders", batch, func(o *object, id uuid.UUID, key string) *ent.Slider {
		o.require("slides")
		return &ent.Slider{ID: id, Key: key, Slides: []record.Slide{}}
	}, func(o *object, row *ent.Slider, _ bool) {
		o.optionalBilingual("title", &row.Title, &row.TitleFa, titleLimit)
		o.integer("position", &row.Position, -mostPosition, mostPosition)
		im.readSlides(o, &row.Slides)
	})
}

// slides reads a slider's slides and sorts them in the order in which they are shown. A slide gets the id of
// the slide formerly in its place. Absent members of its image are unchanged if the slider has an image with
// the URL.
func (im *importer) readSlides(o *object, dst *[]record.Slide) {
	items, ok := o.objects("slides", mostSlides)
	if !ok {
		return
	}
	slides := make([]record.Slide, 0, len(items))
	before := slices.Clone(*dst)
	for _, item := range items {
		var one record.Slide
		item.require("imageUrl")
		item.text("imageUrl", &one.ImageURL, urlLimit, im.imageURL(urlsOf(before)...))
		known := im.uploads.image(one.ImageURL)
		one.SetImage(known)
		same := func(s record.Slide) bool { return s.ImageURL == one.ImageURL }
		if i := slices.IndexFunc(before, same); i >= 0 {
			one.SetImage(*before[i].Image())
			before = slices.Delete(before, i, i+1)
		}
		item.optionalBilingual("title", &one.Title, &one.TitleFa, titleLimit)
		item.optionalBilingual("subtitle", &one.Subtitle, &one.SubtitleFa, noteLimit)
		item.optionalText("linkUrl", &one.LinkURL, urlLimit, checkURL)
		item.optionalBilingual("buttonText", &one.ButtonText, &one.ButtonTextFa, titleLimit)
		item.integer("position", &one.Position, -mostPosition, mostPosition)
		item.optionalBilingual("alt", &one.Alt, &one.AltFa, noteLimit)
		readSize(item, &one.Width, &one.Height, &one.PlaceholderColor)
		item.refuseUnknown()
		slides = append(slides, one)
	}
	slices.SortStableFunc(slides, func(a, b record.Slide) int { return cmp.Compare(a.Position, b.Position) })
	for i := range slides {
		if i < len(*dst) {
			slides[i].ID = (*dst)[i].ID
		} else {
			slides[i].ID = record.NewID().String()
		}
	}
	putDeep(o, dst, slides)
}

func urlsOf(slides []record.Slide) []string {
	return convert.All(slides, func(s record.Slide) string { return s.ImageURL })
}

func (im *importer) takeCategoryGroups(ctx context.Context, batch []*object) error {
	if err := im.loadMovedCategories(ctx, record.Product, slugsOf(batch, "categories")); err != nil {
		return err
	}
	return take(ctx, im, "categoryGroups", batch, func(o *object, id uuid.UUID, key string) *ent.CategoryGroup {
		o.require("title", "categories")
		return &ent.CategoryGroup{ID: id, Key: key, ItemIds: []uuid.UUID{}}
	}, func(o *object, row *ent.CategoryGroup, _ bool) {
		o.text("title", &row.Title, titleLimit, checkTitle)
		o.optionalText("titleFa", &row.TitleFa, titleLimit, checkTitle)
		readReferences(o, "categories", &row.ItemIds, mostInGroup, categoryWords[record.Product],
			im.categories.finder(record.Product))
	})
}

func (im *importer) takeBrandGroups(ctx context.Context, batch []*object) error {
	if err := im.index("brands").load(ctx, slugsOf(batch, "brands")); err != nil {
		return err
	}
	return take(ctx, im, "brandGroups", batch, func(o *object, id uuid.UUID, key string) *ent.BrandGroup {
		o.require("title", "brands")
		return &ent.BrandGroup{ID: id, Key: key, ItemIds: []uuid.UUID{}}
	}, func(o *object, row *ent.BrandGroup, _ bool) {
		o.text("title", &row.Title, titleLimit, checkTitle)
		o.optionalText("titleFa", &row.TitleFa, titleLimit, checkTitle)
		readReferences(o, "brands", &row.ItemIds, mostInGroup, fault.Say("brand"), im.index("brands").id)
	})
}

func (im *importer) takeSpecials(ctx context.Context, batch []*object) error {
	if err := im.index("variants").load(ctx, textsOf(batch, "variants")); err != nil {
		return err
	}
	return take(ctx, im, "specials", batch, func(o *object, id uuid.UUID, key string) *ent.StoreSpecial {
		o.require("title", "variants")
		return &ent.StoreSpecial{ID: id, Key: key, ItemIds: []uuid.UUID{}}
	}, func(o *object, row *ent.StoreSpecial, _ bool) {
		o.text("title", &row.Title, titleLimit, checkTitle)
		o.optionalText("titleFa", &row.TitleFa, titleLimit, checkTitle)
		o.optionalTime("startsAt", &row.StartsAt)
		o.optionalTime("endsAt", &row.EndsAt)
		if row.StartsAt != nil && row.EndsAt != nil && !row.StartsAt.Before(*row.EndsAt) {
			o.faults.add(cmp.Or(o.member("endsAt"), o.node), "must end after it starts")
		}
		readReferences(o, "variants", &row.ItemIds, mostInGroup, fault.Say("variant"), im.index("variants").id)
	})
}
