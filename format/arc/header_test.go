package arc

import (
	"strings"
	"testing"
	"time"
)

func TestParseHeader(t *testing.T) {
	tests := []struct {
		name, line string
		want       Header
		ok         bool
	}{
		{"version 1", "http://a.org/ 192.0.2.1 20251101100001 text/html 5",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: 5}, true},
		{"version 2", "http://a.org/ 192.0.2.1 20251101100001 text/html 302 abc http://b.org/ 12 a.arc 5",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: 5,
				ResultCode:  "302", Checksum: "abc", Location: "http://b.org/", FileOffset: "12", Filename: "a.arc",
				V2: true}, true},
		{"dns", "dns:a.org 192.0.2.1 20251101100001 text/dns 5",
			Header{URL: "dns:a.org", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/dns", BlockLength: 5},
			true},
		{"spaces in URL", "http://a.org/a b c?d=e f 192.0.2.1 20251101100001 text/html 5",
			Header{URL: "http://a.org/a b c?d=e f", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: 5}, true},
		{"spaces in URL and type", "http://a.org/a b 192.0.2.1 20251101100001 text/html, application/x-javascript 5",
			Header{URL: "http://a.org/a b", IP: "192.0.2.1", Date: "20251101100001",
				ContentType: "text/html, application/x-javascript", BlockLength: 5}, true},
		{"a date in the URL", "http://a.org/?from=1 20010101000000 x 192.0.2.1 20251101100001 text/html 5",
			Header{URL: "http://a.org/?from=1 20010101000000 x", IP: "192.0.2.1", Date: "20251101100001",
				ContentType: "text/html", BlockLength: 5}, true},
		{"empty type", "http://a.org/ 192.0.2.1 20251101100001  5",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001", BlockLength: 5}, true},
		{"no type at all", "http://a.org/ 192.0.2.1 20251101100001 5",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001", BlockLength: 5}, true},
		{"no address", "http://a.org/ - 20251101100001 text/html 5",
			Header{URL: "http://a.org/", IP: "-", Date: "20251101100001", ContentType: "text/html", BlockLength: 5},
			true},
		{"address that is none", "http://a.org/ unknown 20251101100001 text/html 5",
			Header{URL: "http://a.org/", IP: "unknown", Date: "20251101100001", ContentType: "text/html",
				BlockLength: 5}, true},
		{"date that is none", "http://a.org/ 192.0.2.1 a0d1fdddf3165d04 text/html 5",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "a0d1fdddf3165d04", ContentType: "text/html",
				BlockLength: 5}, true},
		{"length that is none", "http://a.org/ 192.0.2.1 20251101100001 text/html -",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: -1}, true},
		{"negative length", "http://a.org/ 192.0.2.1 20251101100001 text/html -7",
			Header{URL: "http://a.org/", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: -1}, true},
		{"upper-case scheme", "HTTP://a.org/ 192.0.2.1 20251101100001 text/html 5",
			Header{URL: "HTTP://a.org/", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: 5}, true},
		{"odd host", "http://host]host/ 192.0.2.1 20251101100001 text/html 5",
			Header{URL: "http://host]host/", IP: "192.0.2.1", Date: "20251101100001", ContentType: "text/html",
				BlockLength: 5}, true},
		{"version block of nothing known", "filedesc://a.arc x y text/plain 76",
			Header{URL: "filedesc://a.arc", IP: "x", Date: "y", ContentType: "text/plain", BlockLength: 76}, true},
		{"HTTP field", "Last-Modified: Tuesday, 21-Aug-96 05:14:05 GMT", Header{}, false},
		{"HTTP status", "HTTP/1.1 200 OK", Header{}, false},
		{"sentence", "note: he was born in 1756", Header{}, false},
		{"definition", definition1, Header{}, false},
		{"nothing", "", Header{}, false},
		{"spaces", "         ", Header{}, false},
		{"log line", "20251101100001 200 5 http://a.org/ LR - text/html #1 20251101 -", Header{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parseHeader(tt.line)
			if ok != tt.ok || ok && got.Header != tt.want {
				t.Errorf("%v, %+v; want %+v", ok, got.Header, tt.want)
			}
		})
	}
}

func TestTime(t *testing.T) {
	base := time.Date(2001, 1, 21, 18, 35, 0, 0, time.UTC)
	tests := []struct {
		date      string
		want      time.Time
		precision time.Duration
	}{
		{"200101211835", base, time.Minute},
		{"2001012118354", base, time.Minute},
		{"20010121183542", base.Add(42 * time.Second), time.Second},
		{"200101211835427", base.Add(42*time.Second + 700*time.Millisecond), 100 * time.Millisecond},
		{"20010121183542789", base.Add(42*time.Second + 789*time.Millisecond), time.Millisecond},
		{"200101211835427891", base.Add(42*time.Second + 789100*time.Microsecond), 100 * time.Microsecond},
		{"2001012118", base.Add(-35 * time.Minute), time.Hour},
		{"200101211", time.Time{}, 0},
		{"20011321183542", time.Time{}, 0},
		{"20010121183542jpg", time.Time{}, 0},
		{"20010121183562", time.Time{}, 0},
		{"", time.Time{}, 0},
	}
	for _, tt := range tests {
		h := Header{Date: tt.date}
		if got, precision := h.Time(); !got.Equal(tt.want) || precision != tt.precision {
			t.Errorf("%s is %v to the %v, want %v to the %v", tt.date, got, precision, tt.want, tt.precision)
		}
	}
}

func FuzzParseHeader(f *testing.F) {
	for _, seed := range []string{"http://a.org/ 192.0.2.1 20251101100001 text/html 5", "a b c d e f g h i j",
		"http://a.org/a b 192.0.2.1 20251101100001 text/html 302 abc - 12 a.arc 5",
		"filedesc://  x 9999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		p, ok := parseHeader(line)
		if !ok {
			return
		}
		if p.BlockLength < -1 || p.URL == "" || p.sure() && !p.likely() {
			t.Fatalf("%+v of %q", p, line)
		}
		if p.BlockLength >= 0 && len(p.URL)+len(p.ContentType) > len(line) {
			t.Fatalf("%+v is more than %q", p, line)
		}
		if again, ok := parseHeader(p.line()); p.BlockLength >= 0 && !strings.Contains(line, "  ") &&
			(!ok || again.Header != p.Header) {
			t.Fatalf("%+v is read back as %+v", p.Header, again.Header)
		}
	})
}
