package record

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// MediaPath is the path below which the service serves the images that shops have uploaded.
const MediaPath = "/media/"

// MediaWidths are the only widths in pixels of smaller versions of images, so that no client can fill a disk
// with sizes.
var MediaWidths = []int{160, 320, 480, 640, 960, 1280, 1920}

// MediaFormat is the format of a smaller version of an image.
type MediaFormat string

// The formats, as the API spells them.
const (
	InWebP     MediaFormat = "webp"
	AsUploaded MediaFormat = "original"
)

// MediaKind is a kind of image files that are kept.
type MediaKind string

// The kinds, by the names of their media types.
const (
	JPEG MediaKind = "jpeg"
	PNG  MediaKind = "png"
	WebP MediaKind = "webp"
)

// MediaType returns the media type of the kind: image/jpeg.
func (k MediaKind) MediaType() string { return "image/" + string(k) }

// Extension returns the file name extension of the kind, without a dot.
func (k MediaKind) Extension() string {
	if k == JPEG {
		return "jpg"
	}
	return string(k)
}

// MediaKindOf returns the kind of a file name extension.
func MediaKindOf(extension string) MediaKind {
	if extension == "jpg" {
		return JPEG
	}
	return MediaKind(extension)
}

// MediaUse is how many records of a kind use an image.
type MediaUse struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// MediaAddress is the address of an uploaded image, or of a smaller version of it. The content never
// changes, since the address has a hash of it.
type MediaAddress struct {
	Base          string // what precedes MediaPath: https://cdn.example, or nothing
	Shop, ID      uuid.UUID
	Hash          string // of the content: 16 hexadecimal digits
	Width, Height int    // pixels, of the original
	Scaled        int    // one of MediaWidths; 0: the image itself
	Extension     string // jpg, png or webp
}

const uuidForm = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// mediaForm matches an address without its base and MediaPath.
var mediaForm = regexp.MustCompile(`^(` + uuidForm + `)/(` + uuidForm +
	`)/([0-9a-f]{16})-([1-9][0-9]{0,4})x([1-9][0-9]{0,4})(?:-([1-9][0-9]{2,3}))?\.(jpg|png|webp)$`)

// ParseMediaAddress parses an address; ok is false if it is that of another image.
func ParseMediaAddress(url string) (a MediaAddress, ok bool) {
	at := strings.LastIndex(url, MediaPath)
	if at < 0 || strings.ContainsAny(url, "?#") {
		return a, false
	}
	found := mediaForm.FindStringSubmatch(url[at+len(MediaPath):])
	if found == nil {
		return a, false
	}
	a = MediaAddress{Base: url[:at], Hash: found[3], Extension: found[7]}
	a.Shop, a.ID = uuid.MustParse(found[1]), uuid.MustParse(found[2])
	a.Width, _ = strconv.Atoi(found[4]) // digits
	a.Height, _ = strconv.Atoi(found[5])
	a.Scaled, _ = strconv.Atoi(found[6]) // digits, or empty
	return a, true
}

// String returns the address.
func (a MediaAddress) String() string { return a.Base + MediaPath + a.Key() }

// Key returns the address without its base and MediaPath. The file is stored under this key.
func (a MediaAddress) Key() string {
	name := a.Hash + "-" + strconv.Itoa(a.Width) + "x" + strconv.Itoa(a.Height)
	if a.Scaled > 0 {
		name += "-" + strconv.Itoa(a.Scaled)
	}
	return a.Folder() + name + "." + a.Extension
}

// Folder returns the common prefix of the keys of the image and its smaller versions.
func (a MediaAddress) Folder() string { return a.Shop.String() + "/" + a.ID.String() + "/" }

// ReceiptFolder returns the prefix of the key of a receipt's file. No address of an image leads to such a key, as a
// receipt is served only to people with a link to it.
func ReceiptFolder(shop, id uuid.UUID) string {
	return "receipts/" + shop.String() + "/" + id.String() + "/"
}

// In returns the address of the smallest version whose width, of MediaWidths, is at least width. If no version is that
// wide, it returns the address of the image itself.
func (a MediaAddress) In(width int, format MediaFormat) MediaAddress {
	if a.Scaled > 0 {
		return a
	}
	i, _ := slices.BinarySearch(MediaWidths, width)
	if i == len(MediaWidths) || MediaWidths[i] > a.Width {
		return a
	}
	if a.Scaled = MediaWidths[i]; format != AsUploaded {
		a.Extension = "webp"
	}
	return a
}

// Address returns the address of the image, or of a smaller version if width is not nil and the shop has
// uploaded the image.
func (m *Media) Address(width *int, format *MediaFormat) string {
	if width == nil && format == nil {
		return m.URL
	}
	a, ok := ParseMediaAddress(m.URL)
	if !ok {
		return m.URL
	}
	wanted, as := a.Width, InWebP
	if width != nil {
		wanted = *width
	}
	if format != nil {
		as = *format
	}
	if width == nil && as == AsUploaded {
		return m.URL
	}
	return a.In(wanted, as).String()
}

// Srcset returns the addresses of the image in all its widths, in the form of the HTML attribute; nil if the
// shop has not uploaded it, or it is a smaller version.
func (m *Media) Srcset(format *MediaFormat) *string {
	a, ok := ParseMediaAddress(m.URL)
	if !ok || a.Scaled > 0 {
		return nil
	}
	as := InWebP
	if format != nil {
		as = *format
	}
	var text strings.Builder
	for _, width := range slices.Concat(MediaWidths, []int{a.Width}) {
		in := a.In(width, as)
		if text.Len() > 0 {
			text.WriteString(", ")
		}
		text.WriteString(in.String() + " " + strconv.Itoa(cmp.Or(in.Scaled, a.Width)) + "w")
		if width >= a.Width {
			break
		}
	}
	set := text.String()
	return &set
}

// ofAddress returns the image with an address, with its id and size if the shop has uploaded it, else with
// the given id.
func ofAddress(url, id string) *Media {
	m := &Media{MediaID: id, URL: url}
	if a, ok := ParseMediaAddress(url); ok && a.Scaled == 0 {
		m.MediaID, m.Width, m.Height = a.ID.String(), &a.Width, &a.Height
	}
	return m
}
