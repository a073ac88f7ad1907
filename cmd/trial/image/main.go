// Package image runs the program with the files of deploy/Dockerfile alone, as user 65532, below a root of its own: by
// chroot, where no container engine is. It calls out by TLS, to a provider of SMS and to a bucket whose certificates an
// authority of the trial has signed, and takes an upload. `make try-image` runs it; it needs root, and a bucket
// (scripts/with-s3).
package image

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"image"
	"image/png"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial image` runs.
var Trial = stage.Trial{Name: "image", About: "run the files of the image alone, with TLS to the outside",
	Flags: func(*flag.FlagSet) stage.Work { return run }}

const user = 65532

func run(ctx context.Context, s *stage.Stage) {
	must.Hold(os.Geteuid() == 0, "chroot needs root")
	root := s.TempDir()
	must.Do(os.Chmod(root, 0o755))
	unpack(s, root)
	ca := authority()
	must.Do(os.WriteFile(filepath.Join(root, "ca.pem"), ca.pem, 0o644))

	var sent atomic.Int64
	provider := ca.serve(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"return":{"status":200,"message":""},"entries":[{"messageid":1,"status":1}]}`)
	}))
	bucket := must.Get(url.Parse(os.Getenv("TEST_S3_URL")))
	must.Hold(bucket.Host != "", "TEST_S3_URL must name a bucket: run this by scripts/with-s3")
	secret, _ := bucket.User.Password()
	storage := ca.serve(s, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: bucket.Host})
		r.Out.Host = r.In.Host // which is signed
	}})

	address := stage.FreeAddress()
	cmd := exec.CommandContext(ctx, "/storefront", "serve")
	cmd.Dir = "/"
	cmd.Env = []string{"DATABASE_URL=sqlite:///data/storefront.db", "LISTEN_ADDR=" + address, "DRAIN_TIME=0s",
		"SSL_CERT_FILE=/ca.pem", "SMS_PROVIDER=kavenegar", "SMS_API_KEY=key", "SMS_BASE_URL=" + provider,
		"MEDIA_BUCKET=" + storage + bucket.Path, "MEDIA_BUCKET_KEY_ID=" + bucket.User.Username(),
		"MEDIA_BUCKET_KEY=" + secret}
	inside := func(cmd *exec.Cmd) *exec.Cmd {
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: user, Gid: user}}
		cmd.Err = nil // it is looked for outside
		return cmd
	}
	add := exec.CommandContext(ctx, "/storefront", "tenant", "add", "shop.example", "Shop", "فروشگاه")
	add.Dir, add.Env = "/", cmd.Env
	said, err := inside(add).CombinedOutput()
	must.Hold(err == nil, "tenant add: %w: %s", err, said)
	p := s.Start(inside(cmd))
	p.Ready(ctx, 20*time.Second, func(context.Context, []byte) bool { return stage.Listens(address) })
	at := customer.Client{Base: customer.At(address), Web: customer.Web("")}
	customer.Until(ctx, 10*time.Second, func(ctx context.Context) error {
		return at.Send(ctx, http.MethodGet, "/readyz", nil).Read(nil)
	})

	must.Do(at.REST(ctx, http.MethodPost, "/auth/send-otp", map[string]any{"cellNumber": customer.Cell(7)}).Read(nil))
	customer.Until(ctx, 10*time.Second, func(context.Context) error {
		return must.Run(func() { must.Hold(sent.Load() > 0, "no SMS has come by TLS: %s", p.Log()) })
	})
	who := customer.Register(ctx, at, 1, "shop.example")
	var made struct {
		Data struct{ CreateListingUpload struct{ URL string } }
	}
	must.Do(who.Ask(ctx, `mutation($shop: ID!) { createListingUpload(businessId: $shop) { url } }`,
		map[string]any{"shop": who.Business}).Read(&made))
	var file bytes.Buffer
	must.Do(png.Encode(&file, image.NewGray(image.Rect(0, 0, 40, 30))))
	var kept struct{ URL string }
	must.Do(who.Send(ctx, http.MethodPut, made.Data.CreateListingUpload.URL, file.Bytes()).Read(&kept))
	must.Do(who.Send(ctx, http.MethodGet, kept.URL, nil).Read(nil))
	p.Stop()
	s.Say("user %d, the files of the image alone: a code by TLS, an image in a bucket by TLS", user)
}

var copied = regexp.MustCompile(`(?m)^COPY (--chown=\S+ )?(\S+) (\S+)$`)

// unpack makes the files of the image below a folder.
func unpack(s *stage.Stage, root string) {
	for _, line := range copied.FindAllStringSubmatch(string(must.Get(os.ReadFile("deploy/Dockerfile"))), -1) {
		from, to := line[2], filepath.Join(root, line[3])
		if from == "bin/storefront" {
			from = s.Program
		}
		if must.Get(os.Stat(from)).IsDir() {
			must.Do(os.Mkdir(to, 0o755))
		} else {
			must.Do(os.WriteFile(to, must.Get(os.ReadFile(from)), 0o755))
		}
		if strings.Contains(line[1], "65532:65532") {
			must.Do(os.Chown(to, user, user))
		}
	}
}

// ca is an authority that signs certificates for loopback.
type ca struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func authority() *ca {
	key := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign}
	der := must.Get(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	return &ca{must.Get(x509.ParseCertificate(der)), key,
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

// serve serves by TLS until the end of the stage, and returns the address.
func (c *ca) serve(s *stage.Stage, handler http.Handler) string {
	template := &x509.Certificate{SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der := must.Get(x509.CreateCertificate(rand.Reader, template, c.certificate, &c.key.PublicKey, c.key))
	web := httptest.NewUnstartedServer(handler)
	web.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: c.key}}}
	web.StartTLS()
	s.OnClose(func() error { web.Close(); return nil })
	return web.URL
}
