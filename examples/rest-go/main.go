// The program visits a shop over REST as a customer's server might: it finds something in stock, registers,
// puts it into the cart and orders it. Its client is made from the service's own /openapi.json.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"strconv"

	"storefront-rest-example/api"
)

func main() {
	base, domain := "http://127.0.0.1:8080", "paperlane.example"
	if len(os.Args) > 1 {
		base = os.Args[1]
	}
	if len(os.Args) > 2 {
		domain = os.Args[2]
	}
	least := 0.0
	if len(os.Args) > 3 {
		var err error
		if least, err = strconv.ParseFloat(os.Args[3], 64); err != nil {
			log.Fatal(err)
		}
	}
	if err := visit(context.Background(), base, domain, least); err != nil {
		log.Fatal(err)
	}
}

// visit orders the newest thing of a shop that costs at least so much.
func visit(ctx context.Context, base, domain string, least float64) error {
	var token string
	signedIn := func(_ context.Context, r *http.Request) error {
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	shop, err := api.NewClientWithResponses(base+"/api/v1", api.WithRequestEditorFn(signedIn))
	if err != nil {
		return err
	}

	inStock, few := true, int32(5)
	found, err := shop.StoreItemsWithResponse(ctx, domain, &api.StoreItemsParams{
		InStock: &inStock, MinPrice: &least, PageSize: &few,
	})
	if err != nil {
		return err
	}
	if found.JSON200 == nil {
		return refused(found.HTTPResponse, found.Body)
	}
	var chosen *api.Variant
	fmt.Printf("%d variants in stock, the newest:\n", found.JSON200.Total)
	for _, item := range found.JSON200.Items {
		if item.Price == nil {
			continue // ask
		}
		fmt.Printf("  %s  %s %s\n", item.Sku, amount(*item.Price), item.PriceCurrency)
		if chosen == nil {
			chosen = &item
		}
	}
	if chosen == nil {
		return errors.New("nothing here has a price")
	}

	cell, err := rand.Int(rand.Reader, big.NewInt(1e7))
	if err != nil {
		return err
	}
	account, err := shop.RegisterWithResponse(ctx, api.RegisterInput{
		CellNumber: fmt.Sprintf("+98912%07d", cell), Password: new(rand.Text()), FirstName: "Sara",
		LastName: "Ahmadi", Domain: domain,
	})
	if err != nil {
		return err
	}
	if account.JSON201 == nil {
		return refused(account.HTTPResponse, account.Body)
	}
	registered, err := account.JSON201.AsRegistered()
	if err != nil {
		return err
	}
	if registered.AccessToken == "" { // the link to the account waits for a code
		return errors.New("this cell number has an account already; run it again")
	}
	token = registered.AccessToken
	business := registered.RegisteredBusiness.Id

	added, err := shop.AddCartItemWithResponse(ctx, business, nil,
		api.AddCartItemJSONRequestBody{StoreItemVariantId: chosen.Id})
	if err != nil {
		return err
	}
	if added.JSON201 == nil {
		return refused(added.HTTPResponse, added.Body)
	}
	cart := added.JSON201.Cart
	fmt.Printf("cart: %d for %s %s\n", cart.TotalQuantity, amount(*cart.Subtotal), *cart.PriceCurrency)

	key := rand.Text()
	ordered, err := shop.CheckoutWithResponse(ctx, business, &api.CheckoutParams{IdempotencyKey: &key},
		api.CheckoutInput{
			ShippingAddress: &api.ShippingAddressInput{
				Province: "تهران", City: "تهران", Address: "خیابان آزادی، پلاک ۱",
			},
			Payment: api.PaymentInput{Type: api.Cash},
		})
	if err != nil {
		return err
	}
	if ordered.JSON201 == nil {
		return refused(ordered.HTTPResponse, ordered.Body)
	}
	order := ordered.JSON201.Order
	fmt.Printf("order %s: %s, %s %s\n", order.OrderNumber, order.Status, amount(order.Total), order.PriceCurrency)
	return nil
}

// amount writes an amount as it was sent. A float64 holds every one of up to 15 digits.
func amount(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

func refused(answer *http.Response, body []byte) error {
	return fmt.Errorf("%s answered %s: %s", answer.Request.URL, answer.Status, body)
}
