//go:build interop

package tools

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// said is the output of the built-in tool for a picture.
type said struct {
	Container string
	Fields    []struct {
		Directory, Tag, Name, Type, Value string
		Count                             int
	}
	Position *struct{ Latitude, Longitude float64 }
	XMP      int64 `json:"xmp_bytes"`
	IPTC     int64 `json:"iptc_bytes"`
}

// TestExifTool compares the fields of each picture in the samples. It also compares pictures in
// every container format into which ExifTool writes many fields.
func TestExifTool(t *testing.T) {
	pictures := append(begins(payloads(t), "\xff\xd8\xff", "\x89PNG", "II*\x00", "MM\x00*", "RIFF"), written(t)...)
	tool := newTool(t, "exif", nil)
	agreed, compared, withEXIF := 0, 0, 0
	theirs := exiftool(t, pictures)
	for _, p := range pictures {
		out, failed := ask(t, tool, p)
		if failed {
			t.Logf("%s: %s", p.path, out)
			continue
		}
		var ours said
		decode(t, out, &ours)
		if len(ours.Fields) > 0 {
			withEXIF++
		}
		if least := 20; strings.Contains(p.path, t.Name()) && len(ours.Fields) < least {
			t.Errorf("%s: %d fields of those that ExifTool wrote: %s", p.path, len(ours.Fields), out)
		}
		a, c := compare(t, p, &ours, theirs[p.path])
		agreed, compared = agreed+a, compared+c
	}
	t.Logf("%d pictures, %d with EXIF; %d of %d fields agree", len(pictures), withEXIF, agreed, compared)
	if withEXIF < 6 {
		t.Errorf("only %d pictures have EXIF", withEXIF)
	}
}

// exiftool runs ExifTool once on all pictures, and returns its output for each.
func exiftool(t *testing.T, pictures []payload) map[string]map[string]any {
	t.Helper()
	args := []string{"-q", "-q", "-json", "-n", "-a", "-D", "-G1", "-u", "-struct", "--MakerNotes:all"}
	for _, p := range pictures {
		args = append(args, p.path)
	}
	json, _ := peers.Try(t, nil, "exiftool", args...) // its status is 1 if it does not support one of them
	var all []map[string]any
	decode(t, []byte(json), &all)
	byPath := map[string]map[string]any{}
	for _, said := range all {
		path, _ := said["SourceFile"].(string)
		byPath[path] = said
	}
	return byPath
}

// startOfThumbnail is a field relative to the start of the EXIF data. ExifTool makes it relative to
// the start of the file.
const startOfThumbnail = "JPEGInterchangeFormat"

// compare looks up each of our fields in ExifTool's output, by directory and number.
func compare(t *testing.T, p payload, ours *said, theirs map[string]any) (agreed, compared int) {
	t.Helper()
	byNumber := map[string][]string{}
	hasXMP, hasIPTC := false, false
	for name, value := range theirs {
		group, _, _ := strings.Cut(name, ":")
		hasXMP = hasXMP || strings.HasPrefix(group, "XMP")
		hasIPTC = hasIPTC || strings.HasPrefix(group, "IPTC")
		if v, ok := value.(map[string]any); ok {
			key := fmt.Sprintf("%s %v", directory(group), v["id"])
			byNumber[key] = append(byNumber[key], fmt.Sprint(v["val"]))
		}
	}
	if hasXMP != (ours.XMP > 0) || hasIPTC != (ours.IPTC > 0) {
		t.Errorf("%s: XMP %d bytes (%v by ExifTool), IPTC %d bytes (%v)", filepath.Base(p.path), ours.XMP, hasXMP,
			ours.IPTC, hasIPTC)
	}
	for _, f := range ours.Fields {
		number, err := strconv.ParseUint(strings.TrimPrefix(f.Tag, "0x"), 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		values := byNumber[fmt.Sprintf("%s %d", f.Directory, number)]
		if len(values) == 0 || f.Name == startOfThumbnail || strings.HasSuffix(f.Value, "…") ||
			strings.HasSuffix(f.Value, " bytes)") {
			continue // ExifTool follows it, shows it elsewhere, or shortens it
		}
		compared++
		if equal(f.Value, values) {
			agreed++
		} else {
			t.Errorf("%s: %s %s is %q, and %q by ExifTool", filepath.Base(p.path), f.Directory, f.Name, f.Value, values)
		}
	}
	return agreed, compared
}

// directory returns our name for a group of ExifTool.
func directory(group string) string {
	switch group {
	case "ExifIFD":
		return "Exif"
	case "InteropIFD":
		return "Interop"
	}
	return group
}

// equal compares text or numbers. ExifTool writes rational numbers as decimals.
func equal(ours string, theirs []string) bool {
	for _, value := range theirs {
		if strings.Join(strings.Fields(ours), " ") == strings.Join(strings.Fields(value), " ") || numbers(ours, value) {
			return true
		}
	}
	return false
}

func numbers(ours, theirs string) bool {
	a, b := strings.Fields(ours), strings.Fields(theirs)
	if len(a) == 3 && len(b) == 1 { // degrees, minutes and seconds; or a time
		if strings.Contains(theirs, ":") {
			b = strings.Split(theirs, ":")
		} else {
			return near(number(a[0])+number(a[1])/60+number(a[2])/3600, number(b[0]))
		}
	}
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if !near(number(a[i]), number(b[i])) {
			return false
		}
	}
	return true
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Max(1, math.Abs(a)) }

func number(s string) float64 {
	above, below, fraction := strings.Cut(s, "/")
	n, err := strconv.ParseFloat(above, 64)
	if err != nil {
		return math.NaN()
	}
	if fraction {
		d, err := strconv.ParseFloat(below, 64)
		if err != nil {
			return math.NaN()
		}
		return n / d
	}
	return n
}

// written returns pictures in each container format, with fields of every type written by ExifTool.
func written(t *testing.T) (all []payload) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join("..", "..", "examples", "site", "pictures", "quay.jpg")
	for _, c := range []struct {
		name, mime string
	}{{"a.jpg", "image/jpeg"}, {"b.tif", "image/tiff"}, {"c.png", "image/png"}, {"d.webp", "image/webp"},
		{"e.heic", "image/heic"}} {
		path := filepath.Join(dir, c.name)
		if c.name == "e.heic" {
			if err := os.WriteFile(path, emptyHEIC(), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if said, status := peers.Try(t, nil, "convert", source, path); status != 0 {
			t.Logf("convert cannot write %s: %s", c.name, said)
			continue
		}
		// ExifTool 12.57 sometimes writes a HEIF that it cannot read. This depends on the order of
		// Perl's hashes.
		peers.Call(t, []string{"PERL_HASH_SEED=0", "PERL_PERTURB_KEYS=0"}, "exiftool", "-q", "-overwrite_original",
			"-Make=Obscura", "-Model=M 1", "-Orientation#=6", "-ExposureTime=1/60", "-FNumber=2.8", "-ISO=200",
			"-DateTimeOriginal=2026:11:22 10:15:00", "-ExposureCompensation=-0.333", "-UserComment=the quay",
			"-Artist=Jérôme", "-Copyright=nobody", "-LensInfo=24 70 2.8 4",
			"-GPSLatitude=51.2207", "-GPSLatitudeRef=N", "-GPSLongitude=4.4016", "-GPSLongitudeRef=E",
			"-GPSAltitude=7.5", "-GPSAltitudeRef#=1", "-GPSTimeStamp=09:15:00",
			"-XMP:Title=Quay", "-SubSecTimeOriginal=12", "-OffsetTimeOriginal=+01:00", "-ExifIFD:ColorSpace#=1",
			"-SceneType#=1", "-XPTitle=Kai", path)
		all = append(all, payload{path, c.mime})
	}
	return all
}

// emptyHEIC returns a HEIF without a picture, into which ExifTool can write.
func emptyHEIC() []byte {
	box := func(kind, data string) string {
		n := len(data) + 8
		return string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) + kind + data
	}
	infe := box("infe", "\x02\x00\x00\x00\x00\x01\x00\x00hvc1\x00")
	meta := box("meta", "\x00\x00\x00\x00"+
		box("hdlr", "\x00\x00\x00\x00\x00\x00\x00\x00pict"+strings.Repeat("\x00", 13))+
		box("pitm", "\x00\x00\x00\x00\x00\x01")+
		box("iinf", "\x00\x00\x00\x00\x00\x01"+infe)+
		box("iloc", "\x00\x00\x00\x00\x44\x00\x00\x01\x00\x01\x00\x00\x00\x01\x00\x00\x00\xf0\x00\x00\x00\x04"))
	return []byte(box("ftyp", "heic\x00\x00\x00\x00mif1heic") + meta + box("mdat", strings.Repeat("x", 200)))
}
