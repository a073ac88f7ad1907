package database_test

import (
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"storefront/internal/database"
	"storefront/internal/testdb"
)

// TestAHostThatLetsNobodyIn checks that such a host does not keep the others from being asked.
func TestAHostThatLetsNobodyIn(t *testing.T) {
	u, err := url.Parse(testdb.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, strings.Replace(u.String(), u.Host, refusing(t)+","+u.Host, 1))
	for range 2 {
		if err := db.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if hosts := db.Hosts(); hosts[0].Timeline != 0 || hosts[1].Timeline == 0 {
		t.Errorf("got %+v, want the timeline of the second one alone", hosts)
	}
}

// refusing returns the address of a server that has no entry for anybody in its pg_hba.conf.
func refusing(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	const fields = "SFATAL\x00C28000\x00Mno entry\x00\x00"
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			size := make([]byte, 4)
			if _, err := io.ReadFull(client, size); err == nil {
				_, _ = io.CopyN(io.Discard, client, int64(size[2])<<8+int64(size[3])-4)
				_, _ = client.Write(append([]byte{'E', 0, 0, 0, byte(4 + len(fields))}, fields...))
			}
			client.Close()
		}
	})
	return listener.Addr().String()
}

// TestAReplacedPrimaryThatTakesNoNote has a replaced primary refuse, at first, the row that records it: the
// primary is asked again, and gets the row.
func TestAReplacedPrimaryThatTakesNoNote(t *testing.T) {
	address := testdb.Postgres(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	table := open(t, address)
	db := open(t, strings.Replace(address, u.Host, u.Host+","+u.Host, 1))
	db.Saw(99)
	look := func() {
		t.Helper()
		if err := db.Look(t.Context()); !database.IsUnavailable(err) {
			t.Fatalf("got %v, want that none can be used", err)
		}
		for _, host := range db.Hosts() {
			if !host.Replaced || host.Timeline == 0 {
				t.Fatalf("got %+v, want that it has been replaced", host)
			}
		}
	}
	look() // the table does not exist yet
	look()
	exec(t, table.Driver(), "CREATE TABLE installations (id int PRIMARY KEY, cluster text, timeline bigint)")
	look()
	if stored := ask[int](t, table.Driver(), "SELECT timeline FROM installations"); stored != 99 {
		t.Errorf("the note says %d, want 99", stored)
	}
}
