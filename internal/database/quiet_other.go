//go:build !unix

package database

import "net"

// quiet cannot look without waiting here, and trusts c.
func quiet(net.Conn) bool { return true }
