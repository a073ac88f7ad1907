package plan

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/document"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

func (p *Planner) takeSliders(ctx context.Context, batch []*document.Object) error {
	return takeKeyed(ctx, p, "sliders", batch, func(o *document.Object, id uuid.UUID, key string) *ent.Slider {
		o.Require("slides")
		return &ent.Slider{ID: id, Key: key, Slides: []record.Slide{}}
	}, func(o *document.Object, row *ent.Slider, _ bool) {
		o.OptionalBilingual("title", &row.Title, &row.TitleFa, document.TitleLimit)
		o.Integer("position", &row.Position, -mostPosition, mostPosition)
		p.readSlides(o, &row.Slides)
	})
}

// readSlides reads a slider's slides and sorts them in the order in which they are shown. A slide gets the id of
// the slide formerly in its place. Absent members of its image are unchanged if the slider has an image with
// the URL.
func (p *Planner) readSlides(o *document.Object, dst *[]record.Slide) {
	items, ok := o.Objects("slides", mostSlides)
	if !ok {
		return
	}
	slides := make([]record.Slide, 0, len(items))
	before := slices.Clone(*dst)
	for _, item := range items {
		var one record.Slide
		item.Require("imageUrl")
		item.Text("imageUrl", &one.ImageURL, urlLimit, p.imageURL(urlsOf(before)...))
		known := p.uploads.image(one.ImageURL)
		one.SetImage(known)
		same := func(s record.Slide) bool { return s.ImageURL == one.ImageURL }
		if i := slices.IndexFunc(before, same); i >= 0 {
			one.SetImage(*before[i].Image())
			before = slices.Delete(before, i, i+1)
		}
		item.OptionalBilingual("title", &one.Title, &one.TitleFa, document.TitleLimit)
		item.OptionalBilingual("subtitle", &one.Subtitle, &one.SubtitleFa, noteLimit)
		item.OptionalText("linkUrl", &one.LinkURL, urlLimit, checkURL)
		item.OptionalBilingual("buttonText", &one.ButtonText, &one.ButtonTextFa, document.TitleLimit)
		item.Integer("position", &one.Position, -mostPosition, mostPosition)
		item.OptionalBilingual("alt", &one.Alt, &one.AltFa, noteLimit)
		readSize(item, &one.Width, &one.Height, &one.PlaceholderColor)
		item.RefuseUnknown()
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
	document.PutDeep(o, dst, slides)
}

func urlsOf(slides []record.Slide) []string {
	return convert.All(slides, func(s record.Slide) string { return s.ImageURL })
}

func (p *Planner) takeCategoryGroups(ctx context.Context, batch []*document.Object) error {
	if err := p.loadMovedCategories(ctx, record.Product, document.SlugsOf(batch, "categories")); err != nil {
		return err
	}
	create := func(o *document.Object, id uuid.UUID, key string) *ent.CategoryGroup {
		o.Require("title", "categories")
		return &ent.CategoryGroup{ID: id, Key: key, ItemIds: []uuid.UUID{}}
	}
	return takeKeyed(ctx, p, "categoryGroups", batch, create, func(o *document.Object, row *ent.CategoryGroup, _ bool) {
		o.Text("title", &row.Title, document.TitleLimit, checkTitle)
		o.OptionalText("titleFa", &row.TitleFa, document.TitleLimit, checkTitle)
		readReferences(o, "categories", &row.ItemIds, mostInGroup, categoryWords[record.Product],
			p.categories.finder(record.Product))
	})
}

func (p *Planner) takeBrandGroups(ctx context.Context, batch []*document.Object) error {
	if err := p.index("brands").load(ctx, document.SlugsOf(batch, "brands")); err != nil {
		return err
	}
	return takeKeyed(ctx, p, "brandGroups", batch, func(o *document.Object, id uuid.UUID, key string) *ent.BrandGroup {
		o.Require("title", "brands")
		return &ent.BrandGroup{ID: id, Key: key, ItemIds: []uuid.UUID{}}
	}, func(o *document.Object, row *ent.BrandGroup, _ bool) {
		o.Text("title", &row.Title, document.TitleLimit, checkTitle)
		o.OptionalText("titleFa", &row.TitleFa, document.TitleLimit, checkTitle)
		readReferences(o, "brands", &row.ItemIds, mostInGroup, fault.Say("brand"), p.index("brands").id)
	})
}

func (p *Planner) takeSpecials(ctx context.Context, batch []*document.Object) error {
	if err := p.index("variants").load(ctx, document.TextsOf(batch, "variants")); err != nil {
		return err
	}
	return takeKeyed(ctx, p, "specials", batch, func(o *document.Object, id uuid.UUID, key string) *ent.StoreSpecial {
		o.Require("title", "variants")
		return &ent.StoreSpecial{ID: id, Key: key, ItemIds: []uuid.UUID{}}
	}, func(o *document.Object, row *ent.StoreSpecial, _ bool) {
		o.Text("title", &row.Title, document.TitleLimit, checkTitle)
		o.OptionalText("titleFa", &row.TitleFa, document.TitleLimit, checkTitle)
		o.OptionalTime("startsAt", &row.StartsAt)
		o.OptionalTime("endsAt", &row.EndsAt)
		if row.StartsAt != nil && row.EndsAt != nil && !row.StartsAt.Before(*row.EndsAt) {
			o.Faults.Add(cmp.Or(o.Member("endsAt"), o.Node), "must end after it starts")
		}
		readReferences(o, "variants", &row.ItemIds, mostInGroup, fault.Say("variant"), p.index("variants").id)
	})
}
