// Package list pages any list of records: by number (Page) and as a connection with cursors (Connection). It knows no
// kind of record, and nothing of what is public.
//
// A list has an order and positions in it (order.go, cursor.go). A page or a connection reads only the columns that a
// document asks for, and counts only on request. Fields of many records are resolved for all of them at once
// (batch.go, siblings.go).
package list
