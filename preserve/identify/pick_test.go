package identify

import (
	"reflect"
	"testing"

	"github.com/richardlehane/siegfried/pkg/config"
	"github.com/richardlehane/siegfried/pkg/core"
)

// said is one identification by siegfried.
type said []string

func (s said) String() string          { return s[1] }
func (s said) Known() bool             { return s[1] != "UNKNOWN" }
func (s said) Warn() string            { return "" }
func (s said) Values() []string        { return s }
func (s said) Archive() config.Archive { return config.None }

// If several formats match equally well, the first by number is chosen and the result names the
// others. All are available on request.
func TestSeveralFormats(t *testing.T) {
	e := &engine{space: "pronom", fields: map[string]int{"namespace": 0, "id": 1, "format": 2, "version": 3, "mime": 4,
		"basis": 5, "warning": 6}}
	of := func(id, name string) core.Identification { return said{"pronom", id, name, "", "", "byte match", ""} }
	p := Payload{Head: []byte("x"), Size: 1}
	chosen, fits := pick(e.results([]core.Identification{of("x-fmt/9", "C"), of("fmt/20", "B"), of("fmt/3", "A"),
		said{"other", "y", "", "", "", "", ""}}), p)
	if chosen.PUID != "fmt/3" || chosen.Warning != "fmt/20 (B) fits as well; x-fmt/9 (C) fits as well" ||
		len(fits) != 3 {
		t.Fatalf("%+v, %+v", chosen, fits)
	}
	id := &Identifier{engine: e, maxBytes: DefaultMaxBytes, results: newResults(0)}
	known, _ := id.results.of(p.within(id.maxBytes).hints().key())
	known.finish(chosen, fits)
	var names []string
	for _, r := range id.IdentifyAll(p) {
		names = append(names, r.Name)
	}
	if !reflect.DeepEqual(names, []string{"A", "B", "C"}) || id.Identify(p) != chosen {
		t.Errorf("%v", names)
	}
	if _, fits := pick(e.results([]core.Identification{of("fmt/3", "A")}), p); fits != nil {
		t.Errorf("%+v", fits)
	}
}
