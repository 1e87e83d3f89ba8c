package captures

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestManifest: a manifest that is read container by container has everything that was written, and damaged ones are
// refused as before.
func TestManifest(t *testing.T) {
	t.Parallel()
	want := manifest{Version: 2, Next: 9, Containers: []Container{
		{Package: "p", Path: "containers/a.warc", SHA512: "ab", Harvest: 1, Captures: 3, Unlisted: 2, In: 4, Version: 2,
			Left: map[string]int64{LeftCut: 1}, Segments: 5},
		{Package: "p", Path: "containers/b.warc", In: 8}, {Package: "q", Path: "containers/b.warc", In: 7},
	}, Segments: []named{{Name: "000001", Lines: 5, Bytes: 6, Places: true}, {Name: "000002"}}}
	text, err := json.MarshalIndent(&want, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeManifest(bytes.NewReader(text))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, whole := range []string{`{}`, `{"containers":null,"segments":null}`, `{"later":[{"a":1}],"next":0}` + "\n"} {
		if got, err := decodeManifest(strings.NewReader(whole)); err != nil || !reflect.DeepEqual(got, manifest{}) {
			t.Errorf("%s: %+v, %v", whole, got, err)
		}
	}
	for _, broken := range []string{``, `null`, `[]`, `{`, `{"containers":`, `{"containers":[`, `{"containers":[{}`,
		`{"containers":[{}]`, `{"containers":{}}`, `{"containers":[1]}`, `{"next":"a"}`, `{}{}`, `{} a`,
		string(text[:len(text)-1]), string(text[:len(text)/2])} {
		if _, err := decodeManifest(strings.NewReader(broken)); err == nil {
			t.Errorf("%.40q was read", broken)
		}
	}
}

// TestManifestUnreadable: a fault of the disk is no broken index, which would be emptied and made again.
func TestManifestUnreadable(t *testing.T) {
	t.Parallel()
	fault := errors.New("input/output error")
	var broken *brokenError
	for _, begin := range []string{"", `{"version":2,"containers":[{"package":"p"},`} {
		in := io.MultiReader(strings.NewReader(begin), iotest.ErrReader(fault))
		if _, err := manifestFrom(in, "index.json"); !errors.Is(err, fault) || errors.As(err, &broken) {
			t.Errorf("behind %q: %v", begin, err)
		}
	}
	if _, err := manifestFrom(strings.NewReader(`{"version":`), "index.json"); !errors.As(err, &broken) {
		t.Errorf("a cut text: %v", err)
	}
	dir := t.TempDir()
	if _, err := openFiles(dir, named{Name: "1"}); !errors.As(err, &broken) {
		t.Errorf("a missing file: %v", err)
	}
	loop := filepath.Join(dir, "2"+capturesExt)
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	if _, err := openFiles(dir, named{Name: "2"}); err == nil || errors.As(err, &broken) {
		t.Errorf("a file that cannot be opened: %v", err)
	}
}
