package collection

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/jacoelho/xsd"

	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/schemas"
)

// ValidateOptions configures the checks of Validate beyond the containers.
type ValidateOptions struct {
	Schemas string // folder of XML schemas; "" means only the checks in code
	Temp    string // for temporary files; "" is the system's folder
}

// driver is the schema that imports METS and all standards that a collection wraps.
const driver = "drivers/mets-all.xsd"

// Validate compares the expected containers of a collection with the held ones; a nil held means
// none. Both are sorted on disk. Memory grows by some dozen bytes for each harvest and package, and
// by the number of containers with the same name.
func Validate(ctx context.Context, dir string, held iter.Seq2[Held, error], o ValidateOptions) (*Report, error) {
	v := &validation{ctx: ctx, match: newMatching(o.Temp), named: map[key]bool{}, seen: map[key]bool{},
		last: map[string]bool{}, report: &Report{
			Path: dir, Outcome: Complete, Findings: []model.Finding{}, Lacking: []HarvestLack{}, Missing: []Item{},
			Differs: []Differ{}, Renamed: []Differ{},
			Extra: []Held{}, Unread: []string{}, LostPackages: []string{}}}
	defer v.match.close()
	if err := v.expectations(dir); err != nil {
		return nil, err
	}
	if err := v.schemas(dir, o.Schemas); err != nil {
		return nil, err
	}
	if held != nil {
		for h, err := range held {
			if err = errors.Join(err, ctx.Err()); err != nil {
				return nil, err
			}
			if err := v.hold(h); err != nil {
				return nil, err
			}
		}
	}
	if err := v.match.run(v); err != nil {
		return nil, err
	}
	if err := v.names(dir); err != nil {
		return nil, err
	}
	v.conclude()
	return v.report, nil
}

// key is a short form of a name.
type key [16]byte

func keyOf(s string) (k key) {
	sum := sha256.Sum256([]byte(s))
	copy(k[:], sum[:])
	return k
}

// tally counts the containers of a harvest.
type tally struct{ expected, missing int32 }

type validation struct {
	ctx     context.Context
	report  *Report
	match   *matching
	tallies []tally      // by the number of the harvest, less one
	named   map[key]bool // packages named in the collection
	seen    map[key]bool // packages that exist; true if they hold a container of the collection

	last map[string]bool // digests matched in the current pile
}

func (v *validation) problem(code, message string) {
	if len(v.report.Findings) < MaxListed {
		v.report.Findings = append(v.report.Findings,
			model.Finding{Code: code, Severity: model.Error, Message: message, Path: aip.METSName, Offset: 0})
	}
}

// expectations reads the expected containers from the METS.
func (v *validation) expectations(dir string) error {
	l := &listing{problem: v.problem, pkg: func(_ int, id string) { v.named[keyOf(id)] = true }}
	l.root = func(r mets.Root) {
		v.report.ID, v.report.Title = r.ObjID, r.Label
		if r.Profile != aip.CollectionProfile {
			l.err = fmt.Errorf("%s is not a collection: its METS has the profile %q", dir, r.Profile)
		}
	}
	l.container = func(group int, e Expected) {
		if group > maxHarvests {
			l.err = fmt.Errorf("%s: harvest %d is beyond the limit of %d", aip.METSName, group, maxHarvests)
			return
		}
		v.grow(group)
		v.tallies[group-1].expected++
		v.report.Expected++
		l.err = v.match.expect(group, e)
	}
	l.harvest = func(n int, _, _ string) {
		v.grow(n)
		v.report.Harvests++
	}
	if err := readMETS(dir, l); err != nil {
		return err
	}
	if int64(len(v.tallies)) > v.report.Harvests {
		v.problem(aip.CodeMETSStructure,
			fmt.Sprintf("a group of containers belongs to harvest %d, but the structMap has only %d", len(v.tallies),
				v.report.Harvests))
	}
	return nil
}

// maxHarvests bounds the memory that a METS can use.
const maxHarvests = 10_000_000

func (v *validation) grow(n int) {
	for len(v.tallies) < n {
		v.tallies = append(v.tallies, tally{})
	}
}

// hold adds a held container.
func (v *validation) hold(h Held) error {
	if h.Problem != "" {
		where := h.Package
		if h.Path != "" {
			where += ", " + h.Path
		}
		v.report.Unread = listed(v.report.Unread, &v.report.UnreadTotal, where+": "+h.Problem)
		return nil
	}
	k := keyOf(h.Package)
	if _, known := v.seen[k]; !known {
		v.seen[k] = false
		v.report.Packages++
	}
	if h.Path == "" {
		return nil
	}
	return v.match.hold(h)
}

// complete reports whether no harvest or package has to be listed by name.
func (v *validation) complete() bool {
	for k := range v.named {
		if _, there := v.seen[k]; !there {
			return false
		}
	}
	return v.report.MissingTotal+v.report.DiffersTotal+v.report.RenamedTotal == 0
}

// names reads the METS once more, for the names of the incomplete harvests and missing packages.
func (v *validation) names(dir string) error {
	if v.complete() {
		v.report.HarvestsComplete = v.report.Harvests
		return nil
	}
	ids := map[int]string{}
	for _, i := range v.report.Missing {
		ids[i.group] = ""
	}
	for _, d := range v.report.Differs {
		ids[d.group] = ""
	}
	for _, d := range v.report.Renamed {
		ids[d.group] = ""
	}
	l := &listing{problem: func(string, string) {}, root: func(mets.Root) {}, container: func(int, Expected) {}}
	l.harvest = func(n int, id, label string) {
		if _, wanted := ids[n]; wanted {
			ids[n] = id
		}
		if n > len(v.tallies) {
			l.err = fmt.Errorf("%s changed while it was read", aip.METSName)
			return
		}
		t := v.tallies[n-1]
		if t.missing == 0 {
			v.report.HarvestsComplete++
		} else if len(v.report.Lacking) < MaxListed {
			v.report.Lacking = append(v.report.Lacking,
				HarvestLack{ID: id, Label: label, Expected: int64(t.expected), Missing: int64(t.missing)})
		}
	}
	l.pkg = func(_ int, id string) {
		if _, there := v.seen[keyOf(id)]; !there {
			v.report.LostPackages = listed(v.report.LostPackages, &v.report.PackagesTotal, id)
		}
	}
	if err := readMETS(dir, l); err != nil {
		return err
	}
	for i := range v.report.Missing {
		v.report.Missing[i].Harvest = ids[v.report.Missing[i].group]
	}
	for _, list := range [][]Differ{v.report.Differs, v.report.Renamed} {
		for i := range list {
			list[i].Harvest = ids[list[i].group]
		}
	}
	return nil
}

func (v *validation) conclude() {
	switch {
	case len(v.report.Findings) > 0:
		v.report.Outcome = Invalid
	case v.report.MissingTotal+v.report.DiffersTotal > 0:
		v.report.Outcome = Incomplete
	}
}

// schemas validates the METS against the XML schemas.
func (v *validation) schemas(dir, place string) error {
	if place == "" || len(v.report.Findings) > 0 {
		return nil
	}
	engine, err := schemas.Compile(v.ctx, place, driver)
	if err != nil {
		return err
	}
	f, err := aip.Open(os.DirFS(dir), aip.METSName)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = engine.ValidateWithOptions(v.ctx, f,
		xsd.ValidateOptions{MaxErrors: MaxListed, MaxInstanceBytes: info.Size() + 1, MaxIdentityEntries: 10_000_000})
	if err != nil {
		v.problem(aip.CodeMETSSchema, err.Error())
	}
	return v.ctx.Err()
}
