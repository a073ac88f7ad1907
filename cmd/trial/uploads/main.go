// Package uploads uploads images that take much memory to a server, from several shops at once, and requests
// narrower ones meanwhile: decompression bombs, the largest images allowed, and broken ones. `make uploads`
// runs it; everything stays on loopback.
//
// The server's memory must not grow by more than a limit, no answer may be 500, and other requests must be
// answered.
package uploads

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial uploads` runs.
var Trial = stage.Trial{Name: "uploads", About: "upload images that take much memory, to several shops at once",
	Kinds: stage.Databases, Flags: func(f *flag.FlagSet) stage.Work {
		var t trial
		f.IntVar(&t.shops, "shops", 4, "shops that images are uploaded to")
		f.IntVar(&t.clients, "clients", 16, "customers who upload at once")
		f.IntVar(&t.rounds, "rounds", 1, "how often each uploads each file")
		f.Int64Var(&t.most, "most", 150, "MiB that the server may take above what it had before; 0: any number")
		f.IntVar(&t.large, "large", 100, "the size of large images, in per cent of the largest that are taken")
		return t.run
	}}

type trial struct {
	shops, clients, rounds, large int
	most                          int64 // MiB
}

// file is a file that is uploaded again and again, with a small difference each time.
type file struct {
	name  string
	bytes []byte
	want  []int // statuses, beside those of a busy server and of a customer who has uploaded enough
}

const mib = 1 << 20

// run uploads all files.
func (t *trial) run(ctx context.Context, s *stage.Stage) {
	s.New(ctx)
	for i := range t.shops {
		domain := domainOf(i)
		must.Get(s.Run(ctx, "tenant", "add", domain, "Shop", "فروشگاه"))
	}
	settings := []string{"MEDIA_DIR=" + s.TempDir(), "CLIENT_LIMITS=off"}
	server := s.Serve(ctx, settings...)
	crowd := make([]*customer.Customer, t.clients)
	for i := range crowd {
		crowd[i] = customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, i, domainOf(i%t.shops))
	}
	server.Stop() // registrations take memory as well
	server = s.Serve(ctx, settings...)
	for _, one := range crowd {
		one.Base = customer.At(server.Addr)
	}
	files := t.files()
	must.Do(customer.Wait(ctx, 2*time.Second))
	idle := server.Memory()
	began := time.Now()
	other, said := crowd[0].Another(nil), &customer.Tallies{} // said is by file
	other.Tally = &customer.Tally{}
	looking := customer.Go(ctx, []*customer.Customer{other}, look)
	upload := func(ctx context.Context, one *customer.Customer, _ int) {
		for _, k := range one.Random.Perm(len(files)) {
			put(ctx, one, files[k], said)
		}
	}
	must.Do(customer.Times(ctx, t.clients*t.rounds, crowd, upload), looking.Stop())
	peak := server.Peak()
	for _, name := range said.Names() {
		s.Say("%-28s %v", name, said.Of(name).Now().Statuses)
	}
	s.Say("%d files of %d shops in %v: %d MiB above the %d MiB of before; the slowest other answer took %v",
		t.clients*t.rounds*len(files), t.shops, time.Since(began).Round(time.Second), (peak-idle)/mib, idle/mib,
		other.Tally.Now().Slowest.Took.Round(time.Millisecond))
	for _, f := range files {
		for status := range said.Of(f.name).Now().Statuses {
			busy := status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests
			must.Hold(busy || slices.Contains(f.want, status), "%s: got %d, want %v", f.name, status, f.want)
		}
	}
	must.Hold(t.most == 0 || peak-idle <= t.most*mib, "it took %d MiB above what it had; it may take %d",
		(peak-idle)/mib, t.most)
}

func domainOf(i int) string { return fmt.Sprintf("shop%d.example", i) }

// look requests a shop, as somebody does who uploads nothing.
func look(ctx context.Context, by *customer.Customer, _ int) {
	by.REST(ctx, http.MethodGet, "/tenants/"+by.Domain, nil)
	customer.Pause(ctx, 20*time.Millisecond)
}

// put uploads a file, and requests a narrower image of it if it was accepted. Its last bytes, which do not
// count, are different each time, so that it is processed again.
func put(ctx context.Context, by *customer.Customer, f file, said *customer.Tallies) {
	by.Tally = nil
	var made struct {
		Data struct{ CreateListingUpload struct{ URL string } }
	}
	asked := by.Ask(ctx, `mutation($shop: ID!) { createListingUpload(businessId: $shop) { url } }`,
		map[string]any{"shop": by.Business})
	if asked.Read(&made) != nil {
		said.Of(f.name).Add(asked)
		return
	}
	by.Tally = said.Of(f.name)
	content := binary.BigEndian.AppendUint64(slices.Clone(f.bytes), by.Random.Uint64())
	var kept struct{ URL string }
	if by.Send(ctx, http.MethodPut, made.Data.CreateListingUpload.URL, content).Read(&kept) == nil {
		by.Tally = said.Of("a narrower image")
		by.Send(ctx, http.MethodGet, kept.URL[:strings.LastIndexByte(kept.URL, '.')]+"-1920.webp", nil)
	}
}

// files returns the files to upload.
func (t *trial) files() []file {
	taken, refused := []int{http.StatusCreated, http.StatusOK}, []int{http.StatusBadRequest}
	side := func(most int) int { return max(16, most*t.large/100) }
	photo := jpegOf(side(5_712), side(4_284))
	whole := pngOf(side(4_096), side(4_000))
	return []file{
		{"a large JPEG", photo, taken},
		{"a turned JPEG", turned(photo), taken},
		{"a JPEG of 39 megapixels", jpegOf(side(7_300), side(5_400)), taken},
		{"a large PNG", whole, taken},
		{"a GIF of many frames", gifOf(200), taken},
		{"a small one", pngOf(400, 300), taken},
		{"a PNG that says 65,535²", declared(65_535, 65_535), refused},
		{"a PNG without its pixels", declared(16_000, 2_400), refused},
		{"a JPEG of many scans", scans(jpegOf(800, 600)), refused},
		{"a WebP of many Huffman trees", trees(), refused},
		{"a PNG with a long profile", profiled(pngOf(400, 300)), taken},
		{"half a JPEG", photo[:len(photo)/2], refused},
		{"20 MiB of nothing", make([]byte, 20*mib-64), []int{http.StatusUnsupportedMediaType}},
		{"too long", append(slices.Clone(photo), make([]byte, 21*mib)...), []int{http.StatusRequestEntityTooLarge}},
	}
}

// declared returns a small PNG that says it has another size.
func declared(width, height uint32) []byte {
	m := pngOf(16, 16)
	binary.BigEndian.PutUint32(m[16:], width)
	binary.BigEndian.PutUint32(m[20:], height)
	binary.BigEndian.PutUint32(m[29:], crc32.ChecksumIEEE(m[12:29]))
	return m
}

// turned returns a JPEG whose EXIF data turn it by 90°.
func turned(photo []byte) []byte {
	exif := "\xff\xe1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00" +
		"\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
	return slices.Concat(photo[:2], []byte(exif), photo[2:])
}

// scans returns a JPEG of 5,000 scans.
func scans(photo []byte) []byte {
	at := bytes.Index(photo, []byte("\xff\xda"))
	scan := append(slices.Clone(photo[at:at+14]), 0)
	return slices.Concat(photo[:at], bytes.Repeat(scan, 5_000), photo[at:])
}

// trees returns a small WebP with room for as many Huffman trees as a decoder takes.
func trees() []byte {
	const width, height, length = 208, 200, 770_000
	head := binary.LittleEndian.AppendUint32([]byte("RIFF"), length+12)
	head = binary.LittleEndian.AppendUint32(append(head, "WEBPVP8L"...), length)
	head = binary.LittleEndian.AppendUint32(append(head, 0x2f), width-1|(height-1)<<14)
	return append(head, make([]byte, length-5)...)
}

// profiled returns a PNG whose colour profile is 60 MiB of zeros.
func profiled(m []byte) []byte {
	var chunk bytes.Buffer
	chunk.WriteString("iCCPx\x00\x00")
	packed := zlib.NewWriter(&chunk)
	must.Get(packed.Write(make([]byte, 60*mib)))
	must.Do(packed.Close())
	head := binary.BigEndian.AppendUint32(nil, uint32(chunk.Len()-4))
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk.Bytes()))
	return slices.Concat(m[:33], head, chunk.Bytes(), sum, m[33:])
}

// picture returns an image whose colors compress as badly as those of a photo.
func picture(width, height int) image.Image {
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = byte(i * i >> 8)
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = byte(i>>4), byte(i>>6)
	}
	return m
}

func jpegOf(width, height int) []byte {
	var out bytes.Buffer
	must.Do(jpeg.Encode(&out, picture(width, height), &jpeg.Options{Quality: 50}))
	return out.Bytes()
}

func pngOf(width, height int) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i >> 14)
	}
	var out bytes.Buffer
	must.Do((&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, m))
	return out.Bytes()
}

func gifOf(frames int) []byte {
	all := &gif.GIF{}
	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, 600, 400), color.Palette{color.Black, color.White})
		m.Pix[i] = 1
		all.Image, all.Delay = append(all.Image, m), append(all.Delay, 4)
	}
	var out bytes.Buffer
	must.Do(gif.EncodeAll(&out, all))
	return out.Bytes()
}
