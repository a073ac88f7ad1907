// Package checks holds no code of the service: its tests read the source, the documents and the schema, and check what
// the compiler cannot see:
//
//	imports_test.go    the table of allowed imports: which package may import which
//	messages_test.go   every message has its Farsi
//	money_test.go      amounts are never floats, and divided in one place
//	citations_test.go  comments cite headings that exist
//	documents_test.go  the documents name every route, code, command and setting, and their links lead somewhere
//	schema_test.go     mutations and lists say what holds for them, and the engine names none of them
//	shops_test.go      the walk of docs/shops.md is one that the schema allows
//	goroutines_test.go goroutines recover from panics, and bounds are shared out
//	comments_test.go   exported names have comments
//	prose_test.go      the schema, documents and comments are in plain English
//	words_test.go      what the guides for engineers name in backquotes is in the tree
//	page_test.go       the files of the page of staff do not import each other in a circle
//	lines_test.go      lines fit a screen
//	format_test.go     Go is formatted by gofmt
//	isolation_test.go  the tests that open databases watch their statements
//	migrations_test.go migrations of a release do not change, and hold no customer up
//	monitoring_test.go each alert is explained, and deploy/ is YAML
//	dashboard_test.go  the dashboard is one that Grafana shows as it is meant
package checks
