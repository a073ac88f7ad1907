// Package proxies runs nginx and Caddy with the files of deploy/, in front of a server and in front of none. What they
// answer by themselves must be readable by pages of other origins, preflights included, and nothing that they log may
// hold the secret link of an upload. `make proxies` runs it; it needs nginx, Caddy and the built server.
package proxies

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial proxies` runs.
var Trial = stage.Trial{Name: "proxies", About: "ask nginx and Caddy with the files of deploy/ what pages can read",
	Kinds: []string{"nginx", "caddy"}, Flags: func(*flag.FlagSet) stage.Work { return run }}

const link = "the-secret-of-a-link"

func run(ctx context.Context, s *stage.Stage) {
	s.Database = "sqlite://" + filepath.Join(s.Folder, "shop.db")
	server := s.Serve(ctx, "TRUSTED_PROXIES=127.0.0.1")
	front := map[string]func(*stage.Stage, string) (string, *stage.Process){"nginx": nginx, "caddy": caddy}[s.Kind]
	addr, proxy := front(s, server.Addr)
	proxy.Ready(ctx, 10*time.Second, func(context.Context, []byte) bool { return stage.Listens(addr) })

	customer.Until(ctx, 10*time.Second, func(context.Context) error {
		return must.Run(func() { ask(addr, "GET", "/api/v1/cities?level=country", nil, 200, false) })
	})
	if s.Kind == "nginx" { // Caddy passes bodies on, and the service answers
		ask(addr, "POST", "/graphql", make([]byte, 1<<20), 413, true)
		ask(addr, "PUT", "/media/uploads?link="+link, make([]byte, 22<<20), 413, true)
	}
	server.Stop()
	for _, path := range []string{"/api/v1/cities", "/graphql", "/media/uploads?link=" + link} {
		answer := ask(addr, "POST", path, []byte("{}"), 503, true)
		must.Hold(answer.Header.Get("Retry-After") != "", "%s: no Retry-After", path)
		answer = ask(addr, "OPTIONS", path, nil, 204, true)
		allowed := answer.Header.Get("Access-Control-Allow-Headers")
		must.Hold(strings.Contains(allowed, "authorization"), "%s: a preflight allows the headers %q", path, allowed)
	}
	proxy.Stop()
	must.Do(filepath.Walk(s.Folder, func(name string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() && strings.Contains(info.Name(), "log") {
			must.Hold(!bytes.Contains(must.Get(os.ReadFile(name)), []byte(link)), "%s has the link of an upload", name)
		}
		return err
	}))
	s.Say("what it answers by itself can be read by pages, and no link is logged")
}

// ask sends a request as a page of another origin does. Where the proxy answers by itself pages of all origins may read
// the answer.
func ask(addr, method, path string, body []byte, status int, itself bool) *http.Response {
	request := must.Get(http.NewRequest(method, "http://"+addr+path, bytes.NewReader(body)))
	request.Header.Set("Origin", "https://elsewhere.example")
	if method == http.MethodOptions {
		request.Header.Set("Access-Control-Request-Method", "POST")
		request.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
	}
	answer := must.Get(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	must.Hold(answer.StatusCode == status, "%s %s: got %d, want %d", method, path, answer.StatusCode, status)
	may := answer.Header.Get("Access-Control-Allow-Origin")
	must.Hold(!itself || may == "*", "%s %s: %d is for pages of %q", method, path, status, may)
	return answer
}

func nginx(s *stage.Stage, server string) (addr string, p *stage.Process) {
	addr = stage.FreeAddress()
	site := stage.Settings(s.Folder, "site.conf", "deploy/nginx.conf",
		"	server 10.0.0.11:8080 max_fails=1 fail_timeout=2s;", "	server "+server+";",
		"	server 10.0.0.12:8080 max_fails=1 fail_timeout=2s;\n", "",
		"listen 80;", "listen "+stage.FreeAddress()+";", "listen 443 ssl;", "listen "+addr+";",
		"	ssl_certificate /etc/ssl/shop.example/fullchain.pem;\n", "",
		"	ssl_certificate_key /etc/ssl/shop.example/key.pem;\n", "", "/var/log/nginx/", s.Folder+"/")
	whole := s.File("nginx.conf", fmt.Appendf(nil, "daemon off;\npid %[1]s/nginx.pid;\nerror_log %[1]s/error.log;\n"+
		"events {}\nhttp {\n\taccess_log %[1]s/all-access.log;\n\tclient_body_temp_path %[1]s/body;\n"+
		"\tproxy_temp_path %[1]s/proxy;\n\tinclude %[2]s;\n}\n", s.Folder, site))
	must.Do(os.Chmod(s.Folder, 0o755))
	return addr, s.Start(exec.Command(stage.Installed("nginx", "nginx-light"), "-c", whole))
}

func caddy(s *stage.Stage, server string) (addr string, p *stage.Process) {
	addr = stage.FreeAddress()
	_, port, _ := net.SplitHostPort(addr) // of an address that listened
	file := must.Get(filepath.Abs("deploy/Caddyfile"))
	cmd := exec.Command(stage.Installed("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", file)
	cmd.Env = append(os.Environ(), "SITE=http://127.0.0.1:"+port, "SERVER="+server, "HOME="+s.Folder,
		"XDG_DATA_HOME="+s.Folder, "XDG_CONFIG_HOME="+s.Folder)
	return addr, s.Start(cmd)
}
