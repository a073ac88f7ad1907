package imagefile

import (
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
)

// The qualities, from 1 to 100, of smaller versions, and of an original that had to be turned.
const scaledQuality, turnedQuality = 82, 92

// EncodeScaled writes an image as a kind, in the quality of smaller versions.
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
