package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"quire/holdings"
	"quire/internal/portable"
)

// download is a request for an export, with its reader.
type download struct {
	format *Format
	who    holdings.Reader
	id     string
	at     string
	digest string // of the whole wish
}

func newDownload(f *Format, who holdings.Reader, id, at string) *download {
	w := &download{format: f, who: who, id: id, at: at}
	w.digest = digestOf(f.Name, string(who.Class), id, at, who.Packages)
	return w
}

func (w *download) request(out, by string) Request {
	return Request{ID: w.id, As: w.format.Name, For: w.who.Class, Packages: w.who.Packages, Out: out, By: by,
		Options: Options{At: w.at, Bag: "warc"}}
}

func (w *download) fileName() string {
	if w.format.Single() {
		return portable.Name(w.id+"-"+w.format.Name) + w.format.Ending
	}
	return portable.Name(w.id+"-"+w.format.Name) + ".zip"
}

func (w *download) kind() string {
	if w.format.Single() {
		return w.format.MIME
	}
	return "application/zip"
}

// digestOf returns a digest of values, each clearly delimited.
func digestOf(values ...any) string {
	sum := sha256.New()
	for _, v := range values {
		_, _ = fmt.Fprintf(sum, "%q\n", v) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}
