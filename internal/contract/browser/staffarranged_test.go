package browser_test

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drags drags an item by its handle from one position to below another.
func (d forms) drags(list string, from, to int) {
	d.t.Helper()
	type point struct{ X, Y float64 }
	at := func(i int, isHandle bool) point {
		return evaluate[point](d.t, d.b, fmt.Sprintf(`(() => {
			const item = document.querySelectorAll(%q + ' [role=row]')[%d];
			const box = (%t ? item.querySelector('[slot=drag]') : item).getBoundingClientRect();
			return { X: box.x + box.width / 2, Y: %t ? box.y + box.height / 2 : box.bottom - 3 };
		})()`, list, i, isHandle, isHandle))
	}
	dragged := make(chan *input.DragData, 1)
	ctx, cancel := context.WithTimeout(d.b.ctx, browserTime)
	defer cancel()
	chromedp.ListenTarget(ctx, func(event any) {
		if e, is := event.(*input.EventDragIntercepted); is {
			dragged <- e.Data
		}
	})
	d.b.do(d.t, chromedp.Evaluate(
		fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: 'center' })`, list), nil))
	begin, end := at(from, true), at(to, false)
	press := func(kind input.MouseType, p point) chromedp.Action {
		return input.DispatchMouseEvent(kind, p.X, p.Y).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	}
	d.b.do(d.t, input.SetInterceptDrags(true), press(input.MousePressed, begin),
		press(input.MouseMoved, point{begin.X + 8, begin.Y + 8}), press(input.MouseMoved, end))
	var data *input.DragData
	select {
	case data = <-dragged:
	case <-ctx.Done():
		d.b.picture(d.t, "failed")
		d.t.Fatalf("the browser began no drag from %v to %v", begin, end)
	}
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		d.b.do(d.t, input.DispatchDragEvent(kind, end.X, end.Y, data))
	}
	d.b.do(d.t, press(input.MouseReleased, end), input.SetInterceptDrags(false))
}

// carries moves an item down by the keyboard.
func (d forms) carries(list string, from, down int) {
	d.t.Helper()
	focuses := func(part string) chromedp.Action {
		return chromedp.PollFunction(`(list, from, part) => {
			const row = document.querySelectorAll(list + ' [role=row]')[from];
			const wanted = part ? row.querySelector(part) : row;
			const isThere = document.activeElement === wanted;
			wanted.focus();
			return isThere;
		}`, nil, chromedp.WithPollingArgs(list, from, part), chromedp.WithPollingInterval(50*time.Millisecond),
			chromedp.WithPollingTimeout(browserTime))
	}
	// A list may first give the focus to another row, and the row with the focus is the one that is moved.
	d.b.do(d.t, focuses(""), focuses("[slot=drag]"), types(kb.Enter),
		chromedp.WaitReady(".react-aria-DropIndicator:focus-within", chromedp.ByQuery))
	for range down {
		d.b.do(d.t, types(kb.ArrowDown))
	}
	d.b.do(d.t, types(kb.Enter), chromedp.WaitReady(list+" [role=row]:focus", chromedp.ByQuery))
}
