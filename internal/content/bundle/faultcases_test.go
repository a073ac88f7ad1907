package bundle_test

import "strings"

var catalogFaults = []faultCase{
	{"slugs", with(`"brands":[{"slug":"A","name":"A","nameFa":"A"},{"slug":"!","name":"A","nameFa":"A"},{"slug":"` +
		strings.Repeat("a", 101) +
		`","name":"A","nameFa":"A"},{"slug":"عربي","name":"A","nameFa":"A"},{"name":"A","nameFa":"A"},
		{"slug":null}]`), `
brands[0].slug: must be written as a slug: a
brands[1].slug: must have letters or digits
brands[2].slug: must have at most 100 characters
brands[3].slug: must be written as a slug: عربی
brands[4].slug: is missing
brands[5].slug: is missing
brands[5].name: is missing
brands[5].nameFa: is missing`},
	{"slugs twice", with(`"brands":[{"slug":"a","name":"A","nameFa":"A"},{"slug":"a","name":"B","nameFa":"B"}],
		"categories":[{"entityType":"blog","slug":"a","name":"A","nameFa":"A"},` +
		`{"entityType":"product","slug":"a","name":"A","nameFa":"A"},
		{"entityType":"blog","slug":"a","name":"B","nameFa":"B"}],
		"products":[{"slug":"a","titleFa":"A"},{"slug":"a","titleFa":"B"}],` +
		`"blogs":[{"slug":"a","type":"news","titleFa":"A","body":""},
		{"slug":"a","type":"news","titleFa":"A","body":""}]`), `
brands[1].slug: is the slug of brands[0] already
categories[2].slug: is the slug of categories[0] already
products[1].slug: is the slug of products[0] already
blogs[1].slug: is the slug of blogs[0] already`},
	{"long texts", with(`"brands":[{"slug":"a","name":"` + strings.Repeat("ن", 201) + `","nameFa":"` +
		strings.Repeat("ن", 200) + `"}]`),
		"brands[0].name: must have at most 200 characters"},
	{"categories", with(`"categories":[{"entityType":"user","slug":"a"},
		{"entityType":"blog","slug":"b","name":"B","nameFa":"B","position":1.5,
		"parentSlug":"c","imageUrl":"x y"},{"entityType":"product","slug":"c","name":"C","nameFa":"C"}]`), `
categories[0].name: is missing
categories[0].nameFa: is missing
categories[0].entityType: must be one of product, blog, portfolio
categories[1].position: must be a whole number
categories[1].parentSlug: names no category of a blog
categories[1].imageUrl: must not hold spaces, control characters or backslashes`},
	{"a circle of categories",
		with(`"categories":[{"entityType":"blog","slug":"a","name":"A","nameFa":"A","parentSlug":"b"},
		{"entityType":"blog","slug":"b","name":"B","nameFa":"B","parentSlug":"a"},
		{"entityType":"blog","slug":"c","name":"C","nameFa":"C","parentSlug":"c"}]`), `
categories[0].parentSlug: is in a circle, or more than 10 levels deep
categories[1].parentSlug: is in a circle, or more than 10 levels deep
categories[2].parentSlug: is in a circle, or more than 10 levels deep`},
	{"deep categories", with(`"categories":[` + chain(11) + `]`),
		"categories[10].parentSlug: is in a circle, or more than 10 levels deep"},
	{"products",
		with(`"products":[{"slug":"a","titleFa":"A","category":"x","brand":"y","tags":["a",""],"status":"pending",
		"publishedAt":"yesterday",` +
			`"images":[{"alt":"a"},{"url":"http://"},{"url":"/a","mediaId":"m"},{"url":"/b","mediaId":"m"}],
		"seo":{"title":5,"keywords":""},"summary":7}]`), `
products[0].category: names no category of a product
products[0].brand: names no brand
products[0].tags[1]: must not be empty
products[0].status: must be one of draft, published, archived
products[0].publishedAt: must be a time of RFC 3339, such as 2026-03-21T08:30:00Z
products[0].images[0].url: is missing
products[0].images[1].url: must begin with http://, https:// or /
products[0].images[3].mediaId: is the one of another item
products[0].seo.title: must be a string
products[0].seo.keywords: is not known
products[0].summary: must be a string`},
	{"a category of another kind", with(`"categories":[{"entityType":"blog","slug":"a","name":"A","nameFa":"A"}],
		"products":[{"slug":"a","titleFa":"A","category":"a"}],
		"blogs":[{"slug":"a","type":"article","titleFa":"A","body":"","category":"a"}]`),
		"products[0].category: names no category of a product"},
}

// chain returns n categories, each below the one before it.
func chain(n int) string {
	var all []string
	above := "null"
	for i := range n {
		slug := `"c` + string(rune('a'+i)) + `"`
		all = append(all, `{"entityType":"blog","slug":`+slug+`,"name":"A","nameFa":"A","parentSlug":`+above+`}`)
		above = slug
	}
	return strings.Join(all, ",")
}

const form = `"categories":[{"entityType":"product","slug":"top","name":"T","nameFa":"T","form":{"title":"F",` +
	`"titleFa":"F","fields":[
	{"key":"t","label":"T","labelFa":"T","type":"text"},{"key":"n","label":"N","labelFa":"N","type":"number"},
	{"key":"b","label":"B","labelFa":"B","type":"boolean"},
	{"key":"s","label":"S","labelFa":"S","type":"select","options":[{"value":"x","label":"X","labelFa":"X"},
	{"value":"y","label":"Y","labelFa":"Y"}]},
	{"key":"m","label":"M","labelFa":"M","type":"multiselect","options":[{"value":"x","label":"X","labelFa":"X"},
	{"value":"y","label":"Y","labelFa":"Y"}]}]}},
	{"entityType":"product","slug":"below","parentSlug":"top","name":"B","nameFa":"B"},
	{"entityType":"product","slug":"bare","name":"B","nameFa":"B"}]`

var formFaults = []faultCase{
	{"forms",
		with(`"categories":[{"entityType":"product","slug":"a","name":"A","nameFa":"A","form":{"title":"T","fields":[
		{"key":"k","label":"K","labelFa":"K","type":"select"},{"key":"k","label":"K","labelFa":"K","type":"text",
		"options":[{"value":"x","label":"X","labelFa":"X"}]},
		{"key":"l","type":"date"},{"key":"n","label":"K","labelFa":"K","type":"multiselect","required":"yes",
		"options":[{"value":"x","label":"X","labelFa":"X"},{"value":"x","label":"X"}]}]}}]`), `
categories[0].form.titleFa: is missing
categories[0].form.fields[0].options: is missing
categories[0].form.fields[1].key: is the one of another item
categories[0].form.fields[1].options: must not be given for a field of type text
categories[0].form.fields[2].label: is missing
categories[0].form.fields[2].labelFa: is missing
categories[0].form.fields[2].type: must be one of text, number, boolean, select, multiselect
categories[0].form.fields[3].required: must be true or false
categories[0].form.fields[3].options[1].labelFa: is missing
categories[0].form.fields[3].options[1].value: is the one of another item`},
	{"values",
		with(form + `,"products":[{"slug":"a","titleFa":"A","category":"below","values":{"t":"","n":"5","b":1,"s":"z",
	"m":["x","x"],"z":1}},
		{"slug":"b","titleFa":"B","category":"bare","values":{"t":"a"}},{"slug":"c","titleFa":"C","values":{"t":"a"}},
		{"slug":"d","titleFa":"D","category":"top","values":{"t":5,"n":1e16,"m":"x","s":null}},` +
			`{"slug":"e","titleFa":"E","category":"top",
		"values":[]}]`), `
products[0].values.t: must be a text that is not empty
products[0].values.n: must be a number
products[0].values.b: must be true or false
products[0].values.s: must be the value of one of the field's options
products[0].values.m: must be a list of values of the field's options, each once
products[0].values.z: is not a field of the category's form
products[1].values.t: cannot be given: the category and those above it have no form
products[2].values.t: cannot be given: the category and those above it have no form
products[3].values.t: must be a text that is not empty
products[3].values.n: must be 0, or a number whose size is from 0.000001 to 1000000000000000
products[3].values.m: must be a list of values of the field's options, each once
products[4].values: must be an object`},
}

// productWith returns a bundle of one product with a variation and the given variants.
func productWith(variants string) string {
	return with(`"products":[{"slug":"a","titleFa":"A","variations":[{"key":"size","name":"Size",` +
		`"nameFa":"اندازه","values":[
		{"key":"s","label":"S","labelFa":"S"},{"key":"l","label":"L","labelFa":"L"}]}],"variants":[` + variants + `]}]`)
}

var variantFaults = []faultCase{
	{"variants", productWith(`{"price":5},{"sku":"","priceCurrency":"ABC","price":5},{"sku":"b","priceCurrency":"usd"},
		{"sku":"c","priceCurrency":"IRR","price":-1},{"sku":"d","priceCurrency":"IRR","price":1.5,"compareAtPrice":"7"},
		{"sku":"e","priceCurrency":"IRR","price":9007199254740992},{"sku":"f","priceCurrency":"IRR","stock":-1},
		{"sku":"g","priceCurrency":"IRR","stock":1000000001,"maxOrderQuantity":0,"onSale":1,` +
		`"isFestival":null,"imageUrl":"x"}`), `
products[0].variants[0].sku: is missing
products[0].variants[0].priceCurrency: is missing
products[0].variants[1].sku: must not be empty
products[0].variants[1].priceCurrency: must be the code of a currency: IRR, IRT, or one of ISO 4217
products[0].variants[2].priceCurrency: must be the code of a currency: IRR, IRT, or one of ISO 4217
products[0].variants[3].price: must not be negative
products[0].variants[4].price: has more decimals than IRR allows
products[0].variants[4].compareAtPrice: must be a number
products[0].variants[5].price: must not be above 9007199254740991 IRR
products[0].variants[6].stock: must be from 0 to 1000000000
products[0].variants[7].stock: must be from 0 to 1000000000
products[0].variants[7].maxOrderQuantity: must be from 1 to 1000000000
products[0].variants[7].onSale: must be true or false
products[0].variants[7].imageUrl: must begin with http://, https:// or /`},
	{"options", productWith(`{"sku":"a","priceCurrency":"IRR","options":{"colour":"red","size":"m"}},` +
		`{"sku":"b","priceCurrency":"IRR",
	"options":{"size":5}},
		{"sku":"c","priceCurrency":"IRR","options":["size"]}`), `
products[0].variants[0].options.colour: is not a variation of the product
products[0].variants[0].options.size: is not a value of the product's variation
products[0].variants[1].options.size: must be a string
products[0].variants[2].options: must be an object`},
	{"SKUs twice", with(`"products":[{"slug":"a","titleFa":"A","variants":[{"sku":"x","priceCurrency":"IRR"},
	{"sku":"x","priceCurrency":"IRR"}]},
		{"slug":"b","titleFa":"B","variants":[{"sku":"x","priceCurrency":"IRR"}]}]`), `
products[0].variants[1].sku: is the SKU of products[0].variants[0] already
products[1].variants[0].sku: is the SKU of products[0].variants[0] already`},
	{"two currencies", productWith(`{"sku":"a","priceCurrency":"IRR"},{"sku":"b","priceCurrency":"IRT"}`),
		"products[0].variants[1]: is in IRT, but a product has one currency and others of its variants are in IRR"},
	{"variations",
		with(`"products":[{"slug":"a","titleFa":"A","variations":[{"key":"c","name":"C","nameFa":"C","values":[
		{"key":"r","label":"R","labelFa":"R","colorHex":"#ff00"},{"key":"r","label":"R"}]},{"key":"c"}]}]`), `
products[0].variations[0].values[0].colorHex: must be a colour written as #rrggbb
products[0].variations[0].values[1].labelFa: is missing
products[0].variations[0].values[1].key: is the one of another item
products[0].variations[1].name: is missing
products[0].variations[1].nameFa: is missing
products[0].variations[1].values: is missing
products[0].variations[1].key: is the one of another item`},
}

var otherFaults = []faultCase{
	{"user products", with(`"userProducts":[{"slug":"a"},
	{"slug":"b","titleFa":"B","priceCurrency":"IRR","condition":"used","status":"sold","price":true,
		"city":"atlantis","province":"tehran","country":"iraq","promoted":"no"}]`), `
userProducts[0].titleFa: is missing, and titleEn too
userProducts[0].priceCurrency: is missing
userProducts[0].condition: is missing
userProducts[1].condition: must be one of new, stock, needs_repair, scrap
userProducts[1].status: must be one of draft, pending, published, rejected, archived
userProducts[1].price: must be a number
userProducts[1].city: names no city
userProducts[1].province: does not fit: the province tehran is not in the country iraq
userProducts[1].promoted: must be true or false`},
	{"blogs and portfolios", with(`"blogs":[{"slug":"a","type":"essay","titleFa":"A","clientName":"x",
	"authorName":"` + strings.Repeat("a", 101) + `"}],
		"portfolios":[{"slug":"a","titleFa":"A","body":"b","type":"news","completedOn":"2026-02-30"}]`), `
blogs[0].body: is missing
blogs[0].type: must be one of news, article, blog
blogs[0].clientName: is not known
blogs[0].authorName: must have at most 100 characters
portfolios[0].type: is not known
portfolios[0].completedOn: must be a date written as YYYY-MM-DD`},
	{"sizes of images", with(`"products":[{"slug":"a","titleFa":"A","images":[
		{"url":"/a.png","width":0,"height":"600","placeholderColor":"blue"}]}],
	"sliders":[{"key":"a",` +
		`"slides":[{"imageUrl":"/b.png","width":100001,"height":1.5,"placeholderColor":"#ff00zz","alt":7}]}]`), `
products[0].images[0].width: must be from 1 to 100000
products[0].images[0].height: must be a whole number
products[0].images[0].placeholderColor: must be a colour written as #rrggbb
sliders[0].slides[0].width: must be from 1 to 100000
sliders[0].slides[0].height: must be a whole number
sliders[0].slides[0].placeholderColor: must be a colour written as #rrggbb
sliders[0].slides[0].alt: must be a string`},
	{"sliders",
		with(`"sliders":[{"key":"a","slides":[{"title":"T","position":"1"}]},{"key":"a","slides":[]},{"title":"x"}]`), `
sliders[0].slides[0].imageUrl: is missing
sliders[0].slides[0].position: must be a whole number
sliders[1].key: is the key of sliders[0] already
sliders[2].key: is missing
sliders[2].slides: is missing`},
	{"groups", with(`"brands":[{"slug":"b","name":"B","nameFa":"B"}],
		"categories":[{"entityType":"blog","slug":"c","name":"C","nameFa":"C"}],
		"categoryGroups":[{"key":"a","title":"A","categories":["c"]}],` +
		`"brandGroups":[{"key":"a","title":"A","brands":["b","b","x",5]}],
		"specials":[{"key":"a","title":"A","variants":["x"],"startsAt":"2026-01-02T00:00:00Z",` +
		`"endsAt":"2026-01-01T00:00:00Z"},
			{"key":"b"}]`), `
categoryGroups[0].categories[0]: names no category of a product
brandGroups[0].brands[1]: is in the list already
brandGroups[0].brands[2]: names no brand
brandGroups[0].brands[3]: must be a string
specials[0].variants[0]: names no variant
specials[0].endsAt: must end after it starts
specials[1].title: is missing
specials[1].variants: is missing`},
	{"delivery methods", with(`"deliveryMethods":[{"key":"a"},{"key":"b","name":"B","nameFa":"ب","kind":"flat",` +
		`"priceCurrency":"IRT","daysFrom":3,"daysTo":2,"cities":["karaj","atlantis","karaj"]},
		{"key":"c","name":"C","nameFa":"پ","kind":"steps","priceCurrency":"IRT","steps":[{"upTo":1000,"price":2},
		{"upTo":1000,"price":2.5},{"upTo":2147483649,"price":-1},{"price":1}]},
		{"key":"d","name":"D","nameFa":"ت","kind":"pigeon","priceCurrency":"IRT","steps":[]},
		{"key":"e","name":"E","nameFa":"ث","kind":"steps","priceCurrency":"IRT","freeFrom":1.5}]`), `
deliveryMethods[0].name: is missing
deliveryMethods[0].nameFa: is missing
deliveryMethods[0].kind: is missing
deliveryMethods[0].priceCurrency: is missing
deliveryMethods[1].price: is missing
deliveryMethods[1].daysTo: must not be below daysFrom
deliveryMethods[1].cities[1]: names no city
deliveryMethods[1].cities[2]: is in the list already
deliveryMethods[2].steps[1].upTo: must be above 1000, the weight of the step before
deliveryMethods[2].steps[1].price: has more decimals than IRT allows
deliveryMethods[2].steps[2].upTo: must be from 1 to 2147483648
deliveryMethods[2].steps[2].price: must not be negative
deliveryMethods[2].steps[3].upTo: is missing
deliveryMethods[3].kind: must be one of flat, steps, freight_collect, pick_up
deliveryMethods[4].steps: is missing
deliveryMethods[4].freeFrom: has more decimals than IRT allows`},
	{"tax rates", with(`"taxRates":[{"key":"a"},{"key":"b","category":"c","name":"B","nameFa":"ب","rate":1000001},
		{"key":"c","category":"c","name":"C","nameFa":"پ","rate":1.5,"from":"2026-02-30","until":"1"},
		{"key":"d","category":"c","name":"D","nameFa":"ت","rate":1,"from":"2026-02-02","until":"2026-02-02"}]`), `
taxRates[0].category: is missing
taxRates[0].name: is missing
taxRates[0].nameFa: is missing
taxRates[0].rate: is missing
taxRates[1].rate: must be from 0 to 1000000
taxRates[2].rate: must be a whole number
taxRates[2].from: must be a date written as YYYY-MM-DD
taxRates[2].until: must be a date written as YYYY-MM-DD
taxRates[3].until: must be after from`},
	{"comments", with(`"products":[{"slug":"p","titleFa":"P"}],
		"comments":[{"entityType":"product","entity":"q","authorName":"A","text":"T"},
		{"entityType":"page","entity":"p","authorName":"","text":" ","authorEmail":"a@","status":"published",
			"createdAt":"2026-13-01T00:00:00Z"},
		{"entityType":"product","entity":"p","authorName":"A","text":"T","createdAt":"2026-01-01T00:00:00Z"},
		{"entityType":"product","entity":"p","authorName":"A","text":" T ","createdAt":"2026-01-01T03:30:00+03:30"},
		{"entityType":"product","entity":"p","authorName":"A","text":"T","createdAt":"2026-01-02T00:00:00Z"},
		{"entityType":"product","entity":"p","authorName":"A","text":"T"}]`), `
comments[0].entity: names no product
comments[1].entityType: must be one of product, blog, portfolio
comments[1].authorName: must not be empty
comments[1].text: must not be empty
comments[1].authorEmail: must be an e-mail address
comments[1].status: must be one of pending, approved, rejected
comments[1].createdAt: must be a time of RFC 3339, such as 2026-03-21T08:30:00Z
comments[3]: is comments[2] again: the same author, text and time
comments[5]: is comments[2] again: the same author and text, and not both with createdAt`},
	{"reviews",
		with(`"products":[{"slug":"p","titleFa":"P"}],"expertReviews":[{"product":"x","authorName":"A","text":"T"},
		{"product":"p","authorName":"A","text":"T","rate":11,"positivePoints":[" "],
		"negativePoints":[` + strings.Repeat(`"a",`, 20) + `"a"]}]`), `
expertReviews[0].rate: is missing
expertReviews[0].positivePoints: is missing
expertReviews[0].negativePoints: is missing
expertReviews[0].product: names no product
expertReviews[1].rate: must be from 1 to 10
expertReviews[1].positivePoints[0]: must not be empty
expertReviews[1].negativePoints: must have at most 20 items`},
}
