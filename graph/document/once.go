package document

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Once is what an Idempotency-Key means for an operation, by the directive @once of its mutation.
type Once struct {
	Fields    int  // the mutations in the document, as they stand there
	Holds     bool // the engine makes sure that the mutation is done once
	AtGateway bool // the gateway of partners does
	Private   bool // the answer is for staff, or a value is secret: the answer is not stored
}

// collectIdempotency notes what the fields of a mutation mean for its Idempotency-Key. Fields that merge into one and
// those that are skipped count too. seen holds how many fields each fragment has.
func (op *Operation) collectIdempotency(fields ast.SelectionSet, seen map[string]int) {
	for _, selection := range fields {
		p := partOf(selection)
		n, visited := seen[p.spread]
		switch {
		case p.field != nil && strings.HasPrefix(p.field.Name, "__"):
		case p.field != nil:
			op.Once.Fields++
			once := p.field.Definition.Directives.ForName("once")
			op.Once.AtGateway = isSet(once, "atGateway")
			op.Once.Holds = once != nil && !op.Once.AtGateway
			op.Once.Private = op.Once.Private || !isSet(once, "stored")
		case p.spread != "" && visited:
			op.Once.Fields += n
		default:
			before := op.Once.Fields
			op.collectIdempotency(p.below, seen)
			seen[p.spread] = op.Once.Fields - before
		}
	}
}
