package main

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/ent/order"
	"storefront/ent/tenant"
	"storefront/internal/database/tenancy"
	"storefront/internal/media"
	"storefront/internal/media/blob"
	"storefront/internal/media/blob/blobtest"
	"storefront/internal/media/imagefile"
	"storefront/internal/record"
	"storefront/internal/request"
)

// uploads stores images with the given widths, in pixels, in the machine shop of an installation.
func (i *installation) uploads(t *testing.T, widths ...int) (kept []*ent.MediaFile) {
	t.Helper()
	for _, width := range widths {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, width, 3))); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, i.keep(t, file.Bytes()))
	}
	return kept
}

// keep stores an image in the machine shop of an installation.
func (i *installation) keep(t *testing.T, file []byte) *ent.MediaFile {
	t.Helper()
	s := media.New(media.Options{Store: i.store.Client, Files: blob.NewFolder(i.settings["MEDIA_DIR"]), Clock: time.Now,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	shop := uuid.MustParse(i.shopID(t))
	if err := s.Reach(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx := request.WithStaff(t.Context(), request.Staff{Business: shop})
	one, _, err := s.Keep(ctx, media.Upload{Shop: shop}, imagefile.Bytes(file))
	if err != nil {
		t.Fatal(err)
	}
	alt := new("words")
	if one, err = s.Update(ctx, shop, one.ID, media.Texts{AltEn: &alt}, nil); err != nil {
		t.Fatal(err)
	}
	return one
}

// receipt stores a receipt of an order of the machine shop.
func (i *installation) receipt(t *testing.T) {
	t.Helper()
	ctx := tenancy.In(t.Context(), uuid.MustParse(i.shopID(t)))
	found, err := i.store.Client.Order.Query().Where(order.UserIDNotNil()).Limit(1).All(ctx)
	if err != nil || len(found) == 0 {
		t.Fatalf("%d orders, %v", len(found), err)
	}
	of := found[0]
	file := "a picture"
	kept, err := i.store.Client.Receipt.Create().SetOrderID(of.ID).SetUserID(*of.UserID).SetHash([]byte("hash")).
		SetSize(int64(len(file))).SetWidth(4).SetHeight(3).Save(ctx)
	if err != nil {
		t.Fatal(err)
	}
	key := record.ReceiptFolder(of.TenantID, kept.ID) + "receipt.jpg"
	err = blob.NewFolder(i.settings["MEDIA_DIR"]).Put(ctx, key, strings.NewReader(file), kept.Size)
	if err != nil {
		t.Fatal(err)
	}
}

// images returns the rows of the images of the machine shop.
func (i *installation) images(t *testing.T) []*ent.MediaFile {
	t.Helper()
	shop, err := i.store.Client.Tenant.Query().Where(tenant.Domain(machineShop)).Only(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := i.store.Client.MediaFile.Query().All(tenancy.In(t.Context(), shop.ID))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestShopFileWithImages moves a shop with the files of its images and a receipt. One of the files is missing
// and comes later.
func TestShopFileWithImages(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		folder := t.TempDir()
		from.settings["MEDIA_DIR"], to.settings["MEDIA_DIR"] = folder+"/from", folder+"/to"
		kept := from.uploads(t, 4, 5)
		from.receipt(t)
		source, target := blob.NewFolder(from.settings["MEDIA_DIR"]), blob.NewFolder(to.settings["MEDIA_DIR"])
		keys := blobtest.Keys(t, source, "")
		file, carried := filepath.Join(folder, "shop.jsonl"), filepath.Join(folder, "carried")
		for range 2 {
			from.succeed(t, "shop", "export", "-now", "-media", carried, machineShop, file)
		}
		away := filepath.Join(folder, "away")
		if err := os.Rename(filepath.Join(carried, keys[1]), away); err != nil {
			t.Fatal(err)
		}
		to.refuse(t, []string{"shop", "import", "-media", carried + "-none", file}, "-media names a folder")
		_, said, err := to.run(t, "shop", "import", "-media", carried, file)
		if err != nil || !strings.Contains(said, "there is no file of "+kept[1].Address) {
			t.Fatalf("got %v, %s", err, said)
		}
		if got := blobtest.Keys(t, target, ""); strings.Join(got, " ") != keys[0]+" "+keys[2] {
			t.Errorf("got the files %v of %v, want all but the second", got, keys)
		}
		if err := os.Rename(away, filepath.Join(carried, keys[1])); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			to.succeed(t, "shop", "import", "-media", carried, file)
		}
		if got := blobtest.Keys(t, target, ""); strings.Join(got, " ") != strings.Join(keys, " ") {
			t.Errorf("got the files %v, want %v", got, keys)
		}
		if rows := to.images(t); len(rows) != 2 || rows[0].Address != kept[0].Address {
			t.Errorf("got %+v", rows)
		}
		here := to.images(t)[0]
		narrower := to.store.Client.MediaFile.Update().Where(mediafile.ID(here.ID)).AddTotalSize(7)
		if err := narrower.Exec(tenancy.In(t.Context(), kept[0].TenantID)); err != nil {
			t.Fatal(err)
		}
		to.succeed(t, "shop", "import", "-media", carried, file)
		if rows := to.images(t); rows[0].TotalSize+rows[1].TotalSize != rows[0].Size+rows[1].Size+7 {
			t.Errorf("narrower ones do not count: got %+v", rows)
		}
	})
}

// TestBundleWithImages imports content with its images into another installation, where the shop has another
// id.
func TestBundleWithImages(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		folder := t.TempDir()
		from.settings["MEDIA_DIR"], to.settings["MEDIA_DIR"] = folder+"/from", folder+"/to"
		to.settings["MEDIA_URL"] = "https://cdn.example"
		shown := from.uploads(t, 400, 5)[0]
		narrower := strings.TrimSuffix(shown.Address, ".png") + "-320.webp"
		from.succeed(t, "import", write(t, "more.json", `{"format": "storefront-bundle/1",
			"tenant": {"domain": "`+machineShop+`", "logoUrl": "`+shown.Address+`"}, "products": [{"slug": "shown",
			"titleFa": "کالا", "description": "<img src='`+narrower+`'>",
			"images": [{"url": "`+shown.Address+`", "mediaId": "`+shown.ID.String()+`"},
			{"url": "https://elsewhere.example/x.jpg"}]}]}`))
		for name, packed := range map[string]string{"plain": "shop.json", "gzipped": "shop.json.gz"} {
			file, carried := filepath.Join(folder, packed), filepath.Join(folder, "carried")
			from.succeed(t, "export", machineShop, "-o", file, "-media", carried)
			to.refuse(t, []string{"import", "-media", folder, file}, "there is no media.json")
			to.succeed(t, "import", "-media", carried, file)
			again := to.succeed(t, "import", "-media", carried, file)
			if strings.Contains(again, "products: 0 new, 0 changed") == false {
				t.Errorf("%s: the second time: %s", name, again)
			}
			rows := to.images(t)
			if len(rows) != 2 || rows[0].AltEn == nil || *rows[0].AltEn != "words" {
				t.Fatalf("%s: got %+v", name, rows)
			}
			here := rows[0]
			if here.Width != 400 {
				here = rows[1]
			}
			if !strings.HasPrefix(here.Address, "https://cdn.example/media/"+to.shopID(t)+"/") {
				t.Errorf("%s: got %s", name, here.Address)
			}
			text := to.succeed(t, "export", machineShop)
			for _, want := range []string{
				`"` + here.Address + `"`, `"` + here.ID.String() + `"`, "https://elsewhere.example/x.jpg",
				"'" + strings.TrimSuffix(here.Address, ".png") + "-320.webp'",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: the bundle has no %s", name, want)
				}
			}
			if strings.Contains(text, from.shopID(t)) || strings.Contains(text, shown.ID.String()) {
				t.Errorf("%s: the bundle still names an image of another installation", name)
			}
			if files := blobtest.Keys(t, blob.NewFolder(to.settings["MEDIA_DIR"]), to.shopID(t)+"/"); len(files) != 2 {
				t.Errorf("%s: got the files %v", name, files)
			}
		}
	})
}

// TestMovedImagesKeepTheirBytes moves the content of a shop there and on to a folder: a JPEG would lose something each
// time that it is encoded.
func TestMovedImagesKeepTheirBytes(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		folder := t.TempDir()
		from.settings["MEDIA_DIR"], to.settings["MEDIA_DIR"] = folder+"/from", folder+"/to"
		noise := image.NewGray(image.Rect(0, 0, 90, 60))
		for i := range noise.Pix {
			noise.Pix[i] = byte(i * i)
		}
		var file bytes.Buffer
		if err := jpeg.Encode(&file, noise, nil); err != nil {
			t.Fatal(err)
		}
		from.keep(t, file.Bytes())
		var kept [][]byte
		for i, one := range []*installation{from, to} {
			packed, carried := fmt.Sprintf("%s/%d.json", folder, i), fmt.Sprintf("%s/carried-%d", folder, i)
			one.succeed(t, "export", machineShop, "-o", packed, "-media", carried)
			if i == 0 {
				to.succeed(t, "import", "-media", carried, packed)
			}
			keys := blobtest.Keys(t, blob.NewFolder(carried), one.shopID(t)+"/")
			if len(keys) != 1 {
				t.Fatalf("got the files %v", keys)
			}
			data, err := os.ReadFile(filepath.Join(carried, keys[0]))
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, data)
		}
		if !bytes.Equal(kept[0], kept[1]) {
			t.Errorf("it was %d bytes, and has become %d others", len(kept[0]), len(kept[1]))
		}
	})
}

// TestExportIntoTheSameFolder exports twice into one folder, and checks that the second export includes an
// image uploaded in between.
func TestExportIntoTheSameFolder(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		folder := t.TempDir()
		from.settings["MEDIA_DIR"], to.settings["MEDIA_DIR"] = folder+"/from", folder+"/to"
		file, carried := filepath.Join(folder, "shop.json"), filepath.Join(folder, "carried")
		for _, width := range []int{30, 40} {
			from.uploads(t, width)
			from.succeed(t, "export", machineShop, "-o", file, "-media", carried)
		}
		to.succeed(t, "import", "-media", carried, file)
		if got, want := len(to.images(t)), len(from.images(t)); got != want || want < 2 {
			t.Errorf("got %d images at the other installation, want %d", got, want)
		}
	})
}

// TestBundleWithWhatIsNoImage checks that a file that is not an image is refused.
func TestBundleWithWhatIsNoImage(t *testing.T) {
	eachTarget(t, func(t *testing.T, from, to *installation) {
		folder := t.TempDir()
		from.settings["MEDIA_DIR"], to.settings["MEDIA_DIR"] = folder+"/from", folder+"/to"
		from.uploads(t, 4)
		file, carried := filepath.Join(folder, "shop.json"), filepath.Join(folder, "carried")
		from.succeed(t, "export", machineShop, "-o", file, "-media", carried)
		key := blobtest.Keys(t, blob.NewFolder(from.settings["MEDIA_DIR"]), "")[0]
		if err := os.WriteFile(filepath.Join(carried, key), []byte("<script>"), 0o600); err != nil {
			t.Fatal(err)
		}
		to.refuse(t, []string{"import", "-media", carried, file}, "keep /media/"+key)
	})
}
