package aip

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"quire/metadata/mets"
)

// Part is a file element of a METS: a file of the package, or bytes within a file.
type Part struct {
	ID       string `json:"id"`
	Use      string `json:"use"`       // of its group
	Size     *int64 `json:"size"`      // in bytes, before its own transformations; nil if not stated
	MIMEType string `json:"mime_type"` // "" if not stated
	Name     string `json:"name"`      // OWNERID: the URI of a bytestream, the identifier of a record; else the path
	Path     string `json:"path"`      // file of the package that is the part or contains it
	Depth    int    `json:"depth"`     // number of enclosing elements; 0 for a file of the package

	// Checksum is in hexadecimal, by ChecksumType; both are "" if not stated. It covers the same
	// bytes as Size.
	Checksum     string `json:"checksum"`
	ChecksumType string `json:"checksum_type"`

	chain []element // from the file of the package to the part
	wrong *breach   // why the file of the package cannot be opened
}

// Range returns BEGIN and END of the part. Both bytes belong to the part, and both are counted
// within its parent element. begin is 0 if BEGIN is not stated; ok is false if there is no END.
func (p *Part) Range() (begin, end int64, ok bool) {
	e := &p.chain[len(p.chain)-1]
	return max(e.begin, 0), e.end, e.end >= 0
}

// File returns the ID of the file of the package that is the part or contains it.
func (p *Part) File() string { return p.chain[0].id }

// ErrNoPart reports that a METS has no file element with the ID.
var ErrNoPart = errors.New("no file element has this ID")

// Parts reads the METS of the package in dir and visits each file element: those of mets.xml in its
// order, then the records in the METS of each container (clause 2.18). It opens no other file, and
// checks only that each METS can be read. Memory does not grow with them. An error from visit stops
// the reading and is returned.
func Parts(ctx context.Context, dir string, visit func(*Part) error) error {
	return parts(ctx, dir, func(int) bool { return true }, visit)
}

// parts visits the file elements of mets.xml, then those in the METS of the wanted containers.
func parts(ctx context.Context, dir string, wanted func(container int) bool, visit func(*Part) error) error {
	root, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // it was only read
	f, err := openRegular(root, METSName)
	if err != nil {
		return fmt.Errorf("%s: %w (%w)", dir, ErrNoPackage, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	var documents []string
	err = partsIn(ctx, f, METSName, func(p *Part) error {
		if p.Use == UseMETS && p.Depth == 0 && p.wrong == nil {
			if n, ok := NumberOf(p.ID, ContainerMETSFileID); ok && wanted(n) {
				documents = append(documents, p.Path)
			}
		}
		return visit(p)
	})
	for _, name := range documents {
		if err != nil {
			return err
		}
		err = partsOfDocument(ctx, root, name, visit)
	}
	return err
}

// partsOfDocument visits the records in the METS of a container.
func partsOfDocument(ctx context.Context, root *os.Root, name string, visit func(*Part) error) error {
	d, err := openDocument(root, name)
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // it was only read
	err = partsIn(ctx, d, name, func(p *Part) error {
		if p.Depth == 0 {
			if _, ok := NumberOf(p.ID, ContainerFileID); ok { // mets.xml has the container
				return nil
			}
		}
		return visit(p)
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// partsIn visits the file elements of one METS document.
func partsIn(ctx context.Context, in io.Reader, document string, visit func(*Part) error) error {
	var inside nesting
	var top Part // fields that all parts of one file share
	err := mets.Read(&stopping{ctx, in}, mets.Handler{
		Problem: func(mets.Problem) {}, // Validate reports problems
		File: func(file mets.File, at mets.FilePlace) error {
			chain := inside.enter(&file, at)
			if len(at.Files) == 0 {
				top = Part{Use: useOf(at)}
				top.Path, top.wrong = pathFrom(document, &file)
			}
			p := top
			p.Depth = len(at.Files)
			p.ID, p.MIMEType, p.Name, p.chain = file.ID, file.MIMEType, file.OwnerID, chain
			p.Checksum, p.ChecksumType = file.Checksum, file.ChecksumType
			if size := chain[len(chain)-1].size; size >= 0 {
				p.Size = &size
			}
			if p.Depth == 0 && p.Name == "" {
				p.Name = p.Path
			}
			return visit(&p)
		},
	})
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// FindPart returns the file element with an ID. If several elements have the ID, it returns the
// first. The error is [ErrNoPart] if no element has it.
func FindPart(ctx context.Context, dir, id string) (*Part, error) {
	var found *Part
	err := parts(ctx, dir, holderOf(id), func(p *Part) error {
		if p.ID != id {
			return nil
		}
		found = p
		found.chain = slices.Clone(p.chain)
		return io.EOF
	})
	switch {
	case found != nil:
		return found, nil
	case err != nil:
		return nil, fmt.Errorf("%s of %s cannot be read: %w", METSName, dir, err)
	}
	return nil, fmt.Errorf("%q in %s: %w; \"quire cat %s --list\" lists all IDs", id, METSName, ErrNoPart, dir)
}

// holderOf returns which containers may hold the part with an ID: the one that the ID names, or any.
func holderOf(id string) func(container int) bool {
	for _, of := range []func(int, int64) string{MemberFileID, RecordFileID, BodyFileID, ServedFileID} {
		if n, _, ok := PartOf(id, of); ok {
			return func(container int) bool { return container == n }
		}
	}
	return func(int) bool { return true }
}

// stopping reads until a context ends.
type stopping struct {
	ctx context.Context
	src io.Reader
}

// Read implements io.Reader.
func (s *stopping) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.src.Read(p)
}

// openPart opens the file of the package that holds a part.
func (p *Part) openPart(root *os.Root) (*os.File, int64, error) {
	if p.wrong != nil {
		return nil, 0, &PartError{ID: p.ID, Reason: p.wrong.Error()}
	}
	f, err := openRegular(root, p.Path)
	if err != nil {
		return nil, 0, &PartError{ID: p.ID, Reason: notThere(p.Path, err).Error()}
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}
