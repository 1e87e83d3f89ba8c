package browser

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	files "embed"
	"encoding/json"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

//go:embed testdata/beside
var besideFiles files.FS

// besideFile returns a file of testdata/beside.
func besideFile(name string) string {
	text, err := besideFiles.ReadFile("testdata/beside/" + name)
	if err != nil {
		panic(err) // embedded
	}
	return string(text)
}

// ownSite is a website of the comparison. Its file in testdata/beside has a section for each
// resource: "== HOST/PATH TYPE", then the body. The first section is the front page.
type ownSite struct{ name, front string }

// ownSites are all websites of the comparison, behind one handler.
type ownSites struct {
	sites []ownSite
	texts map[string][2]string // HOST/PATH?QUERY to type and body
}

func newOwnSites() *ownSites {
	s := &ownSites{texts: map[string][2]string{}}
	entries, err := besideFiles.ReadDir("testdata/beside")
	if err != nil {
		panic(err) // embedded
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".site")
		if !ok {
			continue
		}
		for i, section := range strings.Split("\n"+besideFile(e.Name()), "\n== ")[1:] {
			head, body, _ := strings.Cut(section, "\n")
			where, kind, _ := strings.Cut(head, " ")
			s.texts[where] = [2]string{kind, body}
			if i == 0 {
				s.sites = append(s.sites, ownSite{name, "http://" + where})
			}
		}
	}
	return s
}

var pictureName = regexp.MustCompile(`/pic/(\d+)/([^/]+(?:/[^/]+)?)\.png$`)

// ServeHTTP implements http.Handler.
func (s *ownSites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	send := func(kind string, body []byte) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body)
	}
	if r.Host == "storage.example" && r.URL.Path == "/" {
		w.Header().Set("Set-Cookie", "server=yes; Path=/")
	}
	where := r.Host + r.URL.Path
	for _, name := range []string{where + "?" + r.URL.RawQuery, where} {
		if t, ok := s.texts[name]; ok && r.Method == http.MethodGet {
			send(t[0], []byte(t[1]))
			return
		}
	}
	if m := pictureName.FindStringSubmatch(r.URL.Path); m != nil {
		send("image/png", ownPicture(m[1], m[2]))
		return
	}
	file := path.Base(r.URL.Path)
	switch {
	case file == "boxes.js":
		send("text/javascript", []byte(besideFile("boxes.js")))
	case file == "go.ttf":
		send("font/ttf", goregular.TTF)
	case file == "tone.wav":
		send("audio/wav", tone(60))
	case file == "long.txt":
		send("text/plain", bytes.Repeat([]byte("0123456789"), 10000))
	case r.URL.Path == "/moved":
		http.Redirect(w, r, "/api/sync.txt", http.StatusFound)
	case r.Host == "base.example" && r.URL.RawQuery == "pic=1":
		send("image/png", ownPicture("66", "query"))
	case r.Host == "forms.example" && r.URL.Path == "/post":
		body, _ := io.ReadAll(r.Body)
		send("text/html", []byte(`<body style="background:lightblue">posted `+string(body)))
	case r.URL.Path == "/echo":
		body, _ := io.ReadAll(r.Body)
		answer, _ := json.Marshal(map[string]string{"method": r.Method, "sent": string(body)})
		send("application/json", answer)
	case r.URL.Path == "/parts":
		_ = r.ParseMultipartForm(1 << 20)
		if r.URL.RawQuery == "html" {
			send("text/html", []byte(`<body style="background:khaki">parts: `+r.FormValue("k")))
			return
		}
		send("application/json", []byte(`{"k": "`+r.FormValue("k")+`"}`))
	case strings.HasPrefix(r.Host, "charsets."):
		ownCharset(file, send)
	case strings.HasPrefix(r.Host, "codings."):
		ownCoding(w, r, send)
	case strings.Contains(r.Host, "endless."):
		endless(r, send)
	default:
		http.NotFound(w, r)
	}
}

// ownPicture draws a picture of a width, with colours by its name.
func ownPicture(width, name string) []byte {
	n, _ := strconv.Atoi(width)
	n = min(max(n, 1), 999)
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	sum := h.Sum32()
	m := image.NewRGBA(image.Rect(0, 0, n, n/2+1))
	for y := range n/2 + 1 {
		for x := range n {
			c := color.RGBA{uint8(sum), uint8(sum >> 8), uint8(sum >> 16), 255}
			if (x/8+y/8)%2 == 0 {
				c = color.RGBA{uint8(sum>>16) / 2, uint8(sum) / 2, uint8(sum>>8) / 2, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m)
	return b.Bytes()
}

func ownCharset(file string, send func(string, []byte)) {
	in := func(e encoding.Encoding, text string) []byte {
		b, _ := e.NewEncoder().Bytes([]byte(text))
		return b
	}
	const russian = "Привет, мир"
	script := `<script>document.write("<p>" + document.characterSet + " ` + russian + `")</script>`
	wide := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	switch file {
	case "cp1251.html":
		send("text/html; charset=windows-1251", in(charmap.Windows1251, "<h2>"+russian+"</h2>"+script))
	case "meta1251.html":
		send("text/html", in(charmap.Windows1251,
			`<meta http-equiv=Content-Type content="text/html; charset=windows-1251"><h2>`+russian+"</h2>"+script))
	case "sjis.html":
		send("text/html", in(japanese.ShiftJIS, `<meta charset=Shift_JIS><h2>日本語表示</h2>`+
			`<script>document.write("<p>ソース表 " + document.characterSet)</script><img src="pic/90/表.png">`))
	case "utf16.html":
		send("text/html", in(wide, "<h2>"+russian+" 日本</h2>"+script+`<img src="pic/80/wide.png">`))
	case "latin2.html":
		send("text/html; charset=iso-8859-2", in(charmap.ISO8859_2, `<meta charset=utf-8><h2>Žluťoučký kůň</h2>`))
	case "bom.html":
		send("text/html; charset=iso-8859-1", []byte("\ufeff<h2>"+russian+" ž</h2>"+script))
	case "cp1251.js":
		send("text/javascript", in(charmap.Windows1251, `var russian = "`+russian+` from a script"`))
	case "cp1251.txt":
		send("text/plain; charset=windows-1251", in(charmap.Windows1251, russian))
	}
}

// These fields mark responses that the recorder stores in chunks, or with Brotli, which Chromium
// does not accept by http:, but crawlers do.
const (
	chunkedRecord = "X-Stored-In-Chunks"
	brotliRecord  = "X-Stored-With-Brotli"
)

func ownCoding(w http.ResponseWriter, r *http.Request, send func(string, []byte)) {
	coding, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, kind := "", "text/plain"
	switch name := strings.TrimPrefix(coding, "chunked-"); file {
	case "style.css":
		body, kind = "."+name+" { background: lightgreen; font-size: 30px }", "text/css"
	case "script.js":
		body, kind = "window."+map[string]string{"deflate": "deflated", "br": "bred"}[name]+" = 1", "text/javascript"
	case "data.json":
		body, kind = `{"is": "`+name+`"}`, "application/json"
	case "text.txt":
		body = strings.Repeat("chunks ok\n", 2000)
	case "page.html":
		body, kind = `<body style="background:gold"><h2>`+name+`</h2><img src="/pic/90/`+name+`.png">`, "text/html"
	case "pic.svg":
		body, kind = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1"/></svg>`,
			"image/svg+xml"
	}
	if strings.HasPrefix(coding, "chunked") {
		w.Header().Set(chunkedRecord, "yes")
	}
	var b bytes.Buffer
	var z io.WriteCloser
	switch name := strings.TrimPrefix(coding, "chunked-"); name {
	case "gzip":
		z = gzip.NewWriter(&b)
	case "br":
		w.Header().Set(brotliRecord, "yes")
	case "deflate":
		z, _ = flate.NewWriter(&b, 5)
	}
	if z == nil {
		send(kind, []byte(body))
		return
	}
	w.Header().Set("Content-Encoding", strings.TrimPrefix(coding, "chunked-"))
	_, _ = io.WriteString(z, body)
	_ = z.Close()
	send(kind, b.Bytes())
}

// endless answers requests whose URLs differ at each visit.
func endless(r *http.Request, send func(string, []byte)) {
	q := r.URL.Query()
	switch r.URL.Path {
	case "/api/items":
		n, _ := strconv.Atoi(q.Get("page"))
		items, more := []int{100 + 10*n, 101 + 10*n, 102 + 10*n}, n < 4
		text, _ := json.Marshal(map[string]any{"items": items, "more": more})
		send("application/json", text)
	case "/jsonp":
		send("text/javascript", []byte(q.Get("callback")+`({"is": "padded"})`))
	case "/api/one.json", "/api/session":
		send("application/json", []byte(`{"is": "`+strings.TrimSuffix(path.Base(r.URL.Path), ".json")+`"}`))
	}
}
