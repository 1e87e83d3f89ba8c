package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// firefox is one running browser. It is controlled by Marionette: "LENGTH:[0, id, command,
// parameters]".
type firefox struct {
	conn net.Conn
	r    *bufio.Reader
	id   int
}

// openFirefox starts Firefox ESR with a new profile, and more lines of user.js.
func openFirefox(t *testing.T, more ...string) *firefox {
	t.Helper()
	program, err := exec.LookPath("firefox-esr")
	if err != nil {
		t.Skip("Firefox ESR is not installed")
	}
	profile := t.TempDir()
	prefs := `user_pref("marionette.port", 0); user_pref("dom.disable_open_during_load", false); ` +
		`user_pref("datareporting.policy.dataSubmissionEnabled", false);`
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs+strings.Join(more, "\n")),
		0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank")
	cmd.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "HOME="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f := &firefox{}
	t.Cleanup(func() {
		if f.conn != nil {
			_, _ = f.send("Marionette:Quit", map[string]any{}) // it may end before it answers
			_ = f.conn.Close()
		}
		late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it writes its profile
		late.Stop()
	})
	for end := time.Now().Add(patience); f.conn == nil; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("Firefox does not listen")
		}
		if port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort")); err == nil {
			f.conn, _ = net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
		}
	}
	f.r = bufio.NewReader(f.conn)
	if _, err := f.read(); err != nil { // the greeting
		t.Fatal(err)
	}
	f.do(t, "WebDriver:NewSession", map[string]any{"capabilities": map[string]any{}})
	return f
}

// send sends a command and returns its result.
func (f *firefox) send(command string, parameters map[string]any) (json.RawMessage, error) {
	f.id++
	text, err := json.Marshal([]any{0, f.id, command, parameters})
	if err != nil {
		return nil, err
	}
	_ = f.conn.SetDeadline(time.Now().Add(patience))
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(text), text); err != nil {
		return nil, err
	}
	answer, err := f.read()
	if err != nil {
		return nil, err
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(answer, &parts); err != nil || len(parts) != 4 {
		return nil, fmt.Errorf("%s: %.200s", command, answer)
	}
	if string(parts[2]) != "null" {
		return nil, fmt.Errorf("%s: %.500s", command, parts[2])
	}
	return parts[3], nil
}

func (f *firefox) read() ([]byte, error) {
	length, err := f.r.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	text := make([]byte, n)
	_, err = io.ReadFull(f.r, text)
	return text, err
}

func (f *firefox) do(t *testing.T, command string, parameters map[string]any) json.RawMessage {
	t.Helper()
	result, err := f.send(command, parameters)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (f *firefox) visit(t *testing.T, url string) {
	t.Helper()
	f.do(t, "WebDriver:Navigate", map[string]any{"url": url})
}

// tab opens a window and switches to it.
func (f *firefox) tab(t *testing.T) {
	t.Helper()
	var w struct{ Handle string }
	if err := json.Unmarshal(f.do(t, "WebDriver:NewWindow", map[string]any{"type": "tab"}), &w); err != nil {
		t.Fatal(err)
	}
	f.do(t, "WebDriver:SwitchToWindow", map[string]any{"handle": w.Handle})
}

// text returns the value of an expression in the page, or "" if it is missing.
func (f *firefox) text(expression string) string {
	result, err := f.send("WebDriver:ExecuteScript", map[string]any{
		"script": "return String(window.eval(arguments[0]) || '')", "args": []string{expression},
	})
	var v struct{ Value string }
	if err != nil || json.Unmarshal(result, &v) != nil {
		return "" // the page is reloading
	}
	return v.Value
}

// await returns the result of a promise in the page. It starts again if the page was reloaded
// meanwhile.
func (f *firefox) await(t *testing.T, promise string) (got map[string]string) {
	t.Helper()
	begin := `typeof keep === "function" && document.readyState === "complete" && (window.begun || (window.came = "",` +
		` window.begun = ` + strconv.Quote(promise) +
		`, ` + promise +
		`.then((v) => { window.came = JSON.stringify(v) }, (e) => { window.came = JSON.stringify({failed: "no: " + ` +
		`e}) }), ""))`
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		f.text(begin)
		if came := f.text("window.came"); came != "" {
			f.text(`window.begun = window.came = ""`)
			if err := json.Unmarshal([]byte(came), &got); err != nil {
				t.Fatal(err)
			}
			return got
		}
	}
	t.Fatalf("%s never came at %s", promise, f.text("location.href"))
	return nil
}

// TestStorageFirefox is TestStorage in Firefox, where names below localhost also resolve to this
// machine.
func TestStorageFirefox(t *testing.T) {
	repo := neighbours(t)
	for _, h := range houses() {
		if h.name == "wildcard" {
			continue // Firefox has no rules for names
		}
		t.Run(h.name, func(t *testing.T) {
			_, port := serveAs(t, repo, h.settings)
			replay := h.replay(port)
			f := openFirefox(t)
			f.visit(t, replay+at+"mp_/http://"+keeperHost+"/keep.html")
			const shared = `"/all/20260304050700js_/http://` + keeperHost + `/shared.js"`
			t.Log("kept:", f.await(t, "keep("+shared+")"))
			origin := f.text("location.origin")

			f.tab(t)
			f.visit(t, replay+at+"mp_/http://"+keeperHost+"/same.html")
			for name, is := range f.await(t, h.reads(shared)) {
				if found := strings.Contains(is, theSecret); found != h.own && name != "sessionStorage" &&
					name != "cookieStore" {
					t.Errorf("another page of the website: %s: %q", name, is)
				}
			}

			f.tab(t)
			f.visit(t, replay+at+"mp_/http://"+spyHost+"/spy.html")
			nothing(t, "by itself", f.await(t, "spy("+shared+")"))
			framed, intruding := addresses("all", origin, f.text("location.origin"), replay)
			nothing(t, "by a handle", f.await(t, "handles("+quoted(framed)+")"))
			intruded := f.await(t, "intrude("+quoted(intruding)+")")
			if nothing(t, "at the keeper's address", intruded); len(intruded) < len(intruding)/2 {
				t.Errorf("of %d intruders %d sent a result: %v", len(intruding), len(intruded), intruded)
			}
		})
	}
}
