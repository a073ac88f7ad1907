package ent

import (
	"context"

	"entgo.io/ent"
)

// leftOut has methods of ent's interface Mutation that reach every column and edge by its name. Each mutation embeds
// it: where nothing calls a method, internal/generate/unused removes the mutation's own.
type leftOut struct{}

const notCalled = "ent: `make generate` removed this method, as no code by hand called it: call it, and run that again"

func (leftOut) OldField(context.Context, string) (ent.Value, error) { panic(notCalled) }
func (leftOut) SetField(string, ent.Value) error                    { panic(notCalled) }
func (leftOut) AddedFields() []string                               { panic(notCalled) }
func (leftOut) AddedField(string) (ent.Value, bool)                 { panic(notCalled) }
func (leftOut) AddField(string, ent.Value) error                    { panic(notCalled) }
func (leftOut) ClearedFields() []string                             { panic(notCalled) }
func (leftOut) FieldCleared(string) bool                            { panic(notCalled) }
func (leftOut) ClearField(string) error                             { panic(notCalled) }
func (leftOut) ResetField(string) error                             { panic(notCalled) }
func (leftOut) AddedEdges() []string                                { panic(notCalled) }
func (leftOut) AddedIDs(string) []ent.Value                         { panic(notCalled) }
func (leftOut) RemovedEdges() []string                              { panic(notCalled) }
func (leftOut) RemovedIDs(string) []ent.Value                       { panic(notCalled) }
func (leftOut) ClearedEdges() []string                              { panic(notCalled) }
func (leftOut) EdgeCleared(string) bool                             { panic(notCalled) }
func (leftOut) ClearEdge(string) error                              { panic(notCalled) }
func (leftOut) ResetEdge(string) error                              { panic(notCalled) }
