package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/internal/api"
	"storefront/internal/content/sheet"
	"storefront/internal/content/transfer"
)

// Links to export and import sheets (package transfer).

func exportPayload(l transfer.Link, err error) (*api.SheetExportPayload, error) {
	return &api.SheetExportPayload{URL: l.URL, ExpiresAt: l.Expires}, err
}

func importPayload(l transfer.Link, err error) (*api.SheetImportPayload, error) {
	return &api.SheetImportPayload{URL: l.URL, CheckURL: l.CheckURL(), ExpiresAt: l.Expires}, err
}

func (m mutationResolver) CreateProductExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Products))
}

func (m mutationResolver) CreateOfferExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Offers))
}

func (m mutationResolver) CreateOrderExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Orders))
}

func (m mutationResolver) CreatePaymentExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Payments))
}

func (m mutationResolver) CreateCustomerExport(ctx context.Context, _ uuid.UUID) (*api.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Customers))
}

func (m mutationResolver) CreateProductImport(ctx context.Context, _ uuid.UUID) (*api.SheetImportPayload, error) {
	return importPayload(m.r.Sheets.Import(ctx, sheet.Products))
}

func (m mutationResolver) CreateOfferImport(ctx context.Context, _ uuid.UUID) (*api.SheetImportPayload, error) {
	return importPayload(m.r.Sheets.Import(ctx, sheet.Offers))
}
