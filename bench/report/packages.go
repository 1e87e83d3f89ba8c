package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// readerPackage is a Go package that reads WARC files. One that cannot be had, or that fails, has a
// reason instead of numbers.
type readerPackage struct {
	Name, Version string
	Read, Digest  usage
	Printed       string // records, and bytes of their blocks
	Absent        string
	program       string
}

// readerPackages are those that bench/peers/install brings; the first is Quire's.
var readerPackages = []struct{ file, name string }{
	{"readers-quire", "`quire/format/warc`"},
	{"readers-gowarc", "`github.com/nlnwa/gowarc/v3`, which warchaeology reads with"},
	{"readers-internetarchive", "`github.com/internetarchive/gowarc`"},
	{"readers-slyrz", "`github.com/slyrz/warc`"},
}

// measurePackages has each package read the corpus, and digest it, round by round.
func measurePackages(o options) ([]readerPackage, error) {
	packages := make([]readerPackage, len(readerPackages))
	for i, k := range readerPackages {
		p := &packages[i]
		p.Name, p.program = k.name, filepath.Join(o.peers, k.file)
		p.Version, p.Absent = note(o.peers, k.file+".version"), note(o.peers, k.file+".absent")
		if _, err := os.Stat(p.program); err != nil && p.Absent == "" {
			p.Absent = "bench/peers/install did not bring it"
		}
	}
	for range o.rounds {
		for i := range packages {
			packages[i].measure(o.corpus)
		}
	}
	if packages[0].Absent != "" {
		return nil, fmt.Errorf("the package of Quire: %s", packages[0].Absent)
	}
	for i := range packages {
		if p := &packages[i]; p.Absent == "" && p.Printed != packages[0].Printed {
			p.Absent = fmt.Sprintf("it read %s records and bytes, and not %s", p.Printed, packages[0].Printed)
		}
	}
	return packages, nil
}

// measure reads and digests the file once more.
func (p *readerPackage) measure(corpus string) {
	for _, m := range []struct {
		mode string
		best *usage
	}{{"read", &p.Read}, {"digest", &p.Digest}} {
		if p.Absent != "" {
			return
		}
		u, out, err := run("timeout", "--signal=KILL", patience, p.program, m.mode, corpus)
		if err != nil {
			p.Absent = "it failed: " + strings.ReplaceAll(strings.Join(strings.Fields(err.Error()), " "), "|", "/")
			return
		}
		m.best.best(u)
		p.Printed = strings.TrimSpace(string(out))
	}
}

// Row is the package's line of the table, without its ends.
func (p *readerPackage) Row(first readerPackage) string {
	name := strings.TrimSpace(p.Name + " " + p.Version)
	if p.Absent != "" {
		return fmt.Sprintf("%s | not available here, because %s |  |  |  |  | ", name, p.Absent)
	}
	return fmt.Sprintf("%s | %s | %s | %s | %s | %s | %s", name, seconds(p.Read.CPU), ratio(p.Read.CPU, first.Read.CPU),
		seconds(p.Digest.CPU), ratio(p.Digest.CPU, first.Digest.CPU), seconds(p.Digest.Wall), mib(p.Digest.RSS))
}
