package pack

import (
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
)

func TestChecksOfAHarvest(t *testing.T) {
	for _, c := range []struct {
		evidence []string
		want     model.EventOutcome
		steps    int
	}{
		{nil, model.Success, 0},
		{[]string{"check: resources=pass: 4 of 4", "check: signature=pass: fits"}, model.Success, 2},
		{[]string{"check: resources=pass: 4 of 4", "check: chain=not checked: no anchor"}, model.Warned, 2},
		{[]string{"check: signature=fail: another key", "check: chain=not checked: no anchor", "title=x"}, model.Fail,
			2},
	} {
		h := harvest{about: &model.Harvest{}}
		for _, e := range c.evidence {
			fact, value, _ := strings.Cut(e, "=")
			h.about.Evidence = append(h.about.Evidence, model.Evidence{Fact: fact, Value: value})
		}
		if steps, outcome := h.checked(); len(steps) != c.steps || outcome != c.want {
			t.Errorf("%q: %q, %s", c.evidence, steps, outcome)
		}
	}
}

// The source is a signed WACZ. The verdict on the signature is an event of the package. The source
// file is beside the containers, byte for byte.
func TestSignedPackage(t *testing.T) {
	o := options(t)
	o.ID = "x"
	mustPack(t, o, testsamples.Path(t, "samples", "harvard-lil_scoop/assets/fixtures/example.com.wacz"))
	d := readBack(t, o.Out)
	e, ok := d.events["x#EVT-signature-1"]
	if !ok || e.Type.Text != "digital signature validation" ||
		!strings.Contains(strings.Join(e.Outcomes[0].Notes, "\n"), "resources: pass") {
		t.Errorf("the event is %+v", e)
	}
	for _, name := range []string{"documentation/datapackage.json", "documentation/datapackage-digest.json"} {
		if !strings.Contains(list(t, o.Out), name) {
			t.Errorf("no %s", name)
		}
	}
	check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")})
}
