package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"storefront/internal/platform/goroutine"
)

const (
	headerTime = 5 * time.Second
	readTime   = 15 * time.Second // headers and body
	writeTime  = 30 * time.Second // from the end of the headers until the client has the answer
	idleTime   = 90 * time.Second // more than the 60 s of common proxies, so that the proxy closes first
	stopTime   = 15 * time.Second // contract 4.3
)

// Listen opens an address ("127.0.0.1:8080", ":8080"). setting is the variable that it comes from; the error
// names it and says what to do.
func Listen(setting, addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: %s is in use by another program; stop that program or choose another address: %w",
			setting, addr, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s: %s may not be opened by this user; choose a port from 1024 on: %w",
			setting, addr, err)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s: %s is no address of this machine; use 127.0.0.1 or leave the host out: %w",
			setting, addr, err)
	}
	return nil, fmt.Errorf("%s: cannot listen on %s: %w", setting, addr, err)
}

// URL returns the address to open in a browser on this machine, without a trailing slash.
func URL(l net.Listener) string {
	addr, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return "http://" + l.Addr().String()
	}
	if addr.Addr().IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", addr.Port())
	}
	return "http://" + addr.String()
}

// Serve answers on the public listener, and with /metrics on the other unless that is nil, until ctx ends. Then, for
// the drain time, /readyz answers 503 and everything else is answered as before. After that it accepts no connection,
// finishes the requests that clients have sent, within 15 s, and returns nil. It closes both listeners, and fails only
// when one of them breaks.
func (s *Server) Serve(ctx context.Context, public, metrics net.Listener) error {
	front, open := s.httpServer(s), newConnections(public, s.o.MaxConnections, s.o.TrustedProxies, s.o.Clock)
	front.ConnState, front.ConnContext = open.note, withConnection
	defer front.Close()
	served := make(chan error, 1)
	go func() { served <- front.Serve(open) }()
	ctx, stop := context.WithCancel(ctx)
	var announcing goroutine.Group
	select {
	case <-s.opened:
		s.o.Log.Info("listening", "url", URL(public), "database", s.o.Database)
	default:
		s.o.Log.Info("starting", "url", URL(public))
		announcing.Start("announcing", func() { s.announce(ctx, URL(public)) })
	}
	defer announcing.Wait()
	defer stop()

	back := s.httpServer(s.metricsHandler())
	defer back.Close()
	broken := make(chan error, 1)
	if metrics != nil {
		go func() { broken <- back.Serve(metrics) }()
		s.o.Log.Info("listening for metrics", "url", URL(metrics)+"/metrics")
	}

	select {
	case err := <-served:
		return fmt.Errorf("serving: %w", err)
	case err := <-broken:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.endLive() // clients subscribe again at another server
	s.o.Log.Info("stopping", "drain_time", s.o.DrainTime.String())
	select {
	case err := <-served:
		return fmt.Errorf("serving: %w", err)
	case <-time.After(s.o.DrainTime):
	}
	open.stopAccepting()
	<-served
	_ = public.Close()
	finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := open.drain(finishing); err != nil {
		s.o.Log.Warn("some requests did not finish in time", "cause", err)
	}
	return nil
}

// announce logs that the service listens, once its handlers are added.
func (s *Server) announce(ctx context.Context, url string) {
	select {
	case <-s.opened:
		s.o.Log.Info("listening", "url", url, "database", s.o.Database)
	case <-ctx.Done():
	}
}

// httpServer returns a server with bounds on what a slow or hostile client can hold.
func (s *Server) httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:                      h,
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  readTime,
		WriteTimeout:                 writeTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               maxHead,
		DisableGeneralOptionsHandler: true, // "OPTIONS *" is treated like any other unknown path
		ErrorLog:                     s.errorLog(),
	}
}

// errorLog returns the logger for errors of net/http itself.
func (s *Server) errorLog() *log.Logger { return slog.NewLogLogger(s.o.Log.Handler(), slog.LevelWarn) }
