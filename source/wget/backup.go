package wget

import (
	"bytes"
	"strings"

	"quire/internal/archivefs"
)

// isBackup returns the file with the original bytes in this backup (-K), or "". A backup is named
// after its file plus ".orig". But if -E added an extension, the last four letters of the name
// became "orig": "x.html" has "x.orig"; "x.css", shorter than Wget expects, has "xorig"; and
// "x.html.gz", with the extension of a coding, has "x.htmorig".
func isBackup(t *archivefs.Tree, p string) string {
	plain, ok := strings.CutSuffix(p, "orig")
	if !ok {
		return ""
	}
	candidates := []string{plain + ".css"}
	if stem, dotted := strings.CutSuffix(plain, "."); dotted {
		candidates = []string{stem, plain + "html"}
	}
	for _, coding := range []string{".gz", ".br"} { // httpd's "x.html.gz", "x.css.gz"
		switch {
		case strings.HasSuffix(plain, ".htm"):
			candidates = append(candidates, plain+"l"+coding)
		case strings.HasSuffix(plain, ".cs"):
			candidates = append(candidates, plain+"s"+coding)
		}
	}
	for _, c := range candidates {
		if t.Find(c) != nil && !strings.HasSuffix(c, "/") {
			return c
		}
	}
	return ""
}

// endingAdded reports whether a backup has the name for a file with an extension added by -E.
func endingAdded(file, backup string) bool { return backup != "" && backup != file+".orig" }

// headEnd returns the length of the head at the start of a file saved with --save-headers, or 0.
func headEnd(b []byte) int {
	if !bytes.HasPrefix(b, []byte("HTTP/")) || lineStatus.Find(firstLine(b)) == nil {
		return 0
	}
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(b, []byte(end)); i > 0 {
			return i + len(end)
		}
	}
	return 0
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}
