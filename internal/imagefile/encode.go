package imagefile

import (
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
)

// ScaledKind returns the kind in which narrower images of a kind are made, beside WebP: a GIF's as PNG.
func ScaledKind(of Kind) Kind {
	if of == GIF {
		return PNG
	}
	return of
}

// Quality of what is made here, from 1 to 100: of narrower images, and of an original that had to be turned.
const scaledQuality, turnedQuality = 82, 92

// EncodeScaled writes a narrower image as a kind.
func EncodeScaled(to io.Writer, m *image.RGBA, as Kind) error {
	switch as {
	case JPEG:
		return jpeg.Encode(to, m, &jpeg.Options{Quality: scaledQuality})
	case PNG:
		return png.Encode(to, m)
	case WebP:
		return encodeWebP(to, m)
	}
	return fmt.Errorf("there is no encoder of %s", as)
}

// EncodeTurned writes an upright JPEG file.
func EncodeTurned(to io.Writer, m image.Image) error {
	return jpeg.Encode(to, m, &jpeg.Options{Quality: turnedQuality})
}
