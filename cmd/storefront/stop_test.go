package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// TestTermFinishesWhatRuns ends a process by SIGTERM, and by SIGINT, while a client is still sending its
// request and 150 others have just sent theirs on open connections: the listener closes, every request is
// answered, and the exit code is 0.
func TestTermFinishesWhatRuns(t *testing.T) {
	const body = `{"title": "Question", "name": "Sara", "text": "How much?"}`
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database, "DRAIN_TIME", "0s")
		s.succeed(t, "tenant", "add", "own.example", "Own", "خودم")
		for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			process := s.process(t.Context(), "serve")
			log, err := process.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(log)
			address := strings.TrimPrefix(listening(t, lines), "http://")
			logged := make(chan struct{}) // the log must be read to the end, or the process would block
			go func() {
				defer close(logged)
				for lines.Scan() {
				}
			}()

			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn,
				"POST /api/v1/tenants/own.example/contact-submissions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"+
					"Content-Length: %d\r\n\r\n",
				len(body))
			answers := bufio.NewReader(conn)
			if first, err := answers.ReadString('\n'); err != nil || !strings.Contains(first, "100 Continue") {
				t.Fatalf("got %q, %v", first, err)
			}
			if _, err := answers.ReadString('\n'); err != nil { // the end of the answer
				t.Fatal(err)
			}
			others := keptAlive(t, address, 150)
			for _, other := range others {
				fmt.Fprint(other, ownRequest)
			}
			if err := process.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			for i, other := range others {
				response, err := http.ReadResponse(bufio.NewReader(other), nil)
				if err != nil || response.StatusCode != 200 {
					t.Errorf("%v: open connection %d: %v, %v", signal, i, response, err)
				}
				other.Close()
			}
			for { // until it accepts no more
				other, err := net.Dial("tcp", address)
				if err != nil {
					break
				}
				other.Close()
			}
			fmt.Fprint(conn, body)
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			if text := readAll(t, response.Body); response.StatusCode != 201 {
				t.Errorf("%v: the request that ran got %d %s", signal, response.StatusCode, text)
			}
			conn.Close()
			<-logged
			if err := process.Wait(); err != nil {
				t.Errorf("%v: %v", signal, err)
			}
		}
	})
}

const ownRequest = "GET /api/v1/tenants/own.example HTTP/1.1\r\nHost: x\r\n\r\n"

// keptAlive opens connections and gets one answer on each.
func keptAlive(t *testing.T, address string, many int) []net.Conn {
	t.Helper()
	conns := make([]net.Conn, many)
	for i := range conns {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, ownRequest)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, response.Body)
		conns[i] = conn
	}
	return conns
}

// listening reads a log until it has the address, and returns that.
func listening(t testing.TB, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		var record struct{ Msg, URL string }
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatalf("log line %q: %v", lines.Text(), err)
		}
		if record.Msg == "listening" {
			return record.URL
		}
	}
	t.Fatal("it ended before it listened")
	return ""
}
