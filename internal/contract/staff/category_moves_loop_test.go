package staff_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"storefront/ent/category"
	"storefront/internal/contract/shoptest"
)

// finishesMoves runs the loop of an instance that finishes moves of categories, until the test ends or stop
// is called, which waits for its end.
func finishesMoves(t *testing.T, a *shoptest.Accounts) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { a.Service.MoveLoop(ctx) })
	stop = func() { cancel(); running.Wait() }
	t.Cleanup(stop)
	return stop
}

// isMoving reports whether products still have to be moved.
func (r *contentRace) isMoving() bool {
	return r.Store.Client.Category.Query().Where(category.Moving(true)).ExistX(r.ctx)
}

// untilListed waits until all products of newMoves are in the list of their category's parent, and in no
// other.
func (r *contentRace) untilListed(t *testing.T) {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); ; {
		moved := r.Store.Client.Category.Query().Where(category.Slug("moved")).WithParent().OnlyX(r.ctx)
		there := moved.Edges.Parent.Slug
		other := map[string]string{"left": "right", "right": "left"}[there]
		is, isNot := r.listed(there), r.listed(other)
		if is == manyMoved+1 && isNot == 0 && !r.isMoving() {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%d products are listed above their category and %d where they were, want %d and 0",
				is, isNot, manyMoved+1)
		}
	}
}

// TestMoveLoop finishes a move that an earlier server began, and then one that begins while the loop runs.
func TestMoveLoop(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		if !r.moveTo(t, "right") || r.listed("right") != 0 {
			t.Fatal("nothing is left for the loop")
		}
		finishesMoves(t, r.Crew.Accounts)
		r.untilListed(t)
		if !r.moveTo(t, "left") {
			t.Error("the answer does not say that products are on their way")
		}
		r.untilListed(t)
		if difference := r.derivedAnew(t); difference != "" {
			t.Errorf("deriving all changes %s", difference)
		}
	})
}

// TestMoveLoopAfterRestart stops a server during a move, and checks that the next one on the same database
// finishes it.
func TestMoveLoopAfterRestart(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var written atomic.Int32
		first := c.Watched(t, func(text string) {
			if strings.HasPrefix(text, "UPDATE tenants SET content_version") && written.Add(1) == 3 {
				stop() // in the third transaction
			}
		})
		if !r.moveTo(t, "right") {
			t.Fatal("nothing is left for the loop")
		}
		first.Service.MoveLoop(ctx)
		if left, right := r.listed("left"), r.listed("right"); left == 0 || right == 0 || !r.isMoving() {
			t.Fatalf("the server was not stopped half-way: %d products are left and %d are there", left, right)
		}
		finishesMoves(t, c.Instance(t))
		r.untilListed(t)
		if difference := r.derivedAnew(t); difference != "" {
			t.Errorf("deriving all changes %s", difference)
		}
	})
}

// TestCategoryMoveCut interrupts the mutation that moves a category with many products at every moment.
// Whether it was done or not, all products must come to the list of their category's parent.
func TestCategoryMoveCut(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		r := newMoves(t, c)
		finishesMoves(t, r.Crew.Accounts)
		server := httptest.NewServer(r.Service)
		t.Cleanup(server.Close)
		moved := 0
		n := 12 * *shoptest.Rounds
		for round := range n {
			before := r.Store.Client.Category.Query().Where(category.Slug("moved")).OnlyX(r.ctx).Moves
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+5*round%48)*500*time.Microsecond)
			r.leaveMove(ctx, t, server.URL, anyOf(round, "right", "left"))
			cancel()
			r.untilListed(t)
			if r.Store.Client.Category.Query().Where(category.Slug("moved")).OnlyX(r.ctx).Moves > before {
				moved++
			}
		}
		t.Logf("%d of %d requests moved the category before their clients hung up", moved, n)
		server.Close() // waits for the requests that were left: one may be committed after its client hung up
		r.untilListed(t)
		if difference := r.derivedAnew(t); difference != "" {
			t.Errorf("deriving all changes %s", difference)
		}
	})
}

// leaveMove asks a server to move the category, and hangs up when ctx ends.
func (r *contentRace) leaveMove(ctx context.Context, t *testing.T, url, parent string) {
	t.Helper()
	body := shoptest.GraphQLBody(`mutation { updateCategory(businessId: "`+r.Tools+`", entityType: product,
		slug: "moved",
		input: {parentSlug: "`+parent+`"}) { moving } }`, "")
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+r.editor.Access)
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		response.Body.Close()
	}
}
