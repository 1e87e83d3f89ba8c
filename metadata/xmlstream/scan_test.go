package xmlstream

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// walker has the methods of both readers.
type walker interface {
	Root() (Element, error)
	Mixed(text func(string) error, visit func(Element) error) error
	Finish() error
	Place() (line, column int)
	Path() string
}

// passed passes everything in a document to a function: elements with their attributes, text, and the place
// of each. It leaves some elements unread, so that skipping is compared, too.
func passed(r walker, offset func() int64, tell func(string)) error {
	say := func(what string) {
		line, column := r.Place()
		tell(fmt.Sprintf("%d:%d %d %s %s", line, column, offset(), r.Path(), what))
	}
	seen := 0
	var walk func(Element) error
	walk = func(e Element) error {
		say(fmt.Sprintf("<%q %q %q", e.Space, e.Local, e.Attrs))
		if seen++; seen%7 == 5 {
			return nil
		}
		err := r.Mixed(func(s string) error {
			say(fmt.Sprintf("%q", s))
			return nil
		}, walk)
		if err == nil {
			say("/")
		}
		return err
	}
	root, err := r.Root()
	if err == nil {
		err = walk(root)
	}
	if err == nil {
		err = r.Finish()
	}
	if err == nil {
		say("end")
	}
	return err
}

// compare reads a document with the reader and with its oracle, which must read the same, and
// accept or refuse it at the same place. It reports whether the oracle accepts it.
func compare(t *testing.T, open func() io.Reader, limits Limits) (accepted bool) {
	t.Helper()
	events, done := make(chan string, 1000), make(chan error, 1)
	go func() {
		r := newOracle(open(), limits)
		err := passed(r, r.offset, func(s string) { events <- s })
		close(events)
		done <- err
	}()
	r := NewReader(open(), limits)
	wrong := 0
	err := passed(r, r.scanner.offset, func(got string) {
		if want := <-events; got != want && wrong < 3 {
			wrong++
			t.Errorf("the reader has %.300s\n the oracle %.300s", got, want)
		}
	})
	for want := range events {
		if wrong++; wrong < 3 {
			t.Errorf("%v; the oracle has more: %.300s", err, want)
		}
	}
	refused := <-done
	if (err == nil) != (refused == nil) {
		t.Errorf("the reader says %v; the oracle %v", err, refused)
	}
	var at, there *ReadError
	if errors.As(err, &at) && errors.As(refused, &there) {
		comparePlaces(t, at, there)
	}
	return refused == nil
}

// comparePlaces compares the places of two errors. The reader names the beginning of a document
// type declaration, the oracle its end. After a line feed that encoding/xml takes back, its column
// is 0.
func comparePlaces(t *testing.T, at, there *ReadError) {
	t.Helper()
	if errors.Is(at, ErrDoctype) || errors.Is(at, ErrLimit) && errors.Is(there, ErrLimit) {
		return
	}
	if at.Offset != there.Offset || at.Path != there.Path ||
		there.Column > 0 && (at.Line != there.Line || at.Column != there.Column) {
		t.Errorf("the reader says %v; the oracle %v", at, there)
	}
}

// oddities are documents that are just accepted, or just refused.
var oddities = []string{
	"", " ", "\ufeff<a/>", "<a/>", "<a></a >", "<a", "<", "<a b", "<a b=", "<a b='", "<a b='c", "<a b='c'",
	"<a/", "<a/ >", "<A!", "<A/><!00",
	"<a b='1'c=\"2\"/>", "<a b = '1'\n\tc\r\n=\r\n'2' />", "<a b>", "<a b=c>", "<a b='<'/>", "<a b='>\"&#34;'/>",
	"<a b='1' b='2'/>", "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "<a p:b='' p:b=''/>", "<a xmlns='u' xmlns='v'/>",
	"<p:a/>", "<p:a xmlns:p=''/>", "<a xmlns='u'><b xmlns=''/><c/></a>", "<xmlns xmlns='u'/>", "<xmlns:a/>",
	"<a xmlns:xml='u' xml:b=''/>", "<a xmlns:xmlns='u'/>", "<:a/>", "<a:/>", "<a:b:c/>", "<a b:c:d=''/>",
	"<1/>", "<-a/>",
	"<é ü='ä'>ß</é>", "<a×b/>", "<a\xff/>", "<a·/>", "<·a/>", "</a>", "<a></b>", "<a></p:a>", "<p:a></q:a>",
	"<a></a b>",
	"<a></>", "< a/>", "<\n/>", "<a></\n>", "<a/>x", "<a/><b/>", "<a/>&#32;", "<![CDATA[]]><a/>", "<a/><![CDATA[ ]]>",
	"<a>]]></a>", "<a>]]&gt;]&gt;></a>", "<a>]]<!-- -->></a>", "<a b=']]>'/>", "<a>&#93;]></a>", "<a>]\r]></a>",
	"<a>1\r\n2\r3\n4\r\r\n5&#13;\n6\r&#10;7</a>", "<a b='1\r\n2\r3\t4\n5'/>", "<a><![CDATA[1\r\n2\r<&amp;]] >]]]></a>",
	"<a><![CDATA[\x00]]></a>", "<a><![CDATA[", "<a><![CDATA[]]", "<a><![CDAT[]]></a>", "<a><![", "<!", "<!-",
	"<!x", "<!--",
	"<!---->", "<!--->--><a/>", "<!-- -- --><a/>", "<!-- --->", "<!-- \x00\xff --><a/>", "<a><!-x></a>", "<?a?><a/>",
	"<??><a/>", "<?a", "<?a ?", "<?1?><a/>", "<?a:b:c?><a/>", "<?a??><a/>", "<?a  b ?><a/>",
	"<?a\x00\xff?><a/>", "<?é?><a/>",
	"<?a>?><a/>", "<?xml?><a/>", "<?XML?><a/>", " <?xml?><a/>", " <?XML?><a/>", "<a><?xml version='1.0'?></a>",
	"<?xml version='1.1'?><a/>", "<?xml version=1.1?><a/>", "<?xml version='1.1?><a/>", "<?xml version=?><a/>",
	"<?xml version=x version='1.1'?><a/>", "<?xml version='1.0' encoding='Utf-8'?><a/>",
	"<?xml encoding='latin1'?><a/>",
	"<?xml encoding=", "<a>&</a>", "<a>&;</a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&#x41</a>", "<a>&#X41;</a>",
	"<a>&#x1g;</a>",
	"<a>&#0;</a>", "<a>&#xD800;&#xDFFF;</a>", "<a>&#xFFFE;</a>", "<a>&#x10FFFF;&#x000000000000000000000041;</a>",
	"<a>&#x110000;</a>", "<a>&#99999999999999999999999999;</a>", "<a>&amp</a>", "<a>&amp ;</a>",
	"<a>&lt;&gt;&amp;&quot;&apos;</a>",
	"<a>&nbsp;</a>", "<a>&1;</a>", "<a>&é;</a>", "<a>&am\n</a>", "<a>&", "<a>&#", "<a>&#x", "<a>&amp",
	"<a b='&#0;'/>", "<a b='&", "<a b='&x;'/>",
	"<a>\x01</a>", "<a>\x01", "<a>\x01&x;</a>", "<a b='\x01' c></a>", "<a b='\x01<'/>",
	"<a>\x7f\u0085\ufffd</a>", "<a>\uffff</a>",
	"<a>\xed\xa0\x80</a>", "<a>\xf0\x9f</a>", "<a>\xf0\x9f\x98\x80</a>", "<!DOCTYPE a><a/>", "<a><!ENTITY x 'y'></a>",
	"<a b='\ufffd'><?quire-bytes @b AA==?>x\ufffd<?quire-bytes text AA==?></a>",
	"<a b='\ufffd'/><?quire-bytes @b AA==?>",
	"<a><b c='x'><?quire-bytes @c AA==?></b></a>", "<a><?quire-bytes @b AA==?></a>", "<a><?quire-bytes?></a>",
	"<a xmlns:p='u' p:b='\ufffd'><?quire-bytes @p:b AA==?><?other?><?quire-bytes @p:b AA==?></a>",
	"<a b='1'>" + strings.Repeat("<b c='1' d='2'><c e='3'>x</c>\n</b>", 20) + "</a>",
}

func TestSameAsOracle(t *testing.T) {
	for _, doc := range oddities {
		for how, reader := range map[string]func(io.Reader) io.Reader{
			"whole":                 func(r io.Reader) io.Reader { return r },
			"byte by byte":          iotest.OneByteReader,
			"end of file with data": iotest.DataErrReader,
			"failing at its end": func(r io.Reader) io.Reader {
				return io.MultiReader(r, iotest.ErrReader(errors.New("gone")))
			},
		} {
			t.Run(fmt.Sprintf("%.40q %s", doc, how), func(t *testing.T) {
				compare(t, func() io.Reader { return reader(strings.NewReader(doc)) }, Limits{})
			})
		}
	}
}

// TestSameAsOracleOnSamples compares every XML document of the samples.
func TestSameAsOracleOnSamples(t *testing.T) {
	const shared = "../../../shared"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("no samples beside the repository")
	}
	read, accepted := 0, 0
	for _, dir := range []string{"samples", "conformance", "schemas"} {
		err := filepath.WalkDir(filepath.Join(shared, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !isXML(path) {
				return err
			}
			read++
			t.Run(path, func(t *testing.T) {
				if compare(t, func() io.Reader { return openSample(t, path) }, Limits{}) {
					accepted++
				}
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d documents, of which %d are accepted", read, accepted)
	if accepted < 50 {
		t.Errorf("%d documents are accepted; want 50 or more", accepted)
	}
}

// isXML reports whether a name is that of an XML document.
func isXML(path string) bool {
	switch filepath.Ext(strings.TrimSuffix(path, ".gz")) {
	case ".xml", ".xsd", ".svg", ".rdf", ".xhtml", ".xsl", ".opf", ".ncx", ".wsdl", ".rss", ".atom", ".mets", ".premis":
		return true
	}
	return false
}

func openSample(t *testing.T, path string) io.Reader {
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return strings.NewReader("")
	}
	t.Cleanup(func() { _ = file.Close() })
	if filepath.Ext(path) != ".gz" {
		return file
	}
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Error(err)
		return strings.NewReader("")
	}
	return plain
}

func FuzzSameAsOracle(f *testing.F) {
	for _, doc := range oddities {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if strings.Contains(doc, "'xmlns'") || strings.Contains(doc, `"xmlns"`) {
			return // the oracle took an attribute in a namespace of this name for a declaration
		}
		compare(t, func() io.Reader { return strings.NewReader(doc) }, Limits{})
		compare(t, func() io.Reader { return iotest.OneByteReader(strings.NewReader(doc)) }, Limits{})
	})
}

// TestSameAsOracleBeyondTheWindow compares documents with more names, prefixes and bytes than the
// scanner keeps.
func TestSameAsOracleBeyondTheWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("makes one call after the other: run it without -short")
	}
	var many, deep, long strings.Builder
	many.WriteString("<a xmlns:kept='urn:kept'>")
	for i := range 3 * maxNames {
		fmt.Fprintf(&many,
			"<p%d:e%d xmlns:p%d='urn:%d' kept:k='%d' p%d:x='&#%d;'><kept:b/><p%d:c/>%d</p%d:e%d>\n", i, i, i, i%7, i,
			i, i+300, i-1, i, i, i)
	}
	many.WriteString("</a>")
	for i := range 200 {
		fmt.Fprintf(&deep, "<q:e xmlns:q='urn:%d' q:x%d='1'>", i, i)
	}
	for range 200 {
		deep.WriteString("<q:f/></q:e>")
	}
	long.WriteString("<a>")
	for _, size := range []int{1, bufferSize - 20, bufferSize, 3*bufferSize + 1} {
		x := strings.Repeat("x&amp;é\r\n", size/10)
		fmt.Fprintf(&long, "<b c='%s'>%s<!--%s--><![CDATA[%s]]><?p %s?></b>\n", x, x, x, x, x)
	}
	long.WriteString("</a>")
	for name, doc := range map[string]string{"names": many.String(), "depth": deep.String(), "length": long.String()} {
		for how, reader := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r },
			"in halves": iotest.HalfReader, "byte by byte": iotest.OneByteReader} {
			t.Run(name+" "+how, func(t *testing.T) {
				if !compare(t, func() io.Reader { return reader(strings.NewReader(doc)) }, Limits{}) {
					t.Error("the oracle refuses it")
				}
			})
		}
	}
}

// TestNamesAreForgotten checks that a document with any number of names does not take memory for all
// of them.
func TestNamesAreForgotten(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("<a>")
	for i := range 10 * maxNames {
		fmt.Fprintf(&doc, "<p%d:e/>", i)
	}
	r := NewReader(strings.NewReader(doc.String()+"</a>"), Limits{})
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	if err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if n := len(r.scanner.known) + len(r.scanner.prefixes); n > 3*maxNames {
		t.Errorf("%d names and prefixes are kept; want %d or fewer", n, 3*maxNames)
	}
}

// TestSkippedElementsAllocateNothing checks that nothing is built of skipped elements.
func TestSkippedElementsAllocateNothing(t *testing.T) {
	doc := "<a>" + strings.Repeat("<b c='1' d='&lt;'><e>some text of it</e><f g='h'/></b>\n", 5000) + "</a>"
	allocations := testing.AllocsPerRun(5, func() {
		if err := readAll(doc, Limits{}); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 500 {
		t.Errorf("%.0f allocations for 15,000 elements that are skipped; want 500 or fewer", allocations)
	}
}

func BenchmarkSkip(b *testing.B) {
	doc := "<a>" + strings.Repeat("<b c='1' d='two'><e>some text of it</e><f g='h'/></b>\n", 50_000) + "</a>"
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if err := readAll(doc, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
