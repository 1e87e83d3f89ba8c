package rewrite

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestScripts checks the marks of scripts, without the definitions at their beginning.
func TestScripts(t *testing.T) {
	for _, one := range [][2]string{
		{`location.host`,
			`quire$location.host`},
		{`location = "x"`,
			`quire$location = "x"`},
		{`window.location.href = a / b / c`,
			`quire$of(window).location.href = a / b / c`},
		{`a?.location`,
			`quire$of(a)?.location`},
		{`a?.b.location`,
			``},
		{`f(x)[0].y.location`,
			`quire$of(f(x)[0].y).location`},
		{`new A(x.location)`,
			`new A(quire$of(x).location)`},
		{`new A.location`,
			``},
		{`(function(){ x })().location`,
			`quire$of((function(){ x })()).location`},
		{`this.location`,
			`quire$of(this).location`},
		{`w["location"].x`,
			`quire$of(w)["location"].x`},
		{`x = ["location"]`,
			``},
		{`"location" + 'location' // location`,
			``},
		{"`location ${location.host} top ${ {top: 1}.top }`",
			"`location ${quire$location.host} top ${ {top: 1}.top }`"},
		{`/location[/]top/.test(a) /* top */`,
			``},
		{`a = b / location / c`,
			`a = b / quire$location / c`},
		{`if (a) /location/.test(b)`,
			``},
		{`function f(location) { return location.x }`,
			`function f(quire$location) { return quire$location.x }`},
		{`o = {location: 1, top, b: {top: top}}`,
			`o = {location: 1, top:quire$top, b: {top: quire$top}}`},
		{`({location() {}, get top() {}})`,
			``},
		{`class A { location() {} static top = 1; x = top; }`,
			`class A { location() {} static top = 1; x = quire$top; }`},
		{`if (a) { location = "x" }`,
			`if (a) { quire$location = "x" }`},
		{`top: for (;;) { continue top }`,
			``},
		{`x = a ? top : 0`,
			`x = a ? quire$top : 0`},
		{`switch (a) { case top: b }`,
			`switch (a) { case quire$top: b }`},
		{`rect.top = 1; window.top.x; e.style.top`,
			`rect.top = 1; quire$of(window).top.x; e.style.top`},
		{`parent.postMessage(a, "*"); x.postMessage`,
			`quire$of(parent).postMessage(a, "*"); x.postMessage`},
		{`eval(a, b); (0, eval)(c); o.eval(1); {eval: 1}`,
			`eval(quire$js(a), b); (0, quire$eval)(c); o.eval(1); {eval: 1}`},
		{`import(a).then(b)`,
			`import(quire$import(a)).then(b)`},
		{`import {location, a as top} from "b"; import x, {top as y} from "z"`,
			`import {location as quire$location, a as quire$top} from "b"; import x, {top as y} from "z"`},
		{`export {location, top as y}`,
			`export {quire$location as location, quire$top as y}`},
		{`export const location = 1`,
			"export const quire$location = 1\nexport{quire$location as location};"},
		{`const {location: a, b} = window, {c} = window`,
			`const {location: a, b} = quire$of(window), {c} = window`},
		{`const {top} = e.getBoundingClientRect()`,
			`const {top:quire$top} = e.getBoundingClientRect()`},
		{`with (o) { location } location`,
			``},
		{`o = {class: "x", style: {top: 1}}; top`,
			`o = {class: "x", style: {top: 1}}; quire$top`},
		{`a = b ? {top} : {top}`,
			`a = b ? {top:quire$top} : {top:quire$top}`},
		{`eval(window.location)`,
			`eval(quire$js(quire$of(window).location))`},
		{`"use strict"; location`,
			`"use strict"; quire$location`},
		{`location }`,
			``},
		{`x = "location`,
			``},
		{`a = /location`,
			``},
	} {
		in, want := one[0], one[1]
		if want == "" {
			want = in
		}
		out, changed := marked([]byte(in), "", false)
		if string(out) != want || changed != (in != want) {
			t.Errorf("%s\n is %s\nnot %s", in, out, want)
		}
	}
}

// TestScriptBegins checks the place of the definitions: after the directives.
func TestScriptBegins(t *testing.T) {
	for in, behind := range map[string]string{
		"location":                     "",
		"'use strict';location":        "'use strict';",
		"'use strict'\n'x'\nlocation":  "'use strict'\n'x'\n",
		"// a\n\"a\".b(location)":      "// a\n",
		"#!x\nlocation":                "#!x\n",
		"'use strict'\n.x + location":  "",
		"/* a */ 'use strict' ; top()": "/* a */ 'use strict' ; ",
	} {
		var out bytes.Buffer
		if err := JavaScript(&out, strings.NewReader(in), ""); err != nil {
			t.Fatal(err)
		}
		before, _, ok := strings.Cut(out.String(), defined)
		if !ok || strings.TrimSpace(before) != strings.TrimSpace(behind) {
			t.Errorf("%q begins with %q", in, before)
		}
	}
	var out bytes.Buffer
	if err := JavaScript(&out, strings.NewReader("x(import.meta.url)"), "http://a.example/</script>\"\n"); err != nil {
		t.Fatal(err)
	}
	if want := `import.meta.url="http://a.example/\x3c/script>\x22\x0a";`; !strings.Contains(out.String(), want) {
		t.Errorf("a module is %s", out.String())
	}
}

// FuzzJavaScript checks that marks are only added, and only where a name occurs.
func FuzzJavaScript(f *testing.F) {
	for _, in := range []string{`location.host`, "`${a}`.location", `x={top}`, `/[/]/`, `eval(eval(a))`,
		`import{top}from"x"`} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		if err := JavaScript(&out, strings.NewReader(in), "http://a.example/"); err != nil {
			t.Fatal(err)
		}
		if !names([]byte(in)) && out.String() != in {
			t.Fatalf("%q became %q", in, out.String())
		}
		left := in
		for _, c := range out.Bytes() { // what was there is still there, in order
			if left != "" && left[0] == c {
				left = left[1:]
			}
		}
		if left != "" {
			t.Fatalf("%q lost %q", in, left)
		}
	})
}

// TestHostileScripts checks that time is linear.
func TestHostileScripts(t *testing.T) {
	for _, part := range []string{"location ", "(", "=/[", "`${", "a.location", "x[", "/*", "location/*", "<!--\n",
		"?.", "{location", "eval("} {
		in := strings.Repeat(part, 1<<20/len(part)) + "top"
		if err := JavaScript(io.Discard, strings.NewReader(in), ""); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkJavaScript(b *testing.B) {
	const part = `function f(a,b){var c=a.left/2+b.top;if(c>5){window.location.href="/x?"+c}return {a:a,b:/x/.test(b)}}`
	src := []byte(strings.Repeat(part+"\n", 1000))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		marked(src, "", true)
	}
}
