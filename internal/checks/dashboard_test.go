package checks_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"
)

// area is what a panel takes of a grid of 24 columns.
type area struct{ H, W, X, Y int }

func (p area) overlaps(q area) bool {
	return p.X < q.X+q.W && q.X < p.X+p.W && p.Y < q.Y+q.H && q.Y < p.Y+p.H
}

// TestDashboardIsGrafanas checks for faults that Grafana accepts without an error and shows wrongly, or not at
// all.
func TestDashboardIsGrafanas(t *testing.T) {
	type source struct{ Type, UID string }
	var board struct {
		Title, UID    string
		SchemaVersion int
		Templating    struct {
			List []struct {
				Name, Type string
				Datasource *source
			}
		}
		Panels []struct {
			ID          int
			Type, Title string
			GridPos     area
			Datasource  *source
			FieldConfig struct{ Defaults struct{ Unit string } }
			Targets     []struct {
				RefID, Expr, LegendFormat string
				Datasource                *source
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, "deploy/grafana/storefront.json")), &board); err != nil {
		t.Fatal(err)
	}
	// from 36 on, sources are objects
	if board.Title == "" || board.UID == "" || board.SchemaVersion < 36 || board.SchemaVersion > 42 {
		t.Errorf("title %q, uid %q, schema version %d", board.Title, board.UID, board.SchemaVersion)
	}
	if len(board.Panels) < 30 || len(board.Templating.List) == 0 || board.Templating.List[0].Name != "datasource" ||
		board.Templating.List[0].Type != "datasource" {
		t.Fatalf("%d panels, variables %v", len(board.Panels), board.Templating.List)
	}
	chosen := source{"prometheus", "${datasource}"}
	variables := []string{"__rate_interval"}
	for _, v := range board.Templating.List {
		if v.Type != "datasource" && (v.Datasource == nil || *v.Datasource != chosen) {
			t.Errorf("the variable %s asks %v", v.Name, v.Datasource)
		}
		variables = append(variables, v.Name)
	}
	// the units of Grafana in use; an unknown one would be shown as a suffix
	units := []string{"none", "short", "s", "bytes", "reqps", "ops", "percentunit"}
	ids := map[int]string{}
	for i, p := range board.Panels {
		if other, taken := ids[p.ID]; taken || p.ID <= 0 {
			t.Errorf("%s has the id %d, as %q has", p.Title, p.ID, other)
		}
		ids[p.ID] = p.Title
		if p.GridPos.W <= 0 || p.GridPos.H <= 0 || p.GridPos.X < 0 || p.GridPos.Y < 0 || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("%s is outside of the grid: %+v", p.Title, p.GridPos)
		}
		for _, other := range board.Panels[:i] {
			if p.GridPos.overlaps(other.GridPos) {
				t.Errorf("%s lies on %s", p.Title, other.Title)
			}
		}
		if p.Type == "row" {
			continue
		}
		if !slices.Contains([]string{"timeseries", "table"}, p.Type) ||
			!slices.Contains(units, p.FieldConfig.Defaults.Unit) {
			t.Errorf("%s is a %s in %q", p.Title, p.Type, p.FieldConfig.Defaults.Unit)
		}
		if p.Datasource == nil || *p.Datasource != chosen || len(p.Targets) == 0 {
			t.Errorf("%s asks %v for %d things", p.Title, p.Datasource, len(p.Targets))
		}
		letters := map[string]bool{}
		for _, target := range p.Targets {
			if target.RefID == "" || letters[target.RefID] || target.Expr == "" ||
				target.Datasource == nil || *target.Datasource != chosen {
				t.Errorf("%s: the target %q is taken, empty or of another source", p.Title, target.RefID)
			}
			if p.Type == "timeseries" && target.LegendFormat == "" {
				t.Errorf("%s: the target %s has no legend", p.Title, target.RefID)
			}
			for _, found := range regexp.MustCompile(`\$\{?(\w+)`).FindAllStringSubmatch(target.Expr, -1) {
				if !slices.Contains(variables, found[1]) {
					t.Errorf("%s: there is no variable %s", p.Title, found[1])
				}
			}
			letters[target.RefID] = true
		}
	}
}

func TestAreasOverlap(t *testing.T) {
	at := area{H: 8, W: 6, X: 6, Y: 10}
	for other, want := range map[area]bool{
		at: true, {H: 8, W: 6, X: 0, Y: 10}: false, {H: 8, W: 7, X: 0, Y: 10}: true,
		{H: 1, W: 24, X: 0, Y: 18}: false, {H: 1, W: 24, X: 0, Y: 17}: true,
	} {
		if at.overlaps(other) != want || other.overlaps(at) != want {
			t.Errorf("%+v and %+v overlap: got %t, want %t", at, other, !want, want)
		}
	}
}
