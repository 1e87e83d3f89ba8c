package finding

import (
	"encoding/json"
	"fmt"
	"testing"

	"quire/model"
)

func Example() {
	c := New("a lamp", "", []Entry{
		{Code: "LAMP-BULB", Severity: model.Error, Meaning: "The `bulb` is broken.", Advice: "Change it."},
		{Code: "LAMP-DUST", Severity: model.Info, Meaning: "There is dust on it.", Advice: "Wipe it."},
	})
	e, ok := c.Explain("LAMP-BULB")
	fmt.Println(ok, e.Severity, e.Meaning, e.Advice)
	// Output: true error The bulb is broken. Change it.
}

func TestCatalogue(t *testing.T) {
	c := Sorted("", "", []Entry{{Code: "B", Severity: model.Info, Meaning: "`b`"}}, []Entry{{Code: "A"}})
	if all := c.All(); len(all) != 2 || all[0].Code != "A" || all[1].Meaning != "b" {
		t.Errorf("All gives %+v", all)
	}
	if c.Marked()[1].Meaning != "`b`" {
		t.Errorf("Marked gives %+v", c.Marked())
	}
	if _, ok := c.Explain("C"); ok {
		t.Error("a code that does not exist is explained")
	}
	for code, want := range map[string]model.Severity{"B": model.Info, "C": model.Error} {
		if got := c.Severity(code); got != want {
			t.Errorf("%s is %s, want %s", code, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("one code was accepted twice")
		}
	}()
	New("", "", []Entry{{Code: "A"}, {Code: "A"}})
}

// TestJSON checks the form, which is a contract: missing fields are omitted, and the order of the
// keys stays.
func TestJSON(t *testing.T) {
	for _, c := range []struct {
		entry Entry
		want  string
	}{
		{Entry{Code: "A", Meaning: "m", Advice: "a", Breaks: true}, `{"code":"A","meaning":"m","advice":"a"}`},
		{Entry{Code: "A", Severity: model.Error, Clause: "1", Check: "c", Meaning: "m", Explanation: "e", Example: "x",
			Advice: "a"},
			`{"code":"A","severity":"error","clause":"1","check":"c","meaning":"m","explanation":"e","example":"x",` +
				`"advice":"a"}`},
	} {
		if got, err := json.Marshal(c.entry); err != nil || string(got) != c.want {
			t.Errorf("%s, %v; want %s", got, err, c.want)
		}
	}
}
