// Package checks holds no code of the service: its tests read the source, the documents and the schema, and check what
// the compiler cannot see. imports_test.go is the table of rooms: which package may import which. messages_test.go checks
// that every message has its Farsi, money_test.go that money is never a float, citations_test.go that comments cite
// headings that exist, lines_test.go that lines fit a screen, documents_test.go
// that the documents name every route, code, command and setting, and that their
// links lead somewhere.
package checks
