package imagefile

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// Decode decodes a file that Inspect has accepted, upright; of an animation its first frame. It fails with
// VALIDATION_FAILED if the pixels are damaged, and when ctx ends.
func Decode(ctx context.Context, f File, info Info) (decoded image.Image, err error) {
	defer func() { // decoders may panic on malicious files
		if p := recover(); p != nil {
			err = broken(fmt.Sprint("decoding panicked: ", p))
		}
	}()
	from := bufio.NewReaderSize(whileContext{ctx, f.reader()}, 32<<10)
	switch info.Kind {
	case JPEG:
		decoded, err = jpeg.Decode(from)
	case PNG:
		decoded, err = png.Decode(from)
	case WebP:
		decoded, err = webp.Decode(from)
	case GIF:
		decoded, err = gif.Decode(from)
	default:
		return nil, fmt.Errorf("there is no decoder of %s", info.Kind)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, broken(err.Error())
	}
	if info.Kind == GIF {
		decoded = onCanvas(decoded, info.Width, info.Height)
	}
	decoded = upright(decoded, info.Orientation)
	if size := decoded.Bounds().Size(); size != (image.Point{X: info.Width, Y: info.Height}) {
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

// onCanvas draws a frame at its place in the image.
func onCanvas(frame image.Image, width, height int) image.Image {
	canvas := image.Rect(0, 0, width, height)
	if frame.Bounds() == canvas {
		return frame
	}
	drawn := image.NewRGBA(canvas)
	draw.Draw(drawn, frame.Bounds(), frame, frame.Bounds().Min, draw.Src)
	return drawn
}

// upright turns and mirrors an image by an Exif orientation.
func upright(from image.Image, orientation int) image.Image {
	if orientation <= 1 {
		return from
	}
	b := from.Bounds()
	to := image.Rect(0, 0, b.Dx(), b.Dy())
	if orientation > 4 {
		to = image.Rect(0, 0, b.Dy(), b.Dx())
	}
	switch m := from.(type) {
	case *image.Gray:
		made := image.NewGray(to)
		turn(made.Pix, made.Stride, m.Pix, m.Stride, b.Size(), orientation)
		return made
	case *image.YCbCr:
		made := image.NewYCbCr(to, turnedRatio(m.SubsampleRatio, orientation))
		turn(made.Y, made.YStride, m.Y, m.YStride, b.Size(), orientation)
		part := image.Point{X: m.CStride, Y: len(m.Cb) / max(1, m.CStride)}
		part = chromaSize(m.SubsampleRatio, b, part)
		turn(made.Cb, made.CStride, m.Cb, m.CStride, part, orientation)
		turn(made.Cr, made.CStride, m.Cr, m.CStride, part, orientation)
		return made
	}
	made := image.NewRGBA(to)
	for y := range b.Dy() {
		for x := range b.Dx() {
			at := turned(image.Point{X: x, Y: y}, b.Size(), orientation)
			made.SetRGBA(at.X, at.Y, color.RGBAModel.Convert(from.At(b.Min.X+x, b.Min.Y+y)).(color.RGBA))
		}
	}
	return made
}

// chromaSize returns the size of the chroma planes of an image.
func chromaSize(ratio image.YCbCrSubsampleRatio, b image.Rectangle, stored image.Point) image.Point {
	size := b.Size()
	switch ratio {
	case image.YCbCrSubsampleRatio422:
		size.X = (size.X + 1) / 2
	case image.YCbCrSubsampleRatio420:
		size.X, size.Y = (size.X+1)/2, (size.Y+1)/2
	case image.YCbCrSubsampleRatio440:
		size.Y = (size.Y + 1) / 2
	case image.YCbCrSubsampleRatio411:
		size.X = (size.X + 3) / 4
	case image.YCbCrSubsampleRatio410:
		size.X, size.Y = (size.X+3)/4, (size.Y+1)/2
	}
	return image.Point{X: min(size.X, stored.X), Y: min(size.Y, stored.Y)}
}

// turnedRatio returns the chroma subsampling of an image that was turned.
func turnedRatio(ratio image.YCbCrSubsampleRatio, orientation int) image.YCbCrSubsampleRatio {
	if orientation > 4 {
		switch ratio {
		case image.YCbCrSubsampleRatio422:
			return image.YCbCrSubsampleRatio440
		case image.YCbCrSubsampleRatio440:
			return image.YCbCrSubsampleRatio422
		}
	}
	return ratio
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

// turn copies a plane of one byte for each point, turned.
func turn(to []byte, toStride int, from []byte, fromStride int, size image.Point, orientation int) {
	for y := range size.Y {
		row := from[y*fromStride:]
		for x := range size.X {
			at := turned(image.Point{X: x, Y: y}, size, orientation)
			to[at.Y*toStride+at.X] = row[x]
		}
	}
}
