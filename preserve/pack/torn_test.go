package pack

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
	"quire/source/detect"
)

// tornZip returns a ZIP of two containers, one with a wrong checksum.
func tornZip(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, wrong := range map[string]uint32{"whole.warc": 0, "torn.warc": 1} {
		var packed bytes.Buffer
		z, _ := flate.NewWriter(&packed, 6)
		_, _ = z.Write([]byte(good))
		_ = z.Close()
		e, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate,
			CRC32:            crc32.ChecksumIEEE([]byte(good)) ^ wrong,
			CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(good))})
		if err == nil {
			_, err = e.Write(packed.Bytes())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file damaged inside an archive is reported, and the others are still packed or converted.
func TestOneTornFileDoesNotStopTheRest(t *testing.T) {
	path := tornZip(t)
	o := options(t)
	r := mustPack(t, o, path)
	if r.Outcome != model.Invalid || !strings.Contains(strings.Join(r.Refused, "\n"), "torn.warc") {
		t.Errorf("outcome %s, refused %q", r.Outcome, r.Refused)
	}
	if got := list(t, o.Out); got != "containers/whole.warc indexes/whole.warc.cdxj.gz mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
	if mets := read(t, o.Out, "mets.xml"); !strings.Contains(mets, "not packed: torn.warc") {
		t.Error("the METS does not list the missing file")
	}
	check(t, o.Out, aip.Options{})

	s, err := detect.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	out := filepath.Join(t.TempDir(), "out")
	result, err := convert.Run(t.Context(), s, convert.Options{Out: out, Agent: o.Agent})
	if err != nil || result.Outcome != model.Invalid || result.Files[convert.Unreadable] != 1 ||
		list(t, out) != "whole.warc" {
		t.Errorf("converting: %+v, %v, %s", result, err, list(t, out))
	}
}
