package plan

import (
	"time"

	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// content holds the common fields of products, blogs and portfolios.
type content struct {
	titleFa     *string
	titleEn     **string
	summary     **string
	summaryFa   **string
	tags        *[]string
	images      *[]record.Media
	seo         *record.SEO
	status      *record.Status
	createdAt   time.Time
	publishedAt *time.Time
	searchText  *string
}

// readContent reads the common members of products, blogs and portfolios, except slug and category.
func (p *Planner) readContent(o *document.Object, c content) {
	readTitles(o, c.titleFa, c.titleEn)
	o.OptionalBilingual("summary", c.summary, c.summaryFa, summaryLimit)
	o.Texts("tags", c.tags, mostTags, tagLimit)
	p.readImages(o, c.images)
	readSEO(o, c.seo)
	was := *c.status
	document.Choose(o, "status", c.status, c.status.Values())
	p.readPublishedAt(o, c.createdAt, c.publishedAt, string(was), string(*c.status))
	document.Put(o, c.searchText, derive.SearchText(*c.titleFa, record.TextOf(*c.titleEn)))
}

// readPublishedAt reads the time from which a record is public once it is published. A publishedAt equal to createdAt
// is the default: a record that is published with it gets the present instead, even if an edit sends back the value
// it read. An archived record keeps its publishedAt. Exports leave the default out (dateInFile).
func (p *Planner) readPublishedAt(o *document.Object, created time.Time, dst *time.Time, was, is string) {
	at, chosen := *dst, false
	becomes := was != is && is == string(record.Published) && was != string(record.Archived)
	if m := o.Value("publishedAt"); m != nil {
		given, ok := o.Instant(m)
		echoes := p.Terms.Edit && becomes && given.Equal(created) && dst.Equal(created)
		if chosen = ok && !echoes; chosen {
			at = given
		}
	}
	if !chosen && becomes && at.Equal(created) {
		at = p.Now
	}
	if !at.Equal(*dst) {
		*dst, o.Changed = at, true
	}
}

// requireTitle notes a fault if a new record has no title. One of the two languages is enough.
func requireTitle(o *document.Object) {
	if m := o.Value("titleEn"); m == nil || o.IsEmpty(m.Text) {
		o.RequireOr("titleFa", "titleEn")
	}
}

// readTitles reads the titles of a record. An English title alone is used for both. As long as both are the same,
// a change of the English title changes the Persian one.
func readTitles(o *document.Object, fa *string, en **string) {
	one := *fa == "" || *en != nil && *fa == **en
	o.Text("titleFa", fa, document.TitleLimit, checkTitle)
	o.OptionalText("titleEn", en, document.TitleLimit, checkTitle)
	if one && *en != nil && o.Value("titleFa") == nil {
		document.Put(o, fa, **en)
	}
}

// readRejection reads why a record is rejected, and clears the reason of a record that is not.
func readRejection(o *document.Object, dst **string, isRejected bool) {
	o.OptionalText("rejectionReason", dst, noteLimit)
	if isRejected {
		return
	}
	if m := o.Value("rejectionReason"); m != nil && !o.IsEmpty(m.Text) {
		o.Faults.Add(m, "must not be there unless the status is rejected")
	}
	document.PutPointer(o, dst, nil)
}

// readImages reads a record's images. An image without a mediaId keeps the id that its URL has in the record,
// else gets the id of its upload, else a new one. Absent members of an image that the record has are
// unchanged.
func (p *Planner) readImages(o *document.Object, dst *[]record.Media) {
	ids := map[string]bool{}
	before := *dst
	document.ListOf(o, "images", dst, mostImages, func(o *document.Object) record.Media {
		url, id := "", ""
		o.Key("mediaId", &id, ids, checkKey)
		if f := p.uploads.find(id); f != nil && o.Value("url") == nil {
			url = f.Address
		} else {
			o.Require("url")
		}
		o.Text("url", &url, urlLimit, p.imageURL(urlsOfImages(before)...))
		one := p.imageBefore(before, url, id, ids)
		ids[one.MediaID] = true
		o.OptionalBilingual("alt", &one.Alt, &one.AltFa, noteLimit)
		readSize(o, &one.Width, &one.Height, &one.PlaceholderColor)
		return one
	})
}

// imageBefore returns the image of a record with a URL, and with the id if one is given; without an id, one
// that is not used yet. If there is none it returns a new image, with the data of its upload if there was
// one.
func (p *Planner) imageBefore(images []record.Media, url, id string, used map[string]bool) record.Media {
	for _, one := range images {
		if one.URL == url && (one.MediaID == id || id == "" && !used[one.MediaID]) {
			return one
		}
	}
	one := p.uploads.image(url)
	one.URL = url
	switch {
	case id != "":
		one.MediaID = id
	case one.MediaID == "" || used[one.MediaID]:
		one.MediaID = record.NewID().String()
	}
	return one
}

func urlsOfImages(images []record.Media) []string {
	return convert.All(images, func(m record.Media) string { return m.URL })
}

// readSize reads the dimensions of an image, and the colour that is shown until it is loaded.
func readSize(o *document.Object, width, height **int, color **string) {
	o.OptionalInteger("width", width, 1, mostPixels)
	o.OptionalInteger("height", height, 1, mostPixels)
	o.OptionalText("placeholderColor", color, document.KeyLimit, checkColour)
}

func readSEO(o *document.Object, dst *record.SEO) {
	if given, _ := o.Inner("seo"); given != nil {
		given.OptionalBilingual("title", &dst.Title, &dst.TitleFa, document.TitleLimit)
		given.OptionalBilingual("description", &dst.Description, &dst.DescriptionFa, noteLimit)
		given.RefuseUnknown()
		o.Changed = o.Changed || given.Changed
	}
}
