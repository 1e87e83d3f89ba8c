package browser

import (
	"bytes"
	"crypto/sha256"
	files "embed"
	"encoding/base64"
	little "encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"
)

//go:embed testdata/checks
var checkFiles files.FS

// The host of the checks, and one whose pages they show in frames.
const (
	appHost   = "app.example"
	otherHost = "other.example"
)

// seven is a WebAssembly module with one function, which returns 7.
const seven = "\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x00\x01\x7f\x03\x02\x01\x00\x07\x09\x01\x05seven\x00\x00" +
	"\x0a\x06\x01\x04\x00\x41\x07\x0b"

// newCheckSite returns the websites of the checks (testdata/checks/checks.js).
func newCheckSite() http.Handler {
	mux := http.NewServeMux()
	serve := func(path, mime, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mime)
			w.Header().Set("Access-Control-Allow-Origin", "*")
			_, _ = io.WriteString(w, body)
		})
	}
	file := func(name string) string {
		b, err := checkFiles.ReadFile("testdata/checks/" + name)
		if err != nil {
			panic(err) // embedded
		}
		return string(b)
	}
	sum := sha256.Sum256([]byte(file("library.js")))
	const page = "text/html; charset=utf-8"
	index := strings.ReplaceAll(file("index.html"), "INTEGRITY", "sha256-"+base64.StdEncoding.EncodeToString(sum[:]))
	mux.HandleFunc("GET /app/index.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", page)
		for _, c := range []string{"captured=1; Path=/", "inApp=2; Domain=app.example; Path=/app; Max-Age=1000",
			"hidden=1; HttpOnly", "elsewhere=1; Path=/no", "gone=1; Max-Age=0",
			"alien=1; Domain=" + cdnHost} {
			w.Header().Add("Set-Cookie", c)
		}
		_, _ = io.WriteString(w, index)
	})
	serve("/hop.html", page, `<script>location.href = "http://`+cdnHost+`/frame.html?hop"</script>`)
	for _, name := range []string{"start.html", "frame.html", "based.html", "refresh.html", "strict.html"} {
		serve("/"+name, page, file(name))
	}
	for _, name := range []string{"classic.js", "library.js", "module.js", "word.js", "far.js", "deep.js", "bare.js",
		"later.js", "worker.js", "imported.js", "imported-far.js", "worker-module.js", "worker-nested.js", "checks.js",
		"names.js", "own.js", "exports.js", "svg.js", "framed.js"} {
		serve("/js/"+name, "text/javascript", file(name))
	}
	serve("/sw.js", "text/javascript", `self.addEventListener("fetch", () => {})`)
	serve("/strict.xhtml", "application/xhtml+xml", file("strict.xhtml"))
	serve("/js/wide.js", "text/javascript", "\xff\xfe"+inUTF16("seen.wide = [location.host, \"é\"];\n"))
	serve("/css/main.css", "text/css", file("main.css"))
	serve("/css/more/imported.css", "text/css", file("imported.css"))
	for _, name := range []string{"relative", "root", "absolute", "far", "xhr", "busted"} {
		serve("/data/"+name+".json", "application/json", `{"is": "`+name+`"}`)
	}
	serve("/events", "text/event-stream", "data: hello\n\n")
	serve("/wasm/seven.wasm", "application/wasm", seven)
	serve("/long.bin", "application/octet-stream", strings.Repeat("0123456789", 1000))
	serve("/pic/sprite.svg", "image/svg+xml",
		`<svg xmlns="http://www.w3.org/2000/svg"><rect id="box" width="12" height="12"/></svg>`)
	serve("/pic/live.svg", "image/svg+xml", file("live.svg"))
	mux.HandleFunc("GET /pic/{name}", picture)
	serve("/media/tone.wav", "audio/wav", string(tone(2)))
	serve("/media/master.m3u8", "application/vnd.apple.mpegurl",
		"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=900000\nhigh.m3u8\n")
	serve("/media/low.m3u8", "application/vnd.apple.mpegurl",
		"#EXTM3U\n#EXTINF:2,\nhttp://"+cdnHost+"/media/s1.ts\n#EXTINF:2,\ns2.ts\n#EXT-X-ENDLIST\n")
	serve("/media/manifest.mpd", "application/dash+xml", `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">`+
		`<Period><AdaptationSet><Representation id="a" bandwidth="1"><SegmentTemplate media="s1.ts"/></Representation>`+
		`</AdaptationSet></Period></MPD>`)
	for _, name := range []string{"s1.ts", "s2.ts", "high.m3u8"} {
		serve("/media/"+name, "video/mp2t", strings.Repeat("G", 188))
	}
	films(serve)
	mux.HandleFunc("GET /moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/frame.html?moved", http.StatusFound)
	})
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/form", echo)
	mux.HandleFunc("POST /parts", parts)
	mux.HandleFunc("POST /beacon", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST "+otherHost+"/told", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", page)
		_, _ = fmt.Fprintf(w, `<p>told<script>parent.postMessage({form: %q}, "http://%s")</script>`, body, appHost)
	})
	return mux
}

// films serves films of which a crawler takes the small variants only.
func films(serve func(path, mime, body string)) {
	const hls = "application/vnd.apple.mpegurl"
	serve("/media/film/master.m3u8", hls, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=900000\n"+
		"http://"+cdnHost+notCrawled+"best.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nsmall.m3u8\n")
	for name, folder := range map[string]string{"small": "/media/film/", "best": notCrawled} {
		serve(folder+name+".m3u8", hls, "#EXTM3U\n#EXTINF:2,\n"+name+"1.ts\n#EXTINF:2,\nhttp://"+cdnHost+folder+name+
			"2.ts\n#EXT-X-ENDLIST\n")
		for _, part := range []string{"1.ts", "2.ts", ".mp4"} {
			serve(folder+name+part, "video/mp2t", strings.Repeat("G", 188))
		}
	}
	serve("/media/film/manifest.mpd", "application/dash+xml", `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period>`+
		`<AdaptationSet><Representation bandwidth="9"><BaseURL>`+notCrawled+`best.mp4</BaseURL></Representation>`+
		`<Representation bandwidth="1"><BaseURL>small.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`)
}

// inUTF16 returns a text in UTF-16, little-endian.
func inUTF16(text string) string {
	var b []byte
	for _, c := range utf16.Encode([]rune(text)) {
		b = little.LittleEndian.AppendUint16(b, c)
	}
	return string(b)
}

// echo answers with the request.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	answer := map[string]string{"method": r.Method, "sent": string(body)}
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/form" {
		w.Header().Set("Content-Type", "text/html")
		answer["query"] = r.URL.RawQuery
		b, _ := json.Marshal(answer)
		_, _ = fmt.Fprintf(w, "<title>form</title><p>%s", html.EscapeString(string(b)))
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// parts answers with the fields of a form of several parts.
func parts(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := map[string]string{"field": r.FormValue("field"), "file": r.FormValue("file")}
	if f, _, err := r.FormFile("file"); err == nil {
		b, _ := io.ReadAll(f)
		answer["file"] = string(b)
	}
	w.Header().Set("Content-Type", "application/json")
	if r.URL.RawQuery == "html" {
		w.Header().Set("Content-Type", "text/html")
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// tone returns a sound, as a WAV file.
func tone(seconds int) []byte {
	const rate = 8000
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = little.Write(&b, little.LittleEndian, uint32(36+rate*seconds))
	b.WriteString("WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8)} {
		_ = little.Write(&b, little.LittleEndian, v)
	}
	b.WriteString("data")
	_ = little.Write(&b, little.LittleEndian, uint32(rate*seconds))
	b.Write(bytes.Repeat([]byte{0x80, 0x90}, rate*seconds/2))
	return b.Bytes()
}
