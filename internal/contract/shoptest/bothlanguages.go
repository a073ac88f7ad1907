package shoptest

import "testing"

// WriteBothLanguages writes texts in both languages wherever a shop can have them: in new records of the tool shop
// with the slug or key "both", and in its profile.
func (c *Crew) WriteBothLanguages(t testing.TB, owner Worker) {
	t.Helper()
	owner.Do(t, `mutation($shop: ID!) {
		updateBusinessProfile(businessId: $shop, input: {workingHours: "9 to 17", workingHoursFa: "۹ تا ۱۷",
			addresses: [{title: "Shop", titleFa: "فروشگاه", address: "Lane", addressFa: "کوچه",
				province: "Tehran", provinceFa: "تهران", city: "Rey", cityFa: "ری"}]}) { id }
		createCategory(businessId: $shop, entityType: product, slug: "both",
			input: {name: "Both", nameFa: "هر دو", description: "Old", descriptionFa: "کهنه"}) { id }
		createProduct(businessId: $shop, slug: "both", input: {titleFa: "اره", titleEn: "Saw", category: "both",
			summary: "Sharp", summaryFa: "تیز", description: "Long", descriptionFa: "بلند",
			seo: {title: "A saw", titleFa: "یک اره", description: "Cuts", descriptionFa: "می‌برد"},
			images: [{url: "https://a.example/1.png", alt: "Picture", altFa: "تصویر"}]}) { id }
		createBlog(businessId: $shop, slug: "both", input: {type: news, titleFa: "خبر", summary: "News",
			summaryFa: "تازه", body: "Text", bodyFa: "متن"}) { id }
		createPortfolio(businessId: $shop, slug: "both", input: {titleFa: "کار", summary: "Work",
			summaryFa: "کوشش", body: "Text", bodyFa: "متن"}) { id }
		createUserProduct(businessId: $shop, slug: "both", input: {titleFa: "آگهی", priceCurrency: "IRT",
			condition: new, description: "Spotless", descriptionFa: "پاکیزه"}) { id }
		createSlider(businessId: $shop, key: "both", input: {title: "Row", titleFa: "ردیف",
			slides: [{title: "One", titleFa: "یک", subtitle: "Two", subtitleFa: "دو",
				imageUrl: "https://a.example/1.png", buttonText: "Go", buttonTextFa: "برو",
				alt: "Picture", altFa: "تصویر"}]}) { id }
		createCategoryGroup(businessId: $shop, key: "both",
			input: {title: "Some", titleFa: "چند", categories: ["both"]}) { id }
		createBrandGroup(businessId: $shop, key: "both", input: {title: "Some", titleFa: "چند", brands: []}) { id }
		createDeliveryMethod(businessId: $shop, key: "both", input: {name: "Post", nameFa: "پست", kind: flat,
			priceCurrency: "IRT", price: 5}) { id }
		createTaxRate(businessId: $shop, key: "both", input: {category: "both", name: "VAT", nameFa: "مالیات",
			rate: 1}) { id }
		createStoreSpecial(businessId: $shop, key: "both",
			input: {title: "Offer", titleFa: "پیشنهاد", variants: []}) { id } }`,
		map[string]any{"shop": c.Tools}, nil)
}
