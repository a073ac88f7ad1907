//go:build !unix

package database

import "net"

// isQuiet cannot look without waiting here, and trusts c.
func isQuiet(net.Conn) bool { return true }
