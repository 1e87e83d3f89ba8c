package caddy

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"quire/internal/accesscontrol"
	"quire/oai/config"
	"quire/oai/plugin"
	"quire/oai/site"
)

func read(text string) (*Crate, error) {
	c := new(Crate)
	return c, c.UnmarshalCaddyfile(caddyfile.NewTestDispenser(text))
}

func TestCaddyfile(t *testing.T) {
	c, err := read(`crate {
		base     https://a.example/modoai
		endpoint /modoai
		name     "Example Library"
		admin    oai@a.example b@a.example
		state    /var/lib/quire
		folder   /var/www
		allow    10.0.0.0/8 2001:db8::/32
		allow {
			networks      192.0.2.0/24
			user          kb
			password_file /etc/quire/passwords
			token_file    /etc/quire/tokens
			hours         20:00-06:00 Europe/Brussels 12:00-13:00 UTC
			rate          10/s
		}
		allow 198.51.100.7 {
			rate 1/m
		}
		proxies 127.0.0.1
		find {
			skip_folder
			sitemap /map.xml
			seeds   / /news/
			every   5m
			recheck 1d
			exclude "/private/*" /tmp/*
			limit   500
			ignore_robots
		}
		aliases http://localhost:8080/
		plugin md5 {
			builtin md5
			mime    */*
			with    a b
			with    c "d e"
		}
		plugin file {
			command file -b {input}
			version file --version
			mime    image/* */pdf
			prints  text/plain
			reads   /etc/magic
			timeout 10s
			output  64 KiB
			memory  512MiB
			scratch 1MiB
			statuses 0 1
		}
		plugin exiftool {
			command   exiftool -j
			version   exiftool -ver
			kept_open exiftool
		}
		pages {
			records 50
			bytes   1MiB
		}
		by_value 1 MiB
		requests 2
	}`)
	want := config.Config{
		Name: "Example Library", Admin: []string{"oai@a.example", "b@a.example"}, Base: "https://a.example/modoai",
		Endpoint: "/modoai",
		State:    "/var/lib/quire", Folder: "/var/www", Pages: config.Pages{Records: 50, Bytes: 1 << 20},
		ByValue:  1 << 20,
		Requests: 2,
		Config: accesscontrol.Config{
			Allow: []accesscontrol.Agreement{
				{Networks: []string{"10.0.0.0/8", "2001:db8::/32"}},
				{
					Networks: []string{"192.0.2.0/24"}, User: "kb", PasswordFile: "/etc/quire/passwords",
					TokenFile: "/etc/quire/tokens",
					Hours:     []string{"20:00-06:00 Europe/Brussels", "12:00-13:00 UTC"}, Rate: "10/s",
				},
				{Networks: []string{"198.51.100.7"}, Rate: "1/m"},
			},
			Proxies: []string{"127.0.0.1"},
		},
		Find: site.Find{
			SkipFolder: true, Sitemap: "/map.xml", Seeds: []string{"/", "/news/"}, Every: 5 * time.Minute,
			Recheck: 24 * time.Hour,
			Exclude: []string{"/private/*", "/tmp/*"}, Limit: 500, IgnoreRobots: true,
		},
		Aliases: []string{"http://localhost:8080/"},
		Plugins: []plugin.Config{
			{Label: "md5", Builtin: "md5", MIME: []string{"*/*"}, With: map[string]string{"a": "b", "c": "d e"}},
			{
				Label: "file", Command: []string{"file", "-b", "{input}"}, Version: []string{"file", "--version"},
				MIME:   []string{"image/*", "*/pdf"},
				Prints: "text/plain", Reads: []string{"/etc/magic"}, Timeout: plugin.Duration(10 * time.Second),
				Output: 64 << 10, Memory: 512 << 20, Scratch: 1 << 20, Statuses: []int{0, 1},
			},
			{Label: "exiftool", Command: []string{"exiftool", "-j"}, Version: []string{"exiftool", "-ver"},
				KeptOpen: "exiftool"},
		},
	}
	if err != nil || !reflect.DeepEqual(c.Config, want) {
		t.Errorf("%v\n%+v\nwant\n%+v", err, c.Config, want)
	}
}

// A schedule applies to all agreements without hours, whatever its position.
func TestSchedule(t *testing.T) {
	night, noon := []string{"20:00-06:00 UTC"}, []string{"12:00-13:00 UTC"}
	for _, c := range []struct {
		text string
		want []accesscontrol.Agreement
	}{
		{"crate {\n schedule 20:00-06:00 UTC\n}",
			[]accesscontrol.Agreement{{Networks: []string{"loopback"}, Hours: night}}},
		{
			"crate {\n allow 192.0.2.0/24\n schedule 20:00-06:00 UTC\n allow private {\n hours 12:00-13:00 UTC\n }\n}",
			[]accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}, Hours: night},
				{Networks: []string{"private"}, Hours: noon}},
		},
	} {
		if got, err := read(c.text); err != nil || !reflect.DeepEqual(got.Allow, c.want) {
			t.Errorf("%s: %+v, %v", c.text, got.Allow, err)
		}
	}
	if _, err := read("crate {\n schedule 20:00-06:00\n}"); err == nil || !strings.Contains(err.Error(), "zone") {
		t.Error(err)
	}
}

func TestNoTools(t *testing.T) {
	c, err := read("crate {\n no_tools\n}")
	if text, _ := json.Marshal(c); err != nil || c.Plugins == nil || !strings.Contains(string(text), `"plugins":[]`) {
		t.Errorf("%s, %v", text, err)
	}
	if c, err := read("crate {\n}"); err != nil || c.Plugins != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

// Invalid settings are refused with their line.
func TestCaddyfileRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"crate /modoai {\n}", "Testfile:1"},
		{"crate /modoai {\n}", "endpoint /modoai"},
		{"crate {\n bas https://a.example/modoai\n}",
			`unknown subdirective "bas"; known are admin, aliases, allow, base`},
		{"crate {\n bas https://a.example/modoai\n}", "Testfile:2"},
		{"crate {\n base\n}", "Testfile:2"},
		{"crate {\n base a b\n}", `base: unexpected argument "b"`},
		{"crate {\n base a\n base b\n}", "duplicate subdirective base"},
		{"crate {\n name \"\"\n}", "wrong argument count"},
		{"crate {\n admin\n}", "wrong argument count"},
		{"crate {\n find {\n every soon\n }\n}", `"soon" is not a duration`},
		{"crate {\n find {\n every soon\n }\n}", "Testfile:3"},
		{"crate {\n find {\n folder /var/www\n }\n}", `unknown subdirective "folder"`},
		{"crate {\n find {\n skip_folder yes\n }\n}", `skip_folder: unexpected argument "yes"`},
		{"crate {\n find {\n limit 0\n }\n}", `"0" is not a whole number`},
		{"crate {\n pages {\n records many\n }\n}", `"many" is not a whole number`},
		{"crate {\n by_value 64M\n}", `"64M" is not a number of bytes`},
		{"crate {\n allow {\n hours 20:00-06:00\n }\n}", "a time span and its zone"},
		{"crate {\n allow {\n networks 10.0.0.0/8\n password secret\n }\n}",
			`unknown subdirective "password"`},
		{"crate {\n plugin {\n builtin md5\n }\n}", "plugin needs a label"},
		{"crate {\n plugin md5 {\n builtin md5\n memory 1MiB\n " +
			"}\n}", "memory, reads and prints apply only to a command"},
		{"crate {\n plugin file {\n command file {input}\n }\n}", "version is missing"},
		{"crate {\n plugin md5 {\n builtin md5\n mime image\n }\n}", "not a pattern of media types"},
		{"crate {\n plugin md5 {\n timeout 10\n }\n}", `"10" is not a duration`},
		{"crate {\n plugin md5 {\n with a\n }\n}", "wrong argument count"},
	} {
		got, err := read(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%+v, %v; want %s", c.text, got.Config, err, c.want)
		}
	}
}
