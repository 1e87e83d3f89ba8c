package disposal

import (
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func request() Purge {
	return Purge{Token: "0a", Package: "urn:a", Authority: "the board",
		Requested: Act{By: "Ada", At: at, Because: "file 17"}}
}

// TestPurges: the document is read as it was written, and found by id, token and state.
func TestPurges(t *testing.T) {
	var p Purges
	made, err := p.Add(request())
	if err != nil || made.ID != "P1" {
		t.Fatalf("%+v, %v", made, err)
	}
	p.List[0].Approved = &Act{By: "Bob", At: at}
	second := request()
	second.Token, second.Package = "0b", "urn:b"
	if _, err := p.Add(second); err != nil {
		t.Fatal(err)
	}
	text, err := p.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadPurges(text)
	if err != nil || len(back.List) != 2 {
		t.Fatalf("%+v, %v", back, err)
	}
	for _, name := range []string{"P1", "0a"} {
		if q := back.Find(name); q == nil || q.Package != "urn:a" {
			t.Errorf("%s: %+v", name, q)
		}
	}
	if back.Find("") != nil || back.Find("P3") != nil || back.Of("urn:a", Requested) != nil ||
		back.Of("urn:a", Purged) == nil || back.Of("urn:b", Requested) == nil {
		t.Errorf("%+v", back)
	}
}

// TestStates: each act leads to the next state.
func TestStates(t *testing.T) {
	act := &Act{By: "Bob", At: at}
	for want, p := range map[State]Purge{
		Requested: {}, Purged: {Approved: act}, Cancelled: {Cancelled: act}, Readmitted: {Approved: act, Again: act},
	} {
		if got := p.State(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestInvalid: a document that no purge could have made is an error: it may decide something else than the
// persons did.
func TestInvalid(t *testing.T) {
	const good = `{"format":1,"purges":[{"id":"P1","token":"0a","package":"urn:a","was":{"kind":"package",` +
		`"versions":1,"files":1,"bytes":1,"containers":1,"records":1,"stored":"2026-11-29T12:00:00Z"},` +
		`"authority":"the board",` +
		`"requested":{"by":"Ada","at":"2026-11-29T12:00:00Z","because":"file 17"},` +
		`"approved":{"by":"Bob","at":"2026-11-29T12:00:00Z"}}]}`
	if _, err := ReadPurges([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another format":  {`"format":1`, `"format":2`},
		"unknown member":  {`"token"`, `"more":1,"token"`},
		"more text":       {`]}`, `]} {}`},
		"no id":           {`"P1"`, `""`},
		"no token":        {`"0a"`, `""`},
		"no package":      {`"urn:a"`, `""`},
		"no person":       {`"Ada"`, `""`},
		"one person":      {`"Bob"`, `" ADA "`},
		"no reason":       {`"file 17"`, `" "`},
		"no authority":    {`"the board"`, `""`},
		"a URL":           {`"the board"`, `"http://a.example/"`},
		"a long reason":   {`"file 17"`, `"` + strings.Repeat("x", maxText+1) + `"`},
		"no time":         {`"at":"2026-11-29T12:00:00Z","because"`, `"at":"0001-01-01T00:00:00Z","because"`},
		"both":            {`"approved"`, `"cancelled":{"by":"Eve","at":"2026-11-29T12:00:00Z"},"approved"`},
		"only readmitted": {`"approved"`, `"again"`},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if _, err := ReadPurges([]byte(text)); err == nil || text == good {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestHolds: a hold is in force until the end of its last day, or until it is lifted.
func TestHolds(t *testing.T) {
	var h Holds
	set := Act{By: "Eve", At: at, Because: "lawsuit"}
	for _, n := range []Hold{{Package: "urn:a", Until: "2026-12-31", Set: set}, {Package: "urn:a", Set: set}} {
		if _, err := h.Add(n); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []Hold{{Set: set}, {Package: "urn:a"}, {Package: "urn:a", Until: "31.12.2026", Set: set},
		{Package: "urn:a", Set: Act{By: "Eve", At: at}}} {
		if _, err := h.Add(n); err == nil {
			t.Errorf("%+v: accepted", n)
		}
	}
	text, err := h.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadHolds(text)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(back.On("urn:a", "2026-12-31")); n != 2 {
		t.Errorf("on the last day: %d holds", n)
	}
	back.Find("H2").Lifted = &set
	if n := len(back.On("urn:a", "2027-01-01")); n != 0 || back.Find("H3") != nil ||
		len(back.On("urn:b", "2026-12-01")) > 0 {
		t.Errorf("afterwards: %d holds", n)
	}
	for _, wrong := range []string{`{"format":2,"holds":[]}`, `{"format":1,"holds":[{"id":"H1"}]}`, `[`} {
		if _, err := ReadHolds([]byte(wrong)); err == nil {
			t.Errorf("%s: accepted", wrong)
		}
	}
}

// FuzzReadPurges: no text makes the reader panic, and one that it accepts is written and read again.
func FuzzReadPurges(f *testing.F) {
	f.Add([]byte(`{"format":1,"purges":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ReadPurges(text)
		if err != nil {
			return
		}
		again, err := p.Marshal()
		if err == nil {
			_, err = ReadPurges(again)
		}
		if err != nil {
			t.Error(err)
		}
	})
}
