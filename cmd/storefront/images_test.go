package main

import (
	"context"
	"strings"
	"testing"

	"storefront/internal/blob/blobtest"
)

// TestBucket starts a server with a working bucket, with one that refuses, and with one that cannot be
// reached.
func TestBucket(t *testing.T) {
	o := blobtest.BucketOptions(t)
	eachMigrated(t, func(t *testing.T, database string) {
		with := func(url, key string) settings {
			return on(database, "DRAIN_TIME", "0s", "MEDIA_BUCKET", url, "MEDIA_BUCKET_KEY_ID", o.KeyID,
				"MEDIA_BUCKET_KEY", key)
		}
		const refused = "MEDIA_BUCKET cannot be used: blob: the bucket refuses: "
		with(o.URL, "hunter2").refuse(t, []string{"serve"}, refused+o.URL, "SignatureDoesNotMatch")
		missing := o.URL[:strings.Index(o.URL, "/images/")] + "/missing"
		with(missing, o.Key).refuse(t, []string{"serve"}, refused+missing, "NoSuchBucket")
		for url, want := range map[string]string{
			o.URL:                       `{"status":"ready","reads":"ready","writes":"ready"}`,
			"http://127.0.0.1:1/images": `{"status":"ready","reads":"ready","writes":"ready","images":"unavailable"}`,
		} {
			ctx, stop := context.WithCancel(t.Context())
			running := serving(t, ctx, with(url, o.Key))
			if status, body := fetch(t, running.url+"/readyz"); status != 200 || body != want {
				t.Errorf("%s: got %d %s, want %s", url, status, body, want)
			}
			stop()
			running.ends(t)
		}
		if keys := blobtest.Keys(t, blobtest.At(t, o), ""); len(keys) > 0 {
			t.Errorf("%v are left of looking", keys)
		}
	})
}
