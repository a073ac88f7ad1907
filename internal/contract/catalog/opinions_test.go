package catalog_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

func TestComments(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"of a blog", "GET " + shoptest.ToolsPath + "/blogs/<tools:blog:hello>/comments", 200},
			{"of a quiet blog", "GET " + shoptest.ToolsPath + "/blogs/<tools:blog:oil>/comments", 200},
			{"of a blog published later", "GET " + shoptest.ToolsPath + "/blogs/<tools:blog:soon>/comments", 404},
			{"of an unknown blog", "GET " + shoptest.ToolsPath +
				"/blogs/01890a5d-ac96-774b-bcce-b302099a8057/comments", 404},
			{"of a blog by slug", "GET " + shoptest.ToolsPath + "/blogs/hello/comments", 404},
			{"of a blog of the other shop", "GET " + shoptest.ToolsPath + "/blogs/<mugs:blog:teapots>/comments", 404},
			{"of a portfolio as a blog", "GET " + shoptest.ToolsPath +
				"/blogs/<tools:portfolio:house>/comments", 404},
			{"of a portfolio", "GET " + shoptest.ToolsPath + "/portfolios/<tools:portfolio:house>/comments", 200},
			{"of an archived portfolio", "GET " + shoptest.ToolsPath +
				"/portfolios/<tools:portfolio:shed>/comments", 404},
			{"of a portfolio of the other shop", "GET " + shoptest.ToolsPath +
				"/portfolios/<mugs:portfolio:kiosk>/comments", 404},
			{"of an unknown portfolio", "GET " + shoptest.ToolsPath +
				"/portfolios/01890a5d-ac96-774b-bcce-b302099a8057/comments",
				404},

			{"by kind product", "GET " + shoptest.ToolsPath +
				"/comments?entityType=product&entityId=<tools:product:drill>", 200},
			{"by kind blog", "GET " + shoptest.ToolsPath +
				"/comments?entityType=blog&entityId=<tools:blog:hello>", 200},
			{"by kind portfolio", "GET " + shoptest.ToolsPath +
				"/comments?entityType=portfolio&entityId=<tools:portfolio:house>",
				200},
			{"by another kind", "GET " + shoptest.ToolsPath +
				"/comments?entityType=blog&entityId=<tools:product:drill>", 404},
			{"by kind unpublished", "GET " + shoptest.ToolsPath +
				"/comments?entityType=product&entityId=<tools:product:future-drill>", 404},
			{"by kind unknown", "GET " + shoptest.ToolsPath +
				"/comments?entityType=product&entityId=01890a5d-ac96-774b-bcce-b302099a8057", 404},
			{"by kind malformed", "GET " + shoptest.ToolsPath + "/comments?entityType=product&entityId=drill", 404},
			{"by kind of the other shop", "GET " + shoptest.ToolsPath +
				"/comments?entityType=product&entityId=<mugs:product:tea>",
				404},
			{"without parameters", "GET " + shoptest.ToolsPath + "/comments", 400},
			{"with empty parameters", "GET " + shoptest.ToolsPath + "/comments?entityType=&entityId=", 400},
			{"with wrong parameters", "GET " + shoptest.ToolsPath + "/comments?entityType=shop&entityId=%00", 400},
			{"unknown shop", "GET /tenants/nobody.example/comments?entityType=product&entityId=<tools:product:drill>",
				404},
		})
	})
}

func TestExpertReviews(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"some", "GET " + shoptest.ToolsPath + "/expert-reviews?productId=<tools:product:drill>", 200},
			{"none approved", "GET " + shoptest.ToolsPath + "/expert-reviews?productId=<tools:product:saw>", 200},
			{"of a draft", "GET " + shoptest.ToolsPath +
				"/expert-reviews?productId=<tools:product:draft-drill>", 200},
			{"unknown", "GET " + shoptest.ToolsPath +
				"/expert-reviews?productId=01890a5d-ac96-774b-bcce-b302099a8057", 200},
			{"malformed", "GET " + shoptest.ToolsPath + "/expert-reviews?productId=drill", 200},
			{"of the other shop", "GET " + shoptest.ToolsPath + "/expert-reviews?productId=<mugs:product:tea>", 200},
			{"without a product", "GET " + shoptest.ToolsPath + "/expert-reviews", 400},
			{"of two products", "GET " + shoptest.ToolsPath + "/expert-reviews?productId=1&productId=2", 400},
			{"unknown shop", "GET /tenants/nobody.example/expert-reviews?productId=<tools:product:drill>", 404},
		})
	})
}

// long returns a text of so many code points, each of two bytes.
func long(length int) string { return strings.Repeat("خ", length) }

func TestCreateComment(t *testing.T) {
	blog, portfolio, any := "POST "+shoptest.ToolsPath+"/blogs/<tools:blog:hello>/comments ",
		"POST "+shoptest.ToolsPath+
			"/portfolios/<tools:portfolio:house>/comments ", "POST "+shoptest.ToolsPath+"/comments "
	on := func(kind, id string) string {
		return any + `{"entityType":"` + kind + `","entityId":"` + id + `","authorName":"A","text":"B"}`
	}
	whole := `{"authorName":" \u200cمینا ","authorEmail":"mina@mail.example","text":"\n <b>خوب</b> & \"بد\" ` +
		`🛠 \t","status":"approved","id":"1"}`
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"on a blog", blog + whole, 201},
			{"on a portfolio", portfolio + whole, 201},
			{"on a product", on("product", "<tools:product:drill>"), 201},
			{"on a blog by kind", on("blog", "<tools:blog:hello>"), 201},
			{"on a portfolio by kind", on("portfolio", "<tools:portfolio:house>"), 201},
			{"longest", blog + `{"authorName":"` + long(100) + `","text":"` + long(5000) + `","authorEmail":null}`,
				201},
			{"empty e-mail", blog + `{"authorName":"A","text":"B","authorEmail":""}`, 201},
			{"none is listed", "GET " + shoptest.ToolsPath + "/blogs/<tools:blog:hello>/comments", 200},

			{"empty object", blog + `{}`, 400},
			{"empty object by kind", any + `{}`, 400},
			{"empty texts", portfolio + `{"authorName":"","text":" \n\t ","authorEmail":"mina"}`, 400},
			{"too long", blog + `{"authorName":"` + long(101) + `","text":"` + long(5001) + `","authorEmail":"` +
				strings.Repeat("a", 250) + `@mail.example"}`, 400},
			{"wrong types", blog + `{"authorName":1,"text":["B"],"authorEmail":{}}`, 400},
			{"wrong types by kind", any + `{"entityType":1,"entityId":2,"authorName":true,"text":null,` +
				`"authorEmail":3}`, 400},
			{"wrong kind", on("user-product", "<tools:product:drill>"), 400},
			{"unknown blog", "POST " + shoptest.ToolsPath + `/blogs/01890a5d-ac96-774b-bcce-b302099a8057/comments ` +
				`{"authorName":"A","text":"B"}`, 404},
			{"blog by slug", "POST " + shoptest.ToolsPath +
				`/blogs/hello/comments {"authorName":"A","text":"B"}`, 404},
			{"blog published later", "POST " + shoptest.ToolsPath +
				`/blogs/<tools:blog:soon>/comments {"authorName":"A",` +
				`"text":"B"}`, 404},
			{"blog of the other shop", "POST " + shoptest.ToolsPath +
				`/blogs/<mugs:blog:teapots>/comments {"authorName":"A",` +
				`"text":"B"}`, 404},
			{"archived portfolio", "POST " + shoptest.ToolsPath + `/portfolios/<tools:portfolio:shed>/comments ` +
				`{"authorName":"A","text":"B"}`, 404},
			{"portfolio of the other shop", "POST " + shoptest.ToolsPath +
				`/portfolios/<mugs:portfolio:kiosk>/comments ` +
				`{"authorName":"A","text":"B"}`, 404},
			{"product of the other shop", on("product", "<mugs:product:tea>"), 404},
			{"draft product", on("product", "<tools:product:draft-drill>"), 404},
			{"malformed id", on("product", "drill"), 404},
			{"id of another kind", on("blog", "<tools:product:drill>"), 404},
			{"unknown record and an empty text", "POST " + shoptest.ToolsPath +
				`/blogs/nothing/comments {"authorName":"A"}`, 400},
			{"unknown shop", `POST /tenants/nobody.example/blogs/<tools:blog:hello>/comments {"authorName":"A",` +
				`"text":"B"}`, 404},
		})
	})
}

func TestCreateExpertReview(t *testing.T) {
	reviews := "POST " + shoptest.ToolsPath + "/expert-reviews "
	of := func(id, rate string) string {
		return reviews + `{"productId":"` + id + `","authorName":"A","rate":` + rate +
			`,"positivePoints":[],"negativePoints":[],"text":"B"}`
	}
	points := `["` + strings.Repeat(`x","`, 19) + long(200) + `"]`
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", reviews + `{"productId":"<tools:product:drill>","authorName":" مینا ` +
				`","authorEmail":"mina@mail.example","rate":10,"positivePoints":[" سبک ","<i>"],` +
				`"negativePoints":["گران"],"text":" خوب ","status":"approved"}`, 201},
			{"lowest", of("<tools:product:drill>", "1"), 201},
			{"most points", reviews + `{"productId":"<tools:product:drill>","authorName":"A","rate":5,` +
				`"positivePoints":` + points + `,"negativePoints":[],"text":"B"}`, 201},
			{"none is listed", "GET " + shoptest.ToolsPath + "/expert-reviews?productId=<tools:product:drill>", 200},
			{"none counts", "GET " + shoptest.ToolsPath + "/products/drill", 200},

			{"empty object", reviews + `{}`, 400},
			{"nulls", reviews + `{"productId":null,"authorName":null,"authorEmail":null,"rate":null,` +
				`"positivePoints":null,"negativePoints":null,"text":null}`, 400},
			{"wrong types", reviews + `{"productId":1,"authorName":2,"authorEmail":3,"rate":"9",` +
				`"positivePoints":"x","negativePoints":{},"text":4}`, 400},
			{"wrong points", reviews + `{"productId":"x","authorName":"A","rate":5,"positivePoints":["","ok"," ` +
				`",null,5],"negativePoints":["` + long(201) + `"],"text":"B"}`, 400},
			{"too many points", reviews + `{"productId":"x","authorName":"A","rate":5,"positivePoints":["` +
				strings.Repeat(`x","`, 20) + `x"],"negativePoints":[],"text":"B"}`, 400},
			{"rate of zero", of("<tools:product:drill>", "0"), 400},
			{"rate of eleven", of("<tools:product:drill>", "11"), 400},
			{"rate with a fraction", of("<tools:product:drill>", "5.5"), 400},
			{"unknown", of("01890a5d-ac96-774b-bcce-b302099a8057", "5"), 404},
			{"malformed", of("drill", "5"), 404},
			{"published later", of("<tools:product:future-drill>", "5"), 404},
			{"of the other shop", of("<mugs:product:tea>", "5"), 404},
			{"unknown shop", strings.Replace(of("<tools:product:drill>", "5"), shoptest.ToolsPath,
				"/tenants/nobody.example", 1),
				404},
		})
	})
}

func TestSubmitContact(t *testing.T) {
	contact := "POST " + shoptest.ToolsPath + "/contact-submissions "
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		p.Run(t, []shoptest.Step{
			{"whole", contact + `{"title":" سوال ","name":" مینا ","email":" mina@mail.example ","cellNumber":" ` +
				`۰۹۱۲-۳۴۵۶۷۸۹ ","text":" سلام\nخوبید؟ ","status":"x"}`, 201},
			{"required alone", contact + `{"title":"A","name":"B","text":"C"}`, 201},
			{"empty where optional", contact + `{"title":"A","name":"B","text":"C","email":"","cellNumber":null}`,
				201},
			{"longest", contact + `{"title":"` + long(200) + `","name":"` + long(100) + `","text":"` +
				long(5000) + `"}`, 201},
			{"empty shop", "POST " + shoptest.BarePath +
				`/contact-submissions {"title":"A","name":"B","text":"C"}`, 201},

			{"empty object", contact + `{}`, 400},
			{"as people write", contact + `{"title":"A","name":"B","text":"C","email":" reza at mail ",` +
				`"cellNumber":" 021-88776655 (داخلی ۳) "}`, 201},
			{"invisible where optional", contact +
				`{"title":"A","name":"B","text":"C","email":"\u200b","cellNumber":" "}`, 201},
			{"empty texts", contact + `{"title":"","name":" ","text":"\n","email":"x\ny","cellNumber":"1\t2"}`, 400},
			{"too long", contact + `{"title":"` + long(201) + `","name":"` + long(101) + `","text":"` +
				long(5001) + `","email":"` + long(255) + `","cellNumber":"` + long(101) + `"}`, 400},
			{"wrong types", contact + `{"title":1,"name":[],"text":{},"email":true,"cellNumber":9123456789}`, 400},
			{"unknown shop", `POST /tenants/nobody.example/contact-submissions {"title":"A","name":"B","text":"C"}`,
				404},
		})
	})
}
