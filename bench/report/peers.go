package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// peer is another program that reads a container to its end. One that cannot be had, or that fails,
// has a reason instead of numbers: none is silently left out.
type peer struct {
	Name    string // as it is called
	Version string // "" where the machine's own is used, which the head of the document names
	Checks  string // what it looks at; nothing else
	usage
	Exit    int    // 0 found nothing wrong, 1 found something
	Absent  string // why there are no numbers
	command []string
}

// known are the peers that bench/peers/install brings, and what their sources and trials on damaged
// files show them to check.
var known = []struct{ file, name, checks string }{
	{"fastwarc", "`fastwarc check --verify-payloads`", "CRC-32, block and payload digests; no field, no HTTP"},
	{"warcio", "`warcio check`", "block and payload digests; no field"},
	{"gowarc", "internetarchive/gowarc `warc verify`", "CRC-32; block and payload digests of responses alone"},
	{"warchaeology", "warchaeology `warc validate`", "CRC-32, grammar, fields, block and payload digests"},
	{"jwarc", "`jwarc validate`", "grammar, fields, HTTP, block and payload digests; no CRC-32"},
	{"jwat", "JWAT, as in `jwattools test`", "gzip, grammar, fields, HTTP head, block and payload digests"},
}

// findPeers are the inflaters that every machine has, and the peers that know what a record is.
func findPeers(o options) []peer {
	peers := []peer{
		{Name: "`libdeflate-gunzip -c`", Checks: "inflates, CRC-32",
			command: toNowhere("libdeflate-gunzip", "-c", o.corpus)},
		{Name: "`gzip -t`", Checks: "inflates, CRC-32", command: []string{"gzip", "-t", o.corpus}},
	}
	for _, k := range known {
		p := peer{Name: k.name, Checks: k.checks, command: []string{filepath.Join(o.peers, k.file), o.corpus}}
		if p.Absent = note(o.peers, k.file+".absent"); p.Absent == "" {
			p.Version = note(o.peers, k.file+".version")
			if _, err := os.Stat(p.command[0]); err != nil {
				p.Absent = "bench/peers/install did not bring it"
			}
		}
		peers = append(peers, p)
	}
	return peers
}

// note is the first line of a file that bench/peers/install left, "" where there is none.
func note(folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.ReplaceAll(strings.TrimSpace(first), "|", "/") // it goes into a table
}

// patience is how long a peer may take, in seconds: one that hangs must not hold up the others.
const patience = "300"

// measure runs the peer once more. One that fails is not asked again; nor is one that takes less
// than inflating takes, by the fastest there is: it said nothing and read nothing, as some do of a
// name that they do not like.
func (p *peer) measure(inflating float64) {
	if p.Absent != "" {
		return
	}
	u, exit, err := judge(append([]string{"timeout", "--signal=KILL", patience}, p.command...)...)
	if err != nil {
		p.Absent = "it failed: " + strings.ReplaceAll(strings.Join(strings.Fields(err.Error()), " "), "|", "/")
		return
	}
	if u.CPU < inflating/2 { // half, since no two runs are alike
		p.Absent = "it cannot have read the file: it ended after " + seconds(u.CPU)
		return
	}
	p.best(u)
	p.Exit = exit
}

// judge runs a command that says by its exit status, 0 or 1, whether a container is sound.
func judge(command ...string) (usage, int, error) {
	u, _, err := run(command...)
	var failed *failure
	if errors.As(err, &failed) && failed.status == 1 {
		return failed.usage, 1, nil
	}
	return u, 0, err
}

// Row is the peer's line of the table, without its ends.
func (p *peer) Row(floor float64, q quire) string {
	name := strings.TrimSpace(p.Name + " " + p.Version)
	if p.Absent != "" {
		return fmt.Sprintf("%s | not available here, because %s |  |  |  |  |  |  | ", name, p.Absent)
	}
	return fmt.Sprintf("%s | %s | %s | %s | %s | %s | %s | %s | %d", name, p.Checks, seconds(p.CPU),
		ratio(p.CPU, floor),
		ratio(p.CPU, q.CPU), seconds(p.Wall), ratio(p.Wall, q.Wall), mib(p.RSS), p.Exit)
}
