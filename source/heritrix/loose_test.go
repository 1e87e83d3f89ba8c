package heritrix

import (
	"slices"
	"strings"
	"testing"

	"quire/model"
)

const looseLine = "2005-05-06T11:47:26.550Z     1         53 dns:www.kb.dk P http://www.kb.dk/ text/dns #002 " +
	"20050506114726441+2 - -\n"

func TestLogsThatLieAlone(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string // ID: files
	}{
		{"a crawl log of its own name, with the containers beside it",
			map[string]string{"a/boats.log": looseLine, "a/x.warc.gz": "", "a/x.cdx": "", "a/note.txt": "",
				"a/uri-errors.log": "", "b/y.arc": ""},
			[]string{"boats: a/boats.log a/uri-errors.log a/x.cdx a/x.warc.gz"}},
		{"of several, the owner of the containers is unknown",
			map[string]string{"crawl-1.log": looseLine, "crawl-2.txt": looseLine, "x.arc": ""},
			[]string{"crawl-1: crawl-1.log", "crawl-2.txt: crawl-2.txt"}},
		{"more broken lines than whole ones", map[string]string{"a.log": "x\ny\n" + looseLine}, nil},
		{"one broken line", map[string]string{"a.log": "x\n" + looseLine}, []string{"a: a.log"}},
		{"no log of ours", map[string]string{"access.log": "127.0.0.1 - - [1/Jan/2005] \"GET /\" 200 5\n",
			"crawl.txt": "", "progress-statistics.log": "so far so good"}, nil},
		{"the other logs alone",
			map[string]string{"logs/progress-statistics.log": "20050506114726 CRAWL RESUMED\n20050506124726 CRAWL " +
				"ENDED - Finished\n", "logs/runtime-errors.log": ""},
			[]string{"progress-statistics: logs/progress-statistics.log logs/runtime-errors.log"}},
		{"their table alone",
			map[string]string{"progress-statistics.log": "           timestamp  discovered      queued   downloaded\n"},
			[]string{"progress-statistics: progress-statistics.log"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			claims, err := Loose{}.Find(t.Context(), folder(t, tt.files))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range claims {
				h, err := c.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if h.About().Documentation != model.PartlyDocumented {
					t.Errorf("%s is %s", h.About().ID, h.About().Documentation)
				}
				lines := 0
				for _, err := range h.Fetches(t.Context(), nil) {
					if err != nil {
						t.Fatal(err)
					}
					lines++
				}
				if crawl := strings.Contains(c.Why[0], "is a crawl log"); crawl != (lines == 1) {
					t.Errorf("%s gave %d lines", c.Why[0], lines)
				}
				slices.Sort(c.Files)
				got = append(got, h.About().ID+": "+strings.Join(c.Files, " "))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
