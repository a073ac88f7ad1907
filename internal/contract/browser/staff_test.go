package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// lampShop is an empty shop.
const lampShop = `{"format": "storefront-bundle/1", "tenant": {"domain": "lamps.example", "slug": "lamps",
	"name": "Lamps", "nameFa": "چراغ‌ها", "defaultLocale": "fa"}}`

// staffWords are the words of the page of staff that the test looks for, in the page's two languages.
var staffWords = map[string]map[string]string{
	"en": {
		"cell": "Cell number", "send": "Send a code by SMS", "code": "Code", "sign in": "Sign in", "today": "Today",
		"add brand": "Add a brand", "slug": "Slug", "name fa": "Persian name", "name": "Name", "save": "Save",
		"add category": "Add a category", "add product": "Add a product", "title fa": "Persian title",
		"title en": "English title", "brand": "Brand", "category": "Category", "add variant": "Add a variant",
		"sku": "SKU", "price": "Price", "stock": "Stock", "currency": "Currency", "published": "Published",
		"status": "Status", "confirmed": "Confirmed", "processing": "In preparation", "shipped": "Sent",
		"delivered": "Delivered", "paid": "Paid", "saved": "Saved.", "done": "Done.", "price before": "Price before",
		"orders": "Orders", "note": "Note for the customer", "blog": "Write a blog", "text": "Text", "bold": "Bold",
		"sign out": "Sign out", "low": "Few at", "images": "Images", "alt fa": "What it shows, in Persian",
		"alt en": "What it shows, in English", "alt": "The logo of Sun", "size": "640 × 480", "close": "Close",
		"choose logo": "Choose or upload: Address of the logo", "choose image": "Choose or upload: Images",
		"in brands": "in 1 brands", "of which": "of which paid", "delete receipt": "Delete the receipt",
		"cannot": "cannot be undone", "cancel": "Cancel the order", "cancelled": "Cancelled",
		"refunds": "refunds are due", "refunded": "Refunded", "is refunded": "It is refunded",
		"nothing": "Nothing is here.", "sun": "Sun en", "lamp": "Reading lamp",
	},
	"fa": {
		"cell": "شماره موبایل", "send": "ارسال کد با پیامک", "code": "کد",
		"sign in": "ورود", "today": "امروز",
		"add brand": "افزودن برند", "slug": "نشانک", "name fa": "نام فارسی",
		"name": "نام انگلیسی", "save": "ذخیره",
		"add category": "افزودن دسته", "add product": "افزودن محصول",
		"title fa": "عنوان فارسی",
		"title en": "عنوان انگلیسی", "brand": "برند", "category": "دسته",
		"add variant": "افزودن تنوع",
		"sku":         "کد کالا", "price": "قیمت", "stock": "موجودی", "currency": "واحد پول",
		"published": "منتشرشده",
		"status":    "وضعیت", "confirmed": "تأییدشده", "processing": "در حال آماده‌سازی",
		"shipped":   "ارسال‌شده",
		"delivered": "تحویل‌شده", "paid": "پرداخت‌شده", "saved": "ذخیره شد.",
		"done":         "انجام شد.",
		"price before": "قیمت پیشین", "orders": "سفارش‌ها", "note": "یادداشت برای مشتری",
		"blog": "نوشتن نوشته",
		"text": "متن", "bold": "پررنگ", "sign out": "خروج", "low": "کم از", "images": "تصویرها",
		"alt fa": "توضیح تصویر به فارسی", "alt en": "توضیح تصویر به انگلیسی",
		"alt":  "نشان آفتاب",
		"size": "۶۴۰ × ۴۸۰", "close": "بستن",
		"choose logo":  "انتخاب یا ارسال: نشانی نشان",
		"choose image": "انتخاب یا ارسال: تصویرها",
		"in brands":    "در ۱ برند",
		"of which":     "که پرداخت شده", "delete receipt": "حذف رسید", "cannot": "برگشت ندارد",
		"cancel": "لغو سفارش", "cancelled": "لغوشده", "refunds": "بازپرداخت بدهکار",
		"refunded": "بازپرداخت‌شده", "is refunded": "برگردانده شده",
		"nothing": "چیزی این‌جا نیست.", "sun": "آفتاب",
		"lamp": "چراغ مطالعه",
	},
}

// fill puts a text into the field of a label, in place of what it has.
func fill(label, text string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.PollFunction(`(label) => {
			const named = (e) => e.ariaLabel === label ||
				[...(e.labels ?? [])].some((l) => l.innerText.trim() === label);
			const field = [...document.querySelectorAll('input, textarea')].find(
				(e) => e.checkVisibility() && named(e));
			field?.focus();
			field?.select();
			return Boolean(field) && document.activeElement === field;
		}`, nil, chromedp.WithPollingArgs(label), chromedp.WithPollingInterval(50*time.Millisecond),
			chromedp.WithPollingTimeout(browserTime)),
		input.InsertText(text),
	}
}

// choose selects an option of the field of a label, which is a native select or opens a list.
func choose(label, option string) chromedp.Action {
	return chromedp.PollFunction(`(label, option) => {
		const field = [...document.querySelectorAll('.field')].find((e) => e.checkVisibility() &&
			e.querySelector('label, .react-aria-Label')?.innerText.trim() === label);
		const select = field?.querySelector('select');
		if (select) {
			const found = [...select.options].find((e) => e.text === option);
			if (!found) return false;
			select.value = found.value;
			return select.dispatchEvent(new Event('change', { bubbles: true }));
		}
		const found = [...document.querySelectorAll('[role=option]')].find((e) => e.innerText.trim() === option);
		if (found) {
			found.click();
			return true;
		}
		const opens = field?.querySelector('button') ?? field?.querySelector('input');
		if (opens && opens.ariaExpanded !== 'true') {
			opens.focus();
			opens.click();
		}
		return false;
	}`, nil, chromedp.WithPollingArgs(label, option), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// TestStaffFirstDayInBrowser does a shop's whole first day on the page of staff, from an empty shop to an order that is
// delivered: on a desktop in English, and on a phone in Persian. axe-core checks each screen.
func TestStaffFirstDayInBrowser(t *testing.T) {
	axe := axeScript(t)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(lampShop)), nil)
		if err != nil {
			t.Fatal(err)
		}
		buyer := c.Customer(t)
		for _, day := range []struct {
			language      string
			width, height int64
		}{{"en", 1280, 900}, {"fa", 390, 844}} {
			owner := c.Staff(t, summary.Tenant.String(), record.Owner)
			d := staffDay{t: t, c: c, b: openBrowser(t), axe: axe, words: staffWords[day.language],
				language: day.language, shop: summary.Tenant.String(), staff: owner}
			d.b.do(t, chromedp.EmulateViewport(day.width, day.height), chromedp.Navigate(c.URL+"/staff"),
				chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('storefront.staff.language', '%q')`, day.language),
					nil),
				chromedp.Reload())
			d.signIn(owner.Customer.Cell)
			d.writesCatalog()
			number := d.buys(buyer)
			d.changesPriceOfWhatWasSold()
			d.writesBlog()
			d.uploadsLogo()
			d.showsLogoOnLamp()
			d.movesOrder(number)
			d.seesCustomer(number)
			d.refunds(d.seesOrderCome(buyer, number))
			d.everyScreen()
			d.b.do(t, click("button", d.w("sign out")), shows("button", d.w("send")))
			d.b.wasQuiet(t, c.Place)
		}
	})
}

// staffDay is a day of a shop's owner at the page of staff.
type staffDay struct {
	t                   *testing.T
	c                   *shoptest.Crew
	b                   *browser
	axe, language, shop string
	words               map[string]string
	staff               shoptest.Worker
}

// w returns the words of a name in the language of the day.
func (d staffDay) w(name string) string {
	d.t.Helper()
	if d.words[name] == "" {
		d.t.Fatalf("the test has no words for %q", name)
	}
	return d.words[name]
}

// id makes a name unique to the day, as both days use one shop.
func (d staffDay) id(name string) string { return name + "-" + d.language }

// at goes to a screen.
func (d staffDay) at(screen string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`location.hash = '#/lamps.example/%s'`, screen), nil)
}

// looks checks a screen with axe-core, and that it is not wider than its window.
func (d staffDay) looks(name string) {
	d.t.Helper()
	d.b.looks(d.t, d.axe, name+"-"+d.language)
}

func (d staffDay) signIn(cell string) {
	d.b.do(d.t, fill(d.w("cell"), cell))
	d.looks("sign-in")
	d.b.do(d.t, click("button", d.w("send")), shows("label", d.w("code")))
	d.b.do(d.t, fill(d.w("code"), d.c.Phones.Code(d.t, cell)), click("button", d.w("sign in")),
		shows("h1", d.w("today")))
	d.looks("today")
}

func (d staffDay) writesCatalog() {
	d.b.do(d.t, d.at("brands/+"), shows("h1", d.w("add brand")), fill(d.w("slug"), d.id("sun")),
		fill(d.w("name fa"), "آفتاب"), fill(d.w("name"), "Sun "+d.language), click("button", d.w("save")),
		shows("[role=status]", d.w("saved")),
		shows("h1", d.w("sun")))
	d.b.do(d.t, d.at("categories/product/+"), shows("h1", d.w("add category")), fill(d.w("slug"), d.id("desk")),
		fill(d.w("name fa"), "رومیزی"), fill(d.w("name"), "Desk "+d.language), click("button", d.w("save")),
		shows("h1", map[string]string{"en": "Desk en", "fa": "رومیزی"}[d.language]))
	d.b.do(d.t, d.at("products/+"), shows("h1", d.w("add product")), fill(d.w("slug"), d.id("lamp")),
		fill(d.w("title fa"), "چراغ مطالعه"), fill(d.w("title en"), "Reading lamp"),
		// What was typed survives a reload.
		chromedp.Reload(), shows("h1", d.w("add product")), click("button", d.w("add variant")),
		fill(d.w("sku"), "LAMP-"+d.language), fill(d.w("price"), "1250000"), fill(d.w("stock"), "5"),
		fill(d.w("low"), "2"), chromedp.KeyEvent(kb.Tab), choose(d.w("status"), d.w("published")))
	d.looks("product")
	d.b.do(d.t, click("button", d.w("save")), shows("[role=status]", d.w("saved")),
		shows("h1", d.w("lamp")))
	var product struct {
		Product struct{ TitleEn string }
	}
	got := d.c.Get(d.t, "/tenants/lamps.example/products/"+d.id("lamp"))
	if err := json.Unmarshal(got.Body, &product); err != nil || product.Product.TitleEn != "Reading lamp" {
		d.t.Fatalf("got the product %d %s, want the one that was published", got.Status, got.Body)
	}
}

// seesOrderCome places an order while the list of orders is open, and returns its number once the list
// shows it.
func (d staffDay) seesOrderCome(buyer shoptest.Worker, earlier string) string {
	d.t.Helper()
	d.b.do(d.t, d.at("orders"), shows(".list", earlier))
	number := d.buys(buyer)
	d.b.do(d.t, shows(".list", number))
	return number
}

// buys orders the lamp as a storefront would, pays by transfer with a picture of the receipt, and returns the number of
// the order.
func (d staffDay) buys(buyer shoptest.Worker) string {
	d.t.Helper()
	var items struct{ Items []struct{ ID, Sku string } }
	d.c.Decode(d.t, "/tenants/lamps.example/store-items?name=چراغ", &items)
	for _, item := range items.Items {
		if item.Sku != "LAMP-"+d.language {
			continue
		}
		var order struct {
			Checkout struct {
				Order struct{ ID, OrderNumber string }
			}
		}
		buyer.Do(d.t, `mutation($shop: ID!, $item: ID!) {
			addToCart(businessId: $shop, items: [{storeItemVariantId: $item, quantity: 2}]) { message } }`,
			shoptest.Members{"shop": d.shop, "item": item.ID}, nil)
		buyer.Do(d.t, `mutation($shop: ID!, $in: CheckoutInput!) { checkout(businessId: $shop, input: $in) {
			order { id orderNumber } } }`,
			shoptest.Members{"shop": d.shop,
				"in": json.RawMessage(strings.Replace(shoptest.ToHome, "cash", "transfer", 1))}, &order)
		var upload struct{ CreateReceiptUpload struct{ URL string } }
		buyer.Do(d.t, `mutation($shop: ID!, $order: ID!) {
			createReceiptUpload(businessId: $shop, orderId: $order) { url } }`,
			shoptest.Members{"shop": d.shop, "order": order.Checkout.Order.ID}, &upload)
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 600, 900))); err != nil {
			d.t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(d.t.Context(), "PUT", d.c.URL+upload.CreateReceiptUpload.URL, &file)
		if err != nil {
			d.t.Fatal(err)
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			d.t.Fatal(err)
		}
		shoptest.WantStatus(d.t, shoptest.Receive(d.t, response), 201)
		return order.Checkout.Order.OrderNumber
	}
	d.t.Fatalf("got %+v, want the lamp among what is sold", items)
	return ""
}

// changesPriceOfWhatWasSold changes the price in a form of the lamp that was opened before two were sold.
// The sold units must not return to stock.
func (d staffDay) changesPriceOfWhatWasSold() {
	d.t.Helper()
	d.b.do(d.t, fill(d.w("price"), "1300000"), chromedp.KeyEvent(kb.Tab), click("button", d.w("save")),
		chromedp.PollFunction(`() => !document.querySelector('.unsaved')`, nil,
			chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(browserTime)))
	type variant struct {
		Stock, LowStockAt int
		Price             float64
	}
	var got struct{ StaffVariantsConnection struct{ Nodes []variant } }
	d.staff.Do(d.t, `query($shop: ID!, $name: String) { staffVariantsConnection(businessId: $shop, name: $name) {
		nodes { stock lowStockAt price } } }`, shoptest.Members{"shop": d.shop, "name": "LAMP-" + d.language}, &got)
	want := []variant{{Stock: 3, LowStockAt: 2, Price: 1300000}}
	if !slices.Equal(got.StaffVariantsConnection.Nodes, want) {
		d.t.Errorf("got the variants %+v, want %+v", got.StaffVariantsConnection.Nodes, want)
	}
}

// writesBlog writes a blog with a bold text in the editor, pastes another, and reads again what is stored as HTML.
func (d staffDay) writesBlog() {
	d.t.Helper()
	text := `.prose [role=textbox]`
	d.b.do(d.t, d.at("blogs/+"), shows("h1", d.w("blog")), fill(d.w("slug"), d.id("light")),
		fill(d.w("title fa"), "نور"), chromedp.Focus(text, chromedp.ByQuery), input.InsertText("one"),
		input.DispatchKeyEvent(input.KeyRawDown).WithKey("Enter").WithWindowsVirtualKeyCode(13),
		click("button", d.w("bold")), input.InsertText("two"),
		chromedp.Evaluate(`(() => {
			const clipboardData = new DataTransfer()
			clipboardData.setData('text/html', '<script>document.title = "run"</script><b>three</b>')
			document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }))
		})()`, nil), shows(text+" strong", "twothree"),
		choose(d.w("status"), d.w("published")))
	d.looks("blog")
	d.b.do(d.t, click("button", d.w("save")), shows("[role=status]", d.w("saved")), shows("h1", "نور"),
		chromedp.Reload(), shows(text+" strong", "two"))
	var blog struct{ Blog struct{ Body string } }
	d.c.Decode(d.t, "/tenants/lamps.example/blogs/"+d.id("light"), &blog)
	if want := "<p>one</p><p><strong>twothree</strong></p>"; blog.Blog.Body != want {
		d.t.Errorf("got the text %q, want %q", blog.Blog.Body, want)
	}
}

// pictureFile writes an image to a file. Its pixels are of the language: the same image twice would be stored once.
func (d staffDay) pictureFile() string {
	d.t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 640, 480))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i*int(d.language[0])) | 1
	}
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		d.t.Fatal(err)
	}
	path := filepath.Join(d.t.TempDir(), d.id("logo")+".png")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return path
}

// uploadsLogo uploads an image, says what it shows, and chooses it as the logo of the brand.
func (d staffDay) uploadsLogo() {
	d.t.Helper()
	mine := `li:has(img):first-child`
	d.b.do(d.t, d.at("media"), shows("h1", d.w("images")),
		chromedp.SetUploadFiles(`input[type=file]`, []string{d.pictureFile()}, chromedp.ByQuery),
		shows(mine, d.id("logo")+".png", d.w("size")), fill(d.w("alt fa"), "نشان آفتاب"),
		fill(d.w("alt en"), "The logo of Sun"), click(mine+" button", d.w("save")),
		gone(".unsaved"))
	d.looks("media")
	d.b.do(d.t, d.at("brands/"+d.id("sun")), shows("h1", d.w("sun")), click("button", d.w("choose logo")),
		shows(".modal", d.w("close")))
	d.looks("images to choose from")
	d.b.do(d.t, click(".library button", d.w("alt")), gone(".modal"))
	d.looks("brand with a logo")
	d.b.do(d.t, click("button", d.w("save")), gone(".unsaved"), d.at("media"),
		shows(mine, d.w("in brands")))
	var got struct{ StaffBrand struct{ LogoURL string } }
	d.staff.Do(d.t, `query($shop: ID!, $slug: String!) { staffBrand(businessId: $shop, slug: $slug) { logoUrl } }`,
		shoptest.Members{"shop": d.shop, "slug": d.id("sun")}, &got)
	if !strings.HasSuffix(got.StaffBrand.LogoURL, "-640x480.png") {
		d.t.Errorf("got the logo %q, want the one that was uploaded", got.StaffBrand.LogoURL)
	}
}

// showsLogoOnLamp adds the image to those of the lamp.
func (d staffDay) showsLogoOnLamp() {
	d.t.Helper()
	d.b.do(d.t, d.at("products/"+d.id("lamp")), shows("h1", d.w("lamp")), click("button", d.w("choose image")),
		click(".library button", d.w("alt")), gone(".modal"), chromedp.WaitVisible(".unsaved", chromedp.ByQuery),
		click("button", d.w("save")), gone(".unsaved"))
	var lamp struct {
		Product struct {
			Images []struct{ URL, Alt, AltFa string }
		}
	}
	d.c.Decode(d.t, "/tenants/lamps.example/products/"+d.id("lamp"), &lamp)
	images := lamp.Product.Images
	if len(images) != 1 || !strings.HasSuffix(images[0].URL, "-640x480.png") || images[0].Alt != "The logo of Sun" ||
		images[0].AltFa != "نشان آفتاب" {
		d.t.Errorf("got the images %+v, want the one that was chosen, with its texts in both languages", images)
	}
}

// movesOrder looks at the receipt of an order, moves it on until it is delivered, marks it as paid, and deletes the
// receipt.
func (d staffDay) movesOrder(number string) {
	d.b.do(d.t, d.at("orders"), shows("[role=row]", number))
	d.looks("orders")
	d.b.do(d.t, click("[role=row] bdi", number), shows("h1", number),
		chromedp.Click(`.receipt[aria-expanded="false"]`, chromedp.ByQuery),
		chromedp.WaitVisible(`.receipt[aria-expanded="true"] img`, chromedp.ByQuery),
		chromedp.Poll(`document.querySelector('.receipt img').naturalWidth === 600`, nil))
	d.looks("receipt")
	d.b.do(d.t, fill(d.w("note"), "۲ عدد"))
	for _, status := range []string{"confirmed", "processing", "shipped", "delivered"} {
		d.b.do(d.t, click("button", d.w(status)), shows("h1 .badge", d.w(status)))
	}
	d.b.do(d.t, click("button", d.w("paid")), shows("h2 .badge", d.w("paid")), shows(".history", "۲ عدد"))
	d.looks("order")
	d.b.do(d.t, chromedp.Click(".transfer .quiet", chromedp.ByQuery), shows("[role=alertdialog]", d.w("cannot")))
	d.looks("receipt to delete")
	d.b.do(d.t, click("[role=alertdialog] button", d.w("delete receipt")), gone(".transfer"))
}

// everyScreen looks at all screens of the menu.
func (d staffDay) everyScreen() {
	links := evaluate[[]string](d.t, d.b, `[...document.querySelectorAll('nav a')].map((a) => a.hash)`)
	if len(links) < 15 {
		d.t.Errorf("got %d screens in the menu, want those of an owner", len(links))
	}
	for _, link := range links {
		d.b.do(d.t, chromedp.Evaluate(fmt.Sprintf(`location.hash = %q`, link), nil),
			chromedp.PollFunction(`(screen) => document.querySelector('[data-screen="' + screen + '"] h1') &&
				!document.querySelector('main [role=alert]')`,
				nil, chromedp.WithPollingArgs(link[len("#/lamps.example/"):]),
				chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(browserTime)))
		d.looks("screen " + link[len("#/lamps.example/"):])
	}
}
