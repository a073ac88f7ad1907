package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthcheck asks the server with the same settings whether it is alive. It is for containers that have no
// other program.
func healthcheck(ctx context.Context, args []string, p program) error {
	settings, err := load("healthcheck", args, p)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(settings.ListenAddr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		"http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("/healthz answers %s", answer.Status)
	}
	return nil
}
