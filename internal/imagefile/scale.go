package imagefile

import (
	"fmt"
	"image"
	"image/draw"

	"storefront/internal/record"
)

// scalingMemory returns the bytes that making the widest of the smaller versions allocates: for its pixels
// and for the encoder.
func scalingMemory(width, height int) int64 {
	widest := record.MediaWidths[len(record.MediaWidths)-1]
	if width > widest {
		width, height = widest, max(1, int(int64(height)*int64(widest)/int64(width)))
	}
	return 12 * int64(width) * int64(height)
}

// Scaled returns an image scaled down to a width, which must not exceed its own. Each pixel is the mean of
// those that it covers, so only one row of memory is needed beside the result.
func Scaled(from image.Image, width int) *image.RGBA {
	b := from.Bounds()
	height := max(1, (b.Dy()*width+b.Dx()/2)/b.Dx())
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	across, down := spread(b.Dx(), width), spread(b.Dy(), height)
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	sums := make([]uint64, 4*width) // of the row that is being made
	for y := range b.Dy() {
		draw.Draw(row, row.Rect, from, image.Point{X: b.Min.X, Y: b.Min.Y + y}, draw.Src)
		for _, d := range down[y] {
			if d.share == 0 {
				continue
			}
			addRow(sums, row.Pix, across, d.share)
			if d.last {
				finishRow(to.Pix[d.at*to.Stride:], sums)
			}
		}
	}
	return to
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

// LayOnWhite draws an image on white, for file formats without transparency.
func LayOnWhite(m *image.RGBA) {
	for i := 0; i+3 < len(m.Pix); i += 4 {
		white := 255 - m.Pix[i+3] // the colours are multiplied by their opacity
		m.Pix[i] += white
		m.Pix[i+1] += white
		m.Pix[i+2] += white
		m.Pix[i+3] = 255
	}
}

// MeanColour returns the mean colour of an image as #rrggbb. Transparent parts count as white.
func MeanColour(of image.Image) string {
	// in two steps: the first is quick, and leaves few rows for the second
	small := Scaled(of, min(of.Bounds().Dx(), 16))
	var sum [4]uint64
	for i, value := range small.Pix {
		sum[i%4] += uint64(value)
	}
	points := uint64(len(small.Pix) / 4)
	on := 255 - sum[3]/points
	mean := func(i int) uint64 { return min(255, sum[i]/points+on) }
	return fmt.Sprintf("#%02x%02x%02x", mean(0), mean(1), mean(2))
}
