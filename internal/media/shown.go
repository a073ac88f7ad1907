package media

import (
	"cmp"

	"storefront/ent"
	"storefront/internal/record"
)

// Shown returns an image in the form in which records show it.
func Shown(f *ent.MediaFile) *record.Media {
	return &record.Media{MediaID: f.ID.String(), URL: f.Address, Alt: cmp.Or(f.AltEn, f.AltFa), AltFa: f.AltFa,
		Width: &f.Width, Height: &f.Height, PlaceholderColor: f.PlaceholderColor}
}
