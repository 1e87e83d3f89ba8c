package chromium

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/sandbox"
)

func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "--remote-debugging-pipe") {
		actAsChromium()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// actAsChromium speaks as Chromium does, on descriptors 3 and 4. A page is three requests; its picture is the
// answers. The path of the URL is a deed.
func actAsChromium() {
	in, out := bufio.NewReader(os.NewFile(3, "in")), os.NewFile(4, "out")
	say := func(v any) {
		text, _ := json.Marshal(v)
		_, _ = out.Write(append(text, 0))
	}
	type object = map[string]any
	pause := func(url, kind string) {
		say(object{"method": "Fetch.requestPaused", "params": object{"requestId": url, "resourceType": kind,
			"request": object{"url": url, "method": "POST", "postData": "sent",
				"headers": object{"Content-Type": "a/b", "Origin": "http://a.example"}}}})
	}
	url, picture, missing := "", "", 3
	for {
		text, err := in.ReadString(0)
		if err != nil {
			return
		}
		var m struct {
			ID     int64
			Method string
			Params struct {
				URL, Body, RequestID string
				ResponseCode         int
				ResponseHeaders      []struct{ Name, Value string }
			}
		}
		_ = json.Unmarshal([]byte(text[:len(text)-1]), &m)
		result := object{}
		switch m.Method {
		case "Target.createTarget":
			result["targetId"] = "T"
		case "Target.attachToTarget":
			result["sessionId"] = "S"
		case "Page.navigate":
			switch url = m.Params.URL; {
			case strings.HasSuffix(url, "/crash"):
				fmt.Fprintln(os.Stderr, "out of memory")
				os.Exit(3)
			case strings.HasSuffix(url, "/dies"):
				say(object{"method": "Inspector.targetCrashed", "sessionId": "S"})
			case strings.HasSuffix(url, "/dies-outside"):
				say(object{"method": "Target.targetCrashed", "params": object{"targetId": "T"}})
			case strings.HasSuffix(url, "/eat"):
				eaten = make([]byte, 400<<20)
				for i := range eaten {
					eaten[i] = 1 // so it is in memory
				}
				time.Sleep(time.Hour)
			case strings.HasSuffix(url, "/none"):
				result["errorText"] = "net::ERR_ABORTED"
			case strings.HasSuffix(url, "/dialog"):
				say(object{"method": "Page.javascriptDialogOpening"})
			default:
				pause(url, "Document")
				pause(url+"/picture", "Image")
				pause(url+"/film", "Media")
			}
		case "Page.handleJavaScriptDialog":
			picture = "closed"
			say(object{"method": "Page.loadEventFired"})
		case "Fetch.fulfillRequest":
			body, _ := base64.StdEncoding.DecodeString(m.Params.Body)
			picture += fmt.Sprintf("%s %d %v %s\n", m.Params.RequestID, m.Params.ResponseCode,
				m.Params.ResponseHeaders, body)
			if missing--; missing == 0 && !strings.HasSuffix(url, "/slow") {
				say(object{"method": "Page.loadEventFired"})
			}
		case "Page.captureScreenshot":
			if strings.HasSuffix(url, "/hang") {
				time.Sleep(time.Hour)
			}
			result["data"] = base64.StdEncoding.EncodeToString([]byte(picture))
		}
		say(object{"id": m.ID, "result": result})
	}
}

// eaten is the memory of a page.
var eaten []byte

// fake returns the test as a browser.
func fake(t *testing.T) *Browser {
	t.Helper()
	if err := sandbox.Required.Allows(sandbox.Jail()); err != nil {
		t.Skip(err)
	}
	return &Browser{Program: os.Args[0], Temp: t.TempDir()}
}

func TestShot(t *testing.T) {
	b := fake(t)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	answers := func(_ context.Context, q Request) (*Response, error) {
		if q.Method != "POST" || string(q.Body) != "sent" || q.ContentType != "a/b" {
			t.Errorf("%+v", q)
		}
		switch q.URL {
		case "http://a.example/slow":
			return &Response{Status: 200, ContentType: "text/html", Body: []byte("page")}, nil
		case "http://a.example/":
			return &Response{Status: 301, Location: "http://b.example/"}, nil
		case "http://a.example/fails":
			return nil, context.DeadlineExceeded
		case "http://a.example/slow/film":
			t.Error("a film is asked for")
		}
		return nil, nil
	}
	const shared = "{Access-Control-Allow-Origin http://a.example} {Access-Control-Allow-Credentials true}"
	got, err := b.Shot(t.Context(), "http://a.example/", answers)
	if err != nil || !strings.HasPrefix(string(got), "http://a.example/ 301 ["+shared+
		" {Location http://b.example/}]") {
		t.Errorf("%s, %v", got, err)
	}
	b.Time = 200 * time.Millisecond // the page is never loaded, and the picture shows a part
	got, err = b.Shot(t.Context(), "http://a.example/slow", answers)
	if want := "http://a.example/slow 200 [" + shared + " {Content-Type text/html}] page\n" +
		"http://a.example/slow/picture 404 [" + shared + " {Content-Type text/plain}] \n" +
		"http://a.example/slow/film 404 [" + shared + " {Content-Type text/plain}] \n"; err != nil ||
		string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if got, err := b.Shot(t.Context(), "http://a.example/dialog", answers); err != nil || string(got) != "closed" {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := b.Shot(t.Context(), "http://a.example/fails", answers); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// memoryCounts is false with the race detector.
var memoryCounts = true

func TestShotFails(t *testing.T) {
	b := fake(t)
	b.Time, b.starting = 100*time.Millisecond, 3*time.Second
	nothing := func(context.Context, Request) (*Response, error) { return nil, nil }
	var failed *sandbox.Failure
	const died = "the process of the page ended"
	for deed, want := range map[string]string{"crash": "out of memory", "hang": "it was not done after 3.1s",
		"dies": died, "dies-outside": died} {
		_, err := b.Shot(t.Context(), "http://a.example/"+deed, nothing)
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", deed, err)
		}
	}
	if memoryCounts {
		b.memory, b.Time = 300<<20, 10*time.Second
		if _, err := b.Shot(t.Context(), "http://a.example/eat", nothing); !errors.As(err, &failed) ||
			strings.Contains(err.Error(), "it was not done after") { // the kernel or the check ends it before
			t.Errorf("a page that eats memory: %v", err)
		}
	}
	b.memory, b.Time = 0, 100*time.Millisecond
	var none *NoPageError
	if _, err := b.Shot(t.Context(), "http://a.example/none", nothing); !errors.As(err, &none) {
		t.Errorf("%v", err)
	}
	b.Program = "true" // a fault of the machine, not of the page
	if _, err := b.Shot(t.Context(), "http://a.example/", nothing); err == nil || errors.As(err, &failed) ||
		!strings.Contains(err.Error(), "does not start") {
		t.Errorf("%v", err)
	}
	b.Program = "no-such-browser"
	if err := b.Check(); err == nil || !strings.Contains(err.Error(), "install it, or give its path") {
		t.Errorf("%v", err)
	}
}
