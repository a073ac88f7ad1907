package staff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// fate is the effect of a mutation on a record in the audit log.
type fate string

const (
	made    fate = "made"
	changed fate = "changed"
	gone    fate = "gone"
)

// audited is a mutation of staff with arguments that change something. A word in angle brackets is the id of the newest
// record of that kind: see newest.
type audited struct {
	mutation, arguments string
	fate                fate
}

// everyMutation has each mutation of staff, in an order in which each has something to change.
var everyMutation = []audited{
	{"addStaff", `input: {cellNumber: "+989121112233", role: editor}`, made},
	{"withdrawInvitation", `invitationId: <staff_invitations>`, gone},
	{"changeStaff", `staffId: <staff_members>, role: support`, changed},
	{"removeStaff", `staffId: <staff_members>`, gone},
	{"createAccessToken", `input: {name: "P", permissions: [seeShop]}`, made},
	{"revokeAccessToken", `tokenId: <access_tokens>`, changed},
	{"updateShop", `input: {name: "N"}`, changed},
	{"updateBusinessProfile", `input: {about: "A"}`, changed},

	{"createCategory", `entityType: product, slug: "bandsaws", input: {name: "S", nameFa: "ا"}`, made},
	{"updateCategory", `entityType: product, slug: "bandsaws", input: {description: "D"}`, changed},
	{"changeCategorySlug", `entityType: product, slug: "bandsaws", newSlug: "all-bandsaws"`, changed},
	{"createBrand", `slug: "keen", input: {name: "K", nameFa: "ت"}`, made},
	{"updateBrand", `slug: "keen", input: {logoUrl: "/keen.png"}`, changed},
	{"changeBrandSlug", `slug: "keen", newSlug: "keener"`, changed},
	{"createProduct", `slug: "bandsaw", input: {titleFa: "اره", brand: "keener",
		variants: [{sku: "BAND-1", priceCurrency: "USD"}]}`, made},
	{"updateProduct", `slug: "bandsaw", input: {summary: "S"}`, changed},
	{"createProductPreview", `slug: "bandsaw"`, changed},
	{"changeProductSlug", `slug: "bandsaw", newSlug: "long-bandsaw"`, changed},
	{"changeProducts", `select: {ids: [<products>]}, change: {addTags: ["t"]}`, changed},
	{"updateOffers", `input: [{sku: "BAND-1", stock: 3}]`, changed},
	{"adjustStock", `input: {reason: "count", items: [{sku: "BAND-1", by: 2}]}`, changed},
	{"createUserProduct", `slug: "old", input: {titleFa: "ک", priceCurrency: "USD", condition: new}`, made},
	{"updateUserProduct", `slug: "old", input: {price: 3}`, changed},
	{"createUserProductPreview", `slug: "old"`, changed},
	{"changeUserProductSlug", `slug: "old", newSlug: "older"`, changed},
	{"changeUserProducts", `select: {ids: [<user_products>]},
		change: {status: rejected, rejectionReason: "R"}`, changed},
	{"deleteUserProduct", `slug: "older"`, gone},
	{"createBlog", `slug: "news", input: {type: news, titleFa: "خ", body: "B"}`, made},
	{"updateBlog", `slug: "news", input: {summary: "S"}`, changed},
	{"createBlogPreview", `slug: "news"`, changed},
	{"changeBlogSlug", `slug: "news", newSlug: "olds"`, changed},
	{"changeBlogs", `select: {ids: [<blogs>]}, change: {status: archived}`, changed},
	{"deleteBlog", `slug: "olds"`, gone},
	{"createPortfolio", `slug: "barn", input: {titleFa: "ا", body: "B"}`, made},
	{"updatePortfolio", `slug: "barn", input: {clientName: "C"}`, changed},
	{"createPortfolioPreview", `slug: "barn"`, changed},
	{"changePortfolioSlug", `slug: "barn", newSlug: "barns"`, changed},
	{"changePortfolios", `select: {ids: [<portfolios>]}, change: {status: draft}`, changed},
	{"deletePortfolio", `slug: "barns"`, gone},
	{"createSlider", `key: "a", input: {title: "A", slides: [{imageUrl: "/a.png"}]}`, made},
	{"updateSlider", `key: "a", input: {title: "B"}`, changed},
	{"reorderSliders", `keys: ["a"]`, changed},
	{"deleteSlider", `key: "a"`, gone},
	{"createCategoryGroup", `key: "a", input: {title: "A", categories: ["all-bandsaws"]}`, made},
	{"updateCategoryGroup", `key: "a", input: {title: "B"}`, changed},
	{"deleteCategoryGroup", `key: "a"`, gone},
	{"createBrandGroup", `key: "a", input: {title: "A", brands: ["keener"]}`, made},
	{"updateBrandGroup", `key: "a", input: {title: "B"}`, changed},
	{"deleteBrandGroup", `key: "a"`, gone},
	{"createStoreSpecial", `key: "a", input: {title: "A", variants: ["BAND-1"]}`, made},
	{"updateStoreSpecial", `key: "a", input: {endsAt: "2027-01-01T00:00:00Z"}`, changed},
	{"deleteStoreSpecial", `key: "a"`, gone},
	{"createDeliveryMethod",
		`key: "a", input: {name: "A", nameFa: "آ", kind: flat, priceCurrency: "USD", price: 5}`, made},
	{"updateDeliveryMethod", `key: "a", input: {price: 6}`, changed},
	{"reorderDeliveryMethods", `keys: ["a"]`, changed},
	{"deleteDeliveryMethod", `key: "a"`, gone},
	{"createTaxRate", `key: "a", input: {category: "standard", name: "A", nameFa: "آ", rate: 1}`, made},
	{"updateTaxRate", `key: "a", input: {rate: 2}`, changed},
	{"deleteTaxRate", `key: "a"`, gone},
	{"deleteVariant", `sku: "BAND-1"`, gone},
	{"deleteProduct", `slug: "long-bandsaw"`, gone},
	{"reorderCategories", `entityType: product, slugs: ["all-bandsaws"]`, changed},
	{"deleteCategory", `entityType: product, slug: "all-bandsaws"`, gone},
	{"deleteBrand", `slug: "keener"`, gone},

	{"markPayment", `orderId: <orders>, input: {status: paid}`, changed},
	{"recordRefund", `paymentId: <payments>, input: {amount: 1, reference: "R"}`, changed},
	{"deleteReceipt", `orderId: <orders>, receiptId: <receipts>`, changed},
	{"moveOrder", `orderId: <orders>, status: cancelled, note: "N"`, changed},

	{"changeComments", `select: {ids: [<comments>]}, change: {status: rejected, rejectionReason: "R"}`, changed},
	{"replyToComment", `commentId: <comments>, text: "T"`, changed},
	{"changeReviews", `select: {ids: [<expert_reviews>]}, change: {status: rejected}`, changed},
	{"replyToReview", `reviewId: <expert_reviews>, text: "T"`, changed},

	{"noteContact", `submissionId: <contact_submissions>, note: "N"`, changed},
	{"replyToContact", `submissionId: <contact_submissions>, text: "T"`, changed},
	{"markContacts", `submissionIds: [<contact_submissions>], handled: false`, changed},
	{"handleContacts", `filter: {contains: "Help"}`, changed},
	{"deleteContacts", `filter: {contains: "Help"}`, gone},

	{"addWebhook", `input: {url: "https://a.example/", events: [order_placed]}`, made},
	{"updateWebhook", `webhookId: <webhook_endpoints>, input: {description: "D"}`, changed},
	{"rotateWebhookSecret", `webhookId: <webhook_endpoints>`, changed},
	{"sendTestEvent", `webhookId: <webhook_endpoints>`, changed},
	{"redeliverWebhook", `webhookId: <webhook_endpoints>, eventId: <webhook_deliveries>`, changed},
	{"redeliverWebhooks", `webhookId: <webhook_endpoints>, since: "2026-01-01T00:00:00Z"`, changed},
	{"removeWebhook", `webhookId: <webhook_endpoints>`, gone},

	{"updateMediaFile", `mediaId: <media_files>, input: {altEn: "A"}`, changed},
	{"deleteMediaFile", `mediaId: <media_files>`, gone},

	{"eraseCustomer", `customerId: <memberships>`, changed},
	{"closeShop", ``, changed},
	{"openShop", ``, changed},
	{"changeDomain", `domain: "new.example"`, changed},
	{"addDomainAlias", `domain: "other.example"`, changed},
	{"removeDomainAlias", `domain: "other.example"`, changed},
	{"createLocation", `input: {level: country, slug: "land", name: "Land", nameFa: "ل"}`, made},
	{"updateLocation", `locationId: <locations>, input: {name: "Lands"}`, changed},
	{"addPartnerKey", `domain: "partner.example"`, made},
	{"revokePartnerKey", `keyId: <partner_keys>`, changed},
}

// unnamed are the kinds of records without a name in the log, with the reason.
var unnamed = map[string]string{
	"contactSubmission": "it is deleted with its sender", "staffInvitation": "its holder has not agreed",
	"profile": "a shop has one",
}

// auditedElsewhere are mutations whose entries other tests check, with the reason.
var auditedElsewhere = map[string]string{
	"createProductExport": "the use of the link is noted", "createOfferExport": "the use of the link is noted",
	"createOrderExport": "the use of the link is noted", "createPaymentExport": "the use of the link is noted",
	"createCustomerExport": "the use of the link is noted", "createProductImport": "the use of the link is noted",
	"createOfferImport":   "the use of the link is noted",
	"requireSecondFactor": "its caller needs a second factor",
	"createMediaUpload":   "the use of the link is noted",
	"addGatewayAccount":   "its caller proves it: TestGatewayAccounts", "checkGatewayAccount": "it changes nothing",
	"switchGatewayAccount": "its caller proves it: TestGatewayAccounts",
	"forgetGatewayAccount": "its caller proves it: TestGatewayAccounts",
	"refundPayment":        "it needs a gateway: TestRefund of payments",
	"eraseAccount":         "the entries are those of the shops: TestOperatorServesAPerson",
}

// newest are statements that find the records of everyMutation; $1 is the shop.
var newest = map[string]string{
	"staff_invitations": "SELECT id FROM staff_invitations WHERE business_id = $1",
	"staff_members":     "SELECT id FROM staff_members WHERE business_id = $1 AND role <> 'owner'",
	"access_tokens":     "SELECT id FROM access_tokens WHERE business_id = $1",
	"memberships": "SELECT user_id AS id FROM memberships WHERE business_id = $1 AND user_id IN " +
		"(SELECT user_id FROM orders WHERE tenant_id = $1)",
	"webhook_deliveries": "SELECT event_id AS id FROM webhook_deliveries WHERE tenant_id = $1",
	"locations":          "SELECT id FROM locations WHERE slug = 'land' AND id <> $1",
	"partner_keys":       "SELECT id FROM partner_keys WHERE id <> $1",
}

// TestEveryMutationIsAudited calls each mutation of staff in the schema, and checks its audit entry: the name
// of the mutation, the author, the record, and the changed members before and after.
func TestEveryMutationIsAudited(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	for _, field := range schema.Mutation.Fields {
		isCalled := slices.ContainsFunc(everyMutation, func(a audited) bool { return a.mutation == field.Name })
		if field.Directives.ForName("staff") != nil && auditedElsewhere[field.Name] == "" && !isCalled {
			t.Errorf("%s is not among everyMutation", field.Name)
		}
	}
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		leavesTraces(t, c, 1)
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		c.Staff(t, c.Tools, record.Editor)
		for n := range 2 {
			opine(t, c, owner, n)
		}
		writesTo(t, c, "09120001234")
		shoptest.MediaFile(t, c.Store.Client, uuid.MustParse(c.Tools), nil)
		seen := map[uuid.UUID]bool{}
		for _, e := range c.Store.Client.AuditEntry.Query().AllX(t.Context()) {
			seen[e.ID] = true
		}
		for _, one := range everyMutation {
			field := schema.Mutation.Fields.ForName(one.mutation)
			who := owner
			if permissionOf(field.Directives.ForName("staff")) == "operateService" {
				who = operator
			}
			got := who.Ask(t, auditedDocument(t, c, field, one.arguments), nil)
			if len(got.Errors) > 0 {
				t.Errorf("%s: got %v", one.mutation, got.Errors)
				continue
			}
			var entries []*ent.AuditEntry
			for _, e := range c.Store.Client.AuditEntry.Query().Order(auditentry.ByID()).AllX(t.Context()) {
				if !seen[e.ID] {
					seen[e.ID], entries = true, append(entries, e)
				}
			}
			if len(entries) == 0 {
				t.Errorf("%s is not in the log", one.mutation)
			}
			for _, e := range entries {
				for _, wrong := range wrongIn(e, one, who) {
					t.Errorf("%s of a %s: %s", one.mutation, e.Kind, wrong)
				}
			}
		}
	}, sendsSMS)
}

// newestOf returns the newest id that a statement finds.
func newestOf(t *testing.T, c *shoptest.Crew, find string) (id uuid.UUID) {
	t.Helper()
	rows, err := c.Store.Client.QueryContext(t.Context(), find+" ORDER BY id DESC LIMIT 1", uuid.MustParse(c.Tools))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if err := entsql.ScanOne(rows, &id); err != nil {
		t.Fatalf("%s: %v", find, err)
	}
	return id
}

// auditedDocument writes a document that calls a mutation on the newest records.
func auditedDocument(t *testing.T, c *shoptest.Crew, field *ast.FieldDefinition, arguments string) string {
	t.Helper()
	for name := range strings.SplitSeq(arguments, "<") {
		if table, _, named := strings.Cut(name, ">"); named {
			find := newest[table]
			if find == "" {
				find = "SELECT id FROM " + table + " WHERE tenant_id = $1"
			}
			arguments = strings.ReplaceAll(arguments, "<"+table+">", fmt.Sprintf("%q", newestOf(t, c, find)))
		}
	}
	if field.Arguments.ForName("businessId") != nil {
		arguments = fmt.Sprintf("businessId: %q %s", c.Tools, arguments)
	}
	return "mutation { " + field.Name + "(" + arguments + ") { __typename } }"
}

// wrongIn returns the faults of an entry of the log.
func wrongIn(e *ent.AuditEntry, of audited, by shoptest.Worker) (wrong []string) {
	add := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	add(e.Action != of.mutation, "the action is %s", e.Action)
	add(e.UserID == nil || e.UserID.String() != by.ID || e.Role == nil, "got %v, want who did it", e.UserID)
	add(e.RecordID == nil, "no record")
	named := e.RecordName != nil && *e.RecordName != ""
	add(named == (unnamed[e.Kind] != "" || of.mutation == "eraseCustomer"), "the name is %v", e.RecordName)
	has := func(members []byte) bool { return len(members) > 0 && string(members) != "null" }
	add(has(e.Before) != (of.fate != made), "before it was %s", e.Before)
	add(has(e.After) != (of.fate != gone), "after it is %s", e.After)
	add(of.fate == changed && string(e.Before) == "{}" && string(e.After) == "{}", "nothing has changed")
	return wrong
}
