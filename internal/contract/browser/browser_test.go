// Package browser_test uses the pages of the service, and the example of a storefront, in a headless
// Chromium. It is a module of its own, so that the service does not depend on the packages that drive the
// browser.
package browser_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"storefront/internal/contract/shoptest"
)

// browser is a headless Chromium with one tab, which can reach only this machine.
type browser struct {
	ctx context.Context

	mu       sync.Mutex
	said     []string // warnings and errors of the console
	asked    []string // addresses of all requests
	posted   []string // the bodies of POSTs
	received float64  // bytes, as they came over the wire
}

// browserTime bounds one step in the browser, generously: the machine may be busy with other tests.
const browserTime = 2 * time.Minute

// openBrowser starts the Chromium of scripts/with-browser, or one of the PATH, with a profile of its own.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	b, err := startBrowser(t)
	if err != nil { // on a busy machine one may end while it starts
		t.Logf("started once more: %v", err)
		b, err = startBrowser(t)
	}
	if err != nil {
		t.Fatalf("no browser (scripts/with-browser finds or installs one): %v", err)
	}
	return b
}

func startBrowser(t *testing.T) (*browser, error) {
	flags := []chromedp.ExecAllocatorOption{
		chromedp.Flag("headless", "new"), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-background-timer-throttling",
			true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("lang", "en"), chromedp.Env("TZ=UTC"), chromedp.WindowSize(1440, 900),
		chromedp.WSURLReadTimeout(browserTime),
	}
	if path := os.Getenv("CHROMIUM"); path != "" {
		flags = append(flags, chromedp.ExecPath(path))
	}
	started, end := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, closeTab := chromedp.NewContext(started)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser to be gone
		closeTab()
		end()
	})
	return watch(ctx)
}

// watch returns the browser with the tab of a context, whose pages have the day of the service under test.
func watch(ctx context.Context) (*browser, error) {
	b := &browser{ctx: ctx}
	chromedp.ListenTarget(ctx, b.note)
	return b, chromedp.Run(ctx, log.Enable(), network.Enable(),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(fmt.Sprintf(pageClock,
				shoptest.Today.UnixMilli())).Do(ctx)
			return err
		}))
}

// pageClock is the script that gives each page the time of the service under test, whose clock stands still.
const pageClock = `{
	const Real = Date, ahead = Real.now() - %d
	globalThis.Date = class Date extends Real {
		constructor(...parts) { parts.length ? super(...parts) : super(Real.now() - ahead) }
		static now() { return Real.now() - ahead }
	}
}`

// note keeps the events of the tab.
func (b *browser) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if slices.Contains([]runtime.APIType{runtime.APITypeError, runtime.APITypeWarning, runtime.APITypeAssert},
			e.Type) {
			var words []string
			for _, argument := range e.Args {
				words = append(words, string(argument.Value)+argument.Description)
			}
			b.said = append(b.said, strings.Join(words, " "))
		}
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			b.said = append(b.said, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, e.Request.URL)
		if e.Request.Method == http.MethodPost {
			b.posted = append(b.posted, bodyOf(e.Request))
		}
	case *network.EventLoadingFinished:
		b.received += e.EncodedDataLength
	}
}

// bodyOf returns the body of a request.
func bodyOf(r *network.Request) string {
	var body []byte
	for _, part := range r.PostDataEntries {
		decoded, _ := base64.StdEncoding.DecodeString(part.Bytes) // the browser encoded it
		body = append(body, decoded...)
	}
	return string(body)
}

// withhold keeps the requests of the tab whose body contains a text from being sent, until release is called.
func (b *browser) withhold(t *testing.T, text string) (release func()) {
	t.Helper()
	listening, stop := context.WithCancel(b.ctx)
	var held []fetch.RequestID
	send := func(id fetch.RequestID) { _ = chromedp.Run(b.ctx, fetch.ContinueRequest(id)) }
	chromedp.ListenTarget(listening, func(event any) {
		e, ok := event.(*fetch.EventRequestPaused)
		switch {
		case !ok:
		case strings.Contains(bodyOf(e.Request), text):
			b.mu.Lock()
			defer b.mu.Unlock()
			held = append(held, e.RequestID)
		default:
			go send(e.RequestID) // a listener must not wait
		}
	})
	b.do(t, fetch.Enable())
	return func() {
		b.mu.Lock()
		all := slices.Clone(held)
		b.mu.Unlock()
		for _, id := range all {
			send(id)
		}
		b.do(t, fetch.Disable())
		stop()
	}
}

// heard returns what the console has said so far, and the bytes that were loaded.
func (b *browser) heard() (said []string, received float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.said), b.received
}

// do runs steps in the tab; a step that fails ends the test.
func (b *browser) do(t *testing.T, steps ...chromedp.Action) {
	t.Helper()
	for i, step := range steps {
		err := b.run(step)
		for range 5 {
			if err == nil || !strings.Contains(err.Error(), "Cannot find context") &&
				!strings.Contains(err.Error(), "navigated or closed") {
				break
			}
			err = b.run(step) // it did not run, because a reload was replacing the page
		}
		if err != nil {
			b.picture(t, "failed")
			said, _ := b.heard()
			var shown []string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(
				`[...document.querySelectorAll('[role=alert]')].map((alert) => alert.innerText)`, &shown))
			b.mu.Lock()
			sent := slices.Clone(b.posted[max(len(b.posted)-5, 0):])
			b.mu.Unlock()
			t.Fatalf("step %d in the browser: %v; the page says %q, the console %q; it has sent %q", i+1, err, shown,
				said, sent)
		}
	}
}

func (b *browser) run(step chromedp.Action) error {
	ctx, cancel := context.WithTimeout(b.ctx, browserTime)
	defer cancel()
	return chromedp.Run(ctx, step)
}

// shows waits until the page, or the elements of a selector, contain all the words.
func shows(selector string, words ...string) chromedp.Action {
	return chromedp.PollFunction(`(selector, words) => {
		const text = [...document.querySelectorAll(selector)].map((part) => part.innerText).join('\n');
		return words.every((word) => text.includes(word));
	}`, nil, chromedp.WithPollingArgs(selector, words), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// gone waits until the page has no element of a selector.
func gone(selector string) chromedp.Action {
	return chromedp.PollFunction(`(selector) => !document.querySelector(selector)`, nil,
		chromedp.WithPollingArgs(selector), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// click clicks the first visible element of a selector that has the given text or label, or an image with
// that text. An empty text matches nothing, because chromedp does not send empty arguments.
func click(selector, text string) chromedp.Action {
	return chromedp.PollFunction(`(selector, text) => {
		const found = [...document.querySelectorAll(selector)].find(
			(e) => e.checkVisibility() &&
				[e.innerText.trim(), e.ariaLabel, e.querySelector('img')?.alt].includes(text));
		found?.click();
		return Boolean(found);
	}`, nil, chromedp.WithPollingArgs(selector, text), chromedp.WithPollingInterval(50*time.Millisecond),
		chromedp.WithPollingTimeout(browserTime))
}

// evaluate returns the value of an expression in the tab.
func evaluate[T any](t *testing.T, b *browser, expression string) (value T) {
	t.Helper()
	b.do(t, chromedp.Evaluate(expression, &value))
	return value
}

// picture saves a screenshot among the test's artefacts (go test -artifacts). A tab that is behind another gives none.
func (b *browser) picture(t *testing.T, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, browserTime)
	defer cancel()
	var png []byte
	err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&png))
	if err == nil {
		err = os.WriteFile(filepath.Join(t.ArtifactDir(), name+".png"), png, 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}

// wasQuiet checks that the console has no warning or error, and that only the service was requested.
func (b *browser) wasQuiet(t *testing.T, p *shoptest.Place) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, words := range b.said {
		t.Errorf("the console said: %s", words)
	}
	for _, address := range b.asked {
		if u, err := url.Parse(address); err != nil || u.Scheme != "data" && fmt.Sprintf("%s://%s", u.Scheme,
			u.Host) != p.URL {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// looks takes a picture of the page, and checks that axe-core finds no barriers and that the page fits the screen.
func (b *browser) looks(t *testing.T, axe, name string) {
	t.Helper()
	var found []string
	if evaluate[bool](t, b, `!window.axe`) {
		b.do(t, chromedp.Evaluate(axe, nil))
	}
	b.do(t, chromedp.Evaluate(`axe.run().then(({ violations }) =>
		violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' +
			nodes.slice(0, 3).map(({ html }) => html).join(' ')))`, &found,
		func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	for _, violation := range found {
		t.Errorf("%s: %s", name, violation)
	}
	if wider := evaluate[int](t, b, `document.documentElement.scrollWidth - innerWidth`); wider > 0 {
		t.Errorf("%s: it is %d pixels too wide", name, wider)
	}
	b.picture(t, name)
}

// axeScript installs axe-core, which finds barriers for people with disabilities, and returns it.
func axeScript(t *testing.T) string {
	t.Helper()
	const audit = "../api/audit"
	if said, err := exec.CommandContext(t.Context(), "../../../scripts/npm-ci", audit).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	axe, err := os.ReadFile(audit + "/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(axe)
}
