//go:build interop

package nasty

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
)

// crawl is one run of a crawler over the site.
type crawl struct {
	name, command string
	after         func(t *testing.T, dir string) // changes what it left
	// without a log, URLs come from names; they must be stated as assumed
	assumed bool
	// it escapes more characters in its requests than in its log
	escapes bool
	// the differences that are no fault of the reader
	explained []difference
	// those that depend on the order of its threads
	raced []difference
	// URLs that the site does not have for this crawler
	without []string
	// the dates may have a range
	ranges bool
}

// touched moves the mtime of the log, as a copy does. The clock in the log is 5:45 ahead of UTC, and so
// seems to be three hours ahead.
func touched(t *testing.T, dir string) {
	t.Helper()
	p := filepath.Join(dir, "w.log")
	info, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	at := info.ModTime().Add(2*time.Hour + 45*time.Minute)
	if err := os.Chtimes(p, at, at); err != nil {
		t.Fatal(err)
	}
}

const (
	hostList = "127.0.0.1,127.0.0.2,localhost "
	wget     = "wget --no-config --no-netrc --no-hsts -t 2 --waitretry=0 -o w.log -H -D " + hostList
	wget2    = "wget2 --no-config --no-hsts --no-hpkp --no-ocsp -t 2 --waitretry=0 -o w.log -H -D " + hostList
	httrack  = "httrack -O . -r9 -s0 -R1 -T5 -q -%c100 -c8 --disable-security-limits -A100000000 " +
		"+*127.0.0.*/* +*localhost*/* "
)

// crashing are URLs whose broken gzip ends wget2 1.99.1 with a fault of memory.
var crashing = []string{"/badgzip.html", "/cutgzip.html"}

// The differences that have a reason outside of Quire.
var (
	// the log of both wgets has no line about it, and no length to compare with
	cutChunk = difference{"broken", "1/cutchunk.bin", "wget notes chunks that broke off as saved"}
	twoRoots = difference{"lost", "2/", "wget writes /index.html into the same file, and the log shows it"}
	// without a port in the folder, the first and the last host have one folder
	twoHosts = difference{"lost", "0/", "wget2 writes the start page of another port into the same file"}
)

// spelling is a URL that HTTrack does not ask for in the spelling which it notes.
func spelling(uri string) difference {
	return difference{"invented", uri, "HTTrack asks for another spelling than it notes"}
}

func crawls() []crawl {
	all := wget + "-m -k -K -E -p"
	return []crawl{
		{name: "wget, all kept", command: all, explained: []difference{cutChunk, twoRoots}},
		{name: "wget, with headers", command: wget + "-m -p -S", explained: []difference{cutChunk, twoRoots,
			{"lost", "2/file", "wget removes the file for the folder of this name"}}},
		{name: "wget, a touched log", command: all, after: touched, ranges: true,
			explained: []difference{cutChunk, twoRoots}},
		{name: "wget, short log and names of Windows", explained: []difference{cutChunk, twoRoots,
			{"invented", "3/cookie-set.html", "the name stands for this as much as for /cookie-set, and the " +
				"log has no redirects: the URL is marked as assumed"}},
			command: wget + "-r -k -K -E -p -nv --restrict-file-names=windows"},
		{name: "wget2", command: wget2 + "-r -l 9 --max-threads=1", without: crashing, escapes: true,
			explained: []difference{cutChunk, twoRoots, twoHosts}},
		{name: "wget2, all kept", command: wget2 + "-m -k -K -E -p -S", without: crashing, escapes: true,
			explained: []difference{cutChunk, twoRoots, twoHosts}, raced: []difference{
				{"lost", "2/file/in.html", "wget2 -K moves the folder away like a file"},
				{"lost", "2/file", "or it replaces the file by the folder of this name"}}},
		{name: "HTTrack", command: httrack, explained: []difference{
			spelling("0/caf%C3%A9.html"), spelling("2/%E6%97%A5.html"), spelling("2/raw2-%C3%A9.html"),
			{"bytes", "1/cutgzip.html", "HTTrack decodes gzip that breaks off, and notes the result as a whole body"}}},
		{name: "HTTrack without a cache", command: httrack + "-C0", assumed: true, ranges: true},
	}
}

// TestNastySite compares each URL of each mirror with the live site. Nothing is invented, stated with
// a wrong date, or graded as original without being it, and nothing whose bytes are there is lost.
func TestNastySite(t *testing.T) {
	for _, c := range crawls() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(c.command)
			if _, err := exec.LookPath(words[0]); err != nil {
				t.Skip(words[0] + " is not installed")
			}
			leave := func(uri string) bool { return slices.Contains(c.without, uri) }
			if words[0] == "httrack" && !prove.Whole() {
				leave = func(uri string) bool { return !slices.Contains(few, uri) }
			}
			s, dir := newSite(t, leave), t.TempDir()
			cmd := exec.Command(words[0], append(words[1:], s.hosts[0]+"/")...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TZ=Asia/Kathmandu", "LC_ALL=C.UTF-8", "http_proxy=", "no_proxy=*",
				"HOME="+dir)
			_ = cmd.Run() // it fails on the errors of the site
			if c.after != nil {
				c.after(t, dir)
			}
			(&comparison{t, s, &c, map[string]bool{}, map[string]bool{}}).mirror(dir)
		})
	}
}
