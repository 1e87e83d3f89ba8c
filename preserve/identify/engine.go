package identify

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/richardlehane/siegfried"
	"github.com/richardlehane/siegfried/pkg/config"
	"github.com/richardlehane/siegfried/pkg/core"
	"github.com/richardlehane/siegfried/pkg/static"
)

// engine is siegfried with one set of signatures. Identifying changes only its own guarded pools.
// It also reads siegfried's package-level configuration (config.Set...), so Quire never changes
// that.
type engine struct {
	sf       *siegfried.Siegfried
	software Software
	fields   map[string]int // index of a column in an identification's values, by name
	space    string         // identifier that provides the results
}

// embedded is loaded once per process: it needs some 70 MB when in use.
var embedded = sync.OnceValues(func() (*engine, error) { return newEngine(static.New()) })

func load(signature string) (*engine, error) {
	if signature == "" {
		return embedded()
	}
	e, err := loadFile(signature)
	if err != nil {
		return nil,
			fmt.Errorf("the signature file %s cannot be used: %w; without one, the built-in signatures are used",
				signature, err)
	}
	return e, nil
}

// loadFile reads a signature file. Siegfried trusts the data after the magic number, and panics on
// a damaged file.
func loadFile(path string) (e *engine, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	defer func() {
		if r := recover(); r != nil {
			e, err = nil, fmt.Errorf("it is damaged (%v)", r)
		}
	}()
	sf, err := siegfried.LoadReader(f)
	if err != nil {
		return nil, err
	}
	return newEngine(sf)
}

// newEngine uses the first identifier of sf that has the fields of PRONOM.
func newEngine(sf *siegfried.Siegfried) (*engine, error) {
	if sf == nil {
		return nil, fmt.Errorf("siegfried holds no signatures")
	}
	v := config.Version()
	e := &engine{sf: sf, software: Software{Name: "siegfried", Version: fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]),
		Created: sf.C.UTC()}}
	identifiers := sf.Identifiers()
	for i, names := range sf.Fields() {
		e.fields = map[string]int{}
		for column, name := range names {
			e.fields[name] = column
		}
		if e.has("namespace", "id", "format", "version", "mime", "basis", "warning") {
			e.space, e.software.Signature = identifiers[i][0], identifiers[i][1]
			return e, nil
		}
	}
	return nil, fmt.Errorf("it has no signatures of PRONOM")
}

func (e *engine) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { _, ok := e.fields[name]; return !ok })
}

// identify identifies a payload that was cut to the limit. It always returns a result. If several
// formats match equally well, it also returns all of them.
func (e *engine) identify(p Payload) (r Result, fits []Result) {
	if p.Size == 0 {
		return Result{Warning: "the payload is empty"}, nil
	}
	danger := danger(p)
	src := newSource(p, danger != "")
	defer func() {
		if failure := recover(); failure != nil {
			r, fits = Result{Warning: fmt.Sprintf("siegfried failed: %v", failure)}, nil
		}
		if danger != "" {
			r.warn("not opened, because " + danger)
		}
		if src.exhausted() {
			r.warn("siegfried was stopped, because it went in circles")
		}
	}()
	name := p.Name
	if name != "" {
		name = "payload." + name
	}
	found, _ := e.sf.Identify(src, name, p.MIME) // archive errors; the results before them are valid
	r, fits = e.pick(found, p)
	return byRoot(r, p), fits
}

// pick selects one result. If several formats match equally well, it selects by identifier, so the
// choice is always the same, and names the others.
func (e *engine) pick(found []core.Identification, p Payload) (r Result, fits []Result) {
	all := make([]Result, 0, len(found))
	for _, f := range found {
		if v := f.Values(); len(v) == len(e.fields) && v[e.fields["namespace"]] == e.space {
			all = append(all, e.result(f.Known(), v))
		}
	}
	if len(all) == 0 {
		return Result{Warning: "no match"}, nil
	}
	slices.SortFunc(all, func(a, b Result) int { return comparePUID(a.PUID, b.PUID) })
	r = all[0]
	for _, other := range all[1:] {
		r.warn(fmt.Sprintf("%s (%s) fits as well", other.PUID, other.Name))
	}
	if r.Known() && !p.complete() {
		r.Basis += "; in " + p.String()
	}
	if len(all) == 1 {
		all = nil
	}
	return r, all
}

func (e *engine) result(known bool, v []string) Result {
	if !known {
		return Result{Warning: v[e.fields["warning"]]}
	}
	return Result{
		PUID: v[e.fields["id"]], Name: v[e.fields["format"]], Version: v[e.fields["version"]],
		MIME: v[e.fields["mime"]], Basis: v[e.fields["basis"]], Warning: v[e.fields["warning"]],
	}
}

// warn adds a warning.
func (r *Result) warn(s string) {
	if r.Warning != "" {
		s = r.Warning + "; " + s
	}
	r.Warning = s
}

// comparePUID orders fmt before x-fmt, and each by number.
func comparePUID(a, b string) int {
	spaceA, numberA, _ := strings.Cut(a, "/")
	spaceB, numberB, _ := strings.Cut(b, "/")
	x, _ := strconv.Atoi(numberA) // no number sorts first
	y, _ := strconv.Atoi(numberB)
	return cmp.Or(strings.Compare(spaceA, spaceB), cmp.Compare(x, y), strings.Compare(a, b))
}
