package main

import (
	"crypto/x509"
	"os"
	"testing"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// TestCertificatesWithoutThoseOfASystem checks that a process that finds no certificates, as in an image of the program
// alone, knows the authorities of the public.
func TestCertificatesWithoutThoseOfASystem(t *testing.T) {
	const inside = "STOREFRONT_TEST_HAS_NO_CERTIFICATES"
	if os.Getenv(inside) == "" {
		t.Parallel()
		command := on("sqlite://").process(t.Context(), "-test.run=^"+t.Name()+"$")
		command.Env = append(os.Environ(), inside+"=yes", "SSL_CERT_FILE=/none", "SSL_CERT_DIR=/none")
		if code, out, stderr := ended(t, command); code != 0 {
			t.Errorf("without certificates: %s%s", out, stderr)
		}
		return
	}
	known := 0
	for root := range bundle.Roots() {
		certificate, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := certificate.Verify(x509.VerifyOptions{}); err == nil {
			known++
		}
	}
	if known < 50 {
		t.Errorf("%d authorities are known, want all", known)
	}
}
