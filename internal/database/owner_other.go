//go:build !unix

package database

import "io/fs"

// ownerOf returns the same user twice: there are no owners of this kind on this system.
func ownerOf(fs.FileInfo) (owner, group, self int) { return 0, 0, 0 }
