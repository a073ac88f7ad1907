package imagefile

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"runtime/debug"
)

// Drawn describes what Draw has made.
type Drawn struct {
	Kind          Kind
	Width, Height int
	Colour        string // the mean, as #rrggbb
}

// largeWork is from how many bytes on what was allocated is returned to the system at once.
const largeWork = 32 << 20

// Target is a form of an image, and where it is written.
type Target struct {
	Form
	To io.Writer
}

// Draw decodes a file that Inspect has accepted, upright and in sRGB, and writes it in forms. The first is the widest,
// which it describes, and the others are drawn of that. It fails with VALIDATION_FAILED if the pixels are damaged, and
// when ctx ends.
func Draw(ctx context.Context, f File, info Info, to ...Target) (made Drawn, err error) {
	if info.Memory(to[0].Form) > largeWork {
		debug.FreeOSMemory() // earlier garbage would add to the memory of this image
		defer debug.FreeOSMemory()
	}
	m, err := decode(ctx, f, info)
	if err != nil {
		return made, err
	}
	for i, t := range to {
		size, as := info.fitted(t.Form)
		shown := m
		if info.isDrawn(size, as) {
			shown = drawn(m, info, size)
		}
		each := webpMemory
		if as == WebP && !shown.(*image.RGBA).Opaque() {
			each = transparentMemory
			if fits := within(size, mostTransparent); fits != size {
				shown, size = drawn(shown, Info{orientation: 1}, fits), fits
			}
		}
		if i == 0 {
			made = Drawn{Kind: as, Width: size.X, Height: size.Y, Colour: meanColour(shown)}
			m, info = shown, Info{Kind: as, Width: size.X, Height: size.Y, orientation: 1}
		}
		if as == WebP && each*size.X*size.Y > largeWork {
			debug.FreeOSMemory() // what was decoded, or encoded, before the encoder takes as much
		}
		if err = ctx.Err(); err == nil {
			err = encode(t.To, shown, as, t.Quality)
		}
		if err != nil {
			return made, err
		}
	}
	return made, nil
}

// encode writes an image in a kind.
func encode(to io.Writer, m image.Image, as Kind, quality int) error {
	switch as {
	case JPEG:
		layOnWhite(m)
		return jpeg.Encode(to, m, &jpeg.Options{Quality: quality})
	case PNG:
		return png.Encode(to, m)
	case WebP:
		return encodeWebP(to, m.(*image.RGBA), quality)
	}
	return fmt.Errorf("there is no encoder of %s", as)
}

// Check decodes a file, and returns what Draw would return of it if it changed nothing.
func Check(ctx context.Context, f File, info Info) (Drawn, error) {
	made, err := Draw(ctx, f, info, Target{Form{Width: 16, As: PNG}, io.Discard})
	made.Kind, made.Width, made.Height = info.Kind, info.Width, info.Height
	return made, err
}

// decode decodes a file as it is; of an animation its first frame.
func decode(ctx context.Context, f File, info Info) (decoded image.Image, err error) {
	defer func() { // decoders may panic on malicious files
		if p := recover(); p != nil {
			err = broken(fmt.Sprint("decoding panicked: ", p))
		}
	}()
	decoded, err = info.format.decode(bufio.NewReaderSize(whileContext{ctx, f.Reader()}, 32<<10))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, broken(err.Error())
	}
	size := image.Point{X: info.Width, Y: info.Height}
	if info.orientation > 4 {
		size.X, size.Y = size.Y, size.X
	}
	canvas := image.Rectangle{Max: size}
	if frame := decoded.Bounds(); frame != canvas && frame.In(canvas) && !info.format.isKept { // of a GIF
		whole := image.NewRGBA(canvas)
		draw.Draw(whole, frame, decoded, frame.Min, draw.Src)
		decoded = whole
	}
	if decoded.Bounds().Size() != size {
		return nil, broken("its pixels are not as many as it says")
	}
	return decoded, nil
}

// whileContext is a reader that fails once its context has ended, and so ends the decoder that reads from
// it.
type whileContext struct {
	ctx  context.Context
	from io.Reader
}

func (w whileContext) Read(to []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.from.Read(to)
}

// drawn returns an image in a size, upright and in sRGB. It scales each row, converts its colours and puts it
// where it is shown, so that only the result takes memory.
func drawn(from image.Image, info Info, size image.Point) *image.RGBA {
	made := image.NewRGBA(image.Rectangle{Max: size})
	if info.orientation > 4 {
		size.X, size.Y = size.Y, size.X // as it is stored
	}
	convert := toSRGB(info.profile, from)
	scaleRows(from, size, func(y int, row []byte) {
		if convert != nil {
			convert(row)
		}
		if info.orientation == 1 {
			copy(made.Pix[y*made.Stride:], row)
			return
		}
		for x := range size.X {
			at := turned(image.Point{X: x, Y: y}, size, info.orientation)
			copy(made.Pix[at.Y*made.Stride+4*at.X:], row[4*x:4*x+4])
		}
	})
	return made
}

// turned returns where a point of an image of a size is shown.
func turned(p, size image.Point, orientation int) image.Point {
	right, bottom := size.X-1-p.X, size.Y-1-p.Y
	switch orientation {
	case 2:
		return image.Point{X: right, Y: p.Y}
	case 3:
		return image.Point{X: right, Y: bottom}
	case 4:
		return image.Point{X: p.X, Y: bottom}
	case 5:
		return image.Point{X: p.Y, Y: p.X}
	case 6:
		return image.Point{X: bottom, Y: p.X}
	case 7:
		return image.Point{X: bottom, Y: right}
	case 8:
		return image.Point{X: p.Y, Y: right}
	}
	return p
}

// layOnWhite draws an image on white, for JPEG, which has no transparency.
func layOnWhite(m image.Image) {
	made, ok := m.(*image.RGBA)
	if !ok { // a JPEG that was not drawn
		return
	}
	for i := 0; i+3 < len(made.Pix); i += 4 {
		white := 255 - made.Pix[i+3] // the colours are multiplied by their opacity
		made.Pix[i] += white
		made.Pix[i+1] += white
		made.Pix[i+2] += white
		made.Pix[i+3] = 255
	}
}

// meanColour returns the mean colour of an image as #rrggbb. Transparent parts count as white.
func meanColour(img image.Image) string {
	var sum [4]uint64
	small := image.Point{X: min(img.Bounds().Dx(), 16), Y: min(img.Bounds().Dy(), 16)}
	scaleRows(img, small, func(_ int, row []byte) {
		for i, value := range row {
			sum[i%4] += uint64(value)
		}
	})
	points := uint64(small.X * small.Y)
	on := 255 - sum[3]/points
	mean := func(i int) uint64 { return min(255, sum[i]/points+on) }
	return fmt.Sprintf("#%02x%02x%02x", mean(0), mean(1), mean(2))
}

// scaleRows passes the rows of an image that is scaled down to a size, which must not exceed its own, to each.
// Each pixel is the mean of those that it covers, so only two rows of memory are needed. They hold colours as
// image.RGBA does.
func scaleRows(from image.Image, size image.Point, each func(y int, row []byte)) {
	b := from.Bounds()
	across, down := spread(b.Dx(), size.X), spread(b.Dy(), size.Y)
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	made := make([]byte, 4*size.X)
	sums := make([]uint64, 4*size.X) // of the row that is being made
	for y := range b.Dy() {
		draw.Draw(row, row.Rect, from, image.Point{X: b.Min.X, Y: b.Min.Y + y}, draw.Src)
		if size == b.Size() {
			each(y, row.Pix)
			continue
		}
		for _, d := range down[y] {
			if d.share == 0 {
				continue
			}
			addRow(sums, row.Pix, across, d.share)
			if d.last {
				finishRow(made, sums)
				each(d.at, made)
			}
		}
	}
}

// whole is the sum of the shares of a pixel.
const whole = 1 << 16

// part is the share of a point in one of the up to two pixels that cover it.
type part struct {
	at    int
	share uint64 // of whole
	last  bool   // no later point is in the pixel
}

// spread returns for each of many points in which of n pixels it lies, and its share of the pixel.
func spread(many, n int) [][2]part {
	parts := make([][2]part, many)
	left := make([]uint64, n) // of whole, of each pixel
	for i := range left {
		left[i] = whole
	}
	for i := range parts {
		// the point spans i*n to (i+1)*n, and each pixel `many`
		first := i * n / many
		end := min((first+1)*many, (i+1)*n)
		share := uint64(end-i*n) * whole / uint64(many)
		last := end == (first+1)*many
		if last {
			share = left[first]
		}
		left[first] -= share
		parts[i][0] = part{first, share, last}
		if rest := (i+1)*n - end; rest > 0 {
			share := uint64(rest) * whole / uint64(many)
			left[first+1] -= share
			parts[i][1] = part{first + 1, share, false}
		}
	}
	return parts
}

// addRow adds a share of a row to the sums of the pixels that it lies in.
func addRow(sums []uint64, row []byte, across [][2]part, share uint64) {
	for x, in := range across {
		point := row[4*x : 4*x+4 : 4*x+4]
		for _, p := range in {
			if p.share == 0 {
				continue
			}
			of, sum := p.share*share, sums[4*p.at:4*p.at+4:4*p.at+4]
			sum[0] += uint64(point[0]) * of
			sum[1] += uint64(point[1]) * of
			sum[2] += uint64(point[2]) * of
			sum[3] += uint64(point[3]) * of
		}
	}
}

// finishRow writes the pixels whose sums are complete, and clears the sums.
func finishRow(to []byte, sums []uint64) {
	for i, sum := range sums {
		to[i] = byte((sum + whole*whole/2) / (whole * whole))
		sums[i] = 0
	}
}
