package database

// Inspector is called before a statement is sent, with the name of its database: SQLite's file, PostgreSQL's
// name. If it returns an error, the statement is not sent.
type Inspector func(database, text string) error

// inspector is nil outside tests.
var inspector Inspector

// Inspect sets the inspector of all databases opened from now on. It does not see the statements of
// migrations. Tests call it before they open a database.
func Inspect(f Inspector) { inspector = f }

func inspectorOf(database string) func(text string) error {
	f := inspector
	if f == nil {
		return nil
	}
	return func(text string) error { return f(database, text) }
}

func (c *conn) inspected(text string) error {
	if c.of.inspect == nil {
		return nil
	}
	return c.of.inspect(text)
}
