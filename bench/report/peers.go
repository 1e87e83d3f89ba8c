package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// peer is another program that reads a whole container. If it is missing or fails, the table shows
// a reason instead of numbers.
type peer struct {
	Name    string // the command's name
	Version string // "" for the system's own; the document's head names those
	Checks  string // its checks, as a list
	usage
	Exit    int    // 0: no error found; 1: errors found
	Absent  string // reason for missing numbers
	command []string
}

// known lists the peers that bench/peers/install installs. Their checks come from their sources and
// from tests on damaged files.
var known = []struct{ file, name, checks string }{
	{"fastwarc", "`fastwarc check --verify-payloads`", "CRC-32, block and payload digests; no field, no HTTP"},
	{"warcio", "`warcio check`", "block and payload digests; no field"},
	{"gowarc", "internetarchive/gowarc `warc verify`", "CRC-32; block and payload digests of responses alone"},
	{"warchaeology", "warchaeology `warc validate`", "CRC-32, grammar, fields, block and payload digests"},
	{"jwarc", "`jwarc validate`", "grammar, fields, HTTP, block and payload digests; no CRC-32"},
	{"jwat", "JWAT, as in `jwattools test`", "gzip, grammar, fields, HTTP head, block and payload digests"},
}

// findPeers returns the inflaters of the system and the peers that read records.
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
				p.Absent = "bench/peers/install did not install it"
			}
		}
		peers = append(peers, p)
	}
	return peers
}

// note returns the first line of a file that bench/peers/install wrote, or "" if the file is
// missing.
func note(folder, name string) string {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.ReplaceAll(strings.TrimSpace(first), "|", "/") // it goes into a table
}

// patience is the time limit of a peer in seconds. A peer that hangs must not delay the others.
const patience = "300"

// measure runs the peer once more. It drops a peer that fails or that takes less time than the
// fastest inflater. Such a peer cannot have read the file; some silently skip files with an
// unexpected name.
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

// judge runs a command that reports by exit status 0 or 1 whether a container is valid.
func judge(command ...string) (usage, int, error) {
	u, _, err := run(command...)
	var failed *failure
	if errors.As(err, &failed) && failed.status == 1 {
		return failed.usage, 1, nil
	}
	return u, 0, err
}

// Row returns the peer's table row, without the bars at both ends.
func (p *peer) Row(floor float64, q quire) string {
	name := strings.TrimSpace(p.Name + " " + p.Version)
	if p.Absent != "" {
		return fmt.Sprintf("%s | not available here, because %s |  |  |  |  |  |  | ", name, p.Absent)
	}
	return fmt.Sprintf("%s | %s | %s | %s | %s | %s | %s | %s | %d", name, p.Checks, seconds(p.CPU),
		ratio(p.CPU, floor),
		ratio(p.CPU, q.CPU), seconds(p.Wall), ratio(p.Wall, q.Wall), mib(p.RSS), p.Exit)
}
