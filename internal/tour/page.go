package tour

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// page is where the tour prints. It keeps the first error.
type page struct {
	w   io.Writer
	err error
}

func (p *page) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// end lists the results of the tour and commands that a user may try next.
func (p *page) end(folder string, o Options) {
	p.line("\n== What was made")
	for _, made := range [][2]string{
		{"crawl", "the example crawl, as wget left it"},
		{"package", "the package; package/mets.xml describes it"},
		{"repository", "the repository; copy-1, copy-2 and copy-3 have the package"},
		{"export", "the package, exported from the repository"},
	} {
		p.line("  %-13s%s", made[0]+"/", made[1])
	}
	p.line("\n== What to try next")
	p.line("Begin in the folder of the tour:\n  cd %s", quoted(folder))
	if elsewhere(o.Program) {
		p.line("Let your shell find quire:\n  export PATH=%s:\"$PATH\"", quoted(filepath.Dir(o.Program)))
	}
	p.line("Read the archived pages in a browser:\n  quire serve --repo repository")
	p.line("See what is in the crawl, and what is odd about it:\n  quire inspect crawl")
	p.line("Damage one copy, have an audit find it, and repair it from a good copy:\n" +
		"  file=$(find repository/copy-2 -name mets.xml); chmod u+w \"$file\"; printf x >>\"$file\"\n" +
		"  quire audit --repo repository\n" +
		"  quire audit --repo repository --repair")
	p.line("Make a package of your own WARC and ARC files:\n  quire pack YOUR-CRAWL --out mine")
	p.line("Remove the tour (stored files are write-protected):\n  chmod -R u+w %[1]s && rm -r %[1]s", quoted(folder))
	p.line("")
}

// elsewhere reports whether a shell would not find this program under its name.
func elsewhere(program string) bool {
	if program == "" {
		return false
	}
	found, err := exec.LookPath("quire")
	if err != nil {
		return true
	}
	a, errA := os.Stat(found)
	b, errB := os.Stat(program)
	return errA != nil || errB != nil || !os.SameFile(a, b)
}

// splitCall splits a command into words like a shell, but recognizes only single quotes.
func splitCall(call string) (all []string) {
	for i, part := range strings.Split(call, "'") {
		if i%2 == 1 {
			all = append(all, part)
			continue
		}
		all = append(all, strings.Fields(part)...)
	}
	return all
}

// plain has the characters that need no quotes in a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"

// quoted returns a word in the form in which a user types it into a shell.
func quoted(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
