package staff_test

import (
	"testing"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
)

// readable is how staff read what they write with an input.
type readable struct {
	// key holds the arguments of the mutation that identify the record.
	key string
	// read is the path of fields to the record.
	read string
	// item is a member and its value that identify the record, if the path leads to a list.
	item string
	// of gives more variables of the mutation.
	of func(t *testing.T, c *shoptest.Crew) map[string]any
	// only are members that a record has in one status alone.
	only map[string]string
	// elsewhere holds members that are not read with the record, and the reason.
	elsewhere map[string]string
}

// readables holds each input of a mutation of staff.
var readables = map[string]readable{
	"ShopInput":            {read: "staffShop(businessId: $shop)"},
	"BusinessProfileInput": {read: "staffBusinessProfile(businessId: $shop)"},
	"BrandInput":           {key: `slug: "read"`, read: `staffBrand(businessId: $shop, slug: "read")`},
	"CategoryInput": {key: `entityType: product, slug: "read"`,
		read: `staffCategory(businessId: $shop, entityType: product, slug: "read")`},
	"ProductInput": {key: `slug: "read"`, read: `staffProduct(businessId: $shop, slug: "read") content`,
		elsewhere: map[string]string{"expectedStock": "it is a condition on each variant"}},
	"UserProductInput": {key: `slug: "read"`, read: `staffListing(businessId: $shop, slug: "read") content`,
		only: map[string]string{"rejectionReason": "rejected"}},
	"BlogInput":      {key: `slug: "read"`, read: `staffBlog(businessId: $shop, slug: "read")`},
	"PortfolioInput": {key: `slug: "read"`, read: `staffPortfolio(businessId: $shop, slug: "read")`},
	"SliderInput":    {key: `key: "read"`, read: "staffSliders(businessId: $shop)", item: "key read"},
	"CategoryGroupInput": {key: `key: "read"`, read: "staffCategoryGroups(businessId: $shop)",
		item: "key read"},
	"BrandGroupInput":     {key: `key: "read"`, read: "staffBrandGroups(businessId: $shop)", item: "key read"},
	"StoreSpecialInput":   {key: `key: "read"`, read: "staffStoreSpecials(businessId: $shop)", item: "key read"},
	"DeliveryMethodInput": {key: `key: "read"`, read: "staffDeliveryMethods(businessId: $shop)", item: "key read"},
	"TaxRateInput":        {key: `key: "read"`, read: "staffTaxRates(businessId: $shop)", item: "key read"},
	"OfferInput": {read: `staffProduct(businessId: $shop, slug: "read") content variants`, item: "sku READ-1",
		elsewhere: map[string]string{"expectedStock": "it is a condition"}},
	"StockAdjustmentInput": {elsewhere: map[string]string{"reason": "it is for the audit log alone",
		"items": "each is the stock of a variant, which OfferInput writes as well"}},
	"PaymentMarkInput": {read: "shopOrder(businessId: $shop, orderId: $orderId) order payment",
		of: func(t *testing.T, c *shoptest.Crew) map[string]any {
			here := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
			return map[string]any{"orderId": c.Store.Client.Order.Query().FirstIDX(here)}
		},
		elsewhere: map[string]string{"reason": "it is for the audit log alone"}},
	"StaffInput":       {read: "staffInvitations(businessId: $shop)", item: "cellNumber +989121112233"},
	"AccessTokenInput": {read: "accessTokens(businessId: $shop)", item: "name name 1"},
	"MediaUploadInput": {elsewhere: map[string]string{"name": said}},
	"MediaFileInput": {read: "mediaFile(businessId: $shop, mediaId: $mediaId)",
		of: func(t *testing.T, c *shoptest.Crew) map[string]any {
			return map[string]any{"mediaId": shoptest.MediaFile(t, c.Store.Client, uuid.MustParse(c.Tools), nil).ID}
		}},
	"WebhookInput": {read: "webhooks(businessId: $shop)", item: "url https://staff.example/url-1"},
	"WebhookChangeInput": {read: "webhooks(businessId: $shop)", item: "url https://staff.example/url-2",
		of: func(t *testing.T, c *shoptest.Crew) map[string]any {
			found, err := c.Store.Client.WebhookEndpoint.Query().All(
				tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
			if err != nil {
				t.Fatal(err)
			}
			return map[string]any{"webhookId": found[0].ID}
		}},
	"LocationInput": {read: "cities(level: province)", item: "slug slug-1"},
	"LocationChangeInput": {read: "cities(level: province)", item: "slug slug-1",
		of: func(t *testing.T, c *shoptest.Crew) map[string]any {
			found, err := c.Store.Client.Location.Query().All(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range found {
				if one.Slug == "slug-1" {
					return map[string]any{"locationId": one.ID}
				}
			}
			t.Fatal("the location is not there")
			return nil
		}},
}

const said = "it is that of the image, once it is uploaded"

// filters are inputs that select records and are not kept.
var filters = []string{"SubmissionFilter", "RecordSelection", "OpinionSelection"}

// changes holds inputs that change many records, with the types that staff read. These must have the same
// members, except for verbs.
var changes = map[string][]string{
	"ContentChange": {"ProductContent", "BlogContent", "PortfolioContent"},
	"ListingChange": {"UserProductContent"},
	"OpinionChange": {"Comment", "ExpertReview"},
}

// verbs holds members of changes that act on another member or on the record.
var verbs = []string{"addTags", "removeTags", "delete"}

// written holds values for members whose form the schema does not describe, by input and member or by
// member alone. %d makes two samples differ.
var written = map[string]string{
	"slug": `"slug-%d"`, "primaryColor": `"#10203%d"`, "placeholderColor": `"#40506%d"`, "colorHex": `"#70809%d"`,
	"defaultLocale": `"fa"`, "timeZone": `"Etc/GMT-%d"`, "logoUrl": `"/logo-%d.png"`, "faviconUrl": `"/favicon-%d.png"`,
	"ShopPagesInput.site": `"https://w%d.{domain}"`, "ShopPagesInput.home": `"/%d"`,
	"ShopPagesInput.product": `"/p%d/{slug}"`, "ShopPagesInput.category": `"/c%d/{slug}"`,
	"ShopPagesInput.brand": `"/b%d/{slug}"`, "ShopPagesInput.listing": `"/l%d/{slug}"`,
	"ShopPagesInput.blog": `"/t%d/{slug}"`, "ShopPagesInput.blogCategory": `"/tc%d/{slug}"`,
	"ShopPagesInput.portfolio": `"/w%d/{slug}"`, "ShopPagesInput.portfolioCategory": `"/wc%d/{slug}"`,
	"ShopPagesInput.order": `"/o%d/{number}"`,
	"imageUrl":             `"/image-%d.png"`, "linkUrl": `"/link-%d"`, "url": `"https://staff.example/url-%d"`,
	"phones": `["+98211234567%d"]`, "emails": `["staff-%d@example.com"]`, "parentSlug": `"hand-saws"`,
	"latitude": "35.%d", "longitude": "51.%d", "completedOn": `"2026-01-0%d"`, "cellNumber": `"+989121112233"`,
	"priceCurrency": `"USD"`, "price": "1%d.25", "compareAtPrice": "2%d.5", "sku": `"READ-1"`,
	"category": `"hand-saws"`, "brand": `"sharp"`, "city": `"karaj"`, "UserProductInput.province": `"alborz"`,
	"country": `"iran"`, "countries": `["iran"]`, "provinces": `["alborz"]`, "cities": `["karaj"]`,
	"steps": `[{"upTo": 100%d, "price": 1.5}]`, "freeFrom": "10%d.5", "daysFrom": "%d", "daysTo": "1%d",
	"mediaId": `"media-%d"`, "tags": `["tag %d", "other"]`, "publishedAt": `"2027-01-0%dT10:00:00Z"`,
	"startsAt": `"2027-02-0%dT10:00:00Z"`, "endsAt": `"2027-03-0%dT10:00:00Z"`,
	"from": `"2027-02-0%d"`, "until": `"2027-03-0%d"`,
	"categories": `["hand-saws"]`, "brands": `["sharp"]`, "StoreSpecialInput.variants": `["SAW-S"]`,
	"values": `[{"key": "teeth", "value": 2%d}]`, "otherValues": `[{"key": "gone", "value": "v%d"}]`,
	"variations": `[{"key": "size", "name": "Size %[1]d", "nameFa": "ا %[1]d", "values": [
		{"key": "s", "label": "S %[1]d", "labelFa": "ک %[1]d", "colorHex": "#00000%[1]d"}]}]`,
	"options": `[{"variation": "size", "value": "s"}]`,
	"fields": `[{"key": "length", "label": "L %[1]d", "labelFa": "ط", "type": "number", "unit": "mm", "unitFa": "م",
		"required": true}, {"key": "kind", "label": "K", "labelFa": "ن", "type": "select", "options": [
		{"value": "a", "label": "A %[1]d", "labelFa": "آ"}]}]`,
	"StaffInput.role": `"editor"`, "PaymentMarkInput.status": `"paid"`, "status": `"draft"`,
	"UserProductInput.status":    `"rejected"`,
	"StockAdjustmentInput.items": `[{"sku": "READ-1", "to": 5}]`, "expectedStock": "null",
	"LocationInput.level": `"province"`, "LocationInput.parentSlug": `"iran"`, "code": `"IR-9%d"`,
	"events": `["order_placed"]`, "permissions": `["manageOrders"]`, "expiresAt": `"2027-04-0%dT10:00:00Z"`,
}
