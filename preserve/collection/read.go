package collection

import (
	"bufio"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// errEnough ends a reading as soon as its result is known.
var errEnough = errors.New("enough")

// Is reports whether a folder is a collection: its METS has that profile.
func Is(dir string) bool {
	f, err := aip.Open(os.DirFS(dir), aip.METSName)
	if err != nil {
		return false
	}
	defer f.Close()
	is := false
	err = mets.Read(bufio.NewReader(f), mets.Handler{Root: func(r mets.Root) error {
		is = r.Profile == aip.CollectionProfile
		return errEnough
	}})
	return errors.Is(err, errEnough) && is
}

// listing receives the content of a collection's METS in its order: the containers, group by group,
// and then the harvests.
type listing struct {
	root      func(mets.Root)
	problem   func(code, message string)
	container func(group int, e Expected)    // group is the number of the harvest
	harvest   func(n int, id, label string)  // in the order of the structMap
	pkg       func(n int, identifier string) // of that harvest
	err       error                          // of one of the functions
}

// readMETS reads mets.xml as a stream, and its sidecar.
func readMETS(dir string, l *listing) error {
	f, err := aip.Open(os.DirFS(dir), aip.METSName)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", dir, aip.ErrNoPackage)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha512.New()
	in := io.TeeReader(f, sum)
	err = mets.Read(in, l.handler())
	if l.err != nil {
		return l.err
	}
	if err != nil {
		var at *xmlstream.ReadError
		if !errors.As(err, &at) {
			return err
		}
		l.problem(aip.CodeMETSRead, err.Error())
		_, err = io.Copy(io.Discard, in)
		if err != nil {
			return err
		}
	}
	l.sidecar(dir, hex.EncodeToString(sum.Sum(nil)))
	return nil
}

func (l *listing) sidecar(dir, sum string) {
	f, err := os.Open(filepath.Join(dir, aip.DigestName))
	if err != nil {
		l.problem(aip.CodeSidecarMissing, err.Error())
		return
	}
	defer f.Close() //nolint:errcheck // it was only read
	line, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil || string(line) != string(aip.DigestLine(sum)) {
		l.problem(aip.CodeSidecarDigest, "does not state the SHA-512 of "+aip.METSName)
	}
}

func (l *listing) handler() mets.Handler {
	harvest := 0
	inside := false // in a harvest
	return mets.Handler{
		Root:    func(r mets.Root) error { l.root(r); return l.err },
		Problem: func(p mets.Problem) { l.problem(aip.CodeMETSStructure, p.String()) },
		File: func(f mets.File, at mets.FilePlace) error {
			n, ok := groupNumber(at)
			if !ok {
				l.problem(aip.CodeMETSStructure,
					fmt.Sprintf("file %s is not in the group of a harvest", f.ID))
				return nil
			}
			l.container(n, expectedOf(&f))
			return l.err
		},
		Div: func(d mets.Div, depth int) error {
			if inside = depth == 1 && d.Type == "harvest"; inside {
				harvest++
				l.harvest(harvest, d.OrderLabel, d.Label)
			}
			return l.err
		},
		Mptr: func(m mets.Mptr) error {
			if id, err := url.PathUnescape(m.Href); inside && err == nil && m.OtherLocType == otherLocType {
				l.pkg(harvest, id)
			}
			return l.err
		},
	}
}

// groupNumber returns the number of the harvest of a group of expected containers.
func groupNumber(at mets.FilePlace) (int, bool) {
	if len(at.Groups) == 0 || at.Groups[0].Use != useExpected {
		return 0, false
	}
	return aip.NumberOf(at.Groups[0].ID, groupID)
}

func expectedOf(f *mets.File) Expected {
	e := Expected{Name: f.OwnerID, Size: -1}
	if size, ok := f.Size.Get(); ok && size >= 0 {
		e.Size = size
	}
	if f.Checksum != "" {
		e.Digest = model.Digest{Algorithm: model.Algorithm(f.ChecksumType), Value: strings.ToLower(f.Checksum)}
	}
	return e
}
