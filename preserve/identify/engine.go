package identify

import (
	"bytes"
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

	"quire/preserve/identify/internal/matcher"
)

// engine identifies by one set of signatures: by our fork of siegfried's matcher, or by siegfried
// itself if the fork cannot read the signatures. Identifying changes only guarded pools and caches.
// Siegfried also reads its package-level configuration (config.Set...), so Quire never changes that.
type engine struct {
	fork     *matcher.Signatures // nil: use sf
	sf       *siegfried.Siegfried
	software Software
	fields   map[string]int // index of a column in an identification's values, by name
	space    string         // identifier that provides the results
}

// embedded is loaded once per process: it needs some 40 MB.
var embedded = sync.OnceValues(func() (*engine, error) {
	e, err := newEngine(static.New())
	if err == nil {
		e.useFork()
	}
	return e, err
})

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
	if e, err = newEngine(sf); err == nil {
		e.useFork()
	}
	return e, err
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

// useFork replaces siegfried by the fork if this can read the signatures. siegfried hands them on
// in its file format only. The fork does not check all that siegfried's reader does not check
// either: a panic means that the fork cannot read the signatures.
func (e *engine) useFork() {
	defer func() { _ = recover() }()
	var file bytes.Buffer
	if err := e.sf.SaveWriter(&file); err != nil {
		return
	}
	if fork, err := matcher.Load(&file); err == nil {
		e.fork, e.sf = fork, nil
	}
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
	if e.fork != nil {
		r, fits = pick(e.byFork(src, p), p)
	} else {
		r, fits = pick(e.bySiegfried(src, p), p)
	}
	return byRoot(r, p), fits
}

// byFork returns all matches by our fork.
func (e *engine) byFork(src *source, p Payload) []Result {
	found := e.fork.Identify(src, p.Name, p.MIME)
	all := make([]Result, len(found))
	for i, f := range found {
		all[i] = Result{PUID: f.ID, Name: f.Name, Version: f.Version, MIME: f.MIME,
			Basis: strings.Join(f.Basis, "; "), Warning: f.Warning}
	}
	return all
}

// bySiegfried returns all matches by siegfried.
func (e *engine) bySiegfried(src *source, p Payload) []Result {
	name := p.Name
	if name != "" {
		name = "payload." + name
	}
	found, _ := e.sf.Identify(src, name, p.MIME) // archive errors; the results before them are valid
	return e.results(found)
}

// results returns the identifications of the used registry.
func (e *engine) results(found []core.Identification) []Result {
	var all []Result
	for _, f := range found {
		if v := f.Values(); len(v) == len(e.fields) && v[e.fields["namespace"]] == e.space {
			all = append(all, e.result(f.Known(), v))
		}
	}
	return all
}

// pick selects one result. If several formats match equally well, it selects by identifier, so the
// choice is always the same, and names the others.
func pick(all []Result, p Payload) (r Result, fits []Result) {
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
