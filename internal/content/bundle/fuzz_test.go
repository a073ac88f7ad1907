package bundle_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/content/document"
	"storefront/internal/database/store/storetest"
)

// FuzzImport checks that any file is either imported whole or refused with its faults and nothing written.
// The export of an imported file changes nothing when imported, and imports unchanged into an empty database.
func FuzzImport(f *testing.F) {
	f.Add([]byte(shop))
	f.Add([]byte(shuffled()))
	for _, group := range [][]faultCase{fileFaults, tenantFaults, catalogFaults, formFaults, variantFaults,
		otherFaults} {
		for _, c := range group {
			if len(c.bundle) < 4096 { // large cases do not help the fuzzer
				f.Add([]byte(c.bundle))
			}
		}
	}
	s := storetest.Open(f, storetest.Migrated.SQLite(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		summary, err := bundle.Import(t.Context(), s, bundle.Bytes(data), nil)
		if err != nil {
			checkRefused(t, data, err)
			checkEmpty(t, s)
			return
		}
		first := export(t, s, summary.Domain)
		if again := mustImport(t, s, bundle.Bytes(first)); again.Changed() {
			t.Errorf("importing the export changes what is there: %+v", again)
		}
		s.Client.Tenant.DeleteOneID(summary.Tenant).ExecX(t.Context())
		second := mustImport(t, s, bundle.Bytes(first))
		if got := export(t, s, summary.Domain); !bytes.Equal(got, first) {
			t.Errorf("it comes out another way: %s", firstDifference(got, first))
		}
		s.Client.Tenant.DeleteOneID(second.Tenant).ExecX(t.Context())
	})
}

// checkRefused checks that a text is refused with faults. Only a text that begins like gzip may fail to be
// read.
func checkRefused(t *testing.T, data []byte, err error) {
	faults, ok := errors.AsType[*document.Faults](err)
	if !ok {
		if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
			t.Errorf("the error is %v, want faults", err)
		}
		return
	}
	for _, one := range faults.List {
		if one.Message == "" || one.Line < 1 || one.Column < 1 || strings.ContainsRune(one.Path, 0) {
			t.Errorf("a fault without words or place: %+v", one)
		}
	}
}
