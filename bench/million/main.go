// Million writes a METS of a million files in a separate process, to measure its time and memory
// alone.
//
//	million -premis -out build/bench/mets.xml
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

func main() {
	files := flag.Int("files", 1_000_000, "number of files to describe")
	objects := flag.Bool("premis", false, "add a premis:object for each file")
	out := flag.String("out", "", "the file to write and sync; without it the METS is discarded")
	flag.Parse()
	size, err := run(*out, *files, *objects)
	if err == nil {
		_, err = fmt.Fprintln(os.Stdout, size) // bench/report reads it
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "million: %v\n", err)
		os.Exit(2)
	}
}

// run writes the METS and returns its size in bytes.
func run(name string, files int, objects bool) (size int64, err error) {
	out := counter{to: io.Discard}
	if name == "" {
		err = write(&out, files, objects)
		return out.bytes, err
	}
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	out.to = file
	if err := write(&out, files, objects); err != nil {
		return 0, err
	}
	return out.bytes, file.Sync()
}

// counter counts the bytes written to it.
type counter struct {
	to    io.Writer
	bytes int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	return n, err
}

// digest is the digest of every file. The same digest for all makes no difference to the writing.
var digest = strings.Repeat("c5b00170a09b2e66", 8)

var created = time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)

// write adds each file to the file section and the structural map, and adds its premis:object if
// requested.
func write(out io.Writer, files int, objects bool) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: "urn:bench:million", Type: "Web archives"})
	w.Header(mets.Header{Created: created,
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: "quire"}}})
	if objects {
		w.StartAmdSec("AMD")
		writeObjects(w, files)
		w.EndAmdSec()
	}
	writeFiles(w, files, objects)
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website"})
	for i := range files {
		w.Fptr(mets.Fptr{FileID: "F" + strconv.Itoa(i)})
	}
	w.EndDiv()
	w.EndStructMap()
	return w.Close()
}

func writeFiles(w *mets.Writer, files int, objects bool) {
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: "DigitalManifestation"})
	location := make([]mets.FLocat, 1)
	administrative := make([]string, 0, 1)
	for i := range files {
		number := strconv.Itoa(i)
		location[0].Location = mets.Location{LocType: "URL", Href: mets.Href("data/crawl-" + number + ".warc.gz")}
		if objects {
			administrative = append(administrative[:0], "O"+number)
		}
		w.File(mets.File{ID: "F" + number, AdmID: administrative, Locations: location, FileCore: mets.FileCore{
			MIMEType: "application/warc", Size: xmlstream.IntOf(int64(i)), Created: created,
			Checksum: digest, ChecksumType: "SHA-512"}})
	}
	w.EndFileGrp()
	w.EndFileSec()
}

func writeObjects(w *mets.Writer, files int) {
	number := ""
	payload := func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, premis.Object{
			Category:    premis.File,
			Identifiers: []premis.Identifier{{Type: "local", Value: "crawl-" + number}},
			Characteristics: []premis.Characteristics{{
				Fixity:  []premis.Fixity{{Algorithm: premis.HashFunction("SHA-512"), Digest: digest}},
				Size:    xmlstream.IntOf(123456789),
				Formats: []premis.Format{{Name: premis.Text("application/warc"), Version: "1.0"}},
			}},
			OriginalName: "crawl-" + number + ".warc.gz",
		})
	}
	wrap := &mets.Wrap{MetadataType: mets.MetadataType{MDType: "PREMIS:OBJECT", MDTypeVersion: premis.Version}}
	for i := range files {
		number = strconv.Itoa(i)
		w.Tech(mets.Section{ID: "O" + number, Wrap: wrap}, payload)
	}
}
