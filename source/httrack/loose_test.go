package httrack

import (
	"slices"
	"strings"
	"testing"

	"quire/model"
)

const (
	looseLog = "HTTrack3.21-4 launched on Thu, 03 Apr 2003 01:00:14 at http://a.example/ -b.example/*\n(httrack " +
		"http://a.example/ -O /m )\n"
	looseRows = "date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked," +
		"gZipped)\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n" +
		"01:00:14\t5/5\t---M--\t200\tadded ('OK')\ttext/html\tdate:Thu," +
		"%2003%20Apr%202003%2000:00:14%20GMT\thttp://a.example/\t/m/a.example/index.html\t(from )\n"
	looseHeaders = "request for a.example/:\n<<< GET / HTTP/1.1\n<<< Host: a.example\n<<< User-Agent: boat\n\n" +
		"response for a.example/:\ncode=200\n>>> HTTP/1.1 200 OK\n>>> Server: x\n\n"
)

func TestLogsThatLieAlone(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string // of each harvest: files, software, user agent, lines of the log
	}{
		{"one of each is one mirror", map[string]string{"x/l.txt": looseLog, "x/n": looseRows, "x/h.log": looseHeaders},
			[]string{"x/h.log x/l.txt x/n HTTrack3.21-4 boat 1"}},
		{"several of a kind are several", map[string]string{"a.txt": looseRows, "b.txt": looseRows},
			[]string{"a.txt   1", "b.txt   1"}},
		{"headers of 2001", map[string]string{"h": "Out:\nGET http://a.example/ HTTP/1.1\nUser-Agent: boat\n\n"},
			[]string{"h  boat 0"}},
		{"a file that only mentions it", map[string]string{"note.txt": "HTTrack is a copier", "a.txt": "Out: of office",
			"b.txt": "request for comments:\n", "c.zip": "PK\x03\x04"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			claims, err := Loose{}.Find(t.Context(), mirrorOf(t, tt.files))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range claims {
				h, err := c.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				lines := 0
				for _, err := range h.Fetches(t.Context(), nil) {
					if err != nil {
						t.Fatal(err)
					}
					lines++
				}
				for _, f := range h.About().Files {
					if f.Role != model.RoleLog || tt.files[f.Path] == "" {
						t.Errorf("%s is a file of role %s", f.Path, f.Role)
					}
				}
				got = append(got, strings.Join([]string{strings.Join(c.Files, " "), h.About().Software,
					h.About().UserAgent, string(rune('0' + lines))}, " "))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestACacheIsNoArchiveOfFiles(t *testing.T) {
	entry := func(name string) []byte {
		b := make([]byte, 30, 64)
		copy(b, "PK\x03\x04")
		b[26] = byte(len(name))
		return append(b, name...)
	}
	for name, want := range map[string]bool{"http://a.example/": true, "https://a.example/x": true,
		"hts-cache/new.zip": false, "": false, "http": false} {
		if IsCache(entry(name)) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
	if IsCache([]byte("PK\x03\x04")) || IsCache(nil) {
		t.Error("a truncated head was mistaken for a cache")
	}
}
