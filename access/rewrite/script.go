package rewrite

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// Names of a script that tell it its place cannot be redefined in a browser: location, top, eval,
// import.meta. So their uses in a script get a prefix, which leads to the objects of page.js:
//
//	location.host                quire$location.host
//	window.location = "/x"       quire$of(window).location = "/x"
//	frame.postMessage(m, "*")    quire$of(frame).postMessage(m, "*")
//	eval(text)                   eval(quire$js(text))
//	import(url)                  import(quire$import(url))
//
// All other bytes stay, and a script without such a use stays as captured. A name of the script's
// own gets the prefix wherever it stands, so it still names one thing (decision 37).

// MaxScript is the longest script that is rewritten, in bytes. Longer ones stay as captured.
const MaxScript = 8 << 20

// maxMarks bounds the marks of a script, so memory stays small. A script with more stays as captured.
const maxMarks = 100_000

// defined begins a script in which something was changed: it also runs in documents without
// page.js, and then sees the browser's own objects.
const defined = `globalThis.quire$of||Object.defineProperties(globalThis,{` +
	`quire$of:{value:x=>x},quire$js:{value:x=>x},quire$import:{value:x=>x},quire$eval:{value:globalThis.eval},` +
	`quire$location:{get:()=>globalThis.location,set(x){globalThis.location=x}},` +
	`quire$top:{get:()=>globalThis.top,set(){}}});`

// JavaScript copies a script in UTF-8 and marks the names that tell it its place. at is the archived URL of a module,
// for import.meta.url.
func JavaScript(w io.Writer, r io.Reader, at string) error {
	rw := Rewriter{Base: at}
	return rw.script(w, r)
}

// freely is the length of scripts that are marked without waiting, in bytes. Most are shorter.
const freely = 256 << 10

// script copies a script and marks it. One in UTF-16 becomes UTF-8 with a byte order mark, which overrides any header,
// if it has marks.
func (rw *Rewriter) script(w io.Writer, r io.Reader) error { return rw.scriptIn(inMemory, w, r) }

// scriptIn is script with the room for long scripts.
func (rw *Rewriter) scriptIn(long room, w io.Writer, r io.Reader) error {
	var held bytes.Buffer
	_, err := io.CopyN(&held, r, freely)
	if err == nil {
		switch entered, err := long.enter(rw.Done); {
		case err != nil:
			return err
		case !entered:
			if rw.Unmarked != nil {
				rw.Unmarked()
			}
			return asCaptured(w, &held, r)
		}
		defer long.leave()
		w = long.limited(w)
		_, err = io.CopyN(&held, r, MaxScript+1-freely)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if held.Len() > MaxScript {
		return asCaptured(w, &held, r)
	}
	src := held.Bytes()
	if order, ok := wide(src, rw.ContentType); ok {
		return putWide(w, src, order, rw.Base)
	}
	return put(w, src, marksOf(src, rw.Base, true))
}

// asCaptured copies a script whose beginning is held.
func asCaptured(w io.Writer, held *bytes.Buffer, r io.Reader) error {
	if _, err := held.WriteTo(w); err != nil {
		return err
	}
	*held = bytes.Buffer{} // the client may be slow
	_, err := io.Copy(w, r)
	return err
}

// putWide copies a script in UTF-16 and marks it. Text that UTF-8 cannot have stays as captured.
func putWide(w io.Writer, src []byte, order unicode.Endianness, base string) error {
	text, err := io.ReadAll(narrowed(bytes.NewReader(src), order))
	if err == nil && !bytes.ContainsRune(text, utf8.RuneError) {
		if marks := marksOf(text, base, true); len(marks) > 0 {
			return put(w, text, marks)
		}
	}
	_, err = w.Write(src)
	return err
}

// marked returns a script with its marks; changed is false if it has none. begins adds the
// definitions, for a script in a document of its own.
func marked(src []byte, at string, begins bool) (out []byte, changed bool) {
	marks := marksOf(src, at, begins)
	if len(marks) == 0 {
		return src, false
	}
	var b bytes.Buffer
	_ = put(&b, src, marks) // a buffer takes all
	return b.Bytes(), true
}

func put(w io.Writer, src []byte, marks []mark) error {
	from := 0
	for _, m := range marks {
		if _, err := w.Write(src[from:m.at]); err != nil {
			return err
		}
		if _, err := io.WriteString(w, m.text); err != nil {
			return err
		}
		from = m.at
	}
	_, err := w.Write(src[from:])
	return err
}

// marksOf returns the insertions into a script, in order. A script that the scanner does not
// understand gets none.
func marksOf(src []byte, at string, begins bool) []mark {
	if !names(src) || len(src) > MaxScript || bytes.HasPrefix(src, []byte("\xff\xfe")) ||
		bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return nil
	}
	s := scripter{src: src, first: -1, chain: -1, root: frame{kind: block}}
	if !s.scan() || len(s.marks) == 0 && (!s.meta || at == "") {
		return nil
	}
	if begins {
		text := defined
		if s.meta {
			text += metaOf(at)
		}
		s.marks = append(s.marks, mark{s.begin(), definitions, text})
	}
	s.order()
	return s.marks
}

// metaOf returns the statement that gives a module its own address.
func metaOf(at string) string {
	if at == "" {
		return ""
	}
	return "import.meta.url=" + quoted(at) + ";import.meta.resolve=(r=>x=>quire$of.shown?quire$of.shown(r(x)):r(x))(" +
		"import.meta.resolve);"
}

// quoted returns a string literal that is safe within a script element, too, also of XML.
func quoted(s string) string {
	out := []byte{'"'}
	for _, c := range []byte(s) {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == ']' ||
			c == '&' {
			const hexes = "0123456789abcdef"
			out = append(out, '\\', 'x', hexes[c>>4], hexes[c&15])
			continue
		}
		out = append(out, c)
	}
	return string(append(out, '"'))
}

// names reports whether a script may have a name that matters. It is fast, because most have none.
func names(src []byte) bool {
	for _, name := range [][]byte{[]byte("location"), []byte("top"), []byte("postMessage"), []byte("eval"),
		[]byte("import")} {
		if bytes.Contains(src, name) {
			return true
		}
	}
	return false
}
