package disposal

import "testing"

// TestPersons: names that look alike are of one person.
func TestPersons(t *testing.T) {
	for _, alike := range []string{"Ada Lovelace", "ada  lovelace", " ADA LOVELACE ", "Ada\u200b Lovelace",
		"Ada\u00a0Lovelace",
		"\u202eAda Lovelace", "Ａｄａ Lovelace", "Ada Love\u00adlace", "Ada Lovelace\ufe0f", "Ada Love\u034flace"} {
		if Persons("Ada Lovelace", alike) {
			t.Errorf("%q is another person", alike)
		}
	}
	for _, nobody := range []string{"", " ", "\u200b"} {
		if Persons("Ada", nobody) || Persons(nobody, "Ada") {
			t.Errorf("%q is a person", nobody)
		}
	}
	if !Persons("Ada Lovelace", "Ada Lovelac") || !Persons("José", "Jose") {
		t.Error("different names are one person")
	}
}
