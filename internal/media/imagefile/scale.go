package imagefile

import (
	"image"
	"image/draw"
)

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
