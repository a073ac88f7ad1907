package database

// Inspector sees a statement before it is sent, with the name of its database: SQLite's file, PostgreSQL's name.
// An error of it refuses the statement.
type Inspector func(database, text string) error

// inspector is nil but in tests.
var inspector Inspector

// Inspect gives all databases that are opened from now on an inspector of all their statements, but not of those of
// migrations. It is for tests, which call it before they open a database.
func Inspect(f Inspector) { inspector = f }

// inspectorOf returns the inspector of a database's connections, or nil.
func inspectorOf(database string) func(text string) error {
	f := inspector
	if f == nil {
		return nil
	}
	return func(text string) error { return f(database, text) }
}

// inspected returns the error of the inspector for a statement; nil without one.
func (c *conn) inspected(text string) error {
	if c.inspect == nil {
		return nil
	}
	return c.inspect(text)
}
