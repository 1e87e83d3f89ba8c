package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/accesscontrol"
	"quire/oai/plugin"
	"quire/oai/site"
)

const whole = `
name: Example Library
admin: oai@a.example
base: https://a.example/oai
endpoint: /oai
state: state
pages: {records: 50, bytes: 1 MiB}
by-value: 1 MiB
proxies: 192.0.2.1
allow:
  - networks: [10.0.0.0/8, "2001:db8::/32"]
    hours: 20:00-06:00 Europe/Brussels
    rate: 10/s
  - {user: kb, password-file: passwords, token-file: /etc/tokens}
requests: 2
find: {folder: false, sitemap: /map.xml, seeds: [/], every: 5m, exclude: ["/private/*"]}
aliases: http://localhost:8080/
plugins:
  - {label: md5, builtin: md5, mime: "*/*"}
  - {label: file, command: [file, -b, "{input}"], version: [file, --version], timeout: 10s, output: 64 KiB}
`

func TestRead(t *testing.T) {
	c, err := Read(strings.NewReader(whole), "the configuration")
	want := Config{
		Name: "Example Library", Admin: []string{"oai@a.example"}, Base: "https://a.example/oai", Endpoint: "/oai",
		State: "state",
		Pages: Pages{Records: 50, Bytes: 1 << 20}, ByValue: 1 << 20, Requests: 2,
		Config: accesscontrol.Config{
			Proxies: []string{"192.0.2.1"},
			Allow: []accesscontrol.Agreement{
				{Networks: []string{"10.0.0.0/8", "2001:db8::/32"}, Hours: []string{"20:00-06:00 Europe/Brussels"},
					Rate: "10/s"},
				{User: "kb", PasswordFile: "passwords", TokenFile: "/etc/tokens"},
			},
		},
		Find: site.Find{SkipFolder: true, Sitemap: "/map.xml", Seeds: []string{"/"}, Every: 5 * time.Minute,
			Exclude: []string{"/private/*"}},
		Aliases: []string{"http://localhost:8080/"},
		Plugins: []plugin.Config{
			{Label: "md5", Builtin: "md5", MIME: []string{"*/*"}},
			{Label: "file", Command: []string{"file", "-b", "{input}"}, Version: []string{"file", "--version"},
				Timeout: plugin.Duration(10 * time.Second), Output: 64 << 10},
		},
	}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestDefaults(t *testing.T) {
	c, err := Read(strings.NewReader("name: A\n"), "the configuration")
	want := Config{Name: "A", Endpoint: "/modoai", ByValue: 6 << 20, Pages: Pages{Records: 100, Bytes: 8 << 20},
		Requests: 4}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, %v", c, err)
	}
}

// Without an endpoint, the path of the base URL applies. An empty list of tools differs from a
// missing one.
func TestSaidNothing(t *testing.T) {
	c, err := Read(strings.NewReader("base: https://a.example/oai/\nplugins: []\n"), "the configuration")
	if err != nil || c.Endpoint != "/oai" || c.Plugins == nil || len(c.Plugins) != 0 {
		t.Errorf("%+v, %v", c, err)
	}
}

// Paths are relative to the folder of the file. A service has no other folder that people would
// expect.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "quire.yaml"), []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(filepath.Join(dir, "quire.yaml"))
	if err != nil || c.State != filepath.Join(dir, "state") ||
		c.Allow[1].PasswordFile != filepath.Join(dir, "passwords") || c.Allow[1].TokenFile != "/etc/tokens" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := Load(filepath.Join(dir, "none.yaml")); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{"name: A\nplug: []\n", "line 2, plug: unknown key"},
		{"admin: Jane\n", `line 1, admin: "Jane" is not a mail address`},
		{"admin: [a@a.example, 'A <a@a.example>']\n", "line 1, admin"},
		{"\nbase: a.example/oai\n", `line 2, base: "a.example/oai" is not a URL`},
		{"base: https://u:p@a.example/oai\n", "not a URL of a provider"},
		{"endpoint: modoai\n", `line 1, endpoint: "modoai" is not a path`},
		{"endpoint: /\n", "is not a path below the root"},
		{"endpoint: /a/../b\n", "is not a path below the root"},
		{"endpoint: /a?b\n", "is not a path below the root"},
		{"pages: {records: many}\n", `line 1, pages, records: "many" is not a whole number`},
		{"by-value: 64 M\n", `line 1, by-value: "64 M" is not a number of bytes`},
		{"plugins:\n- {label: md5, builtin: md5, memory: 1 MiB}\n", "line 2, plugins, no. 1"},
		{"find: {every: soon}\n", "line 1, find, every"},
		{"allow: []\n", "line 1, allow: has no agreement"},
		{"allow:\n- {hours: 20:00-06:00 UTC}\n", "line 2, allow, no. 1: an agreement names no client"},
		{"allow:\n- networks: everyone\n  hours: 20-06\n", `line 3, allow, no. 1, hours: "20-06" are not hours`},
		{"allow:\n- networks: 10.0.0.1/8\n", "do you mean 10.0.0.0/8?"},
		{"allow: anyone\n", `"anyone" is not a network`},
		{"allow: [{networks: everyone, rate: fast}]\n", `"fast" is not a rate`},
		{"allow: [{networks: everyone, user: kb}]\n", "a user without password-file"},
	} {
		if got, err := Read(strings.NewReader(c.doc), "the configuration"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %+v, %v; want %s", c.doc, got, err, c.want)
		}
	}
}
