package schemas

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// The names are those that git and sha256sum compute, and each schema is found by its name.
func TestNames(t *testing.T) {
	if len(All) != 2 {
		t.Fatal(All)
	}
	for _, s := range All {
		for _, c := range []struct {
			args []string
			want string
		}{{[]string{"git", "hash-object", "--no-filters", s.File}, strings.TrimPrefix(s.SWHID, "swh:1:cnt:")},
			{[]string{"sha256sum", s.File}, s.SHA256 + "  " + s.File}} {
			if _, err := exec.LookPath(c.args[0]); err != nil {
				continue
			}
			out, err := exec.Command(c.args[0], c.args[1:]...).Output()
			if err != nil || strings.TrimSpace(string(out)) != c.want {
				t.Errorf("%v: %s, %v; want %s", c.args, out, err, c.want)
			}
		}
		found, ok := Named(s.SWHID)
		if !ok || found.File != s.File || !bytes.Contains(s.Text, []byte(`targetNamespace="`+s.Namespace+`"`)) {
			t.Errorf("%+v", s)
		}
	}
	if _, ok := Named("swh:1:cnt:0"); ok {
		t.Error("an unknown name is found")
	}
}
