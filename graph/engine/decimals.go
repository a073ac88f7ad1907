package engine

import "github.com/vektah/gqlparser/v2/ast"

// keepDecimals turns the literal decimals of the documents into strings and notes them. As numbers they would
// reach resolvers as float64 or int64, rounded or refused as too large. As strings they arrive exactly as
// written, like decimals in variables.
func (d *Documents) keepDecimals() {
	for _, operation := range d.document.Operations {
		d.keepDecimalsIn(operation.SelectionSet)
	}
	for _, fragment := range d.document.Fragments {
		d.keepDecimalsIn(fragment.SelectionSet)
	}
}

func (d *Documents) keepDecimalsIn(selections ast.SelectionSet) {
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			for _, argument := range s.Arguments {
				d.keepDecimal(argument.Value)
			}
			d.keepDecimalsIn(s.SelectionSet)
		case *ast.InlineFragment:
			d.keepDecimalsIn(s.SelectionSet)
		}
	}
}

func (d *Documents) keepDecimal(value *ast.Value) {
	isNumber := value.Kind == ast.IntValue || value.Kind == ast.FloatValue
	if isNumber && value.Definition != nil && formOf(value.Definition) == asDecimal {
		value.Kind = ast.StringValue
		d.numbers[value] = true
	}
	for _, child := range value.Children {
		d.keepDecimal(child.Value)
	}
}
