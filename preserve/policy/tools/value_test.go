package tools

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type object = map[string]Value

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, prints, output string
		want                 Value
	}{
		{"text", "text/plain", "Well\nformed\xff", "Well\nformed\uFFFD"},
		{"no text", "", "", ""},
		{"a long text", "", strings.Repeat("x", MaxPrinted+1),
			Unseen("the tool printed more than 65536 bytes of text")},

		{"JSON", "application/json", ` [{"a": 1, "b": 1.5, "c": "x", "d": [true, null], "e": {}}] `, []Value{object{
			"a": int64(1), "b": 1.5, "c": "x", "d": []Value{true, nil}, "e": object{}}}},
		{"a number above int64", "application/json", `18446744073709551616`, 18446744073709551616.0},
		{"JSON of a kind", "application/sarif+json", `"x"`, "x"},
		{"a long list", "application/json", "[" + strings.Repeat("1,", MaxList) + "1]",
			Unseen("a list of more than 1000 values")},
		{"a long text within", "application/json", `{"a": "` + strings.Repeat("x", MaxText+1) + `", "b": 1}`,
			object{"a": Unseen("a text of more than 4096 bytes"), "b": int64(1)}},

		{"an element with text", "text/xml", "<?xml version='1.0'?>\n<a> x <!-- y --> </a>\n", object{"a": "x"}},
		{"an empty element", "text/xml", "<a/>", object{"a": ""}},
		{"attributes and children", "application/xml", `<a b="1"><c>2</c><d><e>3</e></d></a>`,
			object{"a": object{"b": "1", "c": "2", "d": object{"e": "3"}}}},
		{"attributes and text", "text/xml", `<message severity="error">bad</message>`,
			object{"message": object{"severity": "error", "#text": "bad"}}},
		{"repeated", "text/xml", "<a><b>1</b><b>2</b><c/></a>", object{"a": object{"b": []Value{"1", "2"}, "c": ""}}},
		{"a list by its name", "text/xml", "<a><item>1</item></a>", object{"a": object{"item": []Value{"1"}}}},
		{"names with prefixes", "image/svg+xml", `<x:a xmlns:x="urn:x" xmlns="urn:y" x:b="1"><x:c>2</x:c></x:a>`,
			object{"a": object{"b": "1", "c": "2"}}},
		{"a child and an attribute of one name", "text/xml", `<a b="1"><b>2</b></a>`, object{"a": object{"b": "2"}}},
		{"CDATA and references", "text/xml", "<a>&lt;<![CDATA[<b>]]>&#x41;</a>", object{"a": "<<b>A"}},
		{"another encoding", "text/xml", "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", object{"a": "é"}},
	} {
		got, err := parse(c.prints, []byte(c.output), map[string]bool{"item": true})
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %.200s, %v; want %.200s", c.name, fmt.Sprint(got), err, fmt.Sprint(c.want))
		}
	}
}

// TestParseRefuses has the outputs of which no fact is known: half ones, and those that would need
// much memory.
func TestParseRefuses(t *testing.T) {
	deep := maxDepth + 2
	for _, c := range []struct{ name, prints, output, want string }{
		{"no JSON", "application/json", "", "its output is not usable JSON: EOF"},
		{"half of JSON", "application/json", `{"a": [1`, "EOF"},
		{"two values", "application/json", `{} {}`, "something follows the first value"},
		{"a name twice", "application/json", `{"valid": true, "valid": false}`, `the name "valid" occurs twice`},
		{"deep JSON", "application/json", strings.Repeat("[", deep) + strings.Repeat("]", deep),
			"nested more than 200 deep"},
		{"many values", "application/json", "[" + strings.Repeat("[],", maxValues) + "1]", "more than 100000 values"},
		{"no XML", "text/xml", " ", "its output is not usable XML: it has no element"},
		{"half of XML", "text/xml", "<a><b>", "unexpected EOF"},
		{"text after it", "text/xml", "<a/>x", "text follows the root element"},
		{"an element after it", "text/xml", "<a/><b/>", "an element follows the root element"},
		{"deep XML", "text/xml", strings.Repeat("<a>", deep) + strings.Repeat("</a>", deep),
			"nested more than 200 deep"},
		{"many elements", "text/xml", "<a>" + strings.Repeat("<b/>", maxValues) + "</a>", "more than 100000 values"},
		{"an entity of the document", "text/xml", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`,
			"invalid character entity &b;"},
		{"an unknown encoding", "text/xml", "<?xml version='1.0' encoding='none'?><a/>",
			"its output is not usable XML"},
	} {
		if got, err := parse(c.prints, []byte(c.output), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.100s, %v; want an error with %q", c.name, fmt.Sprint(got), err, c.want)
		}
	}
}

// FuzzParse checks that no output breaks the parser, and that values keep their limits.
func FuzzParse(f *testing.F) {
	f.Add("text/xml", []byte("<a b='1'><c/>d</a>"))
	f.Add("application/json", []byte(`{"a": [1, 2.5, null, "x"]}`))
	f.Add("text/plain", []byte("\xff"))
	f.Fuzz(func(t *testing.T, prints string, output []byte) {
		v, err := parse(prints, output, nil)
		if err == nil {
			within(t, v, 0)
		}
	})
}

func within(t *testing.T, v Value, depth int) {
	switch v := v.(type) {
	case string:
		if len(v) > 3*MaxPrinted { // an odd byte becomes three
			t.Errorf("a text of %d bytes", len(v))
		}
	case []Value:
		if len(v) > MaxList || depth > maxDepth {
			t.Errorf("a list of %d values, %d deep", len(v), depth)
		}
		for _, one := range v {
			within(t, one, depth+1)
		}
	case map[string]Value:
		for _, one := range v {
			within(t, one, depth+1)
		}
	}
}
