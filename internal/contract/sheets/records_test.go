package sheets_test

import "testing"

// entry is an entry of the audit log.
type entry struct {
	Action, Kind, RecordName string
	RecordID                 *string
	UserID                   string
	Before, After            map[string]any
}

// log returns the audit entries of sheets, for a record's id and name if they are given.
func (o testShop) log(t testing.TB, by map[string]any) []entry {
	t.Helper()
	var got struct{ AuditLogConnection struct{ Nodes []entry } }
	o.owner.Do(t, `query($shop: ID!, $id: ID, $name: String) {
		auditLogConnection(businessId: $shop, action: "importSheet", recordId: $id, name: $name, first: 100) {
			nodes { action kind recordName recordId userId before after } } }`,
		map[string]any{"shop": o.Tools, "id": by["id"], "name": by["name"]}, &got)
	return got.AuditLogConnection.Nodes
}

// TestWhatASheetChangesIsInTheLog imports a sheet of one row that changes title and price. Both changes are
// found in the audit log by the record's id and name, with old and new values. A sheet that changes nothing
// leaves no entry.
func TestWhatASheetChangesIsInTheLog(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link, _ := o.link(t, o.owner, o.Tools, "createProductImport")
		for _, sheet := range []string{persian, "slug,titleFa,sku,price\nlamp,فانوس,L-1,1300000\n"} {
			for range 2 {
				if got := o.sent(t, link, sheet); got.Status != 200 {
					t.Fatalf("got %+v", got)
				}
			}
		}
		if n := len(o.log(t, nil)); n != 2+4+2 {
			t.Errorf("got %d entries, want one of each sheet, four new records and two changes", n)
		}
		for name, want := range map[string]struct {
			kind, member  string
			before, after any
		}{
			"فانوس": {"product", "titleFa", "=چراغ", "فانوس"},
			"L-1":   {"variant", "price", 1250000.0, 1300000.0},
		} {
			found := o.log(t, map[string]any{"name": name})
			if len(found) == 0 || found[0].RecordID == nil {
				t.Errorf("%s is not found", name)
				continue
			}
			found = o.log(t, map[string]any{"id": *found[0].RecordID})
			if len(found) != 2 || found[0].Kind != want.kind || found[0].UserID != o.owner.ID ||
				len(found[0].Before) != 1 || found[0].Before[want.member] != want.before ||
				len(found[0].After) != 1 || found[0].After[want.member] != want.after ||
				found[1].Before != nil || found[1].After[want.member] != want.before {
				t.Errorf("%s: got %+v", name, found)
			}
		}
	})
}
