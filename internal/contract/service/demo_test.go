package service_test

import (
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/demo"
)

const (
	machines = "/tenants/sanat-mashin.example"
	papers   = "/tenants/paperlane.example"
)

// demoRequests are requests, by operation, that the demo shops answer with content.
var demoRequests = map[string]string{
	"Tenant":            "GET " + machines,
	"BusinessInfo":      "GET " + machines + "/website/business-info",
	"Sliders":           "GET " + machines + "/website/sliders",
	"CategoryGroups":    "GET " + machines + "/website/category-groups",
	"BrandGroups":       "GET " + machines + "/website/brand-groups",
	"StoreSpecials":     "GET " + papers + "/store-specials",
	"Categories":        "GET " + machines + "/categories",
	"Products":          "GET " + papers + "/products?page=1&pageSize=12",
	"Product":           "GET " + papers + "/products/letters-from-shiraz",
	"ProductVariations": "GET " + papers + "/products/letters-from-shiraz/variations",
	"ProductTechnicalInfo": "GET " + machines +
		"/products/mazak-vcn-530c-vertical-machining-center-2019/technical-info",
	"UserProducts":             "GET " + machines + "/user-products",
	"UserProduct":              "GET " + machines + "/user-products/اره-دورکن-نو-mj45-4102",
	"UserProductTechnicalInfo": "GET " + machines + "/user-products/اره-دورکن-نو-mj45-4102/technical-info",
	"StoreItems":               "GET " + papers + "/store-items?inStock=true&maxPrice=20",
	"StoreItem": "GET " + papers +
		"/store-items/by-product/<paperlane:product:letters-from-shiraz>",
	"StoreVariant": "GET " + papers + "/store-items/<paperlane:variant:PL-1000-01>",
	"Blogs":        "GET " + machines + "/blogs?page=1&pageSize=12",
	"Blog":         "GET " + machines + "/blogs/generators",
	"Portfolios":   "GET /tenants/memar-novin.example/portfolios",
	"Portfolio":    "GET " + machines + "/portfolios/هوای-فشرده-کارخانه-نساجی-کاشان",
	"BlogComments": "GET " + machines + "/blogs/<sanat-mashin:blog:generators>/comments",
	"CreateBlogComment": "POST " + machines + `/blogs/<sanat-mashin:blog:generators>/comments ` +
		`{"authorName":"سارا کریمی","authorEmail":"sara@mail.example",` +
		`"text":"ممنون از مطلب خوبتان."}`,
	"PortfolioComments": "GET " + machines +
		"/portfolios/<sanat-mashin:portfolio:هوای-فشرده-کارخانه-نساجی-کاشان>/comments",
	"CreatePortfolioComment": "POST " + machines +
		`/portfolios/<sanat-mashin:portfolio:هوای-فشرده-کارخانه-نساجی-کاشان>/comments ` +
		`{"authorName":"سارا کریمی","authorEmail":"sara@mail.example",` +
		`"text":"ممنون از مطلب خوبتان."}`,
	"Comments": "GET " + machines +
		"/comments?entityType=product&entityId=<sanat-mashin:product:komatsu-d155a-2-bulldozer-2008>",
	"CreateComment": "POST " + machines +
		`/comments {"entityType":"product","entityId":"<sanat-mashin:product:ph-60-hydraulic-press>",` +
		`"authorName":"سارا کریمی","text":"آیا خدمات پس از فروش دارد؟"}`,
	"ExpertReviews": "GET " + papers +
		"/expert-reviews?productId=<paperlane:product:the-lost-years-of-leila-sadr>",
	"CreateExpertReview": "POST " + papers +
		`/expert-reviews {"productId":"<paperlane:product:letters-from-shiraz>","authorName":"Sara","rate":9,` +
		`"positivePoints":["Well bound"],"negativePoints":[],"text":"A book to keep."}`,
	"SubmitContact": "POST /tenants/memar-novin.example" + `/contact-submissions {"title":"زمان بازدید",` +
		`"name":"سارا کریمی","cellNumber":"09121234567",` +
		`"text":"برای بازدید چه روزی مناسب است؟"}`,
	"Cities": "GET /cities?level=city&parentSlug=alborz",
	"City":   "GET /cities/<location:city:karaj>",
}

// TestDemoShops calls every route for content of the demo shops.
func TestDemoShops(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		for _, route := range publicRoutes() {
			p.IsReal(t, route.Status, demoRequests[route.Operation])
		}
		for _, d := range demo.Bundles() {
			for _, path := range d.Paths {
				p.IsReal(t, 200, "GET /tenants/"+d.Domain+path)
			}
		}
	})
}
