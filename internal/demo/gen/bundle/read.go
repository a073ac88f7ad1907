package bundle

import (
	"encoding/json"
	"fmt"
	"io/fs"
)

// Read reads some members of a bundle, written by hand. A mistake in it is one of the program.
func Read(files fs.FS, name string) Bundle {
	f, err := files.Open(name)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	dec := json.NewDecoder(f)
	dec.DisallowUnknownFields()
	var b Bundle
	if err := dec.Decode(&b); err != nil {
		panic(fmt.Errorf("%s: %w", name, err))
	}
	return b
}
