package media

import (
	"storefront/ent"
	"storefront/internal/record"
)

// Shown returns an image as records show it, with the alt text in a language, or else in the other.
func Shown(f *ent.MediaFile, language string) *record.Media {
	return &record.Media{MediaID: f.ID.String(), URL: f.Address, Alt: altOf(f, language), Width: &f.Width,
		Height: &f.Height, PlaceholderColor: f.PlaceholderColor}
}

func altOf(f *ent.MediaFile, language string) *string {
	if f.AltEn != nil && (language == "en" || f.AltFa == nil) {
		return f.AltEn
	}
	return f.AltFa
}
