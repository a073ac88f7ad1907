//go:build unix

package database

import (
	"net"
	"syscall"
	"time"
)

// isQuiet reports whether c is open and has nothing to read. It does not wait.
func isQuiet(c net.Conn) bool {
	socket, ok := c.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := socket.SyscallConn()
	if err != nil || c.SetReadDeadline(time.Time{}) != nil {
		return false
	}
	var received error
	err = raw.Read(func(fd uintptr) bool {
		_, _, received = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK)
		return true
	})
	return err == nil && received == syscall.EAGAIN // nil: a message, or the end of the connection
}
