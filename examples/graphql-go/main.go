// Command storefront-example finds a product that people have reviewed, prints its page, and orders it, over
// GraphQL with the typed functions of generated.go.
//
//	go run . [URL [DOMAIN]]
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"slices"

	"github.com/Khan/genqlient/graphql"
)

func main() {
	log.SetFlags(0)
	err := run(context.Background(), argument(1, "http://127.0.0.1:8080"), argument(2, "paperlane.example"))
	if err != nil {
		log.Fatal(err)
	}
}

func argument(n int, otherwise string) string {
	if len(os.Args) > n {
		return os.Args[n]
	}
	return otherwise
}

func run(ctx context.Context, url, domain string) error {
	visitor := graphql.NewClient(url+"/graphql", http.DefaultClient)

	newest, err := Newest(ctx, visitor, domain, 100)
	if err != nil {
		return err
	}
	products := newest.Tenant.Products.Items
	fmt.Printf("%s sells %d products\n", newest.Tenant.Name, newest.Tenant.Products.Total)
	slices.SortStableFunc(products, func(a, b NewestTenantProductsProductPageItemsProduct) int {
		return cmp.Compare(b.RatingCount, a.RatingCount)
	})
	if len(products) == 0 {
		return fmt.Errorf("nothing is on sale at %s", domain)
	}

	page, err := ProductPage(ctx, visitor, domain, products[0].Slug)
	if err != nil {
		return err
	}
	product := page.Tenant.Product
	fmt.Printf("%s (%d reviews)\n", cmp.Or(deref(product.TitleEn), product.TitleFa), product.RatingCount)
	for _, review := range product.ExpertReviews {
		fmt.Printf("  %d/10 by %s\n", review.Rate, review.AuthorName)
	}
	chosen := ""
	for _, variant := range product.Variants {
		stock := "in stock"
		switch {
		case !variant.InStock:
			stock = "sold out"
		case variant.StockQuantity != nil:
			stock = fmt.Sprintf("%d left", *variant.StockQuantity)
		}
		fmt.Printf("  %s  %s %s  %s\n", variant.Sku, deref(variant.Price), variant.PriceCurrency, stock)
		if variant.InStock && variant.Price != nil {
			chosen = variant.Id
		}
	}
	if chosen == "" {
		return fmt.Errorf("nothing of %s can be bought now", products[0].Slug)
	}
	return order(ctx, visitor, url, domain, chosen)
}

// order signs a new customer up and orders one unit of a variant.
func order(ctx context.Context, visitor graphql.Client, url, domain, variant string) error {
	signedUp, err := SignUp(ctx, visitor, RegisterInput{
		CellNumber: newCell(), Password: new(rand.Text()), FirstName: "Sara", LastName: "Ahmadi", Domain: domain,
	})
	if err != nil {
		return err
	}
	registered, ok := signedUp.Register.(*SignUpRegisterRegistered)
	if !ok || registered.AccessToken == nil {
		return fmt.Errorf("this cell number has an account already; run it again")
	}
	customer := graphql.NewClient(url+"/graphql", &http.Client{Transport: bearer(*registered.AccessToken)})

	added, err := Add(ctx, customer, domain, []CartItemInput{{StoreItemVariantId: variant, Quantity: 1}})
	if err != nil {
		return err
	}
	cart := added.AddToCart.Cart
	fmt.Printf("cart: %d for %s %s\n", cart.TotalQuantity, deref(cart.Subtotal), deref(cart.PriceCurrency))

	placed, err := Order(ctx, customer, domain, CheckoutInput{
		ShippingAddress: &ShippingAddressInput{
			Province: "تهران", City: "تهران", Address: "خیابان آزادی، پلاک ۱",
		},
		Payment: PaymentInput{Type: PaymentTypeCash},
	})
	if err != nil {
		return err
	}
	made := placed.Checkout.Order
	fmt.Printf("order %s: %s, %s %s\n", made.OrderNumber, made.Status, made.Total, made.PriceCurrency)
	return nil
}

// newCell makes up a cell number.
func newCell() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(1e7)) // never fails
	return fmt.Sprintf("+98912%07d", n)
}

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// deref gives what a pointer points to, or the zero value.
func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
