package sandbox

import (
	"strings"
	"testing"
	"time"
)

var modified = time.Date(2005, 8, 29, 12, 1, 40, 0, time.UTC)

// TestExtension checks that a name from the web gives a program only a harmless extension.
func TestExtension(t *testing.T) {
	for name, want := range map[string]string{
		"foo2.jpg": "jpg", "Foo 2.JPG": "jpg", "a.tar.gz": "gz", "x.mp3": "mp3",
		"": "", "foo": "", "foo.": "", ".htaccess": "", "a.j/pg": "", "a.-o": "", "a.jp\ng": "", "a.jpé": "",
		"a.$(id)": "", "../../a.b/../c": "", "a.12345678901234567": "", "a.1234567890123456": "1234567890123456",
	} {
		if got := Extension(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestNamedInput checks that a program sees the extension and the modification time, and that the
// stated command line is the one that runs.
func TestNamedInput(t *testing.T) {
	for _, c := range []struct{ script, extension, want, line string }{
		{"echo {input}; date -u -r {input} +%FT%TZ", "jpg", "input.jpg\n2005-08-29T12:01:40Z\n",
			"sh -c 'echo input.jpg; date -u -r input.jpg +%FT%TZ'"},
		{"echo {input}", "", "input\n", "sh -c 'echo input'"},
		{"echo {input.pdf}", "jpg", "input.pdf\n", "sh -c 'echo input.pdf'"},
		{"printf '%s' \"a'b\"; ls | wc -l | tr -d ' '", "jpg", "a'b0\n",
			`sh -c 'printf '\''%s'\'' "a'\''b"; ls | wc -l | tr -d '\'' '\'''`},
	} {
		p := sh(c.script)
		q := Question{Temp: t.TempDir(), In: strings.NewReader("x"), Extension: c.extension, Modified: modified}
		a, err := p.Ask(t.Context(), q)
		if err != nil || string(a.Printed) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.script, a.Printed, err, c.want)
		}
		if line := p.CommandLine(q); line != c.line {
			t.Errorf("%s: command line\n%s\nwant\n%s", c.script, line, c.line)
		}
	}
	p := Command{Args: []string{"exiftool", "-json", "-x y"}}
	if line := p.PersistentCommandLine(Question{Extension: "png"}); line != "exiftool -json '-x y' input.png" {
		t.Error(line)
	}
}

// TestTimesOfFiles checks that a time outside the range of file systems is not set.
func TestTimesOfFiles(t *testing.T) {
	p := sh("date -u -r {input} +%Y")
	for _, far := range []time.Time{{}, time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)} {
		a, err := p.Ask(t.Context(), Question{Temp: t.TempDir(), In: strings.NewReader("x"), Modified: far})
		if err != nil || strings.HasPrefix(string(a.Printed), far.Format("2006")) || a.Reason != "" {
			t.Errorf("%s: %q, %v", far, a.Printed, err)
		}
	}
}
