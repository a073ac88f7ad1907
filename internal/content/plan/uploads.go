package plan

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/internal/content/document"
	"storefront/internal/record"
)

// uploads are the uploaded images of a shop that an edit may name. The images of a file are not compared with
// them: the file may come from another service. A nil *uploads has no images.
type uploads struct {
	shop     uuid.UUID
	customer *uuid.UUID // the customer who edits a listing; nil: staff
	byID     map[uuid.UUID]*ent.MediaFile
}

// named matches ids that may be those of uploaded images, in addresses and alone.
var named = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// mostNamed is the most ids that are looked up.
const mostNamed = 5_000

// loadUploads reads the uploaded images that the elements of an edit name. The edit's transaction holds the lock of
// the shop's content, so that none is deleted before it is used.
func (p *Planner) loadUploads(ctx context.Context, elements []*document.Node) error {
	p.uploads = &uploads{shop: p.Shop, customer: p.Terms.Owner, byID: map[uuid.UUID]*ent.MediaFile{}}
	seen := map[uuid.UUID]bool{}
	for _, n := range elements {
		for text := range n.Strings() {
			for _, match := range named.FindAllString(text, 2*mostNamed) {
				if id, err := uuid.Parse(match); err == nil && len(seen) < mostNamed {
					seen[id] = true
				}
			}
		}
	}
	if len(seen) == 0 {
		return nil
	}
	files, err := p.Client.MediaFile.Query().Where(mediafile.IDIn(slices.Collect(maps.Keys(seen))...)).All(ctx)
	for _, f := range files {
		p.uploads.byID[f.ID] = f
	}
	return err
}

// imageURL returns the rule for the address of an image. Addresses in before, which the record has already,
// are not checked again.
func (p *Planner) imageURL(before ...string) document.Rule {
	return func(text string) error {
		if err := checkURL(text); err != nil {
			return err
		}
		if slices.Contains(before, text) {
			return nil
		}
		return p.uploads.check(text)
	}
}

// check refuses the addresses of uploaded images that the editor may not use.
func (up *uploads) check(text string) error {
	a, ok := record.ParseMediaAddress(text)
	if up == nil || !ok {
		return nil
	}
	f := up.byID[a.ID]
	switch {
	case a.Shop != up.shop:
		return document.Errorf("must not be the image of another shop; upload it to this one")
	case up.customer != nil && (f == nil || !up.usable(f) || a.Scaled == 0 && text != f.Address): // at another host
		return document.Errorf("must be an image that you have uploaded")
	case f != nil && !up.usable(f):
		return document.Errorf("must not be an image that a customer has uploaded; upload it again")
	case f == nil:
		return document.Errorf("must be an image that the shop has; this one is deleted")
	case a.Scaled > 0:
		return document.Errorf("must be the address of the image itself, not that of a narrower one")
	}
	return nil
}

// find returns the uploaded image with an id, or nil if there is none that the editor may use.
func (up *uploads) find(id string) *ent.MediaFile {
	parsed, err := uuid.Parse(id)
	if up == nil || err != nil {
		return nil
	}
	if f := up.byID[parsed]; f != nil && up.usable(f) {
		return f
	}
	return nil
}

// usable reports whether the editor may use an image. Customers may use only their own uploads, and staff
// those of staff.
func (up *uploads) usable(f *ent.MediaFile) bool {
	if up.customer == nil || f.UserID == nil {
		return up.customer == f.UserID // both are nil
	}
	return *up.customer == *f.UserID
}

// image returns the image at an address with the data of its upload, for its first use.
func (up *uploads) image(url string) (m record.Media) {
	a, ok := record.ParseMediaAddress(url)
	if up == nil || !ok {
		return m
	}
	f := up.find(a.ID.String())
	if f == nil {
		return m
	}
	return record.Media{MediaID: f.ID.String(), Alt: cmp.Or(f.AltEn, f.AltFa), AltFa: f.AltFa, Width: &f.Width,
		Height: &f.Height, PlaceholderColor: f.PlaceholderColor}
}
