package database_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"storefront/internal/database"
	"storefront/internal/database/dbtest"
	"storefront/internal/database/migration"
	"storefront/internal/testkit/testdb"
)

// TestPoolerIsFoundByItsStatements prepares a statement under the name that the driver is about to use, as
// if a pooler had given the connection to another client before.
func TestPoolerIsFoundByItsStatements(t *testing.T) {
	db := dbtest.Open(t, dbtest.With(testdb.Postgres(t), "pool_size=1"))
	dbtest.Exec(t, db.Driver(), `PREPARE "1" AS SELECT 1; PREPARE "2" AS SELECT 2; PREPARE "3" AS SELECT 3`)
	if db.Pooled() {
		t.Error("got a pooler before the first statement, want none")
	}
	for range 3 {
		if n := dbtest.Ask[int](t, db.Driver(), "SELECT CAST($1 AS int) + 1", 4); n != 5 {
			t.Errorf("%d, want 5", n)
		}
	}
	if !db.Pooled() {
		t.Error("it was not found")
	}
}

// TestPoolerIsFoundByItsRefusal connects through a pooler that refuses settings of a connection.
func TestPoolerIsFoundByItsRefusal(t *testing.T) {
	u, err := url.Parse(testdb.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	server := u.Host
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go beginAsPooler(client, server)
		}
	}()
	u.Host = listener.Addr().String()
	db := dbtest.Open(t, u.String())
	if n := dbtest.Ask[int](t, db.Driver(), "SELECT CAST($1 AS int) + 1", 4); n != 5 || !db.Pooled() {
		t.Errorf("%d, found %t", n, db.Pooled())
	}
	if err := migration.Run(t.Context(), db, dbtest.TwoFiles); err != nil {
		t.Error(err)
	}
}

// beginAsPooler answers the first message of a client as PgBouncer does, and connects it to the server.
func beginAsPooler(client net.Conn, server string) {
	defer client.Close()
	var length [4]byte
	if _, err := io.ReadFull(client, length[:]); err != nil {
		return
	}
	message := make([]byte, binary.BigEndian.Uint32(length[:])-4)
	if _, err := io.ReadFull(client, message); err != nil {
		return
	}
	if bytes.Contains(message, []byte("statement_timeout")) {
		text := "SFATAL\x00VFATAL\x00C08P01\x00Munsupported startup parameter: statement_timeout\x00\x00"
		_, _ = client.Write(append(binary.BigEndian.AppendUint32([]byte{'E'}, uint32(len(text)+4)), text...))
		return
	}
	back, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer back.Close()
	_, _ = back.Write(append(length[:], message...))
	go func() { _, _ = io.Copy(back, client); back.Close() }()
	_, _ = io.Copy(client, back)
}

// TestPoolerIsFoundByItsNumbers connects through a pooler that makes up process ids. As one of several hosts it is
// refused, wherever it stands.
func TestPoolerIsFoundByItsNumbers(t *testing.T) {
	direct := testdb.Postgres(t)
	if db := dbtest.Open(t, direct); db.Pooled() {
		t.Error("found where there is none")
	}
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	server, pooler := u.Host, listener.Addr().String()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go renumber(client, server)
		}
	}()
	u.Host = pooler
	if db := dbtest.Open(t, u.String()); !db.Pooled() {
		t.Error("not found")
	}
	for _, hosts := range []string{server + "," + pooler, pooler + "," + server, "127.0.0.1:1," + pooler} {
		u.Host = hosts
		db, err := database.Open(t.Context(), u.String())
		if err == nil {
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), pooler+" is a pooler") {
			t.Errorf("several hosts with a pooler: got %v, want a refusal that names it", err)
		}
	}
	u.Host = server + "," + server
	dbtest.Open(t, u.String())
}

// renumber connects a client to the server, and changes the process id in the server's first messages.
func renumber(client net.Conn, server string) {
	defer client.Close()
	back, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer back.Close()
	go func() { _, _ = io.Copy(back, client); back.Close() }()
	said, numbered := make([]byte, 64<<10), false
	for {
		n, err := back.Read(said)
		if at := bytes.Index(said[:n], []byte("K\x00\x00\x00\x0c")); at >= 0 && !numbered {
			numbered = true
			said[at+7] ^= 1
		}
		if _, failed := client.Write(said[:n]); failed != nil || err != nil {
			return
		}
	}
}

// TestFullServerMakesRequestsWait uses up all but two connections that a user may have: more requests than
// that wait for these, and none fails.
func TestFullServerMakesRequestsWait(t *testing.T) {
	admin := testdb.Postgres(t)
	owner := dbtest.Open(t, admin)
	u, err := url.Parse(admin)
	if err != nil {
		t.Fatal(err)
	}
	role := "few_" + u.Path[1:]
	dbtest.Exec(t, owner.Driver(), `CREATE ROLE "`+role+`" LOGIN PASSWORD 'few' CONNECTION LIMIT 3`)
	defer dbtest.Exec(t, owner.Driver(), `DROP ROLE "`+role+`"`)
	u.User = url.UserPassword(role, "few")
	db := dbtest.Open(t, dbtest.With(u.String(), "pool_size=8"))
	results := make(chan error)
	for range 24 {
		go func() { results <- dbtest.Try(t.Context(), db.Driver(), "SELECT $1 FROM pg_sleep(0.02)", "x") }()
	}
	for range 24 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if most := db.MostOpen(); most > 3 {
		t.Errorf("the pool may open %d connections, which the server refused", most)
	}
}
