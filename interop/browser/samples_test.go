package browser

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/format/http1"
	"quire/format/warc"
	"quire/source/records"
)

// samples are crawls by other tools, named by the tool.
var samples = []struct{ name, source string }{
	{"browsertrix", "webrecorder_browsertrix/example-2.wacz"},
	{"browsertrix multi", "webrecorder_browsertrix/multi-wacz.wacz"},
	{"scoop", "harvard-lil_scoop/assets/fixtures/example.com.wacz"},
	{"scoop netlify", "harvard-lil_scoop/assets/fixtures/noarchive.netlify.app.wacz"},
	{"py-wacz", "webrecorder_py-wacz/history/fixtures/valid_example_1.wacz"},
	{"wget wacz", "_made/crawls/wacz/wget-devref.wacz"},
	{"heritrix 3", "netarchivesuite_solrwayback/history/docker/test-warcs"},
	{"gov.uk revisits", "ukwa_webarchive-discovery/gov.uk-revisit-warcs"},
	{"blackbook ARC", "netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz"},
	{"httrack", "_made/crawls/httrack/devref.tar.gz"},
	{"js-wacz", "harvard-lil_js-wacz/lil-projects.warc.gz"},
}

// TestSamples replays pages of the samples with status 200. Each page renders, and its captured
// same-site images load. QUIRE_PAGES is the number of pages of each sample; "all" means all.
func TestSamples(t *testing.T) {
	shared := os.Getenv("QUIRE_SHARED")
	if shared == "" {
		t.Skip("QUIRE_SHARED is not set")
	}
	most := 12
	if text := os.Getenv("QUIRE_PAGES"); text == "all" {
		most = 1 << 30
	} else if text != "" {
		if _, err := fmt.Sscan(text, &most); err != nil {
			t.Fatal(err)
		}
	}
	l, address := listenLive(t)
	for _, sample := range samples {
		t.Run(strings.ReplaceAll(sample.name, " ", "-"), func(t *testing.T) {
			source := filepath.Join(shared, "samples", sample.source)
			dir := t.TempDir()
			repo, out := filepath.Join(dir, "repo"), filepath.Join(dir, "package")
			quire(t, "init", repo)
			quire(t, "pack", source, "--out", out)
			quire(t, "ingest", out, "--repo", repo)
			s := serve(t, repo)
			b := open(t, "MAP * "+address+", EXCLUDE localhost, EXCLUDE 127.0.0.1")
			look(t, b, s, captured(t, out), most)
		})
	}
	nobodyCame(t, l)
}

// found is the relevant content of a package.
type found struct {
	pages  []visit         // HTML with status 200
	images map[string]bool // URLs of images with status 200
}

type visit struct{ timestamp, url string }

// captured reads the containers of a package.
func captured(t *testing.T, pkg string) found {
	t.Helper()
	f := found{images: map[string]bool{}}
	err := filepath.WalkDir(filepath.Join(pkg, "containers"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		in, err := os.Open(path)
		if err != nil {
			return err
		}
		defer in.Close()
		r := records.NewReader(in, nil)
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			body, declared := io.Reader(rec), rec.ContentType
			if rec.Type == warc.TypeResponse {
				m, err := http1.ReadMessage(rec, http1.Response)
				if err != nil || m.Head == nil || m.Head.StatusCode != 200 {
					continue
				}
				body, declared = m.Body, m.Head.Get("Content-Type")
			} else if rec.Type != warc.TypeResource {
				continue
			}
			if n, _ := body.Read(make([]byte, 1)); n == 0 {
				continue // nothing to render
			}
			kind, _, _ := mime.ParseMediaType(declared)
			switch {
			case kind == "text/html":
				f.pages = append(f.pages, visit{rec.Date.UTC().Format("20060102150405"), rec.URI})
			case strings.HasPrefix(kind, "image/"):
				f.images[rec.URI] = true
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shownImage is an image of a page in the browser.
type shownImage struct {
	Src    string `json:"src"`
	Width  int    `json:"width"`
	Shown  bool   `json:"shown"`
	Loaded bool   `json:"loaded"`
}

const seen = `({
  text: document.documentElement ? document.documentElement.textContent.trim().length : -1, elements: ` +
	`document.getElementsByTagName("*").length,
  frames: frames.length,
  images: [...document.images].map(i => ({src: i.currentSrc || i.src, width: i.naturalWidth, shown: i.loading ` +
	`!== "lazy", loaded: i.complete})),
})`

// look visits pages, spread evenly over all of them.
func look(t *testing.T, b *chromium, s serving, f found, most int) {
	t.Helper()
	if len(f.pages) == 0 {
		t.Fatal("no pages")
	}
	step := max(1, len(f.pages)/most)
	pages, images := 0, 0
	for i := 0; i < len(f.pages) && pages < most; i += step {
		p := f.pages[i]
		pages++
		b.do(t, p.url, b.settle(s.replay+"/all/"+p.timestamp+"mp_/"+p.url))
		due := func(img shownImage) (original string, due bool) {
			original = originalOf(s, img.Src)
			return original, img.Shown && f.images[original] && hostOf(original) == hostOf(p.url)
		}
		page := rendered(t, b, due)
		if page.empty() {
			t.Errorf("%s of %s renders nothing: %+v", p.url, p.timestamp, page)
		}
		for _, img := range page.Images {
			original, due := due(img)
			if !due {
				continue
			}
			if images++; img.Width == 0 {
				t.Errorf("%s of %s: the image %s does not load (%+v)", p.url, p.timestamp, original, img)
			}
		}
	}
	t.Logf("%d of %d pages, %d same-site images", pages, len(f.pages), images)
}

// rendering is the browser's view of a page.
type rendering struct {
	Text, Elements, Frames int
	Images                 []shownImage
}

func (r rendering) empty() bool {
	return r.Elements < 3 || r.Text <= 0 && len(r.Images) == 0 && r.Frames == 0
}

// rendered reads the page, and repeats this while it is empty or lacks due images. The worker
// causes the first page to load twice, and some pages redirect at once.
func rendered(t *testing.T, b *chromium, due func(shownImage) (string, bool)) (r rendering) {
	t.Helper()
	missing := func(img shownImage) bool {
		_, due := due(img)
		return due && img.Width == 0
	}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if r = value[rendering](t, b, seen); !r.empty() && !slices.ContainsFunc(r.Images, missing) {
			break
		}
	}
	return r
}

// originalOf returns the original URL of a replay URL on any host of the replay.
func originalOf(s serving, src string) string {
	host, rest, ok := strings.Cut(src, "/all/")
	if port := s.replay[strings.LastIndex(s.replay, ":"):]; !ok || !strings.HasSuffix(host, port) {
		return src
	}
	_, original, _ := strings.Cut(rest, "/")
	return original
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Host), "www.")
}
