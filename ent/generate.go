// Package ent is generated from ent/schema: the data model and its queries.
package ent

//go:generate go run entc.go
