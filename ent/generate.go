// Package ent is generated from ent/schema: the data model and its queries. What of it nothing uses is taken out again
// (internal/generate/unused), once the rest of the service is generated.
package ent

//go:generate go run ../internal/generate/ent
