package graph

import (
	"context"

	"github.com/google/uuid"

	"storefront/graph/model"
	"storefront/internal/sheet"
	"storefront/internal/transfer"
)

func exportPayload(l transfer.Link, err error) (*model.SheetExportPayload, error) {
	return &model.SheetExportPayload{URL: l.URL, ExpiresAt: l.Expires}, err
}

func importPayload(l transfer.Link, err error) (*model.SheetImportPayload, error) {
	return &model.SheetImportPayload{URL: l.URL, CheckURL: l.CheckURL(), ExpiresAt: l.Expires}, err
}

func (m mutationResolver) CreateProductExport(ctx context.Context, _ uuid.UUID) (*model.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Products))
}

func (m mutationResolver) CreateOfferExport(ctx context.Context, _ uuid.UUID) (*model.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Offers))
}

func (m mutationResolver) CreateOrderExport(ctx context.Context, _ uuid.UUID) (*model.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Orders))
}

func (m mutationResolver) CreateCustomerExport(ctx context.Context, _ uuid.UUID) (*model.SheetExportPayload, error) {
	return exportPayload(m.r.Sheets.Export(ctx, sheet.Customers))
}

func (m mutationResolver) CreateProductImport(ctx context.Context, _ uuid.UUID) (*model.SheetImportPayload, error) {
	return importPayload(m.r.Sheets.Import(ctx, sheet.Products))
}

func (m mutationResolver) CreateOfferImport(ctx context.Context, _ uuid.UUID) (*model.SheetImportPayload, error) {
	return importPayload(m.r.Sheets.Import(ctx, sheet.Offers))
}
