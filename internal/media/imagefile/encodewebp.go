package imagefile

import (
	"fmt"
	"image"
	"io"

	"github.com/deepteams/webp"
)

// encodeWebP writes an image as WebP, lossy colours with exact transparency. Method 2 makes files only a few
// per cent larger than 4, in half the time.
func encodeWebP(to io.Writer, m *image.RGBA, quality int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("encoding WebP panicked: %v", p)
		}
	}()
	o := webp.DefaultOptions()
	o.Quality, o.Method = float32(quality), 2
	return webp.Encode(to, m, o)
}
