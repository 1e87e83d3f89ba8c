package textdiff

import (
	"fmt"
	"strings"
	"testing"
)

// TestGap: unchanged lines between two changes are a gap with their number.
func TestGap(t *testing.T) {
	t.Parallel()
	var a []string
	for i := range 20 {
		a = append(a, fmt.Sprint("line ", i))
	}
	b := append([]string{"first"}, a...)
	b = append(b, "last")
	d := Compare(a, b)
	if d.Added != 2 || d.Removed != 0 || d.Whole || d.More {
		t.Fatalf("%+v", d)
	}
	var classes []string
	for _, l := range d.Lines {
		classes = append(classes, string(l.Class))
	}
	if got := strings.Join(classes, " "); got != "added kept kept gap kept kept added" || d.Lines[3].Hidden != 16 {
		t.Errorf("%s, %d hidden", got, d.Lines[3].Hidden)
	}
	if d = Compare(a, a); len(d.Lines) != 0 {
		t.Errorf("equal texts: %+v", d)
	}
}

// TestReadLimits: a long text is cut, and says so; scripts are no text.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	long := Read([]byte(strings.Repeat("<p>a</p>", maxLines+1)), "text/html")
	if len(long.Lines) != maxLines || !long.More {
		t.Errorf("%d lines, more %v", len(long.Lines), long.More)
	}
	short := Read([]byte("<script>x</script><p>b\x00\u202e c"), "text/html")
	if len(short.Lines) != 1 || short.Lines[0] != "b c" || short.More {
		t.Errorf("%+v", short)
	}
}
