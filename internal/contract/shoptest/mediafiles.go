package shoptest

import (
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// MediaFile stores the row of an uploaded image in a shop, without a file: of a customer, or nil.
func MediaFile(t testing.TB, client *ent.Client, shop uuid.UUID, customer *uuid.UUID) *ent.MediaFile {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	address := record.MediaAddress{Shop: shop, ID: id, Hash: "0123456789abcdef", Width: 4, Height: 3, Extension: "png"}
	made, err := client.MediaFile.Create().SetID(id).SetAddress(address.String()).SetHash(id[:]).SetKind(record.PNG).
		SetNillableUserID(customer).SetSize(100).SetTotalSize(100).SetWidth(4).SetHeight(3).
		Save(tenancy.In(t.Context(), shop))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Receipt stores the row of a receipt of a customer's order in a shop, without a file.
func Receipt(t testing.TB, client *ent.Client, shop, order, customer uuid.UUID) *ent.Receipt {
	t.Helper()
	made, err := client.Receipt.Create().SetOrderID(order).SetUserID(customer).SetHash(order[:]).SetSize(1).
		SetWidth(4).SetHeight(3).Save(tenancy.In(t.Context(), shop))
	if err != nil {
		t.Fatal(err)
	}
	return made
}
